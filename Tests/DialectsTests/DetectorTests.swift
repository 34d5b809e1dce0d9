/// The table of first bytes: each row whole, in every two pieces and byte by byte.

import Dialects
import Testing

@Suite("Which dialect")
struct DetectorTests {
  struct Row: CustomTestStringConvertible {
    var spoken: Detector.Spoken
    var first: [UInt8]
    var testDescription: String { "\(spoken) \(String(decoding: first, as: UTF8.self))" }

    init(_ spoken: Detector.Spoken, _ first: String) {
      (self.spoken, self.first) = (spoken, Array(first.utf8))
    }
    init(_ spoken: Detector.Spoken, bytes: [UInt8]) { (self.spoken, self.first) = (spoken, bytes) }
  }

  static let rows: [Row] =
    [
      Row(.tls, bytes: [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
      Row(.tls, bytes: [0x16, 0x03, 0x03, 0xFF, 0xFF, 0x01]),
      Row(.proxy, "PROXY "), Row(.proxy, "\r\n\r\n\0\r\nQUIT\n"), Row(.json, "{"),
    ]
    + ["GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "PATCH ", "OPTIONS ", "CONNECT ", "TRACE "]
    .map { Row(.http, $0) }
    + ["CAP ", "NICK ", "USER ", "PASS ", "cap ", "Nick ", "uSeR ", "pasS "].map { Row(.irc, $0) }

  private func verdict(_ reads: [[UInt8]]) -> Detector.Verdict {
    var detector = Detector()
    var verdict = Detector.Verdict.unknown
    for read in reads where verdict == .unknown {
      verdict = read.withUnsafeBytes { detector.received($0) }
    }
    return verdict
  }

  @Test(
    "Each row is known whole, with more behind it, in every two pieces and byte by byte",
    arguments: rows)
  func known(row: Row) {
    let more = row.first + Array("x y\r\n".utf8)
    #expect(verdict([row.first]) == .other(row.spoken))
    #expect(verdict([more]) == .other(row.spoken))
    for cut in 1..<row.first.count {
      #expect(verdict([Array(row.first[..<cut])]) == .unknown)
      #expect(verdict([Array(more[..<cut]), Array(more[cut...])]) == .other(row.spoken))
    }
    #expect(verdict(row.first.map { [$0] }) == .other(row.spoken))
  }

  @Test("A row that another byte breaks off is plain, wherever that is", arguments: rows)
  func broken(row: Row) {
    for index in row.first.indices {
      // TLS leaves these three bytes open: minor version and length.
      if row.spoken == .tls, (2...4).contains(index) { continue }
      var other = row.first
      other[index] = 0x7E
      #expect(verdict([other]) == .plain)
      #expect(verdict(other.map { [$0] }) == .plain)
    }
  }

  @Test(
    "Anything else is plain from its first telling byte",
    arguments: [
      "iam:Bob", "msg:hi", "\n", "\r\0", " GET /", "get / HTTP/1.1", "Get ", "proxy ", "GETx",
      "hello",
      "NICK:", "ping:x", "POSTS ", "[1]", "\u{16}\u{4}", "\r\n\r\nm", "\0", "\u{FF}",
    ])
  func plain(first: String) {
    #expect(verdict([Array(first.utf8)]) == .plain)
  }

  @Test("A silent connection has no deadline and keeps nothing")
  func silent() {
    var talk = PlainTalk()
    talk.pass(.seconds(3_600))
    #expect(talk.heard.isEmpty)
    #expect(talk.dialect.deadline == nil)
    #expect(talk.dialect.bytesHeld == 0)
  }

  @Test(
    "An ambiguous beginning waits without a deadline",
    arguments: ["P", "POS", "nick", "\r\n\r\n\0"])
  func ambiguous(first: String) {
    var talk = PlainTalk()
    talk.read(first)
    talk.pass(.seconds(3_600))
    #expect(talk.heard.isEmpty)
    #expect(talk.dialect.deadline == nil)
    #expect(talk.dialect.bytesHeld == first.utf8.count)
  }

  @Test("The reads go on as they came: three short ones are typed by hand")
  func handedOn() {
    var talk = PlainTalk()
    for key in ["p", "a", "s"] { talk.read(key, after: .seconds(1)) }
    #expect(talk.dialect.form == .raw)
    talk.read("t", after: .seconds(1))
    #expect(talk.dialect.form == .line)

    var program = PlainTalk()
    program.read("pas")
    program.read("t")
    program.read("e")
    #expect(program.dialect.form == .raw)
  }

  @Test("An ambiguous beginning that ends is plain, and no command")
  func ambiguousEnd() {
    var talk = PlainTalk()
    talk.read("POS")
    talk.end()
    #expect(talk.heard.isEmpty)
    #expect(talk.dialect.bytesHeld == 0)
  }

  @Test(
    "Each that is not spoken here hears one thing it can read, and nothing it sends is chat",
    arguments: rows.filter { $0.spoken != .json })
  func farewell(row: Row) throws {
    var talk = PlainTalk()
    talk.read(row.first + Array("x\r\n\r\niam:Bob\r\nmsg:hi\r\n".utf8))
    talk.read("iam:Bob\r\nmsg:hi\r\n")
    talk.pass(.seconds(5))
    talk.end()
    #expect(talk.seen.isEmpty)
    #expect(talk.dialect.bytesHeld == 0)
    #expect(talk.answered.count == 1)
    let answer = try #require(talk.answered.first)
    switch row.spoken {
    case .tls: #expect(talk.heard == [.farewell([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])])
    case .proxy: #expect(talk.heard == [.close])
    case .http:
      // "GET x" is no request; what is one, HTTPDialectTests have.
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("\r\nConnection: close\r\n"))
      let parts = answer.split(separator: "\r\n\r\n")
      #expect(parts.count == 2)
      #expect(answer.contains("\r\nContent-Length: \(parts[1].utf8.count)\r\n"))
    case .json: Issue.record("JSON lines are spoken here")
    case .irc:
      #expect(answer.hasPrefix("ERROR :"))
      #expect(answer.hasSuffix("\r\n"))
    }
  }
}
