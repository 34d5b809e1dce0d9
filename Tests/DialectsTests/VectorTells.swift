/// Events and answers in the form of the conformance vectors.

import ChatModel
import Dialects
import Testing

struct FormProblem: Error {}

/// An event or an answer.
struct TellForm: Decodable, Sendable {
  var event: String?
  var answer: String?
  var id: IDForm?
  var own: Bool?
  var room: String?
  var with: String?
  var name: String?
  var token: String?
  var guest: Bool?
  var members: Int?
  var joined: Int?
  var left: Int?
  var seq: Int64?
  var of: Int64?
  var by: String?
  var atMs: Int64?
  var editedMs: Int64?
  var deleted: Bool?
  var durability: String?
  var from: Either<Int64, String>?
  var to: Int64?
  var text: String?
  var replyTo: Int64?
  var key: String?
  var on: Bool?
  var away: Either<String, [String: String]>?
  var topic: String?
  var code: String?
  var cursor: String?
  var reason: String?
  var because: String?
  var untilMs: Int64?
  var retryAfterMs: Int64?
  var messages: [MessageForm]?
  var more: Bool?
  var gap: RangeForm?
  var rooms: [RoomForm]?
  var names: [String]?
  var roles: [String: String]?
  var count: Int?
  var refusal: RefusalForm?

  /// A value that is of one kind in one form and of another in another.
  enum Either<One: Decodable & Sendable, Other: Decodable & Sendable>: Decodable, Sendable {
    case one(One), other(Other)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let one = try? container.decode(One.self) {
        self = .one(one)
      } else {
        self = .other(try container.decode(Other.self))
      }
    }
  }

  func place() throws -> Place { try placeForm(room, with) }

  private func roomName() throws -> RoomName { try #require(room.flatMap(RoomName.init(_:))) }

  private func message(_ person: PersonID) throws -> Event {
    guard case .other(let from) = from else { throw FormProblem() }
    let form = MessageForm(
      room: room, with: with, seq: try #require(seq), from: from, text: try #require(text),
      atMs: try #require(atMs), replyTo: replyTo, key: key, editedMs: editedMs, deleted: deleted)
    return .message(try form.message(person), in: try place())
  }

  private func change(_ content: Content, _ person: PersonID) throws -> Event {
    let draft = Draft(
      room: try placeForm(room, with).formRoom, person: person, from: try UserName(#require(by)),
      content: content)
    let at = Moment(milliseconds: try #require(atMs))
    return .message(Message(draft, seq: try #require(seq), at: at), in: try place())
  }

  func theEvent(_ person: PersonID = PersonID(rawValue: 7)) throws -> Event {
    switch event {
    case "message": return try message(person)
    case "edited":
      let text = try #require(text.flatMap(MessageText.init))
      return try change(.edit(of: try #require(of), text), person)
    case "deleted": return try change(.deletion(of: try #require(of)), person)
    case "topic": return try change(.topic(text.flatMap(ShortText.init)), person)
    case "joined":
      return .joined(
        try roomName(), try UserName(try #require(name)), members: try #require(members))
    case "left":
      return .left(
        try roomName(), try UserName(try #require(name)), members: try #require(members))
    case "membersChanged":
      return .membersChanged(
        try roomName(), joined: try #require(joined), left: try #require(left),
        members: try #require(members))
    case "gap":
      guard case .one(let from) = from else { throw FormProblem() }
      return .gap(try place(), from...(try #require(to)))
    case "caughtUp": return .caughtUp(try place(), seq: try #require(seq))
    case "typing":
      let isOn: Bool? = on
      return .typing(try place(), try UserName(#require(name)), isOn == true)
    case "presence":
      let name = try UserName(#require(name))
      guard case .one(let text)? = away else { return .presence(name, away: nil) }
      return .presence(name, away: ShortText(text))
    case "marked": return .marked(try place(), seq: try #require(seq))
    case "kicked":
      return .kicked(
        try roomName(), by: try UserName(#require(by)), reason.flatMap(ShortText.init))
    case "closing":
      return .closing(
        try closing(), retryAfter: retryAfterMs.map { .milliseconds($0) })
    case _: throw FormProblem()
    }
  }

  private func closing() throws -> ClosingReason {
    switch reason {
    case "quit": .quit
    case "shutdown": .shutdown
    case "logged-out": .loggedOut
    case "kicked": .kicked(by: try UserName(#require(by)), because.flatMap(ShortText.init))
    case "banned":
      .banned(because.flatMap(ShortText.init), until: untilMs.map { Moment(milliseconds: $0) })
    case "account-ended": .accountEnded
    case "too-many-mistakes": .tooManyMistakes(limit: 10)
    case _: throw FormProblem()
    }
  }

  func theAnswer(_ person: PersonID = PersonID(rawValue: 7)) throws -> Answer {
    switch answer {
    case "loggedIn":
      return .loggedIn(
        try UserName(try #require(name)), token: try #require(token), isGuest: guest ?? true)
    case "loggedOut": return .loggedOut
    case "joined":
      return .joined(
        try place(), seq: try #require(seq), members: try #require(members),
        topic: topic.flatMap(ShortText.init))
    case "left": return .left(try roomName())
    case "sent":
      return .sent(
        try place(), seq: try #require(seq), at: Moment(milliseconds: try #require(atMs)),
        try #require(durability.flatMap(Durability.init)))
    case "changed": return .changed(seq: try #require(seq))
    case "history":
      let page = HistoryPage(
        room: try place().formRoom,
        messages: try #require(messages).map { try $0.message(person) },
        more: more == true, gap: gap.map { $0.from...$0.to })
      return .history(page, in: try place())
    case "found":
      let found = try #require(messages).map {
        Findings.Finding(try $0.message(person), in: try placeForm($0.room, $0.with))
      }
      return .found(Findings(messages: found, cursor: cursor))
    case "rooms":
      return .rooms(try #require(rooms).map { try $0.state() }, count: try #require(count))
    case "members": return .members(try roomName(), try listed(), count: try #require(count))
    case "invited": return .invited(try roomName(), code: try #require(code))
    case "done": return .done
    case "pong": return .pong("")
    case "quit": return .quit
    case "refused": return .refused(try #require(try refusal?.refusal()))
    case _: throw FormProblem()
    }
  }

  private func listed() throws -> [Member] {
    try #require(names).map { name in
      var member = Member(try UserName(name), role: roles?[name].flatMap { Role(rawValue: $0) })
      if case .other(let away)? = away { member.away = away[name].flatMap(ShortText.init) }
      return member
    }
  }

  /// A request that such an answer could be to.
  func request() throws -> Request {
    let place = try room == nil && with == nil ? Place.room(.lobby) : place()
    let room = room.flatMap(RoomName.init(_:)) ?? .lobby
    switch answer {
    case "loggedIn": return .resume(token: "t", .manyRooms)
    case "loggedOut": return .logOut
    case "joined": return .join(place, .now, code: nil)
    case "left": return .leave(room)
    case "sent": return .send(place, try #require(MessageText("x")), key: nil, replyTo: nil)
    case "changed": return .delete(place, of: 1)
    case "history": return .history(place, .before(nil), limit: 50)
    case "found": return .search(Search("x"))
    case "rooms": return .rooms
    case "members": return .who(room)
    case "invited": return .invite(room, uses: nil, seconds: nil)
    case "done": return .archive(room)
    case "quit": return .quit
    case _: return .ping("")
    }
  }
}
