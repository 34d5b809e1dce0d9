/// Requests that two readers could end at different places: each is refused, and what is hidden
/// behind it is never heard.

import Testing
import Wire

@Suite("Smuggled requests of HTTP")
struct HTTPSmugglingTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    var clause: String
    var problem: HTTPProblem
    var version = 1
    var fields: String
    var testDescription: String { "\(clause): \(fields)" }
  }

  static let pairs: [Pair] = [
    // A length and chunks.
    Pair(
      clause: "9112 6.1", problem: .lengthAndEncoding,
      fields: "Content-Length: 6\r\nTransfer-Encoding: chunked"),
    Pair(
      clause: "9112 6.1", problem: .lengthAndEncoding,
      fields: "Transfer-Encoding: chunked\r\nContent-Length: 6"),
    Pair(
      clause: "9112 6.1", problem: .lengthAndEncoding,
      fields: "Transfer-Encoding: identity\r\nContent-Length: 0"),
    Pair(
      clause: "9112 6.1", problem: .lengthAndEncoding,
      fields: "Transfer-Encoding:\r\nContent-Length: 6"),
    Pair(
      clause: "9112 6.1, in 1.0", problem: .lengthAndEncoding, version: 0,
      fields: "Transfer-Encoding: chunked\r\nContent-Length: 6"),
    // Chunks.
    Pair(
      clause: "9112 6.1, in 1.0", problem: .transferEncoding, version: 0,
      fields: "Transfer-Encoding: chunked"),
    Pair(clause: "9112 6.3", problem: .lengthRequired, fields: "Transfer-Encoding: chunked"),
    Pair(clause: "9112 7", problem: .lengthRequired, fields: "Transfer-Encoding: \tCHUNKED "),
    Pair(clause: "9112 6.1", problem: .transferCoding, fields: "Transfer-Encoding: gzip, chunked"),
    Pair(
      clause: "9112 6.1, over lines", problem: .transferCoding,
      fields: "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"),
    Pair(
      clause: "9112 6.1, twice", problem: .transferEncoding,
      fields: "Transfer-Encoding: chunked, chunked"),
    Pair(
      clause: "9112 6.1, twice over lines", problem: .transferEncoding,
      fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
    Pair(
      clause: "9112 6.3, not last", problem: .transferEncoding,
      fields: "Transfer-Encoding: chunked, gzip"),
    Pair(
      clause: "9112 6.3, not last over lines", problem: .transferEncoding,
      fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"),
    Pair(clause: "9112 6.3", problem: .transferEncoding, fields: "Transfer-Encoding: xchunked"),
    Pair(clause: "9112 6.3", problem: .transferEncoding, fields: "Transfer-Encoding: identity"),
    Pair(clause: "9112 6.3", problem: .transferEncoding, fields: "Transfer-Encoding: chunked;a=b"),
    Pair(clause: "9112 6.3", problem: .transferEncoding, fields: "Transfer-Encoding: \"chunked\""),
    Pair(clause: "9112 6.3", problem: .transferEncoding, fields: "Transfer-Encoding: ,"),
    Pair(clause: "9112 6.3", problem: .transferEncoding, fields: "Transfer-Encoding:"),
    // A name that one reader overlooks.
    Pair(clause: "9112 5.1", problem: .fieldLine, fields: "Transfer-Encoding : chunked"),
    Pair(clause: "9112 5.1", problem: .fieldLine, fields: "Content-Length : 6"),
    Pair(clause: "9112 5.2", problem: .folded, fields: "A: b\r\n Content-Length: 6"),
    Pair(clause: "9112 5.2", problem: .folded, fields: "Transfer-Encoding:\r\n chunked"),
    Pair(clause: "9112 2.2", problem: .lineEnd, fields: "A: b\nTransfer-Encoding: chunked"),
    Pair(clause: "9112 2.2", problem: .lineEnd, fields: "A: b\rTransfer-Encoding: chunked"),
    Pair(clause: "9110 5.5", problem: .control, fields: "Transfer-Encoding: \u{B}chunked"),
    Pair(clause: "9110 5.5", problem: .control, fields: "Content-Length: 6\0"),
    Pair(clause: "9110 5.5", problem: .control, fields: "\0Content-Length: 6"),
    // Two lengths.
    Pair(
      clause: "9112 6.3", problem: .contentLength, fields: "Content-Length: 6\r\nContent-Length: 5"
    ),
    Pair(
      clause: "9112 6.3", problem: .contentLength, fields: "Content-Length: 6\r\nContent-Length: 6"
    ),
    Pair(clause: "9112 6.3", problem: .contentLength, fields: "Content-Length: 6, 6"),
    Pair(clause: "9112 6.3", problem: .contentLength, fields: "Content-Length: 6, 5"),
    Pair(clause: "9112 6.3", problem: .contentLength, fields: "Content-Length: 6,"),
    // What is no length.
    Pair(clause: "9110 8.6", problem: .contentLength, fields: "Content-Length:"),
    Pair(clause: "9110 8.6", problem: .contentLength, fields: "Content-Length: +6"),
    Pair(clause: "9110 8.6", problem: .contentLength, fields: "Content-Length: -6"),
    Pair(clause: "9110 8.6", problem: .contentLength, fields: "Content-Length: 0x6"),
    Pair(clause: "9110 8.6", problem: .contentLength, fields: "Content-Length: 6.0"),
    Pair(clause: "9110 8.6", problem: .contentLength, fields: "Content-Length: 6 0"),
    Pair(clause: "9110 8.6", problem: .contentLength, fields: "Content-Length: 1e1"),
    Pair(clause: "9110 8.6", problem: .contentLength, fields: "Content-Length: ٦"),
    Pair(
      clause: "9110 8.6, beyond 64 bits", problem: .contentLength,
      fields: "Content-Length: 18446744073709551622"),
    Pair(
      clause: "9110 8.6, twenty digits", problem: .contentLength,
      fields: "Content-Length: 00000000000000000006"),
    // Two hosts, for one who looks at the first and one who looks at the last.
    Pair(clause: "9112 3.2", problem: .host, fields: "Host: b"),
    Pair(clause: "9112 5.1", problem: .fieldLine, fields: "Host : b"),
    // A second request inside a value or a line.
    Pair(
      clause: "9112 2.2", problem: .lineEnd,
      fields: "A: b\n\nGET /hidden HTTP/1.1\r\nHost: a"),
    Pair(clause: "9112 5", problem: .fieldLine, fields: "GET /hidden HTTP/1.1"),
  ]

  private static let hidden = "0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test(
    "What two readers would end at different places is refused as its clause says", arguments: pairs
  )
  func refused(pair: Pair) {
    let text =
      "POST / HTTP/1.\(pair.version)\r\nHost: a\r\n\(pair.fields)\r\n\r\n" + Self.hidden
    #expect(heardInEveryChop(Array(text.utf8)) == [.refused(pair.problem)])
  }

  @Test(
    "A request line with a length or a host in it is none",
    arguments: [
      "GET / HTTP/1.1\nHost: b", "GET / HTTP/1.1\rHost: b", "GET /\u{B}HTTP/1.1 HTTP/1.1",
      "GET / HTTP/1.1 Host: b", "GET /\u{0}/b HTTP/1.1",
    ])
  func requestLines(line: String) {
    let heard = heardInEveryChop(Array("\(line)\r\nHost: a\r\n\r\n\(Self.hidden)".utf8))
    #expect(heard.count == 1)
    guard case .refused(let problem)? = heard.first else {
      Issue.record("it was taken")
      return
    }
    #expect(problem.status == 400)
  }

  @Test("The preface of HTTP/2 is refused for its version")
  func preface() {
    #expect(wordsInEveryChop("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == ["505 version"])
  }

  @Test("A body that looks like a request stays a body")
  func bodyOfRequests() {
    let text =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.hidden.utf8.count)\r\n\r\n"
      + Self.hidden + "GET /seen HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(wordsInEveryChop(text) == ["POST / \(Self.hidden)", "GET /seen"])
  }
}
