/// What the server tells a connection unasked. Each dialect spells it in its own bytes.

/// One event, told to one connection or to many.
public enum Event: Hashable, Sendable {
  /// A person entered; `members` counts everyone now in the room.
  case joined(RoomName, UserName, members: Int)
  /// A person left; `members` counts everyone still in the room.
  case left(RoomName, UserName, members: Int)
  /// Many came and went: told in place of single lines where a room has more than 64 members.
  case membersChanged(RoomName, joined: Int, left: Int, members: Int)
  /// A person said something, or changed what was said. The key is for the sender's own
  /// connections only.
  case message(Message, in: Place)
  /// A reader that is behind gets what it has missed, in a moment.
  case catchingUp(Place)
  /// It has everything up to this sequence number, and hears what comes as it comes.
  case caughtUp(Place, seq: Int64)
  /// What retention has removed, or damage has taken, of what the reader would be given: both
  /// numbers included.
  case gap(Place, ClosedRange<Int64>)
  /// Somebody is writing something, or no more.
  case typing(Place, UserName, Bool)
  /// Somebody is not at the keyboard, and why; nil: is back.
  case presence(UserName, away: ShortText?)
  /// Another connection of the same person says that it has read so far.
  case marked(Place, seq: Int64)
  /// The connection was put out of the room.
  case kicked(RoomName, by: UserName, ShortText?)
  /// How to use this dialect, in one screen.
  case help
  /// The reader was too slow, and its dialect cannot catch up: this many lines were not sent.
  case skipped(lines: Int)
  /// One sentence for people.
  case notice(String)
  /// The server is about to close the connection; who comes back stays away for so long at least.
  case closing(ClosingReason, retryAfter: Duration? = nil)
}

/// Why the server closes a connection.
public enum ClosingReason: Hashable, Sendable {
  /// The person asked for it.
  case quit
  /// The server is shutting down.
  case shutdown
  /// Another connection asks for the name, and this one does not answer the kernel's probes.
  case silent
  /// The person's tokens were made void, by another of their connections.
  case loggedOut
  /// A moderator put the person off the server.
  case kicked(by: UserName, ShortText?)
  /// The person was put out of the room that the connection follows, or the room is no more.
  case putOut(RoomName, by: UserName, ShortText?)
  /// The person, or where it comes from, is banned from the server.
  case banned(ShortText?, until: Moment?)
  /// The person's account was disabled or removed.
  case accountEnded
  /// Too many connections without a name; the oldest goes.
  case crowded
  /// Too many connections from one address.
  case tooManyFromAddress(limit: Int)
  /// Too many lines that were no requests.
  case tooManyMistakes(limit: Int)
}
