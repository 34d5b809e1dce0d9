/// Values inside of events and answers, in the form of the conformance vectors.

import ChatModel
import Dialects
import Testing

func placeForm(_ room: String?, _ with: String?) throws -> Place {
  if let with { return .with(try UserName(with)) }
  return .room(try #require(room.flatMap(RoomName.init(_:))))
}

extension Place {
  /// The room that a client takes it for.
  var formRoom: RoomName {
    switch self {
    case .room(let room): room
    case .with: JSONClientCodec.conversation
    }
  }
}

struct MessageForm: Decodable, Sendable {
  var room: String?
  var with: String?
  var seq: Int64
  var from: String
  var text: String
  var atMs: Int64
  var replyTo: Int64?
  var key: String?
  var editedMs: Int64?
  var deleted: Bool?

  func message(_ person: PersonID) throws -> Message {
    let content = deleted == true ? Content.gone : .text(try #require(MessageText(text)))
    let draft = Draft(
      room: try placeForm(room, with).formRoom, person: person, from: try UserName(from),
      content: content, key: key.flatMap(MessageKey.init), replyTo: replyTo)
    return Message(
      draft, seq: seq, at: Moment(milliseconds: atMs),
      edited: editedMs.map { Moment(milliseconds: $0) })
  }
}

struct RangeForm: Decodable, Sendable {
  var from: Int64
  var to: Int64
}

struct RoomForm: Decodable, Sendable {
  var name: String?
  var with: String?
  var members: Int
  var seq: Int64
  var topic: String?
  var `private`: Bool?
  var archived: Bool?
  var mark: Int64?

  func state() throws -> RoomState {
    var state = RoomState(place: try placeForm(name, with), members: members, seq: seq)
    state.topic = topic.flatMap(ShortText.init)
    state.isPrivate = self.private ?? false
    state.isArchived = archived ?? false
    state.mark = mark
    return state
  }
}

struct RefusalForm: Decodable, Sendable {
  var nameTaken: String?
  var notLoggedIn: Bool?
  var tooLong: Int?
  var rateLimitedMs: Int?
  var notMember: String?
  var unknownMethod: Bool?
  var nameHasAccount: String?
  var badPassword: Bool?
  var passwordNotPrivate: Bool?
  var busy: Bool?
  var noSuchRoom: String?
  var notInvited: String?
  var roomTaken: String?
  var archived: String?
  var needsRole: String?
  var notHere: String?
  var noSuchMessage: Int64?
  var notYours: Int64?
  var banned: SanctionForm?
  var muted: SanctionForm?

  /// Without a room it is the whole server.
  struct SanctionForm: Decodable, Sendable {
    var room: String?
    var reason: String?
    var untilMs: Int64?
  }

  func refusal() throws -> Refusal {
    if let nameTaken { return .nameTaken(try UserName(nameTaken)) }
    if notLoggedIn == true { return .notLoggedIn }
    if let tooLong { return .tooLong(limit: tooLong) }
    if let rateLimitedMs { return .rateLimited(retryAfter: .milliseconds(rateLimitedMs)) }
    if let room = notMember.flatMap(RoomName.init(_:)) { return .notMember(room) }
    if unknownMethod == true { return .unknownCommand }
    if let nameHasAccount { return .nameHasAccount(try UserName(nameHasAccount)) }
    if badPassword == true { return .badPassword }
    if passwordNotPrivate == true { return .passwordNotPrivate }
    if busy == true { return .busy }
    return try rule()
  }

  private func rule() throws -> Refusal {
    if let room = noSuchRoom.flatMap(RoomName.init(_:)) { return .noSuchRoom(room) }
    if let room = notInvited.flatMap(RoomName.init(_:)) { return .notInvited(room) }
    if let room = roomTaken.flatMap(RoomName.init(_:)) { return .roomTaken(room) }
    if let room = archived.flatMap(RoomName.init(_:)) { return .archived(room) }
    if let role = needsRole.flatMap(Role.init) { return .needsRole(role) }
    if let notHere { return .notHere(try UserName(notHere)) }
    if let noSuchMessage { return .noSuchMessage(noSuchMessage) }
    if let notYours { return .notYours(notYours) }
    if let banned {
      return .banned(
        banned.room.flatMap(RoomName.init(_:)), banned.reason.flatMap(ShortText.init),
        until: banned.untilMs.map { Moment(milliseconds: $0) })
    }
    if let muted {
      return .muted(
        muted.room.flatMap(RoomName.init(_:)), muted.reason.flatMap(ShortText.init),
        until: muted.untilMs.map { Moment(milliseconds: $0) })
    }
    throw FormProblem()
  }
}
