/// HTTP as a dialect: who may ask by which name, what goes where, in which order it is answered,
/// and when nobody waits any longer.

import ChatModel
import Dialects
import Testing

@Suite("HTTP")
struct HTTPDialectTests {
  // MARK: Where it goes

  @Test(
    "Each request goes where the table says, or is answered at once",
    arguments: [
      ("GET", "/health", 200), ("HEAD", "/health", 200), ("POST", "/health", 405),
      ("PUT", "/", 405), ("DELETE", "/app.js", 405), ("TRACE", "/", 405),
      ("OPTIONS", "/", 204), ("OPTIONS", "*", 204), ("PATCH", "/ws", 405),
      ("GET", "/ws", 426), ("HEAD", "/ws", 426), ("PUT", "/rooms/tea/messages", 405),
    ])
  func clear(method: String, target: String, status: Int) throws {
    var talk = HTTPTalk()
    talk.ask(method, target)
    let answer = try talk.oneAnswer()
    #expect(answer.status == status)
    #expect((answer.fields["allow"] != nil) == (status == 405 || status == 204))
    #expect(answer.fields["x-content-type-options"] == "nosniff")
    #expect(talk.action == nil && !talk.isOver, "it goes on")
    if method == "HEAD" {
      #expect(answer.body.isEmpty && answer.fields["content-length"] != "0")
    } else if status != 204 {
      #expect(answer.hasItsLength && answer.body.hasSuffix("\n"))
    }
  }

