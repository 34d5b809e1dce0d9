/// One connection that speaks HTTP, driven by hand: bytes in, what is heard, bytes out. Expects
/// nothing but answers.

import ChatModel
import Dialects
import Foundation
import Testing

struct HTTPTalk {
  private(set) var dialect: Dialect
  var now = Duration.zero
  /// Everything heard so far.
  private(set) var heard: [Heard] = []
  /// What was answered, also by the dialect itself.
  private var written: [UInt8] = []
  /// It said its last word.
  private(set) var isOver = false

  init(names: [String] = [], origins: [String] = []) {
    dialect = Dialect(WebSettings(names: names, origins: origins))
  }

  /// A read, and all that it makes heard.
  mutating func read(_ text: String) { read(Array(text.utf8)) }

  mutating func read(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { dialect.received($0, at: now) }
    pull()
  }

  /// One request by a client that means well.
  mutating func ask(_ method: String, _ target: String, _ fields: String..., body: String = "") {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields + length
    read(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  /// Answers the request under way.
  mutating func answer(_ answer: Answer) {
    dialect.encode(answer, to: nil, into: &written)
    pull()
  }

  mutating func answer(_ page: HistoryPage, of stretch: Stretch, bytesMax: Int = 65_536) {
    dialect.encode(
      page, of: stretch, in: .room(page.room), bytesMax: bytesMax, to: nil, into: &written)
    pull()
  }

  mutating func answer(_ reply: HTTPReply) {
    dialect.encode(reply, into: &written)
    pull()
  }

  mutating func upgrade() {
    guard case .upgrade(_, let isNamed)? = action else { preconditionFailure("it was asked for") }
    dialect.upgrade(accept: "proof", isNamed: isNamed, at: now, into: &written)
    pull()
  }

  mutating func tell(_ event: Event) {
    Encoder.encode(event, for: dialect.form, into: &written)
  }

  mutating func pass(_ time: Duration) {
    now += time
    dialect.deadlinePassed(at: now)
    pull()
  }

  mutating func end() {
    dialect.ended()
    pull()
  }

  private mutating func pull() {
    while !isOver, let next = dialect.next() {
      heard.append(next)
      switch next {
      case .write(let bytes): written += bytes
      case .farewell(let bytes):
        written += bytes
        isOver = true
      case .close, .tooManyMistakes: isOver = true
      case .web, .request, .answer, .help: break
      }
    }
  }

  /// What is to be seen to of the last request, if it is.
  var action: WebRequest.Action? {
    if case .web(let request)? = heard.last { request.action } else { nil }
  }

  var visit: Visit? {
    if case .visit(let visit, token: _)? = action { visit } else { nil }
  }

  /// The answers since the last look, as they were written.
  mutating func taken() -> [UInt8] {
    defer { written = [] }
    return written
  }

  mutating func takenText() -> String { String(decoding: taken(), as: UTF8.self) }
}

/// One answer, taken apart.
struct HTTPAnswer: Equatable {
  var status = 0
  var fields: [String: String] = [:]
  var body = ""

  /// The first of these answers; all of them are to be there.
  init?(_ text: String) {
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
    self.status = status
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      fields[parts[0].lowercased()] = String(parts[1].dropFirst())
    }
    body = String(text[end.upperBound...])
  }

  /// The length that it says is the length that it has.
  var hasItsLength: Bool { fields["content-length"] == "\(body.utf8.count)" }
}

extension HTTPTalk {
  /// The one answer since the last look.
  mutating func takenAnswer() -> HTTPAnswer? { HTTPAnswer(takenText()) }

  /// The same, where a test needs one.
  mutating func oneAnswer() throws -> HTTPAnswer {
    let text = takenText()
    return try #require(HTTPAnswer(text), "\(text)")
  }
}
