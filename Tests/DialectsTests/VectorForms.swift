/// The conformance vectors as the tests read them, and our values in their form. The form is
/// described in docs/wire/json.md.

import ChatModel
import Dialects
import Foundation
import Testing

/// Bytes in, what a server hears in them.
struct RequestVector: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  var pieces: [Piece]
  var heard: [HeardForm]
  var testDescription: String { name }

  enum CodingKeys: String, CodingKey {
    case name, heard
    case pieces = "in"
  }

  var bytes: [UInt8] { pieces.flatMap { $0.bytes } }
}

/// What a server tells, and the bytes it says it in.
struct LineVector: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  var tell: TellForm
  var out: String
  var testDescription: String { name }
}

func vectors<Vector: Decodable>(_ file: String) -> [Vector] {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")
  do {
    let data = try Data(contentsOf: folder.appending(path: file))
    return try JSONDecoder().decode([Vector].self, from: data)
  } catch {
    preconditionFailure("\(file) is not readable: \(error)")
  }
}

/// A string, bytes in hexadecimal, or one string many times.
struct Piece: Decodable, Sendable {
  var bytes: [UInt8]

  private struct Long: Decodable {
    var hex: String?
    var `repeat`: String?
    var times: Int?
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      bytes = Array(text.utf8)
      return
    }
    let long = try Long(from: decoder)
    if let hex = long.hex {
      bytes = ByteCase.Chunk(after_ms: 0, hex: hex).bytes
    } else {
      bytes = Array(String(repeating: long.repeat ?? "", count: long.times ?? 0).utf8)
    }
  }
}

struct IDForm: Decodable, Equatable, Sendable {
  var number: String?
  var text: String?

  init?(_ id: RequestID?) {
    switch id {
    case .number(let number): self.number = number
    case .text(let text): self.text = text
    case nil: return nil
    }
  }

  var id: RequestID? { number.map { .number($0) } ?? text.map { .text($0) } }
}

/// A text that may come in pieces.
struct TextForm: Decodable, Equatable, Sendable {
  var string: String

  init(_ string: String) { self.string = string }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let string = try? container.decode(String.self) {
      self.string = string
    } else {
      let bytes = try container.decode([Piece].self).flatMap { $0.bytes }
      string = String(decoding: bytes, as: UTF8.self)
    }
  }
}

struct HeardForm: Decodable, Equatable, Sendable {
  var request: String?
  var refused: String?
  var closed: String?
  var id: IDForm?
  var name: String?
  var token: String?
  var password: String?
  var code: String?
  var old: String?
  var new: String?
  var room: String?
  var text: TextForm?
  var key: String?
  var replyTo: Int64?
  var after: Int64?
  var before: Int64?
  var last: Int?
  var limit: Int?

  init(_ heard: Heard) {
    switch heard {
    case .request(let request, let id):
      self.id = IDForm(id)
      take(request)
    case .answer(.refused(let refusal), let id):
      self.id = IDForm(id)
      refused = JSONErrorCode(refusal).rawValue
    case .tooManyMistakes: closed = "too-many-mistakes"
    case .answer, .help, .farewell, .close: preconditionFailure("JSON lines hear no \(heard)")
    }
  }

  private mutating func take(_ asked: Request) {
    switch asked {
    case .logIn(let name, .manyRooms): (request, self.name) = ("login", name.shown)
    case .resume(let token, .manyRooms): (request, self.token) = ("login", token)
    case .logInWithPassword(let name, let password, orAsGuest: false, .manyRooms):
      (request, self.name, self.password) = ("login", name.shown, password.string)
    case .register(let name, let password, let code, .manyRooms):
      (request, self.name, self.password) = ("register", name.shown, password.string)
      self.code = code
    case .changePassword(let old, let new):
      (request, self.old, self.new) = ("password", old.string, new.string)
    case .logOut: request = "logout"
    case .logIn(_, .oneRoom), .resume(_, .oneRoom), .logInWithPassword,
      .register(_, _, _, .oneRoom):
      preconditionFailure("JSON lines live in many rooms")
    case .join(let room, let beginning):
      (request, self.room) = ("join", room.string)
      switch beginning {
      case .now: break
      case .after(let seq): after = seq
      case .last(let count): last = count
      }
    case .leave(let room): (request, self.room) = ("leave", room?.string)
    case .send(let room, let text, let key, let replyTo):
      (request, self.room) = ("send", room?.string)
      (self.text, self.key, self.replyTo) = (TextForm(text.string), key?.string, replyTo)
    case .history(let room, let stretch, let limit):
      (request, self.room, self.limit) = ("history", room?.string, limit)
      switch stretch {
      case .before(let seq): before = seq
      case .after(let seq): after = seq
      }
    case .rooms: request = "rooms"
    case .who(let room): (request, self.room) = ("who", room?.string)
    case .ping: request = "ping"
    case .quit: request = "quit"
    }
  }
}

struct MessageForm: Decodable, Sendable {
  var room: String
  var seq: Int64
  var from: String
  var text: String
  var atMs: Int64
  var replyTo: Int64?
  var key: String?

  func message(_ person: PersonID) throws -> Message {
    guard let room = RoomName(room), let text = MessageText(text) else { throw FormProblem() }
    let draft = Draft(
      room: room, person: person, from: try UserName(from), text: text,
      key: key.flatMap(MessageKey.init), replyTo: replyTo)
    return Message(draft, seq: seq, at: Moment(milliseconds: atMs))
  }
}

struct FormProblem: Error {}

struct RangeForm: Decodable, Sendable {
  var from: Int64
  var to: Int64
}

struct RoomForm: Decodable, Sendable {
  var name: String
  var members: Int
  var seq: Int64
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

  func refusal() throws -> Refusal {
    if let nameTaken { return .nameTaken(try UserName(nameTaken)) }
    if notLoggedIn == true { return .notLoggedIn }
    if let tooLong { return .tooLong(limit: tooLong) }
    if let rateLimitedMs { return .rateLimited(retryAfter: .milliseconds(rateLimitedMs)) }
    if let room = notMember.flatMap(RoomName.init) { return .notMember(room) }
    if unknownMethod == true { return .unknownCommand }
    if let nameHasAccount { return .nameHasAccount(try UserName(nameHasAccount)) }
    if badPassword == true { return .badPassword }
    if passwordNotPrivate == true { return .passwordNotPrivate }
    if busy == true { return .busy }
    throw FormProblem()
  }
}
