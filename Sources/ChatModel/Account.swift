/// What an account is: a name that needs a password, and what its person may do. Values only.

/// What a person may do, on the whole server or in one room; docs/moderation.md has the table.
public enum Role: String, Hashable, Sendable, CaseIterable {
  case owner, moderator, member
}

extension Role: Comparable {
  private var rank: Int {
    switch self {
    case .owner: 3
    case .moderator: 2
    case .member: 1
    }
  }

  /// An owner is above a moderator, who is above a member.
  public static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }
}

/// What is kept of a person who has registered.
public struct Account: Hashable, Sendable {
  /// Nobody else can bear it.
  public var name: UserName
  public var password: PasswordHash
  /// On the whole server.
  public var role: Role
  /// Nobody can log in to it.
  public var isDisabled: Bool

  public init(name: UserName, password: PasswordHash, role: Role, isDisabled: Bool = false) {
    self.name = name
    self.password = password
    self.role = role
    self.isDisabled = isDisabled
  }
}

/// A password as it was sent. Never kept, and shown by no description.
public struct Password: Hashable, Sendable {
  /// How many bytes of UTF-8 it has.
  public static let bytes = 8...256

  public let string: String

  /// Nil where it is too short or too long.
  public init?(_ string: String) {
    guard Self.bytes.contains(string.utf8.count) else { return nil }
    self.string = string
  }

  /// The same as a sentence.
  package static let rule = "a password has \(bytes.lowerBound) to \(bytes.upperBound) bytes"
}

extension Password: CustomStringConvertible, CustomReflectable {
  public var description: String { "(a password)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a password is checked by: its algorithm, cost, salt and hash, in the form of the Password
/// Hashing Competition (`$argon2id$…`). Tells nobody the password.
public struct PasswordHash: Hashable, Sendable {
  /// The most it may take, in bytes.
  public static let bytesMax = 127

  public let string: String

  /// Nil for what cannot be one: empty, too long, or not printable ASCII without blanks.
  public init?(_ string: String) {
    guard (1...Self.bytesMax).contains(string.utf8.count),
      string.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.string = string
  }
}
