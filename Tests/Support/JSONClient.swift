/// A program that speaks JSON lines, for tests. Reads them by Foundation, not by our own reader.

import Foundation
import Testing

/// One connection. What it is told is kept in order; every wait has an end.
package final class JSONClient {
  package typealias Fields = [String: Any]

  /// A message as it was shown, or as it stands in history.
  package struct Said: Hashable {
    package let room: String
    package let seq: Int
    package let from: String
    package let text: String
    /// Only where it is one's own.
    package let key: String?
  }

  package enum Answer {
    case ok(Fields)
    case error(code: String, Fields)
  }

  package let socket: TestClient
  private var nextID = 0
  /// Every line that is no answer, by its one key, in order.
  package private(set) var events: [(name: String, fields: Fields)] = []
  /// Of the events, the messages.
  package private(set) var messages: [Said] = []
  private var answers: [Int: Answer] = [:]
  /// The ids of the answers, in the order in which they came.
  package private(set) var answeredIDs: [Int] = []
  /// Refusals without an id.
  package private(set) var refusals: [String] = []
  /// Of the last login.
  package private(set) var token = ""

  package init(_ socket: TestClient) { self.socket = socket }

  package convenience init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    self.init(try TestClient(port: port, receiveBuffer: receiveBuffer))
  }

  // MARK: Asking

  /// Sends a request and does not wait for its answer; reads meanwhile, so that it cannot be stuck
  /// behind a server that waits for it to read. Gives the id.
  @discardableResult
  package func post(_ method: String, _ arguments: Fields = [:]) -> Int {
    nextID += 1
    socket.sendReading(Self.line(nextID, method, arguments))
    return nextID
  }

  /// The same for a message.
  @discardableResult
  package func say(_ text: String, in room: String = "lobby", key: String? = nil) -> Int {
    post("send", ["room": room, "text": text].merging(key.map { ["key": $0] } ?? [:]) { $1 })
  }

  /// Sends a request and gives its answer; nil when none came.
  @discardableResult
  package func ask(_ method: String, _ arguments: Fields = [:]) -> Answer? {
    answer(to: post(method, arguments))
  }

  /// Logs in by name; the token is kept.
  @discardableResult
  package func logIn(_ name: String) -> Answer? { entered(ask("login", ["name": name])) }

  /// Is again who has this token.
  @discardableResult
  package func resume(_ token: String) -> Answer? { entered(ask("login", ["token": token])) }

  private func entered(_ answer: Answer?) -> Answer? {
    if let token = answer?.ok["token"] as? String { self.token = token }
    return answer
  }

  /// Pages of history from `after` on, to the end.
  package func history(
    of room: String = "lobby", after: Int = 0, limit: Int = 500
  ) -> (messages: [Said], gaps: [ClosedRange<Int>]) {
    var messages: [Said] = []
    var gaps: [ClosedRange<Int>] = []
    var cursor = after
    while true {
      let asked: Fields = ["room": room, "after": cursor, "limit": limit]
      guard let page = ask("history", asked)?.ok else {
        Issue.record("history is answered")
        return (messages, gaps)
      }
      let found = (page["messages"] as? [Fields] ?? []).map { Self.said($0) }
      messages += found
      let gap = (page["gap"] as? Fields).flatMap(Self.range)
      if let gap { gaps.append(gap) }
      let next = max(found.last?.seq ?? cursor, gap?.upperBound ?? cursor)
      guard page["more"] as? Bool == true, next > cursor else { return (messages, gaps) }
      cursor = next
    }
  }

  // MARK: Hearing

  /// Reads until the answer is there; nil at the end of the stream or of patience.
  @discardableResult
  package func answer(to id: Int) -> Answer? {
    while answers[id] == nil { guard read() else { return nil } }
    return answers[id]
  }

  /// The answer, if it has come.
  package func known(_ id: Int) -> Answer? { answers[id] }

  /// Reads until `condition` holds; false at the end of the stream or of patience.
  @discardableResult
  package func read(until condition: (JSONClient) -> Bool) -> Bool {
    while !condition(self) { guard read() else { return false } }
    return true
  }

  /// Reads until the message with this text is there.
  @discardableResult
  package func read(untilMessage text: String) -> Bool {
    let isThere = messages.contains { $0.text == text } || read { $0.messages.last?.text == text }
    if !isThere {
      Issue.record("waited for '\(text)', have \(messages.count), \(events.last.map(\.name) ?? "")")
    }
    return isThere
  }

  /// Reads until the next event of this name; its fields.
  package func event(_ name: String) -> Fields? {
    while true {
      let from = events.count
      guard read() else { return nil }
      if events.count > from, events[from].name == name { return events[from].fields }
    }
  }

  /// One line; false at the end of the stream or of patience.
  @discardableResult
  package func read() -> Bool {
    guard let line = socket.line() else { return false }
    take(line)
    return true
  }

  /// All lines that came without waiting; false when the stream has ended.
  package func readWhatIsThere() -> Bool {
    while socket.readMore(patience: 0) {}
    for line in socket.takeWholeLines() { take(line) }
    return !socket.isEnded
  }

  /// All lines until the server ends the stream.
  package func readToEnd() { while read() {} }

  private func take(_ line: String) {
    let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    guard let object = value as? Fields else {
      Issue.record("no JSON object: \(line.prefix(200))")
      return
    }
    if let ok = object["ok"] as? Fields, let id = object["id"] as? Int {
      answeredIDs.append(id)
      answers[id] = .ok(ok)
    } else if let error = object["error"] as? Fields, let code = error["code"] as? String {
      guard let id = object["id"] as? Int else { return refusals.append(code) }
      answeredIDs.append(id)
      answers[id] = .error(code: code, error)
    } else if let (name, fields) = object.first, let fields = fields as? Fields {
      events.append((name, fields))
      if name == "message" { messages.append(Self.said(fields)) }
    } else {
      Issue.record("neither answer nor event: \(line.prefix(200))")
    }
  }

  // MARK: Shapes

  private static func said(_ fields: Fields) -> Said {
    Said(
      room: fields["room"] as? String ?? "", seq: fields["seq"] as? Int ?? 0,
      from: fields["from"] as? String ?? "", text: fields["text"] as? String ?? "",
      key: fields["key"] as? String)
  }

  package static func range(_ fields: Fields) -> ClosedRange<Int>? {
    guard let from = fields["from"] as? Int, let to = fields["to"] as? Int else { return nil }
    return from...to
  }

  private static func line(_ id: Int, _ method: String, _ arguments: Fields) -> [UInt8] {
    let request: Fields = ["id": id, method: arguments]
    guard let data = try? JSONSerialization.data(withJSONObject: request) else { return [] }
    return [UInt8](data) + [0x0A]
  }
}

extension JSONClient.Answer? {
  /// Empty where it was refused, or none came.
  package var ok: JSONClient.Fields {
    if case .ok(let fields)? = self { fields } else { [:] }
  }

  package var isOK: Bool {
    if case .ok? = self { true } else { false }
  }

  /// Of a refusal.
  package var code: String? {
    if case .error(let code, _)? = self { code } else { nil }
  }

  /// Of a message that was sent.
  package var seq: Int? { ok["seq"] as? Int }
}

extension JSONClient.Answer {
  package var ok: JSONClient.Fields { Optional(self).ok }
}

extension Sequence where Element == JSONClient.Said {
  package var texts: [String] { map(\.text) }
  package var seqs: [Int] { map(\.seq) }
}

extension Collection where Element == Int {
  /// Whether each is greater than the one before.
  package var isIncreasing: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
