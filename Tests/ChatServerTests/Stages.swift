/// The two places where plays are given: the hub and the dialects by hand, and a real server.

import ChatHub
import ChatModel
import Dialects
import Foundation
import TestSupport

/// Hub and dialects without a socket; time passes when nothing else is to be done.
final class HandStage: Stage {
  private struct Person {
    var name: String
    var dialect = Dialect()
    var out: [UInt8] = []
  }

  private let form: PlainForm
  private var hub = Hub()
  private var now = Duration.zero
  private var people: [ConnectionID: Person] = [:]
  private var ids: [String: ConnectionID] = [:]

  init(_ form: PlainForm) { self.form = form }

  func connect(_ person: String) {
    let id = ConnectionID(slot: UInt32(ids.count), generation: 0)
    ids[person] = id
    people[id] = Person(name: person)
  }

  func send(_ command: String, from person: String) {
    guard let id = ids[person] else { return }
    var bytes = Array(command.utf8)
    if form == .line { bytes.append(0x0A) }
    guard !bytes.isEmpty else { return }
    bytes.withUnsafeBytes { people[id]?.dialect.received($0, at: now) }
    pull(id)
    while let deadline = people[id]?.dialect.deadline {
      now = max(now, deadline)
      people[id]?.dialect.deadlinePassed(at: now)
      pull(id)
    }
  }

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

  private func pull(_ id: ConnectionID) {
    while let heard = people[id]?.dialect.next() {
      switch heard {
      case .request(let request): perform(hub.handle(request, from: id, at: now))
      case .answer(let event): tell(id, event)
      case .farewell, .close: break
      }
    }
  }

  private func tell(_ id: ConnectionID, _ event: Event) {
    guard var person = people[id] else { return }
    PlainEncoder.encode(event, for: person.dialect.form, into: &person.out)
    people[id] = person
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .tell(let id, let event): tell(id, event)
      case .tellAll(let ids, let event): for id in ids { tell(id, event) }
      case .named(let id, let name): people[id]?.dialect.loggedIn(as: name)
      // Everybody here is alive.
      case .probe(let id): perform(hub.probed(id, isAlive: true, at: now))
      case .close(let id, let reason):
        tell(id, .closing(reason))
        people[id] = nil
      case .wait, .proceed, .readLater: break
      }
    }
  }
}

/// A real server and real sockets. The barrier is a ping and its answer.
final class SocketStage: Stage {
  private let port: UInt16
  private let form: PlainForm
  private var clients: [String: TestClient] = [:]
  /// Those whose ping would not be taken for the first words of a hand-typed session.
  private var hasSpoken: Set<String> = []
  private var early: [String: [String]] = [:]

  init(port: UInt16, form: PlainForm) {
    self.port = port
    self.form = form
  }

  func connect(_ person: String) throws {
    let client = try TestClient(port: port)
    clients[person] = client
    guard form == .line else { return }
    // A first line by itself tells the server that lines will come. Without it a message and a ping
    // in one read would be one message of two lines (framing rule 5).
    _ = client.linesBeforePong()
    hasSpoken.insert(person)
  }

  func send(_ command: String, from person: String) {
    guard let client = clients[person] else { return }
    client.send(form == .line ? command + "\n" : command)
    hasSpoken.insert(person)
    // An unterminated command is over when its quiet time is: 50 ms.
    if form == .raw { early[person, default: []] += client.linesWithin(milliseconds: 250) }
    early[person, default: []] += client.linesBeforePong()
  }

  func leave(_ person: String) {
    guard let client = clients.removeValue(forKey: person) else { return }
    client.finishWriting()
    _ = client.linesUntilEnd()
  }

  func seen() -> [String: [String]] {
    var seen = early.filter { !$0.value.isEmpty }
    early = [:]
    for (person, client) in clients where hasSpoken.contains(person) {
      let lines = client.linesBeforePong()
      if !lines.isEmpty { seen[person, default: []] += lines }
    }
    return seen
  }
}
