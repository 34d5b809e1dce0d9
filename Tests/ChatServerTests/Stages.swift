/// The two places where plays are given: the hub and the dialects by hand, and a real server.

import ChatHub
import ChatModel
import ChatServer
import Dialects
import Foundation
import Stores
import TestSupport

/// How a person's requests are spelled.
private struct Spelling {
  let speech: Speech
  let isInLines: Bool

  /// `form` is what the play is given in.
  init(_ speech: Speech, in form: Form) {
    self.speech = speech
    isInLines =
      switch speech {
      case .plain: form == .line
      case .lines, .json: true
      case .unterminated: false
      }
  }

  /// One after the other.
  func enter(as name: String) -> [String] {
    guard speech == .json else { return ["iam:\(name)"] }
    // Without an id success is not answered.
    return [
      "{\"login\":{\"name\":\(Self.quoted(name))}}", #"{"join":{"room":"lobby"}}"#,
    ]
  }

  func say(_ text: String) -> String {
    guard speech == .json else { return "msg:\(text)" }
    return "{\"send\":{\"room\":\"lobby\",\"text\":\(Self.quoted(text))}}"
  }

  func end(_ command: String) -> String { isInLines ? command + "\n" : command }

  private static func quoted(_ text: String) -> String {
    let bytes = try? JSONEncoder().encode(text)
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

/// Hub and dialects without a socket; time passes when nothing else is to be done.
final class HandStage: Stage {
  private struct Person {
    var name: String
    var spelling: Spelling
    var dialect = Dialect()
    var out: [UInt8] = []
    var person: PersonID?
  }

  private let form: Form
  private var hub = Hub(
    ownerCode: "the-code",
    surroundings: Surroundings(
      moment: { noon }, makeCode: InvitationCode.random,
      hashOfCode: InvitationCode.hash))
  private var memory = MemoryHistory()
  private var now = Duration.zero
  private var people: [ConnectionID: Person] = [:]
  private var ids: [String: ConnectionID] = [:]
  private var connected: UInt32 = 0
  let isServed = false

  init(_ form: Form) { self.form = form }

  func connect(_ person: String, _ speech: Speech) {
    let id = ConnectionID(slot: connected, generation: 0)
    connected += 1
    ids[person] = id
    people[id] = Person(name: person, spelling: Spelling(speech, in: form))
  }

  func enter(_ person: String) {
    guard let spelling = spelling(of: person) else { return }
    for command in spelling.enter(as: person) { send(command, from: person) }
  }

  func say(_ text: String, from person: String) {
    guard let spelling = spelling(of: person) else { return }
    send(spelling.say(text), from: person)
  }

  func send(_ command: String, from person: String) {
    guard let id = ids[person], let spelling = spelling(of: person) else { return }
    let bytes = Array(spelling.end(command).utf8)
    guard !bytes.isEmpty else { return }
    bytes.withUnsafeBytes { people[id]?.dialect.received($0, at: now) }
    pull(id)
    while let deadline = people[id]?.dialect.deadline {
      now = max(now, deadline)
      people[id]?.dialect.deadlinePassed(at: now)
      pull(id)
    }
  }

  func catchUpSearch() {}

  func leave(_ person: String) {
    guard let id = ids.removeValue(forKey: person) else { return }
    people[id]?.dialect.ended()
    pull(id)
    people[id] = nil
    perform(hub.disconnected(id, at: now))
  }

  func seen() -> [String: [String]] {
    var seen: [String: [String]] = [:]
    for id in people.keys {
      guard let person = people[id], !person.out.isEmpty else { continue }
      seen[person.name] = String(decoding: person.out, as: UTF8.self)
        .split(separator: "\n").map(String.init)
      people[id]?.out = []
    }
    return seen
  }

  private func spelling(of person: String) -> Spelling? {
    ids[person].flatMap { people[$0] }?.spelling
  }

  private func pull(_ id: ConnectionID) {
    while let heard = people[id]?.dialect.next() {
      switch heard {
      case .request(let request, let asked):
        perform(hub.handle(request, asked, from: id, at: now))
      case .answer(let answer, let asked): self.answer(id, asked, answer)
      case .help: tell(id, .help)
      case .farewell, .close, .tooManyMistakes, .write, .web: break
      }
    }
  }

  private func tell(_ id: ConnectionID, _ event: Event, isOwn: Bool = false) {
    guard var person = people[id] else { return }
    Encoder.encode(event, for: person.dialect.form, isOwn: isOwn, into: &person.out)
    people[id] = person
  }

  private func answer(_ id: ConnectionID, _ asked: RequestID?, _ answer: Answer) {
    guard var person = people[id] else { return }
    Encoder.encode(answer, to: asked, for: person.dialect.form, into: &person.out)
    people[id] = person
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .answer(let id, let asked, let answer): self.answer(id, asked, answer)
      case .tell(let id, let event): tell(id, event)
      case .tellAll(let ids, let event): for id in ids { tell(id, event) }
      case .publish(let ids, let message, let place):
        for id in ids {
          let isOwn = people[id]?.person == message.draft.person
          tell(id, .message(message, in: place), isOwn: isOwn)
        }
      case .named(let id, let person, let name):
        people[id]?.dialect.loggedIn(as: name)
        people[id]?.person = person
      case .unnamed(let id): people[id]?.person = nil
      case .answerLogin(let id, let asked, let person, let name):
        answer(
          id, asked, .loggedIn(name, token: "a-token", isGuest: hub.isGuest(person)))
      case .record(let record, let ticket): self.record(record, ticket)
      case .hash(let id, let work): perform(hub.hashed(id, outcome(of: work), at: now))
      case .keep(let draft, let ticket): keep(draft, ticket)
      case .fetch(let id, let asked, let room, let stretch, let limit):
        let place = hub.place(of: room, for: people[id]?.person)
        let page = memory.page(of: room, stretch, .messages, limit: limit)
        answer(id, asked, .history(page, in: place))
      case .search(let id, let asked, let search, let room, let sight):
        self.search(search, in: room, sight, for: id, asked)
      case .replay(let id, let room, let beginning): replay(room, to: id, beginning)
      // Everybody here is alive.
      case .probe(let id): perform(hub.probed(id, isAlive: true, at: now))
      case .close(let id, let reason):
        tell(id, .closing(reason))
        people[id] = nil
      case .wait, .proceed, .readLater, .forget, .withdraw, .withdrawAnswers, .closeNetwork,
        .errand, .answerToken:
        break
      }
    }
  }

