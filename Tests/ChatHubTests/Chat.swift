/// A hub with a hand on the clock, a store that keeps whatever it is given, and words to drive
/// both. Asserts nothing.

import ChatHub
import ChatModel

struct Chat {
  var hub: Hub
  var now = Duration.zero
  let wall = Wall()
  private var newest: [RoomName: Int64] = [:]

  init(
    limits: HubLimits = HubLimits(), known: [RoomName: Int64] = [:], facts: [Fact] = [],
    ownerCode: String? = nil
  ) {
    hub = Hub(
      limits: limits, seed: 1, known: known, registry: Registry(facts), ownerCode: ownerCode,
      surroundings: wall.surroundings)
    newest = known
  }

  mutating func ask(
    _ id: Int, _ request: Request, _ asked: RequestID? = nil, from address: String? = nil
  ) -> [Effect] {
    hub.handle(request, asked, from: connection(id), of: address, at: now)
  }

  @discardableResult
  mutating func logIn(
    _ id: Int, _ name: String, _ manner: Manner = .oneRoom, _ asked: RequestID? = nil
  ) -> [Effect] {
    ask(id, .logIn(user(name), manner), asked)
  }

  @discardableResult
  mutating func resume(
    _ id: Int, _ person: PersonID, as name: String, _ manner: Manner = .oneRoom,
    epoch: Int64 = 0
  ) -> [Effect] {
    hub.resume(
      person, as: user(name), epoch: epoch, manner, from: connection(id), at: now)
  }

  @discardableResult
  mutating func join(
    _ id: Int, _ name: String, _ beginning: Beginning = .now
  ) -> [Effect] {
    ask(id, .join(.room(room(name)), beginning, code: nil))
  }

  /// Joins a room from an address that counts; gives the refusals.
  mutating func make(_ id: Int, _ name: String, from address: String?) -> [Refusal] {
    ask(id, .join(.room(room(name)), .now, code: nil), from: address).refusals(of: id)
  }

  /// Sends only: what is to be kept is not.
  mutating func send(_ id: Int, _ text: String, to name: String? = nil, key: String? = nil)
    -> [Effect]
  {
    ask(
      id,
      .send(
        name.map { .room(room($0)) }, message(text), key: key.flatMap { MessageKey($0) },
        replyTo: nil))
  }

  /// Sends, and keeps what is to be kept: in its place stands what follows from it.
  mutating func say(_ id: Int, _ text: String, in name: String? = nil) -> [Effect] {
    send(id, text, to: name).flatMap { effect -> [Effect] in
      guard case .keep(let draft, let ticket) = effect else { return [effect] }
      return keep(draft, ticket)
    }
  }

  mutating func keep(_ draft: Draft, _ ticket: Ticket) -> [Effect] {
    hub.kept(draft, ticket, .stored(seq: next(in: draft.room), at: noon), .stored)
  }

  /// The number that the store gives next.
  mutating func next(in room: RoomName) -> Int64 {
    let seq = newest[room, default: 0] + 1
    newest[room] = seq
    return seq
  }

  mutating func drop(_ id: Int) -> [Effect] { hub.disconnected(connection(id), at: now) }

  mutating func probed(_ id: Int, isAlive: Bool) -> [Effect] {
    hub.probed(connection(id), isAlive: isAlive, at: now)
  }

  /// Fills the lobby with that many people, connections 1000 and up, and lets the count lines go
  /// by.
  mutating func crowd(_ count: Int) {
    for index in 0..<count { logIn(1_000 + index, "crowd\(index)") }
    letCountLinesGoBy()
  }

  mutating func letCountLinesGoBy() {
    while let wake = hub.nextWake {
      now = wake
      _ = hub.wake(at: now)
    }
  }
}

/// When everything in these tests is kept, and what the clock on the wall shows until it is set.
let noon = Moment(milliseconds: 1_796_040_000_000)

/// The clock on the wall, set by hand, and codes that tell their number.
final class Wall {
  var moment = noon
  private var codes = 0

  var surroundings: Surroundings {
    Surroundings(
      moment: { self.moment },
      makeCode: {
        self.codes += 1
        return "code-\(self.codes)"
      },
      hashOfCode: codeHash)
  }

  func goOn(seconds: Int64) { moment.milliseconds += seconds * 1_000 }
}

/// A digest that anybody could turn back: the bytes of the code's end.
func codeHash(of code: String) -> CodeHash {
  let digits = code.utf8.suffix(32).map { byte in
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }.joined()
  let string = String(repeating: "0", count: 64 - digits.utf8.count) + digits
  guard let hash = CodeHash(string) else { preconditionFailure("64 digits") }
  return hash
}

func short(_ string: String) -> ShortText {
  guard let text = ShortText(string) else { preconditionFailure("1 to 256 bytes") }
  return text
}

func connection(_ id: Int) -> ConnectionID { ConnectionID(slot: UInt32(id), generation: 0) }

func user(_ name: String) -> UserName {
  do { return try UserName(name) } catch { preconditionFailure("\(name) is a name: \(error)") }
}

func message(_ text: String) -> MessageText {
  guard let text = MessageText(text) else { preconditionFailure("a text has 1 to 4,096 bytes") }
  return text
}

func room(_ name: String) -> RoomName {
  guard let room = RoomName(name) else { preconditionFailure("\(name) is a room's name") }
  return room
}

extension [Effect] {
  /// Who is told by these effects, each time, in order.
  var told: [(id: ConnectionID, event: Event)] {
    flatMap { effect -> [(ConnectionID, Event)] in
      switch effect {
      case .tell(let id, let event): [(id, event)]
      case .tellAll(let ids, let event): ids.map { ($0, event) }
      case .publish(let ids, let message, in: let place):
        ids.map { ($0, .message(message, in: place)) }
      case .answer, .named, .unnamed, .answerLogin, .answerToken, .keep, .record, .hash, .errand,
        .fetch, .search, .replay, .forget, .withdraw, .wait, .proceed, .probe, .readLater, .close,
        .closeNetwork, .withdrawAnswers:
        []
      }
    }
  }

  func heard(by id: Int) -> [Event] { told.filter { $0.id == connection(id) }.map(\.event) }

  /// The texts that a connection is shown.
  func texts(shownTo id: Int) -> [String] {
    heard(by: id).compactMap { event in
      if case .message(let message, in: _) = event { message.draft.words } else { nil }
    }
  }

  func answers(to id: Int) -> [Answer] {
    compactMap { effect in
      if case .answer(connection(id), _, let answer) = effect { answer } else { nil }
    }
  }

  func refusals(of id: Int) -> [Refusal] {
    answers(to: id).compactMap { answer in
      if case .refused(let refusal) = answer { refusal } else { nil }
    }
  }

  /// Whose a connection has become.
  func person(of id: Int) -> PersonID? {
    for case .named(connection(id), let person, _) in self { return person }
    return nil
  }

  var drafts: [(draft: Draft, ticket: Ticket)] {
    compactMap { effect in
      if case .keep(let draft, let ticket) = effect { (draft, ticket) } else { nil }
    }
  }
}
