/// The name of a room. Cannot be wrong past its initialiser.

/// 1 to 64 bytes of ASCII letters, digits, `_`, `-` and `.`; large letters become small ones.
///
/// What begins with `@` is a room that the server made: what two people say to each other, which
/// nobody can ask for by this name, and the log of moderation, `@audit`.
public struct RoomName: Hashable, Sendable {
  /// The most a room's name may take, in bytes.
  public static let bytesMax = 64
  /// The room that everybody knows.
  public static let lobby = RoomName(checked: "lobby")
  /// What moderators and operators did, a line each. Only the server's owner may read it.
  public static let audit = RoomName(checked: "@audit")

  /// In small letters.
  public let string: String

  /// Nil for what cannot be a room's name that somebody asks for.
  public init?(_ sent: String) {
    if sent == Self.audit.string {
      self = .audit
      return
    }
    guard (1...Self.bytesMax).contains(sent.utf8.count), sent.utf8.allSatisfy(isAllowed) else {
      return nil
    }
    string = sent.lowercased()
  }

  /// Also a room that the server made, as a store or an export has it.
  public init?(kept: String) {
    if let name = RoomName(kept) {
      self = name
    } else if let name = Self.conversation(kept) {
      self = name
    } else {
      return nil
    }
  }

  private init(checked: String) { string = checked }

  /// What these two say to each other, whoever is named first. They are two.
  public static func conversation(of one: PersonID, and other: PersonID) -> RoomName {
    let (low, high) = (min(one.rawValue, other.rawValue), max(one.rawValue, other.rawValue))
    return RoomName(checked: "@\(low).\(high)")
  }

  private static func conversation(_ kept: String) -> RoomName? {
    guard let (low, high) = numbers(in: kept), low < high, low != 0, high != 0 else { return nil }
    let name = conversation(of: PersonID(rawValue: low), and: PersonID(rawValue: high))
    // Written in one way only: two names are never one conversation.
    return name.string == kept ? name : nil
  }

  private static func numbers(in string: String) -> (Int64, Int64)? {
    guard string.utf8.first == UInt8(ascii: "@") else { return nil }
    let parts = string.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let one = Int64(parts[0]), let other = Int64(parts[1]) else {
      return nil
    }
    return (one, other)
  }

  /// Whether the server made it.
  public var isMade: Bool { string.utf8.first == UInt8(ascii: "@") }

  /// Whose conversation it is; nil for a room.
  public var people: (PersonID, PersonID)? {
    Self.numbers(in: string).map { (PersonID(rawValue: $0.0), PersonID(rawValue: $0.1)) }
  }
}

private func isAllowed(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
    UInt8(ascii: "."):
    true
  case _: false
  }
}
