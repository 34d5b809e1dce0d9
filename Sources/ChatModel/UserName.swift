/// The name a person is shown and found by. Cannot be wrong past its initialiser.

internal import CUTF8Proc

/// A user name: 1 to 64 bytes of UTF-8, shown as sent, compared as NFKC with case folded.
public struct UserName: Sendable {
  /// As the person sent it, trimmed.
  public let shown: String
  /// What two names are compared by.
  public let folded: String

  /// Takes a name as it was sent, or says what is wrong with it.
  public init(_ sent: String) throws(NameProblem) {
    guard !sent.isEmpty else { throw .empty }
    guard sent.utf8.count <= 64 else { throw .tooLong(limit: 64) }
    shown = sent
    folded = sent.lowercased()
  }
}

extension UserName: Hashable {
  public static func == (one: UserName, other: UserName) -> Bool { one.folded == other.folded }
  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

/// Why a name cannot be one.
public enum NameProblem: Error, Hashable, Sendable {
  case empty
  case tooLong(limit: Int)
}
