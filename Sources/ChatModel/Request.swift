/// What a person asks of the server. The same in every dialect.

/// What a client calls one of its requests, to know the answer by. Each dialect has its own form
/// of it; a dialect without any gives none.
public enum RequestID: Hashable, Sendable {
  /// A number as it was written.
  case number(String)
  case text(String)
}

/// Where somebody who joins begins to read.
public enum Beginning: Hashable, Sendable {
  /// With what comes from now on.
  case now
  /// With everything behind this sequence number, then live.
  case after(Int64)
  /// With at most so many of the newest, then live.
  case last(Int)
}

/// A stretch of a room's history.
public enum Stretch: Hashable, Sendable {
  /// The newest before this sequence number; before the end where it is nil.
  case before(Int64?)
  /// The oldest behind this one.
  case after(Int64)
}

/// How a connection lives in rooms.
public enum Manner: Hashable, Sendable {
  /// In one room at a time, as people at a terminal are: it enters the lobby with its login, and
  /// joining another room leaves the one before. What it says too fast is read later.
  case oneRoom
  /// In the rooms that it asks for, as programs are. What it says too fast is refused.
  case manyRooms
}

/// Whom a measure of moderation is for.
public enum Subject: Hashable, Sendable {
  case name(UserName)
  case network(Network)
}

/// One request of one connection. A room or place that is nil is the one the connection is in;
/// for what moderators do it is the whole server.
public enum Request: Hashable, Sendable {
  /// Take this name; with a name already held: the new one in its place.
  case logIn(UserName, Manner)
  /// Be the person whose account has this name. Where none has, the password is wrong; or, for
  /// those who may have meant no password, the name is taken without one.
  case logInWithPassword(UserName, Password, orAsGuest: Bool, Manner)
  /// Make an account: of the person that the connection is, or of somebody new. The code is the
  /// one that makes its holder the server's owner.
  case register(UserName, Password, code: String?, Manner)
  /// Another password in place of this one.
  case changePassword(old: Password, new: Password)
  /// Be nobody again; the person's tokens are void from then on.
  case logOut
  /// Be again who one was, by the token of an earlier login.
  case resume(token: String, Manner)

  /// Make a room that stays, and enter it as its owner.
  case create(RoomName, isPrivate: Bool, topic: ShortText?)
  /// Nothing more is said in the room.
  case archive(RoomName)
  /// Enter a room, which is made where it is not there. It is there for as long as somebody is in
  /// it, and for good once something was said in it. A private room needs the code of an
  /// invitation, once. Or be given what one misses of a conversation, which needs no entering.
  case join(Place, Beginning, code: String?)
  /// Be in the room no more.
  case leave(RoomName?)

  /// Say this.
  case send(Place?, MessageText, key: MessageKey?, replyTo: Int64?)
  /// Another text for a message.
  case edit(Place, of: Int64, MessageText)
  /// No text any more for a message.
  case delete(Place, of: Int64)
  /// A page of what was said, of at most so many messages. It needs no membership.
  case history(Place?, Stretch, limit: Int)
  indirect case search(Search)

  /// This far it was read.
  case mark(Place, Int64)
  /// Something is being written, or no more.
  case typing(Place, Bool)
  /// Not at the keyboard, and why; nil: back.
  case away(ShortText?)
  /// Which rooms are there, and which conversations?
  case rooms
  /// Who is in the room? It needs no membership.
  case who(RoomName?)
  /// What is the room about?
  case topic(RoomName?)

  /// From here on the room is about this; nil: about nothing.
  case setTopic(RoomName?, ShortText?)
  /// A code that lets others into a private room: so often, for so many seconds.
  case invite(RoomName, uses: Int?, seconds: Int?)
  case uninvite(RoomName, code: String)
  /// Out of the room, or off the server.
  case kick(RoomName?, UserName, ShortText?)
  /// Ban or mute, for so many seconds or until it is lifted.
  case sanction(Sanction.Kind, RoomName?, Subject, ShortText?, seconds: Int?)
  case lift(Sanction.Kind, RoomName?, Subject)
  case setRole(RoomName?, UserName, Role)

  /// Answered with the same text, after everything asked before it.
  case ping(String)
  /// Leave and close the connection.
  case quit
  /// By whoever runs the server; from nowhere else.
  case operate(Operation)
}
