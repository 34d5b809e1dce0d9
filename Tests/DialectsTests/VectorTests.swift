/// The conformance vectors, run over our own reader and writer, and backwards over the client's.

import ChatModel
import Dialects
import Testing

/// An event or an answer in the vectors' form.
struct TellForm: Decodable, Sendable {
  var event: String?
  var answer: String?
  var id: IDForm?
  var own: Bool?
  var room: String?
  var name: String?
  var token: String?
  var guest: Bool?
  var members: Int?
  var joined: Int?
  var left: Int?
  var seq: Int64?
  var atMs: Int64?
  var durability: String?
  var from: Either<Int64, String>?
  var to: Int64?
  var text: String?
  var replyTo: Int64?
  var key: String?
  var reason: String?
  var retryAfterMs: Int64?
  var messages: [MessageForm]?
  var more: Bool?
  var gap: RangeForm?
  var rooms: [RoomForm]?
  var names: [String]?
  var roles: [String: String]?
  var count: Int?
  var refusal: RefusalForm?

  /// A value that is a number in one form and a string in another.
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

  private func roomName() throws -> RoomName { try #require(room.flatMap(RoomName.init)) }

  func message(_ person: PersonID) throws -> Message {
    guard case .other(let from) = from else { throw FormProblem() }
    return try MessageForm(
      room: try #require(room), seq: try #require(seq), from: from, text: try #require(text),
      atMs: try #require(atMs), replyTo: replyTo, key: key
    ).message(person)
  }

  func theEvent(_ person: PersonID = PersonID(rawValue: 7)) throws -> Event {
    switch event {
    case "message": return .message(try message(person))
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
      return .gap(try roomName(), from...(try #require(to)))
    case "caughtUp": return .caughtUp(try roomName(), seq: try #require(seq))
    case "closing":
      let reasons: [String: ClosingReason] = [
        "quit": .quit, "shutdown": .shutdown, "logged-out": .loggedOut,
        "too-many-mistakes": .tooManyMistakes(limit: 10),
      ]
      return .closing(
        try #require(reason.flatMap { reasons[$0] }),
        retryAfter: retryAfterMs.map { .milliseconds($0) })
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
      return .joined(try roomName(), seq: try #require(seq), members: try #require(members))
    case "left": return .left(try roomName())
    case "sent":
      return .sent(
        try roomName(), seq: try #require(seq), at: Moment(milliseconds: try #require(atMs)),
        try #require(durability.flatMap(Durability.init)))
    case "history":
      return .history(
        HistoryPage(
          room: try roomName(), messages: try #require(messages).map { try $0.message(person) },
          more: more == true, gap: gap.map { $0.from...$0.to }))
    case "rooms":
      let states = try #require(rooms).map { room in
        RoomState(
          name: try #require(RoomName(room.name)), members: room.members, seq: room.seq)
      }
      return .rooms(states, count: try #require(count))
    case "members":
      let members = try #require(names).map { name in
        Member(try UserName(name), role: roles?[name].flatMap { Role(rawValue: $0) })
      }
      return .members(try roomName(), members, count: try #require(count))
    case "pong": return .pong("")
    case "quit": return .quit
    case "refused": return .refused(try #require(try refusal?.refusal()))
    case _: throw FormProblem()
    }
  }

  /// A request that such an answer could be to.
  func request() throws -> Request {
    let room = room.flatMap(RoomName.init) ?? .lobby
    switch answer {
    case "loggedIn": return .resume(token: "t", .manyRooms)
    case "loggedOut": return .logOut
    case "joined": return .join(room, .now)
    case "left": return .leave(room)
    case "sent": return .send(room, try #require(MessageText("x")), key: nil, replyTo: nil)
    case "history": return .history(room, .before(nil), limit: 50)
    case "rooms": return .rooms
    case "members": return .who(room)
    case "quit": return .quit
    case _: return .ping("")
    }
  }
}

@Suite("Conformance vectors")
struct VectorTests {
  @Test(
    "Bytes in, requests and refusals out", arguments: vectors("requests.json") as [RequestVector])
  func requests(vector: RequestVector) {
    #expect(heard([vector.bytes]).map(HeardForm.init) == vector.heard)
    #expect(heard(vector.bytes.chunked(977)).map(HeardForm.init) == vector.heard)
  }

  @Test("Events and answers in, bytes out", arguments: vectors("lines.json") as [LineVector])
  func lines(vector: LineVector) throws {
    var bytes: [UInt8] = []
    if vector.tell.event != nil {
      let isOwn = vector.tell.own ?? false
      Encoder.encode(try vector.tell.theEvent(), for: .json, isOwn: isOwn, into: &bytes)
    } else {
      Encoder.encode(
        try vector.tell.theAnswer(), to: vector.tell.id?.id, for: .json, into: &bytes)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == vector.out)
  }

  @Test(
    "The client hears in those bytes what was told",
    arguments: vectors("lines.json") as [LineVector])
  func backwards(vector: LineVector) throws {
    var codec = JSONClientCodec()
    var sent: [UInt8] = []
    if vector.tell.answer != nil, let id = vector.tell.id?.id {
      codec.encode(try vector.tell.request(), id: id, into: &sent)
    }
    Array(vector.out.utf8).withUnsafeBytes { codec.received($0) }
    var heard: [JSONClientCodec.Heard] = []
    while let next = codec.next() { heard.append(next) }
    #expect(heard == (try expected(vector)))
  }

  private func expected(_ vector: LineVector) throws -> [JSONClientCodec.Heard] {
    let tell = vector.tell
    if tell.answer == "refused" {
      guard case .refused(let refusal) = try tell.theAnswer() else { return [] }
      let words = try #require(vector.out.firstMatch(of: /"message":"((?:[^"\\]|\\")*)"/)?.1)
      return [
        .refused(
          JSONRefusal(
            code: JSONErrorCode(refusal).rawValue,
            message: String(words).replacing("\\\"", with: "\""),
            retryAfter: tell.refusal?.rateLimitedMs.map { .milliseconds($0) }), tell.id?.id)
      ]
    }
    if tell.answer != nil {
      guard let id = tell.id?.id else { return [] }
      return [.answer(try tell.theAnswer(JSONClientCodec.nobody), id)]
    }
    switch try tell.theEvent(JSONClientCodec.nobody) {
    case .membersChanged(let room, let joined, let left, let members):
      let came = Event.membersChanged(room, joined: joined, left: 0, members: members)
      let went = Event.membersChanged(room, joined: 0, left: left, members: members)
      return (joined > 0 ? [.event(came)] : []) + (left > 0 ? [.event(went)] : [])
    case .message(var message):
      if tell.own != true { message.draft.key = nil }
      return [.event(.message(message))]
    case .closing(_, let retryAfter):
      let words = try #require(vector.out.firstMatch(of: /"message":"([^"]*)"/)?.1)
      return [
        .closing(
          reason: try #require(tell.reason), message: String(words), retryAfter: retryAfter)
      ]
    case let event: return [.event(event)]
    }
  }
}

extension [UInt8] {
  /// In reads of so many bytes.
  func chunked(_ size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
