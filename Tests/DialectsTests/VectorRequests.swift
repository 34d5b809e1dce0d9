/// Requests in the form of the conformance vectors.

import ChatModel
import Dialects

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
  var with: String?
  var text: TextForm?
  var key: String?
  var replyTo: Int64?
  var seq: Int64?
  var after: Int64?
  var before: Int64?
  var last: Int?
  var limit: Int?
  var query: String?
  var from: String?
  var sinceMs: Int64?
  var untilMs: Int64?
  var cursor: String?
  var on: Bool?
  var `private`: Bool?
  var topic: String?
  var uses: Int?
  var seconds: Int?
  var network: String?
  var reason: String?
  var role: String?

  init(_ heard: Heard) {
    switch heard {
    case .request(let request, let id):
      self.id = IDForm(id)
      take(request)
    case .answer(.refused(let refusal), let id):
      self.id = IDForm(id)
      refused = JSONErrorCode(refusal).rawValue
    case .tooManyMistakes: closed = "too-many-mistakes"
    case .answer, .help, .farewell, .close, .write, .web:
      preconditionFailure("JSON lines hear no \(heard)")
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
      .register(_, _, _, .oneRoom), .topic, .operate:
      preconditionFailure("JSON lines live in many rooms, and ask for no topic")
    case .send(let place, let text, let key, let replyTo):
      take("send", place)
      (self.text, self.key, self.replyTo) = (TextForm(text.string), key?.string, replyTo)
    case .edit(let place, let seq, let text):
      take("edit", place)
      (self.seq, self.text) = (seq, TextForm(text.string))
    case .delete(let place, let seq):
      take("delete", place)
      self.seq = seq
    case .history(let place, let stretch, let limit):
      take("history", place)
      self.limit = limit
      switch stretch {
      case .before(let seq): before = seq
      case .after(let seq): after = seq
      }
    case .search(let search): take(search)
    case .mark(let place, let seq):
      take("mark", place)
      self.seq = seq
    case .typing(let place, let isOn):
      take("typing", place)
      on = isOn
    case .away(let text): (request, self.text) = ("away", text.map { TextForm($0.string) })
    case .rooms: request = "rooms"
    case .ping: request = "ping"
    case .quit: request = "quit"
    case .create, .archive, .join, .leave, .who, .setTopic, .invite, .uninvite: takeOfRoom(asked)
    case .kick, .sanction, .lift, .setRole: takeOfPeople(asked)
    }
  }

  private mutating func takeOfRoom(_ asked: Request) {
    switch asked {
    case .create(let room, let isPrivate, let topic):
      take("create", .room(room))
      (self.private, self.topic) = (isPrivate, topic?.string)
    case .archive(let room): take("archive", .room(room))
    case .join(let place, let beginning, let code):
      take("join", place)
      self.code = code
      switch beginning {
      case .now: break
      case .after(let seq): after = seq
      case .last(let count): last = count
      }
    case .leave(let room): take("leave", room.map { .room($0) })
    case .who(let room): take("who", room.map { .room($0) })
    case .setTopic(let room, let topic):
      take("topic", room.map { .room($0) })
      text = TextForm(topic?.string ?? "")
    case .invite(let room, let uses, let seconds):
      take("invite", .room(room))
      (self.uses, self.seconds) = (uses, seconds)
    case .uninvite(let room, let code):
      take("uninvite", .room(room))
      self.code = code
    case _: preconditionFailure("\(asked) is about no room")
    }
  }

  private mutating func takeOfPeople(_ asked: Request) {
    switch asked {
    case .kick(let room, let name, let reason):
      take("kick", room, .name(name))
      self.reason = reason?.string
    case .sanction(let kind, let room, let subject, let reason, let seconds):
      take(kind.rawValue, room, subject)
      (self.reason, self.seconds) = (reason?.string, seconds)
    case .lift(let kind, let room, let subject): take("un" + kind.rawValue, room, subject)
    case .setRole(let room, let name, let role):
      take("role", room, .name(name))
      self.role = role.rawValue
    case _: preconditionFailure("\(asked) is about nobody")
    }
  }

  private mutating func take(_ search: Search) {
    take("search", search.place)
    (query, from, limit) = (search.words, search.from?.shown, search.limit)
    (sinceMs, untilMs) = (search.since?.milliseconds, search.until?.milliseconds)
    cursor = search.cursor
  }

  private mutating func take(_ method: String, _ place: Place?) {
    request = method
    switch place {
    case .room(let room): self.room = room.string
    case .with(let name): with = name.shown
    case nil: break
    }
  }

  private mutating func take(_ method: String, _ room: RoomName?, _ subject: Subject) {
    take(method, room.map { .room($0) })
    switch subject {
    case .name(let name): self.name = name.shown
    case .network(let network): self.network = network.string
    }
  }
}
