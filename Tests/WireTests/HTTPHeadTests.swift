/// The head of a request: its line, its target, its fields and its limit, by the clauses of RFC
/// 9110 and 9112.

import Testing
import Wire

@Suite("Heads of HTTP")
struct HTTPHeadTests {
  static let requestLines: [(line: String, heard: String)] = [
    ("GET / HTTP/1.1", "GET /"), ("GET /a?b=c&d HTTP/1.1", "GET /a?b=c&d"),
    ("POST //x/%2f HTTP/1.1", "POST //x/%2f"), ("get / HTTP/1.1", "get /"),
    ("M-SEARCH / HTTP/1.1", "M-SEARCH /"), ("OPTIONS * HTTP/1.1", "OPTIONS *"),
    ("GET / HTTP/1.0", "GET /"), ("GET / HTTP/1.9", "GET /"),
    (#"GET /"<>\^`{|}[] HTTP/1.1"#, #"GET /"<>\^`{|}[]"#),
    // 9112 3: two spaces, each one alone.
    ("GET  / HTTP/1.1", "400 requestLine"), ("GET /  HTTP/1.1", "400 requestLine"),
    ("GET / HTTP/1.1 ", "400 requestLine"), (" GET / HTTP/1.1", "400 requestLine"),
    ("GET\t/ HTTP/1.1", "400 requestLine"), ("GET / x HTTP/1.1", "400 requestLine"),
    ("GET /", "400 requestLine"), ("GET", "400 requestLine"), ("GET HTTP/1.1", "400 requestLine"),
    // 9110 9.1: a method is a token.
    ("G(T / HTTP/1.1", "400 requestLine"), ("Ä / HTTP/1.1", "400 requestLine"),
    // 9112 2.3.
    ("GET / http/1.1", "400 requestLine"), ("GET / HTTP/1", "400 requestLine"),
    ("GET / HTTP/1.10", "400 requestLine"), ("GET / HTTP/01.1", "400 requestLine"),
    ("GET / HTTP/1,1", "400 requestLine"), ("GET / HTTP/1.x", "400 requestLine"),
    ("GET / HTTQ/1.1", "400 requestLine"), ("GET / HTTP/+.1", "400 requestLine"),
    ("GET / HTTP/2.0", "505 version"), ("GET / HTTP/0.9", "505 version"),
    ("GET / HTTP/9.9", "505 version"), ("PRI * HTTP/2.0", "505 version"),
    // 9112 3.2: what a target may be.
    ("GET * HTTP/1.1", "400 target"), ("GET a HTTP/1.1", "400 target"),
    ("GET /#a HTTP/1.1", "400 target"), ("GET /ä HTTP/1.1", "400 target"),
    ("GET /\ta HTTP/1.1", "400 target"), ("OPTIONS ** HTTP/1.1", "400 target"),
    ("GET a:80 HTTP/1.1", "400 target"), ("GET ?a HTTP/1.1", "400 target"),
    // 9110 9.3.6.
    ("CONNECT a:80 HTTP/1.1", "501 tunnel"), ("CONNECT / HTTP/1.1", "501 tunnel"),
    ("connect / HTTP/1.1", "connect /"),
  ]

  @Test("A request line is three words, each of which is checked", arguments: requestLines)
  func requestLine(line: String, heard: String) {
    #expect(wordsInEveryChop("\(line)\r\nHost: a\r\n\r\n") == [heard])
  }

  static let absoluteTargets: [(target: String, heard: String, host: String)] = [
    ("http://b/", "GET /", "b"), ("http://b", "GET /", "b"), ("http://b?q", "GET /?q", "b"),
    ("HTTP://B:80/a?b", "GET /a?b", "B:80"), ("https://[::1]:443/x", "GET /x", "[::1]:443"),
    ("http://b/http://c/", "GET /http://c/", "b"), ("http://b:/", "GET /", "b:"),
  ]

  @Test("A target in absolute form says the host, whatever Host says", arguments: absoluteTargets)
  func absoluteTarget(target: String, heard: String, host: String) throws {
    let new = try request("GET \(target) HTTP/1.1\r\nA: 1\r\nhost: a\r\nB: 2\r\n\r\n")
    #expect(words(.request(new)) == heard)
    #expect(new.fields.all("Host") == [host])
    #expect(new.fields.first("B") == "2")
    let old = try request("GET \(target) HTTP/1.0\r\n\r\n")
    #expect(words(.request(old)) == heard)
    #expect(old.fields.all("Host") == [host])
  }

  @Test(
    "A target in absolute form has a host, no user, and a scheme of HTTP",
    arguments: [
      "http://", "http:///a", "http://:80/", "http://u@b/", "http://u:p@b/", "http://b:x/",
      "ftp://b/", "http:/b/", "http://b\\c/", "http://[::1/", "http://%4/", "://b/",
    ])
  func absoluteTargetRefused(target: String) {
    #expect(wordsInEveryChop("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == ["400 target"])
  }

  @Test("OPTIONS for a host without a path asks for all of the server")
  func optionsForAll() {
    #expect(wordsInEveryChop("OPTIONS http://b HTTP/1.1\r\nHost: a\r\n\r\n") == ["OPTIONS *"])
    #expect(wordsInEveryChop("OPTIONS http://b/ HTTP/1.1\r\nHost: a\r\n\r\n") == ["OPTIONS /"])
  }

  @Test("A version above 1.1 counts as 1.1", arguments: [(0, 0), (1, 1), (2, 1), (9, 1)])
  func version(sent: Int, heard: Int) throws {
    let request = try request("GET / HTTP/1.\(sent)\r\nHost: a\r\n\r\n")
    #expect(request.minorVersion == heard)
  }

  static let hosts: [(fields: String, isTaken: Bool)] = [
    ("Host: a", true), ("hOST:a", true), ("Host:", true), ("Host: a.b:80", true),
    ("Host: 127.0.0.1:1", true), ("Host: [::1]", true), ("Host: [fe80::1]:80", true),
    ("Host: a%2Db", true), ("Host: a:", true), ("Host: :80", true),
    ("A: b", false), ("Host: a\r\nHost: a", false), ("Host: a\r\nHost: b", false),
    ("Host: a b", false), ("Host: a/b", false), ("Host: u@a", false), ("Host: a:b", false),
    ("Host: a:80:80", false), ("Host: [::1", false), ("Host: []", false), ("Host: [::1]a", false),
    ("Host: [g::]", false), ("Host: a%2", false), ("Host: a%2x", false), ("Host: ä", false),
    ("Host: http://a", false), ("Host: a, b", false), ("Host: a?b", false), ("Host: a#b", false),
  ]

  @Test("Host is there once in HTTP/1.1, and is a host", arguments: hosts)
  func host(fields: String, isTaken: Bool) {
    let heard = isTaken ? "GET /" : "400 host"
    #expect(wordsInEveryChop("GET / HTTP/1.1\r\n\(fields)\r\n\r\n") == [heard])
    let isAbsent = !fields.lowercased().contains("host")
    let old = isAbsent ? "GET /" : heard
    #expect(wordsInEveryChop("GET / HTTP/1.0\r\n\(fields)\r\n\r\n") == [old])
  }

  @Test("A body's end may be followed by one empty line, no more")
  func emptyLineBefore() {
    let one = "\r\nGET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(wordsInEveryChop(one) == ["GET /1"])
    #expect(wordsInEveryChop(one + one) == ["GET /1", "GET /1"])
    #expect(wordsInEveryChop("\r\n" + one) == ["400 requestLine"])
    #expect(wordsInEveryChop(one + "\r\n" + one) == ["GET /1", "400 requestLine"])
  }

  @Test("Requests that come together are given in order, with what is theirs")
  func pipelined() {
    let text = (1...5).map {
      "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: \($0)\r\n\r\n"
        + String(repeating: "\($0)", count: $0)
    }.joined()
    let heard = (1...5).map { "POST /\($0) " + String(repeating: "\($0)", count: $0) }
    #expect(wordsInEveryChop(text) == heard)
  }

  static let persistence: [(version: Int, fields: String, keeps: Bool)] = [
    (1, "", true), (1, "Connection: close\r\n", false), (1, "Connection: CLOSE\r\n", false),
    (1, "connection: upgrade , close\r\n", false), (1, "Connection: closed\r\n", true),
    (1, "Connection: upgrade\r\nConnection: close\r\n", false),
    (1, "Connection: keep-alive\r\n", true), (1, "Connection: keep-alive, close\r\n", false),
    (0, "", false), (0, "Connection: keep-alive\r\n", true), (0, "Connection: close\r\n", false),
    (0, "Connection: Keep-Alive, close\r\n", false), (0, "Keep-Alive: 5\r\n", false),
  ]

  @Test("What keeps a connection is the version and Connection", arguments: persistence)
  func keepsAlive(version: Int, fields: String, keeps: Bool) throws {
    let request = try request("GET / HTTP/1.\(version)\r\nHost: a\r\n\(fields)\r\n")
    #expect(request.keepsAlive == keeps)
  }

  // MARK: The limit

  /// A head of so many bytes.
  private func head(_ count: Int) -> String {
    let start = "GET / HTTP/1.1\r\nHost: a\r\nA: "
    return start + letters(count - start.utf8.count - 4) + "\r\n\r\n"
  }

  @Test("A head may be as long as the limit and no longer")
  func headLimit() {
    #expect(wordsInEveryChop(head(100), headBytesMax: 100) == ["GET /"])
    #expect(wordsInEveryChop(head(101), headBytesMax: 100) == ["431 headTooLarge"])
    let two = head(100) + head(100)
    #expect(wordsInEveryChop(two, headBytesMax: 100) == ["GET /", "GET /"])
    #expect(httpHeard([Array(head(16_384).utf8)]).map { words($0) } == ["GET /"])
    #expect(httpHeard([Array(head(16_385).utf8)]).map { words($0) } == ["431 headTooLarge"])
  }

  @Test("A request line that fills the head says so")
  func requestLineLimit() {
    let line = "GET /" + letters(100) + " HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(wordsInEveryChop(line, headBytesMax: 100) == ["414 requestLineTooLong"])
    let end = "GET /" + letters(84) + " HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(wordsInEveryChop(end, headBytesMax: 99) == ["414 requestLineTooLong"])
    #expect(wordsInEveryChop(end, headBytesMax: 100) == ["431 headTooLarge"])
  }

  @Test("A head without end is refused at the limit, and not kept")
  func endless() {
    var reader = httpReader(headBytesMax: 1_000)
    var heard: [HTTPHeard] = []
    Array("GET / HTTP/1.1\r\n".utf8).withUnsafeBytes { reader.received($0) }
    for _ in 0..<10_000 {
      Array("a: b\r\n".utf8).withUnsafeBytes { reader.received($0) }
      while let next = reader.next() { heard.append(next) }
      #expect(reader.bytesHeld <= 1_000)
    }
    #expect(heard == [.refused(.headTooLarge)])
    #expect(reader.bytesHeld == 0)
    #expect(!reader.isInsideRequest)
  }
}
