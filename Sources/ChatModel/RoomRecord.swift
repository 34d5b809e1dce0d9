/// What is known of a room besides what was said: who may enter, who may do what. Values only.

/// What was decided of a room by whoever made it.
public struct RoomRecord: Hashable, Sendable {
  /// Only those who were admitted may enter it, or know that it is there.
  public var isPrivate: Bool
  /// Nothing more is said in it; what was said can be read.
  public var isArchived: Bool

  public init(isPrivate: Bool, isArchived: Bool = false) {
    self.isPrivate = isPrivate
    self.isArchived = isArchived
  }
}

/// What an invitation is known by, without telling it: SHA-256 of its code.
public struct CodeHash: Hashable, Sendable {
  /// 64 digits of the base 16, the letters small.
  public let string: String

  public init?(_ string: String) {
    guard string.utf8.count == 64,
      string.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.string = string
  }
}

/// Who has the code may enter.
public struct Invitation: Hashable, Sendable {
  /// How often it can be used, at most; above 0, nil: without end.
  public var usesLeft: Int?
  /// From then on it is good for nothing.
  public var until: Moment?

  public init(usesLeft: Int? = nil, until: Moment? = nil) {
    self.usesLeft = usesLeft
    self.until = until
  }
}

/// What two people are called in their conversation while one of them is not here: the names that
/// they bore there last.
public struct PartnerNames: Hashable, Sendable {
  /// Of the one with the lower number.
  public var lower: UserName
  public var higher: UserName

  public init(lower: UserName, higher: UserName) {
    self.lower = lower
    self.higher = higher
  }
}
