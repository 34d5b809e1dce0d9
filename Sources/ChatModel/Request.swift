/// What a person asks of the server. The same in every dialect.

/// One request of one connection.
public enum Request: Hashable, Sendable {
  /// Take this name and enter the lobby; with a name already held: take the new one in its place.
  case logIn(UserName)
  /// Say this in the room.
  case say(MessageText)
  /// Who is in the room?
  case who
  /// Answered by ``Event/pong(_:)`` with the same text, after everything asked before it.
  case ping(String)
  /// Leave and close the connection.
  case quit
}