  @Test(
    "A method that there is not is refused, and the connection goes on", arguments: ["BREW", "get"])
  func unknownMethod(method: String) {
    var talk = HTTPTalk()
    // What decides that HTTP is spoken at all is a method that there is.
    for method in ["GET", method, "GET"] { talk.ask(method, "/health") }
    let statuses = talk.takenText().matches(of: #/HTTP/1\.1 (\d+) /#).map { $0.1 }
    #expect(statuses == ["200", "501", "200"])
  }

  @Test("A file is asked for with what the asker has and takes")
  func file() {
    var talk = HTTPTalk()
    talk.ask("GET", "/app.js?v=1", "If-None-Match: \"x\"", "Accept-Encoding: br, gzip;q=0.5")
    guard case .file(let file)? = talk.action else {
      Issue.record("\(talk.heard)")
      return
    }
    #expect(file.path == "/app.js" && file.known == "\"x\"" && file.acceptsGzip)
    for other in ["br", "gzip;q=0", "identity, gzip; q=0.0"] {
      var talk = HTTPTalk()
      talk.ask("GET", "/", "Accept-Encoding: \(other)")
      guard case .file(let file)? = talk.action else { continue }
      #expect(!file.acceptsGzip && file.known == nil, "\(other)")
    }
  }

  // MARK: Who may ask

  @Test(
    "A request is for this server by an address, localhost, or one of its names",
    arguments: [
      ("localhost", true), ("localhost:12345", true), ("LOCALHOST", true), ("a.localhost", true),
      ("127.0.0.1", true), ("192.168.0.7:80", true), ("[::1]", true), ("[fe80::1]:12345", true),
      ("chat.example.org", true), ("Chat.Example.Org:443", true), ("example.org", false),
      ("evil.example", false), ("notlocalhost", false), ("127.0.0.1.evil.example", false),
      ("localhost.evil.example", false), ("256.1.1.1", false), ("1.2.3", false),
    ])
  func host(host: String, isOurs: Bool) throws {
    var talk = HTTPTalk(names: ["chat.example.org"])
    talk.read("GET /health HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    let answer = try talk.oneAnswer()
    #expect(answer.status == (isOurs ? 200 : 421))
    #expect(talk.isOver == !isOurs)
  }

  /// RFC 4291 2.2, in brackets as RFC 3986 3.2.2 has it.
  @Test(
    "An address is one to the letter",
    arguments: [
      ("[::]", 200), ("[2001:DB8::7]", 200), ("[1:2:3:4:5:6:7:8]", 200),
      ("[::ffff:127.0.0.1]", 200), ("[1:2:3:4:5:6:7::]", 200), ("[1:2:3:4:5:6:1.2.3.4]:80", 200),
      ("[:::]", 421),
      ("[1::2::3]", 421), ("[12345::]", 421), ("[1:2:3:4:5:6:7]", 421),
      ("[1:2:3:4:5:6:7:8:9]", 421), ("[1:2:3:4:5:6:7:8::]", 421), ("[:1]", 421), ("[1:]", 421),
      ("[1.2.3.4::]", 421), ("[::1.2.3]", 421), ("[::1.2.3.256]", 421), ("[face]", 421),
      ("[127.0.0.1]", 421), ("[...]", 421), ("[fe80::1%25eth0]", 400), ("[fe80::1%eth0]", 400),
      ("[v1.a]", 400), ("[::1", 400), ("::1", 400), ("127.0.0.01", 421), ("127.1", 421),
      ("1.2.3.4.", 421), ("1.2.3.4.5", 421), ("0x7f.0.0.1", 421), ("2130706433", 421),
    ])
  func address(host: String, status: Int) throws {
    var talk = HTTPTalk()
    talk.read("GET /health HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    #expect(try talk.oneAnswer().status == status)
  }

  @Test("Whoever names no host is not answered, also over HTTP/1.0")
  func noHost() throws {
    for version in ["1.0", "1.1"] {
      var talk = HTTPTalk()
      talk.read("GET /health HTTP/\(version)\r\n\r\n")
      #expect(talk.takenAnswer()?.status == 400 && talk.isOver)
    }
  }

  @Test(
    "Pages ask from where they come from, and from where it is allowed",
    arguments: [
      ("http://localhost", 200), ("https://localhost", 200), ("http://LOCALHOST", 200),
      ("https://page.example", 200), ("http://page.example", 403), ("http://evil.example", 403),
      ("http://localhost:8080", 403), ("null", 403), ("", 403), ("localhost", 403),
      ("http://localhost.evil.example", 403),
    ])
  func origin(origin: String, status: Int) throws {
    for method in ["GET", "POST", "OPTIONS"] {
      var talk = HTTPTalk(origins: ["https://page.example"])
      talk.ask(method, method == "POST" ? "/rooms/tea/messages" : "/health", "Origin: \(origin)")
      let answer = try talk.oneAnswer()
      #expect((answer.status == 403) == (status == 403), "\(method): \(answer)")
      #expect(talk.isOver == (status == 403))
      let isListed = origin == "https://page.example"
      #expect(answer.fields["access-control-allow-origin"] == (isListed ? origin : nil))
      #expect(answer.fields["vary"]?.contains("Origin") == (isListed ? true : nil))
      let methods = answer.fields["access-control-allow-methods"]
      #expect((methods != nil) == (isListed && method == "OPTIONS"))
    }
  }

  @Test("Of two origins neither may be another's")
  func twoOrigins() throws {
    var talk = HTTPTalk()
    talk.ask("GET", "/health", "Origin: http://localhost", "Origin: http://evil.example")
    #expect(try talk.oneAnswer().status == 403)
  }

  @Test("A page elsewhere that may read is answered so, beside what else varies")
  func vary() throws {
    var talk = HTTPTalk(origins: ["https://page.example"])
    talk.ask("GET", "/", "Origin: https://page.example")
    talk.answer(HTTPReply(200, "page", ["Vary": "Accept-Encoding"]))
    #expect(talk.takenAnswer()?.fields["vary"] == "Accept-Encoding, Origin")
  }

  @Test(
    "Who passes a request on says so, and does not count as of this machine",
    arguments: ["Forwarded: for=1.2.3.4", "X-Forwarded-For: 1.2.3.4", "Via: 1.1 proxy", nil])
  func forwarded(field: String?) {
    for target in ["/", "/ready", "/rooms/tea/messages"] {
      var talk = HTTPTalk()
      talk.ask("GET", target, field ?? "X-Other: 1")
      guard case .web(let request)? = talk.heard.last else {
        Issue.record("\(talk.heard)")
        return
      }
      #expect(request.isForwarded == (field != nil))
    }
  }

  // MARK: One after the other

  @Test("Of several requests in one read the next is heard when the one before is answered")
  func pipelined() {
    var talk = HTTPTalk()
    let head = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
    talk.read(head("/ready") + head("/health") + head("/ready") + head("/health"))
    #expect(talk.heard.count == 1 && talk.taken().isEmpty)
    talk.answer(HTTPReply(200, "one"))
    #expect(talk.heard.count == 3)
    talk.answer(HTTPReply(503, "two"))
    let statuses = talk.takenText().matches(of: #/HTTP/1\.1 (\d+) /#).map { $0.1 }
    #expect(statuses == ["200", "200", "503", "200"])
    #expect(!talk.isOver && talk.dialect.bytesHeld == 0)
  }

  @Test("A request is answered once, and nobody else is answered over HTTP")
  func unasked() async {
    await #expect(processExitsWith: .failure) {
      var out: [UInt8] = []
      var dialect = Dialect()
      dialect.encode(HTTPReply(200, "nobody asked"), into: &out)
    }
    await #expect(processExitsWith: .failure) {
      var out: [UInt8] = []
      var dialect = Dialect()
      dialect.upgrade(accept: "proof", isNamed: false, at: .zero, into: &out)
    }
    await #expect(processExitsWith: .failure) {
      var talk = HTTPTalk()
      talk.ask("GET", "/ready")
      talk.answer(HTTPReply(200, "once"))
      talk.answer(HTTPReply(200, "twice"))
    }
    await #expect(processExitsWith: .failure) {
      var talk = HTTPTalk()
      talk.ask("GET", "/health")
      talk.answer(.refused(.busy))
    }
  }

