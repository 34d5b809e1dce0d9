/// What the hub wants done. The server carries it out; the hub itself touches nothing.

package import ChatModel

/// Whose message is being kept, for the answer.
package struct Ticket: Hashable, Sendable {
  package let connection: ConnectionID
  package let request: RequestID?

  package init(connection: ConnectionID, request: RequestID?) {
    self.connection = connection
    self.request = request
  }
}

/// What became of a draft that was to be kept.
package enum KeepOutcome: Hashable, Sendable {
  case stored(seq: Int64, at: Moment)
  /// It came before with its key: what became of it then.
  case duplicate(of: Int64, at: Moment, in: RoomName)
  /// The key is another message's.
  case keyReused
  /// What was to be changed is no message, or has no text any more.
  case noSuchMessage
  /// What was to be changed is somebody else's.
  case notYours
  case failed(StoreTrouble)
}

/// One thing to do, in the order given.
package enum Effect: Equatable, Sendable {
  /// Answer a request.
  case answer(ConnectionID, RequestID?, Answer)
  /// Tell one connection.
  case tell(ConnectionID, Event)
  /// Tell all of these the same.
  case tellAll([ConnectionID], Event)
  /// Tell all of these of a message or change that is kept; those of its sender with its key.
  case publish([ConnectionID], Message, in: Place)
  /// The connection now belongs to this person, who bears this name.
  case named(ConnectionID, PersonID, UserName)
  /// Answer a login with ``Answer/loggedIn(_:token:isGuest:)``; the token is not the hub's to make.
  case answerLogin(ConnectionID, RequestID?, PersonID, UserName)
  /// Answer with ``Report/token(_:_:until:)``, made to be good for so many days.
  case answerToken(ConnectionID, RequestID?, PersonID, UserName, days: Int)
  /// Keep this, then call ``Hub/kept(_:_:_:_:)``. Drafts are kept in the order of these effects.
  case keep(Draft, Ticket)
  /// Keep these facts, with their line, then call ``Hub/recorded(_:_:_:at:)``; in their order among
  /// the drafts, so that all said before is kept before and all said after is kept after.
  case record(Record, Ticket)
  /// Do this work on a password, then call ``Hub/hashed(_:_:at:)``.
  case hash(ConnectionID, PasswordWork)
  /// Have this done for an operator, then call ``Hub/finished(_:_:_:at:)``, also where the
  /// connection has gone meanwhile.
  case errand(ConnectionID, Errand)
  /// The connection bears no name any more.
  case unnamed(ConnectionID)
  /// Answer with a page of history.
  case fetch(ConnectionID, RequestID?, RoomName, Stretch, limit: Int)
  /// Answer with what is found, in this room or in all that may be read.
  case search(ConnectionID, RequestID?, Search, in: RoomName?, Sight)
  /// Give the connection what it misses of the room, then what comes as it comes.
  case replay(ConnectionID, RoomName, Beginning)
  /// The connection is in the room no more.
  case forget(ConnectionID, RoomName)
  /// As ``forget(_:_:)``; and nothing more of the room reaches it, also of what waits to be sent.
  case withdraw(ConnectionID, RoomName)
  /// What waits to be sent of what the person has asked to read in the room, or in any, is taken
  /// back: also where a connection is in no room, where the person is one by its token alone, and
  /// where the connection is somebody else by now. Not in chat, where it is but the token that is
  /// void: its connections end.
  case withdrawAnswers(of: PersonID, in: RoomName?, inChat: Bool)
  /// Take no further request of this connection until ``proceed(_:)``.
  case wait(ConnectionID)
  /// Its request is decided: go on with the next.
  case proceed(ConnectionID)
  /// Find out whether the other end is still there, then call ``Hub/probed(_:isAlive:at:)``.
  case probe(ConnectionID)
  /// Take no further request of this connection before this time: it speaks too fast.
  case readLater(ConnectionID, until: Duration)
  /// Tell it why, then close it. The hub has forgotten it already.
  case close(ConnectionID, ClosingReason)
  /// Tell all why that come from there, and close them. The hub has not forgotten them.
  case closeNetwork(Network, ClosingReason)
}
