/// Why a request was refused: a value that each dialect puts in its own words.

/// What the peer did wrong, or what the server cannot do. Sent, never thrown.
public enum Refusal: Hashable, Sendable {
  /// The request needs a name first.
  case notLoggedIn
  /// The name cannot be one.
  case badName(NameProblem)
  /// A live connection of somebody else holds the name.
  case nameTaken(UserName)
  /// The name is that of somebody's account.
  case nameHasAccount(UserName)
  /// The password is not that of the account; also where there is no such account.
  case badPassword
  /// Not the code that makes its holder the owner, or it was used already.
  case badCode
  /// The connection could be read by others on its way.
  case passwordNotPrivate
  /// The person has an account already.
  case hasAccount
  /// The person is a guest, and has no password.
  case noAccount
  /// Too much to do; nothing was done.
  case busy
  /// The person is here with so many connections already.
  case tooManyConnections(limit: Int)
  /// Not a token of this server, or one that has had its time.
  case badToken
  /// A field or a line is over its limit, in bytes.
  case tooLong(limit: Int)
  /// What stands there is no room's name.
  case badRoom
  /// There is no room of this name, or none that the person may know of.
  case noSuchRoom(RoomName)
  /// What was to be entered cannot be: it is private, and the code, if there was one, is none or
  /// has had its time.
  case notInvited(RoomName)
  /// The room is there already, so that it cannot be made.
  case roomTaken(RoomName)
  /// Nothing more is said in the room.
  case archived(RoomName)
  /// Only for whoever has this role there, or a higher one.
  case needsRole(Role)
  /// Nobody can do that to somebody whose role is as high.
  case roleTooHigh(UserName)
  /// Somebody has to be the owner.
  case lastOwner
  /// That is the person itself.
  case oneself
  /// There are as many of these as there may be.
  case tooMany(Bounded, limit: Int)
  /// No invitation to the room has this code.
  case noSuchInvitation(RoomName)
  /// Only for private rooms.
  case notPrivate(RoomName)
  /// Nobody of this name is connected or has an account.
  case notHere(UserName)
  /// There is no message with this number, or its text was taken away.
  case noSuchMessage(Int64)
  /// Only for the one who said it, and for moderators.
  case notYours(Int64)
  /// Banned from there; the room is nil for the whole server.
  case banned(RoomName?, ShortText?, until: Moment?)
  /// May say nothing there.
  case muted(RoomName?, ShortText?, until: Moment?)
  /// The account was disabled by whoever runs the server.
  case accountDisabled
  /// The room is there, and the connection is not in it.
  case notMember(RoomName)
  /// The connection is in no room, and the request names none.
  case inNoRoom
  /// The person is in so many rooms already.
  case tooManyRooms(limit: Int)
  /// The server has so many rooms already, and makes no further one.
  case noRoomForRooms(limit: Int)
  /// Too fast; the same request can succeed when so much time has gone by.
  case rateLimited(retryAfter: Duration)
  /// The message could not be kept, and was shown to nobody: it may be sent again.
  case notStored(reason: StoreTrouble)
  /// The history could not be read just now: it may be asked for again.
  case notRead
  /// The person has given the key to another message, of another room or with another text. This
  /// one was not kept.
  case keyReused
  /// What whoever runs the server has asked cannot be done.
  case operation(OperationProblem)
  /// Not a command that this dialect has.
  case unknownCommand
  /// The request is not spelled as it should be; the dialect's own words say what is wrong.
  case badRequest(String)
}

/// What there is only so much of.
public enum Bounded: Hashable, Sendable, CaseIterable {
  /// Rooms and conversations that one person has a mark in.
  case marks
  /// Conversations of everybody.
  case conversations
  /// Invitations to one room.
  case invitations
  /// Bans and mutes in one place.
  case sanctions
}

/// What keeps a store from keeping.
public enum StoreTrouble: String, Hashable, Sendable {
  /// No room is left where it keeps.
  case diskFull
  /// Anything else; the operator is told what.
  case failed
  /// More is waiting to be kept than may wait.
  case busy
}