  @Test(
    "A connection ends behind the answer where the asker wants it so",
    arguments: [
      ("1.1", "", nil), ("1.1", "Connection: close\r\n", "close"), ("1.0", "", "close"),
      ("1.1", "Connection: keep-alive\r\n", nil),
      // RFC 9112 9.3 and C.2.2: in HTTP/1.0 it is kept only where both say so.
      ("1.0", "Connection: Keep-Alive\r\n", "keep-alive"),
      ("1.0", "Connection: keep-alive, close\r\n", "close"),
      ("1.1", "Connection: keep-alive, Close\r\n", "close"),
    ])
  func keepAlive(version: String, field: String, connection: String?) throws {
    let ends = connection == "close"
    for path in ["/ready", "/health"] {
      var talk = HTTPTalk()
      talk.read("GET \(path) HTTP/\(version)\r\nHost: localhost\r\n\(field)\r\n")
      if path == "/ready" {
        #expect(!talk.isOver, "it is not answered")
        talk.answer(HTTPReply(200, "so"))
      }
      #expect(talk.isOver == ends)
      let answer = try talk.oneAnswer()
      #expect(answer.fields["connection"] == connection && answer.hasItsLength)
      talk.ask("GET", "/health")
      #expect(talk.taken().isEmpty == ends, "nothing behind it is heard")
      #expect(talk.dialect.bytesHeld == 0)
    }
  }

  @Test("Whoever expects to be asked for the body is asked for it (RFC 9110 10.1.1)")
  func expects() {
    var talk = HTTPTalk()
    talk.read(
      "POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
        + "Expect: 100-continue\r\n\r\n"
    )
    #expect(talk.takenText() == "HTTP/1.1 100 Continue\r\n\r\n")
    talk.read("hi")
    #expect(talk.takenAnswer()?.status == 405)
  }

  @Test("A request that is none is refused, and nothing behind it is heard")
  func refused() throws {
    var talk = HTTPTalk()
    talk.read("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1, 1\r\n\r\niam:eve\nmsg:hi\n")
    talk.read("iam:eve\nmsg:hi\n")
    talk.ask("GET", "/health")
    let answer = try talk.oneAnswer()
    #expect(answer.status == 400 && answer.fields["connection"] == "close" && answer.hasItsLength)
    #expect(talk.isOver && talk.heard.count == 1 && talk.dialect.bytesHeld == 0)
    #expect(talk.dialect.deadline == nil, "nothing is waited for")
  }

  @Test(
    "A head has 16 KiB at most and a body 64 KiB (RFC 6585 5, RFC 9110 15.5.14)",
    arguments: [(16_384, 65_536, 405), (16_385, 65_536, 431), (16_384, 65_537, 413)])
  func sizes(head: Int, body: Int, status: Int) throws {
    let fields = "POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body)\r\nX: "
    let fill = String(repeating: "x", count: head - fields.utf8.count - 4)
    var talk = HTTPTalk()
    talk.read(fields + fill + "\r\n\r\n")
    talk.read([UInt8](repeating: 0x61, count: body))
    #expect(try talk.oneAnswer().status == status)
    #expect(talk.isOver == (status != 405) && talk.dialect.bytesHeld == 0)
  }

