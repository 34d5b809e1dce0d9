/// Why a request was refused: a value that each dialect puts in its own words.

/// What the peer did wrong, or what the server cannot do. Sent, never thrown.
public enum Refusal: Hashable, Sendable {
  /// The request needs a name first.
  case notLoggedIn
  /// The name cannot be one.
  case badName(NameProblem)
  /// A live connection holds the name.
  case nameTaken(UserName)
  /// The line or text is over its limit, in bytes.
  case tooLong(limit: Int)
  /// Not a command that this dialect has.
  case unknownCommand
  /// A command that this version does not have yet.
  case notYet(command: String)
}
