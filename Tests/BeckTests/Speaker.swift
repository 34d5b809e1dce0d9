/// Programs that load a server and remember what they were told, for the tests of faults.

import Foundation
import TestSupport
import Testing

/// Says one numbered message after the other, each with a key of its own, and sends again what a
/// broken connection left without an answer.
final class Speaker {
  static let window = 64

  let name: String
  private(set) var client: JSONClient?
  private var token: String?
  /// Everything it has begun to say, in order; the text is also the key.
  private(set) var texts: [String] = []
  /// By text, the number that it was first told.
  private(set) var answered: [String: Int] = [:]
  /// Not answered yet on this connection, oldest first.
  private var waiting: [(id: Int, text: String)] = []
  /// Of an earlier connection, to be sent again before anything new.
  private var unsent: [String] = []
  /// Answered on the last connection, and to be asked again on the next.
  private var recent: [String] = []

  init(_ name: String) { self.name = name }

  /// Is again who it was, and asks again about everything since the connection before the last.
  func connect(_ socket: TestClient) {
    let client = JSONClient(socket)
    if let token { client.resume(token) } else { client.logIn(name) }
    #expect(!client.token.isEmpty, "\(name) has logged in")
    token = client.token
    client.ask("join", ["room": "lobby"])
    self.client = client
    let again = texts.suffix(recent.count + waiting.count + unsent.count)
    (waiting, recent) = ([], [])
    unsent = Array(again)
  }

  /// As much as may be under way.
  func speak() {
    guard let client, !client.socket.isEnded else { return }
    while waiting.count < Self.window {
      let text: String
      if unsent.isEmpty {
        text = "\(name) \(texts.count)"
        texts.append(text)
      } else {
        text = unsent.removeFirst()
      }
      waiting.append((client.say(text, key: text), text))
    }
  }

  /// Takes what answers have come. False when the connection is over.
  func listen() -> Bool {
    guard let client else { return false }
    let goesOn = client.readWhatIsThere()
    while let first = waiting.first, let answer = client.known(first.id) {
      waiting.removeFirst()
      guard let seq = answer.ok["seq"] as? Int else {
        Issue.record("\(first.text) is refused: \(answer)")
        continue
      }
      if let known = answered.updateValue(seq, forKey: first.text) {
        #expect(known == seq, "\(first.text) has its first answer")
      }
      recent.append(first.text)
    }
    return goesOn
  }

  /// Whether everything it has begun to say is answered.
  var isDone: Bool { waiting.isEmpty && unsent.isEmpty }

  /// Says nothing new and waits until everything is answered.
  func finish() {
    guard let client else { return }
    while !unsent.isEmpty {
      let text = unsent.removeFirst()
      waiting.append((client.say(text, key: text), text))
    }
    if let last = waiting.last { client.answer(to: last.id) }
    _ = listen()
    #expect(isDone, "\(name): \(waiting.count) are not answered")
  }

  /// Takes what came before the connection broke.
  func lose() {
    client?.readToEnd()
    _ = listen()
  }

  /// Closes without waiting for anything.
  func giveUp() {
    _ = listen()
    client?.socket.reset()
  }
}

/// Remembers everything that was shown, over several connections.
final class Witness {
  private(set) var client: JSONClient?
  private var token: String?
  private(set) var seen: [JSONClient.Said] = []

  /// Goes on behind what it has seen.
  func connect(_ socket: TestClient) {
    let client = JSONClient(socket)
    if let token { client.resume(token) } else { client.logIn("witness") }
    token = client.token
    client.ask("join", ["room": "lobby", "after": seen.last?.seq ?? 0])
    self.client = client
  }

  func listen() { _ = client?.readWhatIsThere() }

  /// Takes what came before the connection broke.
  func lose() {
    client?.readToEnd()
    seen += client?.messages ?? []
    client = nil
  }

  /// Closes without waiting for anything.
  func giveUp() {
    listen()
    client?.socket.reset()
    seen += client?.messages ?? []
    client = nil
  }

  /// Reads until it has seen this number.
  func read(upTo seq: Int) {
    let before = seen.last?.seq ?? 0
    client?.read { ($0.messages.last?.seq ?? before) >= seq }
    seen += client?.messages ?? []
    client = nil
  }
}

/// Has all of them speak until then.
func load(
  _ speakers: [Speaker], _ witness: Witness? = nil, until end: ContinuousClock.Instant
) {
  while ContinuousClock.now < end {
    var wishes = speakers.compactMap { speaker -> pollfd? in
      speaker.speak()
      guard let client = speaker.client, !client.socket.isEnded else { return nil }
      return pollfd(fd: client.socket.descriptor, events: Int16(POLLIN), revents: 0)
    }
    let left = (end - ContinuousClock.now) / .milliseconds(1)
    guard !wishes.isEmpty, left > 0, poll(&wishes, nfds_t(wishes.count), Int32(left) + 1) > 0
    else { return }
    for speaker in speakers { _ = speaker.listen() }
    witness?.listen()
  }
}

/// What a history must be when all have had every answer: everything once, in the order each said
/// it, under the numbers that were answered.
func check(_ history: [JSONClient.Said], holdsAllOf speakers: [Speaker]) {
  #expect(history.seqs.isIncreasing)
  for speaker in speakers {
    let own = history.filter { $0.from == speaker.name }
    #expect(own.texts == speaker.texts, "\(speaker.name): once each, in order")
    let isAsAnswered = own.allSatisfy { speaker.answered[$0.text] == $0.seq }
    #expect(isAsAnswered, "\(speaker.name): under the numbers that were answered")
  }
  let all = speakers.reduce(0) { $0 + $1.texts.count }
  #expect(history.count == all, "and nothing else")
}

/// `beck verify` finds nothing wrong.
func verify(_ data: String, under wrapper: [String] = []) throws {
  let ending = try BeckProcess(["verify", "--data", data], under: wrapper).ending()
  #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
}