  @Test("Chat inside a body is a body, whatever it is posted to")
  func chatLines() {
    let body = "iam:eve\r\nmsg:from a page\r\n{\"login\":{\"name\":\"eve\"}}\n"
    for target in ["/", "/ws", "/rooms/tea/messages", "/rooms/tea", "/ready"] {
      var talk = HTTPTalk()
      talk.ask("POST", target, "Content-Type: text/plain", body: body)
      talk.ask("GET", "/health")
      let statuses = talk.takenText().matches(of: #/HTTP/1\.1 (\d+) /#).map { $0.1 }
      #expect(statuses.count == 2 && statuses[1] == "200", "\(target): \(statuses)")
      #expect(talk.heard.allSatisfy { if case .write = $0 { true } else { false } })
    }
  }

  @Test("However a request is cut into reads, it is heard alike")
  func chops() {
    let text = Array(
      """
      POST /rooms/t%65a/messages HTTP/1.1\r
      Host: localhost\r
      Authorization: Bearer x\r
      Content-Type: text/plain\r
      Content-Length: 5\r
      \r
      GET /GET /health HTTP/1.1\r
      Host: localhost\r
      \r

      """.utf8)
    var whole = HTTPTalk()
    whole.read(text)
    #expect(whole.visit == .say(.named("tea"), text: "GET /"))
    for cut in 1..<text.count {
      var talk = HTTPTalk()
      talk.read(Array(text[..<cut]))
      talk.read(Array(text[cut...]))
      #expect(talk.heard == whole.heard, "cut at \(cut)")
    }
    var slow = HTTPTalk()
    for byte in text { slow.read([byte]) }
    #expect(slow.heard == whole.heard)
  }

  // MARK: Time

  @Test("A request that is not whole 10 s after its first byte is given up")
  func late() throws {
    var talk = HTTPTalk()
    talk.read("GET /health HTTP/1.1\r\n")
    talk.pass(.milliseconds(9_999))
    talk.read("Host: local")
    #expect(!talk.isOver)
    talk.pass(.milliseconds(1))
    let answer = try talk.oneAnswer()
    #expect(answer.status == 408 && answer.fields["connection"] == "close" && talk.isOver)
    talk.read("host\r\n\r\n")
    #expect(talk.taken().isEmpty)
  }

  @Test("A connection is idle for a minute between requests, then closed without a word")
  func idle() {
    var talk = HTTPTalk()
    talk.ask("GET", "/health")
    #expect(talk.takenAnswer()?.status == 200)
    talk.pass(.milliseconds(59_999))
    #expect(!talk.isOver)
    talk.ask("GET", "/health")
    #expect(talk.takenAnswer()?.status == 200)
    talk.pass(.seconds(60))
    #expect(talk.isOver && talk.taken().isEmpty)
    #expect(talk.heard.last == .farewell([]))
  }

  @Test("While an answer is awaited nobody is too slow")
  func awaited() {
    var talk = HTTPTalk()
    talk.ask("GET", "/ready")
    #expect(talk.dialect.deadline == nil)
    talk.pass(.seconds(600))
    talk.answer(HTTPReply(200, "late"))
    #expect(talk.takenAnswer()?.status == 200 && !talk.isOver)
  }

  @Test("A stream that ends is asked what is whole, and keeps nothing")
  func ended() {
    var talk = HTTPTalk()
    talk.read("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\nGET /health HTTP/1.1\r\nHost: local")
    talk.end()
    talk.answer(HTTPReply(200, "so"))
    #expect(talk.takenAnswer()?.status == 200)
    #expect(talk.heard.count == 1 && talk.dialect.bytesHeld == 0 && talk.dialect.deadline == nil)
  }
}

extension RoomName {
  static func named(_ name: String) -> RoomName {
    guard let room = RoomName(name) else { preconditionFailure("\(name) is a room's name") }
    return room
  }
}

extension Visit {
  /// A text without key, in answer to nothing.
  static func say(_ room: RoomName, text: String) -> Visit {
    guard let text = MessageText(text) else { preconditionFailure("1 to 4,096 bytes") }
    return .say(room, text, key: nil, replyTo: nil)
  }
}
