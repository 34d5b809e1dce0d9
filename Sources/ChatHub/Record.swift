/// Facts on their way to the store, and what follows once they are kept. Decides nothing.

package import ChatModel

/// Facts that are set and are to be kept, and what follows once they are.
package struct Record: Hashable, Sendable {
  package let facts: [Fact]
  /// A line of the log of moderation that is kept with them, in one transaction.
  package let line: Draft?
  /// What puts the former values back.
  let former: [Fact]
  let sequel: Sequel

  /// What is done, and answered, when the facts are kept.
  enum Sequel: Hashable, Sendable {
    /// Nobody waits for it.
    case nothing
    case answer(Answer)
    /// The connection that asked becomes this person.
    case logIn(PersonID, UserName, Manner)
    /// The person goes on by that connection alone, with a new token.
    case renew(PersonID)
    /// None of the person's connections is the person's any more.
    case logOut(PersonID)
    /// The connection enters the room.
    case enter(RoomName, Beginning)
    /// The person's other connections hear how far it has read.
    case mark(RoomName, Int64)
    /// The person is put out of the room, or off the server; for good where there is a ban.
    case expel(PersonID, from: RoomName?, by: UserName, ShortText?, Sanction?)
    /// Whoever is connected from there is sent away.
    case close(Network, Sanction)
    /// Whoever is the person has to log in again.
    case revoke(PersonID)
    /// Whoever asked is given a token of the person, good for so many days.
    case token(PersonID, UserName, days: Int)
    /// Words of the person are looked for, to be erased.
    case walk(PersonID)
    /// Everybody is put out of the room, and what was said there goes.
    case clear(RoomName)
    /// The room is no more.
    case forget(RoomName, messages: Int)
    /// It is asked again, by whom it was asked, from that address.
    case visit(Visit, Visitor?, from: String?)
    /// The person has no account any more, or none that can be used.
    case endAccount(PersonID)
  }
}

/// What became of a record.
package enum RecordOutcome: Hashable, Sendable {
  case kept
  /// With its line, which has this number.
  case keptLine(seq: Int64, at: Moment)
  case failed(StoreTrouble)
}
