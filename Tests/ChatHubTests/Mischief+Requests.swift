/// What those who make mischief ask for: anything, most of it where they are.

import ChatHub
import ChatModel

extension Mischief {
  static let secret = password("correct horse")

  mutating func name() -> UserName {
    let names = ["ann", "bob", "eve", "cat", "dan", "gil", "hal", "ida", "boss", "mod", "pat"]
    return user(names.randomElement(using: &dice) ?? "ann")
  }

  private mutating func place() -> RoomName {
    if let here { return here }
    let names = ["tea", "tea", "tea", "den", "den", "den", "lobby", "cave", "nook", "@audit"]
    return room(names.randomElement(using: &dice) ?? "tea")
  }

  private mutating func anywhere() -> Place {
    Int.random(in: 0..<4, using: &dice) == 0 ? .with(name()) : .room(place())
  }

  private mutating func somewhere() -> RoomName? {
    Int.random(in: 0..<5, using: &dice) == 0 ? nil : place()
  }

  private mutating func subject() -> Subject {
    Int.random(in: 0..<20, using: &dice) == 0
      ? .network(network("203.0.113.0/24")) : .name(name())
  }

  private mutating func seconds() -> Int? { [nil, 0, 5, 30].randomElement(using: &dice) ?? nil }

  private mutating func code() -> String? {
    Bool.random(using: &dice) ? codes.last : codes.randomElement(using: &dice)
  }

  mutating func request(of id: ConnectionID) -> Request {
    here = Int.random(in: 0..<3, using: &dice) > 0 ? rooms(of: id).randomElement(using: &dice) : nil
    let seq = Int64.random(in: 0...5, using: &dice)
    switch Int.random(in: 0..<33, using: &dice) {
    case 0, 1: return .create(place(), isPrivate: Bool.random(using: &dice), topic: nil)
    case 2...6:
      here = nil
      return .join(.room(place()), .now, code: code())
    case 7: return .leave(somewhere())
    case 8...12: return .send(anywhere(), message("hi"), key: nil, replyTo: nil)
    case 13: return .edit(anywhere(), of: seq, message("ho"))
    case 14: return .delete(anywhere(), of: seq)
    case 15: return .mark(anywhere(), seq)
    case 16: return .typing(anywhere(), true)
    case 17: return .away(Bool.random(using: &dice) ? short("x") : nil)
    case 18: return Bool.random(using: &dice) ? .rooms : .who(place())
    case 19: return .setTopic(place(), short("x"))
    case 20, 21: return .invite(place(), uses: 1, seconds: seconds())
    case 22: return .uninvite(place(), code: code() ?? "x")
    case 23...29: return measure()
    case 30: return .logIn(name(), .manyRooms)
    case 31:
      return Bool.random(using: &dice)
        ? .register(name(), Self.secret, code: nil, .manyRooms)
        : .changePassword(old: Self.secret, new: Self.secret)
    case _:
      return seq > 1 ? .rooms : seq == 1 ? .logOut : .quit
    }
  }

  mutating func visit() -> Visit {
    here = nil
    return switch Int.random(in: 0..<4, using: &dice) {
    case 0: .page(place(), .before(nil), limit: 9)
    case 1: .say(place(), message("hi"), key: nil, replyTo: nil)
    case _: .follow(place(), .now)
    }
  }

  private mutating func measure() -> Request {
    let kind: Sanction.Kind = Int.random(in: 0..<3, using: &dice) == 0 ? .mute : .ban
    let role = Role.allCases.randomElement(using: &dice) ?? .member
    return switch Int.random(in: 0..<8, using: &dice) {
    case 0: .kick(somewhere(), name(), nil)
    case 1...3: .sanction(kind, somewhere(), subject(), nil, seconds: seconds())
    case 4, 5: .lift(kind, somewhere(), subject())
    case _: .setRole(somewhere(), name(), role)
    }
  }
}
