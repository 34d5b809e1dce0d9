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

/// One request of one connection. A room that is nil is the one the connection is in.
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
  /// Enter a room, which is made where it is not there. It is there for as long as somebody is in
  /// it, and for good once something was said in it.
  case join(RoomName, Beginning)
  /// Be in the room no more.
  case leave(RoomName?)
  /// Say this.
  case send(RoomName?, MessageText, key: MessageKey?, replyTo: Int64?)
  /// A page of what was said, of at most so many messages. It needs no membership.
  case history(RoomName?, Stretch, limit: Int)
  /// Which rooms are there?
  case rooms
  /// Who is in the room? It needs no membership.
  case who(RoomName?)
  /// Answered with the same text, after everything asked before it.
  case ping(String)
  /// Leave and close the connection.
  case quit
}
