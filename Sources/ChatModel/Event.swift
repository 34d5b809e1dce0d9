/// What the server tells a connection. Each dialect spells it in its own bytes.

/// One event, told to one connection or to many.
public enum Event: Hashable, Sendable {
  /// A person entered; `members` counts everyone now in the room.
  case joined(UserName, members: Int)
  /// A person left; `members` counts everyone still in the room.
  case left(UserName, members: Int)
  /// Many came and went: told in place of single lines where a room has more than 64 members.
  case membersChanged(joined: Int, left: Int, members: Int)
  /// A person said something.
  case said(UserName, MessageText)
  /// The answer to ``Request/who``: some of the names, and how many there are in all.
  case members([UserName], count: Int)
  /// The answer to ``Request/ping(_:)``.
  case pong(String)
  /// How to use this dialect, in one screen.
  case help
  /// A request was refused.
  case refused(Refusal)
  /// The reader was too slow: this many lines were not sent to it.
  case skipped(lines: Int)
  /// The server is about to close the connection.
  case closing(ClosingReason)
}

/// Why the server closes a connection.
public enum ClosingReason: Hashable, Sendable {
  /// The person asked for it.
  case quit
  /// The server is shutting down.
  case shutdown
  /// Another connection asks for the name, and this one does not answer the kernel's probes.
  case silent
  /// Too many connections without a name; the oldest goes.
  case crowded
  /// Too many connections from one address.
  case tooManyFromAddress(limit: Int)
}
