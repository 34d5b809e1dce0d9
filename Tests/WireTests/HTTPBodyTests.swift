/// Bodies by their length, expectations, and what comes behind a request.

import Testing
import Wire

@Suite("Bodies of HTTP")
struct HTTPBodyTests {
  private func post(_ fields: String, _ rest: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(rest)"
  }

  @Test("A body is as many bytes as its length says, whatever they are")
  func length() {
    #expect(wordsInEveryChop(post("Content-Length: 3", "abc")) == ["POST / abc"])
    #expect(wordsInEveryChop(post("Content-Length: 0")) == ["POST /"])
    #expect(wordsInEveryChop(post("content-length:  0003 ", "abc")) == ["POST / abc"])
    #expect(wordsInEveryChop(post("A: b")) == ["POST /"])
    #expect(wordsInEveryChop(post("Content-Length: 3", "ab")) == [])
    let chat = "iam:ann\nmsg:hello\r\n\r\nGET / HTTP/1.1\r\n\r\n"
    #expect(
      wordsInEveryChop(post("Content-Length: \(chat.utf8.count)", chat) + post("A: b"))
        == ["POST / \(chat)", "POST /"])
    var all = Array(post("Content-Length: 256").utf8)
    all += (0...255).map { UInt8($0) }
    guard case .request(let request)? = heardInEveryChop(all).first else {
      Issue.record("a body of all bytes was refused")
      return
    }
    #expect(request.body == (0...255).map { UInt8($0) })
  }

  @Test("Whatever the method, the body belongs to its request", arguments: ["GET", "HEAD", "X"])
  func methods(method: String) {
    let text = "\(method) / HTTP/1.0\r\nContent-Length: 2\r\n\r\nabGET /b HTTP/1.0\r\n\r\n"
    #expect(wordsInEveryChop(text) == ["\(method) / ab", "GET /b"])
  }

  @Test("A body may be as long as the limit; a longer one is refused by its head")
  func limit() {
    let most = post("Content-Length: 50", letters(50))
    #expect(wordsInEveryChop(most, bodyBytesMax: 50) == ["POST / " + letters(50)])
    #expect(wordsInEveryChop(most, bodyBytesMax: 49) == ["413 bodyTooLarge"])
    #expect(wordsInEveryChop(post("Content-Length: 51"), bodyBytesMax: 50) == ["413 bodyTooLarge"])
    let most19 = post("Content-Length: " + String(repeating: "9", count: 19))
    #expect(wordsInEveryChop(most19) == ["413 bodyTooLarge"])
    let whole = Array(post("Content-Length: 65536", letters(65_536)).utf8)
    #expect(httpHeard([whole]).map { words($0) } == ["POST / " + letters(65_536)])
    #expect(
      httpHeard([Array(post("Content-Length: 65537").utf8)]) == [.refused(.bodyTooLarge)])
  }

  static let expectations: [(text: String, heard: [String])] = [
    (
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab",
      ["continue", "POST / ab"]
    ),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nexpect: 100-CONTINUE\r\nContent-Length: 2\r\n\r\nab",
      ["continue", "POST / ab"]
    ),
    // Of no body none can be waited for.
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", ["POST /"]),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
      ["POST /"]
    ),
    // 9110 10.1.1: not in HTTP/1.0.
    (
      "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab", ["POST / ab"]
    ),
    ("POST / HTTP/1.0\r\nExpect: more\r\nContent-Length: 2\r\n\r\nab", ["POST / ab"]),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n", ["417 expectation"]),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue, more\r\n\r\n", ["417 expectation"]),
    // Who would be refused is not asked for the body first.
    (
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n",
      ["413 bodyTooLarge"]
    ),
    // What one request expects is not the next one's.
    (
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na"
        + "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nb",
      ["continue", "POST / a", "POST /b b"]
    ),
  ]

  @Test(
    "100-continue is told before the body; no other expectation is met", arguments: expectations)
  func expects(text: String, heard: [String]) {
    #expect(wordsInEveryChop(text) == heard)
  }

  @Test("The reader knows that it waits for the rest of a request")
  func inside() {
    var reader = httpReader()
    func hears(_ text: String) -> Bool {
      Array(text.utf8).withUnsafeBytes { reader.received($0) }
      return reader.next() != nil
    }
    #expect(!reader.isInsideRequest)
    for piece in ["G", "ET / HTTP/1.1\r\nHo", "st: a\r\nContent-Length: 2\r\n\r", "\n", "a"] {
      #expect(!hears(piece))
      #expect(reader.isInsideRequest)
    }
    #expect(hears("b"))
    #expect(!reader.isInsideRequest)
    #expect(reader.bytesHeld == 0)
    for piece in ["\r", "\n"] {
      #expect(!hears(piece))
      #expect(!reader.isInsideRequest, "RFC 9112 2.2: one empty line before a request")
    }
    #expect(reader.bytesHeld == 0)
    #expect(!hears("P"))
    #expect(reader.isInsideRequest)
    #expect(hears(" \r\n"))
    #expect(!reader.isInsideRequest)
  }

  @Test("What is held is the head and as much of the body as came")
  func held() {
    var reader = httpReader()
    let head = Array(post("Content-Length: 65536").utf8)
    head.withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
    #expect(reader.bytesHeld == head.count)
    [UInt8](repeating: 0x61, count: 1_000).withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
    #expect(reader.bytesHeld == head.count + 1_000)
  }

  @Test("What came behind an upgrade is given over as it came, and once")
  func rest() {
    let upgrade = Array("GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n".utf8)
    let frames = [0x81, 0x80, 0, 0, 0, 0, 0x0A, 0xFF] as [UInt8]
    for count in 0...frames.count {
      var reader = httpReader()
      (upgrade + frames[..<count]).withUnsafeBytes { reader.received($0) }
      #expect(reader.next().map { words($0) } == "GET /ws")
      #expect(reader.takeRest() == Array(frames[..<count]))
      #expect(reader.bytesHeld == 0)
      #expect(reader.takeRest() == [])
      #expect(reader.next() == nil)
    }
  }

  @Test("A refusal is told once, and nothing behind it is read or kept")
  func refusedOnce() {
    var reader = httpReader()
    for _ in 0..<3 {
      Array("GET\r\n\r\nGET / HTTP/1.0\r\n\r\n".utf8).withUnsafeBytes { reader.received($0) }
    }
    #expect(reader.next() == .refused(.requestLine))
    Array("GET / HTTP/1.0\r\n\r\n".utf8).withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
    #expect(reader.bytesHeld == 0)
    #expect(reader.takeRest() == [])
    Array("GET / HTTP/1.0\r\n\r\n".utf8).withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
  }

  @Test("Reads that come before the requests in front of them were pulled lose nothing")
  func unpulled() {
    var reader = httpReader()
    var heard: [HTTPHeard] = []
    for number in 0..<50 {
      Array("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\nPOST".utf8)
        .withUnsafeBytes { reader.received($0) }
      if number % 3 == 0, let next = reader.next() { heard.append(next) }
      Array(" /\(number) HTTP/1.0\r\nContent-Length: 1\r\n\r\nb\r\n".utf8)
        .withUnsafeBytes { reader.received($0) }
    }
    while let next = reader.next() { heard.append(next) }
    #expect(heard.map { words($0) } == (0..<50).flatMap { ["GET /\($0)", "POST /\($0) b"] })
    #expect(reader.bytesHeld == 0)
  }

  @Test("Every problem has a status of its kind and a sentence of its own")
  func problems() {
    for problem in HTTPProblem.allCases {
      #expect([400, 411, 413, 414, 417, 431, 501, 505].contains(problem.status), "\(problem)")
      #expect(!problem.sentence.hasSuffix("."), "it stands alone in its line: \(problem)")
    }
    let sentences = Set(HTTPProblem.allCases.map { $0.sentence })
    #expect(sentences.count == HTTPProblem.allCases.count)
  }
}
