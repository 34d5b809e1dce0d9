/// The name a person is shown and found by. Cannot be wrong past its initialiser.

/// A user name: 1 to 64 bytes of UTF-8, shown as sent, compared as NFKC with case folded.
public struct UserName: Sendable {
  /// The most a name may take as it is shown, in bytes of UTF-8.
  public static let bytesMax = 64

  /// As the person sent it, trimmed.
  public let shown: String
  /// What two names are compared by: NFKC, case folded, inner blanks collapsed.
  public let folded: String

  /// Takes a name as it was sent, or says what is wrong with it.
  public init(_ sent: String) throws(NameProblem) {
    let shown = trimmed(sent)
    guard !shown.isEmpty else { throw .empty }
    guard shown.utf8.count <= Self.bytesMax else { throw .tooLong(limit: Self.bytesMax) }
    for scalar in shown.unicodeScalars {
      if let problem = invisibility(of: scalar) { throw problem }
    }
    let folded = foldedName(shown)
    guard !folded.isEmpty else { throw .empty }
    if let problem = nameProblem(inFolded: folded) { throw problem }
    self.shown = shown
    // Names in small letters are stored once.
    self.folded = folded.utf8.elementsEqual(shown.utf8) ? shown : folded
  }
}

extension UserName: Hashable {
  public static func == (one: UserName, other: UserName) -> Bool { one.folded == other.folded }
  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
