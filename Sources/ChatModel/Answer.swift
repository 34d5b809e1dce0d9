/// What the server answers to one request, to the connection that made it.

/// The outcome of a request. A dialect decides what of it its clients are told.
public enum Answer: Hashable, Sendable {
  /// The person bears this name; `token` makes another connection the same person. A guest has no
  /// account.
  case loggedIn(UserName, token: String, isGuest: Bool = true)
  /// The connection is nobody's from here on, and the person's tokens are void.
  case loggedOut
  /// The connection is in the room, whose newest message is `seq` (0: none) now.
  case joined(RoomName, seq: Int64, members: Int)
  /// The connection is in this room no more.
  case left(RoomName)
  /// The message is kept; for a key that came before, this is the answer it got then.
  case sent(RoomName, seq: Int64, at: Moment, Durability)
  /// What was asked for of a room's history, or the part of it that one page has.
  case history(HistoryPage)
  /// Some of the rooms, and how many there are in all.
  case rooms([RoomState], count: Int)
  /// Some of those who are there, and how many there are in all.
  case members(RoomName, [Member], count: Int)
  /// The text of the ping, after everything asked before it was answered.
  case pong(String)
  /// The connection is about to be closed, as it was asked for.
  case quit
  /// Nothing was done, and why.
  case refused(Refusal)
}

/// Somebody in a room, as a list of its members shows them.
public struct Member: Hashable, Sendable {
  public var name: UserName
  /// Nil for a guest.
  public var role: Role?

  public init(_ name: UserName, role: Role? = nil) {
    self.name = name
    self.role = role
  }
}

/// A page of history.
public struct HistoryPage: Hashable, Sendable {
  /// The most messages of one page.
  public static let messagesMax = 500

  public var room: RoomName
  /// Oldest first.
  public var messages: [Message]
  /// Whether there are more beyond the page, in the direction that was asked for.
  public var more: Bool
  /// What was asked for and is gone, by retention or by damage: sequence numbers from and to, both
  /// included.
  public var gap: ClosedRange<Int64>?

  public init(
    room: RoomName, messages: [Message], more: Bool, gap: ClosedRange<Int64>? = nil
  ) {
    self.room = room
    self.messages = messages
    self.more = more
    self.gap = gap
  }
}

/// A room as a list of rooms shows it.
public struct RoomState: Hashable, Sendable {
  public var name: RoomName
  public var members: Int
  /// Of the newest message; 0 where nothing was ever said.
  public var seq: Int64

  public init(name: RoomName, members: Int, seq: Int64) {
    self.name = name
    self.members = members
    self.seq = seq
  }
}
