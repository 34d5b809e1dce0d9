/// What the server answers to one request, to the connection that made it.

/// The outcome of a request. A dialect decides what of it its clients are told.
public enum Answer: Hashable, Sendable {
  /// The person bears this name; `token` makes another connection the same person. A guest has no
  /// account.
  case loggedIn(UserName, token: String, isGuest: Bool = true)
  /// The connection is nobody's from here on, and the person's tokens are void.
  case loggedOut
  /// The connection is in the room, whose newest message is `seq` (0: none) now; or it is given
  /// what it misses of a conversation, which has two members.
  case joined(Place, seq: Int64, members: Int, topic: ShortText? = nil)
  /// The connection is in this room no more.
  case left(RoomName)
  /// The message is kept; for a key that came before, this is the answer it got then.
  case sent(Place, seq: Int64, at: Moment, Durability)
  /// The change of a message is kept, and has this sequence number.
  case changed(seq: Int64)
  /// What was asked for of a room's history, or the part of it that one page has.
  case history(HistoryPage, in: Place)
  case found(Findings)
  /// Some of the rooms and conversations, and how many there are in all.
  case rooms([RoomState], count: Int)
  /// Some of those who are there, and how many there are in all.
  case members(RoomName, [Member], count: Int)
  case topic(RoomName, ShortText?)
  /// The code lets others in, each once.
  case invited(RoomName, code: String)
  /// It is so.
  case done
  /// The text of the ping, after everything asked before it was answered.
  case pong(String)
  /// The connection is about to be closed, as it was asked for.
  case quit
  /// To whoever runs the server.
  case report(Report)
  /// Nothing was done, and why.
  case refused(Refusal)
}

/// Somebody in a room, as a list of its members shows them.
public struct Member: Hashable, Sendable {
  public var name: UserName
  /// Nil for who has none, here or on the whole server.
  public var role: Role?
  /// Why they are not at the keyboard; nil where they are.
  public var away: ShortText?

  public init(_ name: UserName, role: Role? = nil, away: ShortText? = nil) {
    self.name = name
    self.role = role
    self.away = away
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

/// A room or a conversation as a list shows it to somebody.
public struct RoomState: Hashable, Sendable {
  public var place: Place
  /// How many people are there; of a conversation, how many of the two are connected.
  public var members: Int
  /// Of the newest message; 0 where nothing was ever said.
  public var seq: Int64
  public var topic: ShortText?
  public var isPrivate = false
  public var isArchived = false
  /// How far the person has read it; nil where it has never said so.
  public var mark: Int64?

  public init(place: Place, members: Int, seq: Int64) {
    self.place = place
    self.members = members
    self.seq = seq
  }

  /// How many numbers were given behind the mark; nil where there is none.
  public var unread: Int64? { mark.map { max(0, seq - $0) } }
}
