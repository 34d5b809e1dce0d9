/// Where a conversation with a server stands, and how it ended. Values only.

/// Where a connection stands. It only ever moves down this list.
public enum ChatState: Hashable, Sendable {
  /// The server is being reached.
  case connecting
  /// The name was sent; the server has not answered yet.
  case loggingIn
  /// The name is taken; texts go out.
  case open
  /// It is over, and why. Nothing follows.
  case closed(ChatClosing)
}

/// Why a connection is over.
public enum ChatClosing: Hashable, Sendable {
  /// This side ended it, and everything said was answered.
  case finished
  /// This side closed it at once; so many texts had no answer.
  case abandoned(unanswered: Int)
  /// The server did not take the name; its words.
  case loginRefused(String)
  /// The server could not be reached; the system's words, such as `connection refused`.
  case unreachable(String)
  /// The server ended the connection; so many texts had no answer.
  case endedByServer(unanswered: Int)
  /// The connection broke; the system's words, and how many texts had no answer.
  case broken(String, unanswered: Int)
}

/// What can be asked of the server beside being heard.
public enum ChatQuestion: Hashable, Sendable {
  /// Who is in the room?
  case who
  /// How does one speak to this server?
  case help
  /// Answered by ``ServerLine/pong(_:)`` with the same text.
  case ping(String)
}