  private func record(_ record: Record, _ ticket: Ticket) {
    var outcome = RecordOutcome.kept
    if let line = record.line, case .stored(let seq, let at) = memory.append(line, at: noon) {
      outcome = .keptLine(seq: seq, at: at)
    }
    perform(hub.recorded(record, ticket, outcome, at: now))
  }

  private func search(
    _ search: Search, in room: RoomName?, _ sight: Sight, for id: ConnectionID,
    _ asked: RequestID?
  ) {
    let query: SearchQuery
    do throws(SearchProblem) {
      query = try SearchQuery(search, in: room, seeing: sight)
    } catch {
      return answer(id, asked, .refused(.badRequest(error.description)))
    }
    guard let page = try? memory.find(query) else { return }
    let found = page.messages.map {
      Findings.Finding($0, in: hub.place(of: $0.draft.room, for: people[id]?.person))
    }
    answer(id, asked, .found(Findings(messages: found, cursor: page.cursor)))
  }

  private func keep(_ draft: Draft, _ ticket: Ticket) {
    let kept = memory.append(draft, at: noon)
    let outcome: KeepOutcome =
      switch kept {
      case .stored(let seq, let at): .stored(seq: seq, at: at)
      case .duplicate(let seq, let at, let room): .duplicate(of: seq, at: at, in: room)
      case .keyReused: .keyReused
      case .noSuchMessage: .noSuchMessage
      case .notYours: .notYours
      case .refused, .recorded: .failed(.failed)
      }
    perform(hub.kept(draft, ticket, outcome, .received))
  }

  /// Everybody reads at once, so that nobody is behind for longer than this.
  private func replay(_ room: RoomName, to id: ConnectionID, _ beginning: Beginning) {
    let page: HistoryPage
    switch beginning {
    case .now: return
    case .after(let seq): page = memory.page(of: room, .after(seq), .everything, limit: 500)
    case .last(let count):
      page = memory.page(of: room, .before(nil), .everything, limit: max(1, count))
    }
    let place = hub.place(of: room, for: people[id]?.person)
    tell(id, .catchingUp(place))
    for message in page.messages { tell(id, .message(message, in: place)) }
    tell(id, .caughtUp(place, seq: hub.published(in: room)))
  }
}

private let noon = Moment(milliseconds: 1_800_000_000_000)

/// A real server and real sockets. The barrier is a ping and its answer.
final class SocketStage: Stage {
  let isServed = true

  private struct Person {
    let client: TestClient
    let spelling: Spelling
    /// Its ping would not be taken for the first words of a hand-typed session.
    var hasSpoken = false
  }

  private let running: RunningServer
  private let form: Form
  private var people: [String: Person] = [:]
  private var early: [String: [String]] = [:]

  init(_ running: RunningServer, form: Form) {
    self.running = running
    self.form = form
  }

  func connect(_ person: String, _ speech: Speech) throws {
    let spelling = Spelling(speech, in: form)
    people[person] = Person(client: try TestClient(port: running.port), spelling: spelling)
    guard spelling.isInLines else { return }
    // A first line by itself tells the server that lines will come. Without it a message and a ping
    // in one read would be one message of two lines (framing rule 5).
    _ = barrier(person)
    people[person]?.hasSpoken = true
  }

  func enter(_ person: String) {
    for command in people[person]?.spelling.enter(as: person) ?? [] { send(command, from: person) }
  }

  func say(_ text: String, from person: String) {
    guard let spelling = people[person]?.spelling else { return }
    send(spelling.say(text), from: person)
  }

  func send(_ command: String, from person: String) {
    guard let (client, spelling) = people[person].map({ ($0.client, $0.spelling) }) else { return }
    client.send(spelling.end(command))
    people[person]?.hasSpoken = true
    // An unterminated command is over when its quiet time is: 50 ms.
    if !spelling.isInLines { early[person, default: []] += client.linesWithin(milliseconds: 250) }
    early[person, default: []] += barrier(person)
  }

  func catchUpSearch() async throws { try await running.catchUpSearch() }

  func leave(_ person: String) {
    guard let client = people.removeValue(forKey: person)?.client else { return }
    client.finishWriting()
    _ = client.linesUntilEnd()
  }

  func seen() -> [String: [String]] {
    var seen = early.filter { !$0.value.isEmpty }
    early = [:]
    for (name, person) in people where person.hasSpoken {
      let lines = barrier(name)
      if !lines.isEmpty { seen[name, default: []] += lines }
    }
    return seen
  }

  private func barrier(_ name: String) -> [String] {
    guard let person = people[name] else { return [] }
    return person.spelling.speech == .json
      ? person.client.linesBeforeJSONPong() : person.client.linesBeforePong()
  }
}
