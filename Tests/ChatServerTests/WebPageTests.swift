/// The page over HTTP: its files, who has them already, and whether the server is ready. By hand
/// clock.

import ChatServer
import Testing

@Suite struct WebPageTests {
  private var hall = Hall(
    pages: WebPages([
      "/": "<!doctype html>\n<title>Beck</title>\n",
      "/style.css": String(repeating: "p { color: green }\n", count: 20),
    ]))

  /// The lines of an answer up to its empty line.
  private mutating func head(_ guest: Guest, _ request: String) -> [String] {
    Array(hall.get(guest, request).prefix { !$0.isEmpty })
  }

  private mutating func status(_ request: String) -> String? {
    hall.get(hall.connect(), request).first.map { String($0.dropFirst(9).prefix(3)) }
  }

  private func field(_ name: String, _ head: [String]) -> String? {
    head.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
  }

  @Test mutating func thePageIsSentWithWhatItMayLoad() {
    let head = head(hall.connect(), "GET / HTTP/1.1")
    #expect(head.first == "HTTP/1.1 200 OK")
    #expect(field("Content-Type", head) == "text/html; charset=utf-8")
    #expect(field("Content-Security-Policy", head)?.contains("default-src 'none'") == true)
    #expect(field("X-Content-Type-Options", head) == "nosniff")
    #expect(field("Date", head) == "Mon, 30 Nov 2026 12:00:00 GMT")
  }

  @Test mutating func whoHasAFileIsToldSoByAnyOfItsTags() throws {
    let guest = hall.connect()
    let tag = try #require(field("ETag", head(guest, "GET /style.css HTTP/1.1")))
    for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      let again = head(guest, "GET /style.css HTTP/1.1\r\nIf-None-Match: \(known)")
      #expect(again.first == "HTTP/1.1 304 Not Modified", "\(known)")
      #expect(field("ETag", again) == tag && field("Content-Length", again) == nil)
    }
    let other = head(guest, "GET /style.css HTTP/1.1\r\nIf-None-Match: \"other\"")
    #expect(other.first == "HTTP/1.1 200 OK")
  }

  @Test mutating func eachCodingHasATagOfItsOwn() {
    let guest = hall.connect()
    let plain = head(guest, "HEAD /style.css HTTP/1.1")
    let zipped = head(guest, "HEAD /style.css HTTP/1.1\r\nAccept-Encoding: br, gzip;q=0.5")
    #expect(field("Content-Encoding", zipped) == "gzip")
    #expect(field("Content-Encoding", plain) == nil)
    #expect(field("ETag", zipped) != field("ETag", plain))
    #expect(field("Vary", plain) == "Accept-Encoding")
    let refused = head(guest, "HEAD /style.css HTTP/1.1\r\nAccept-Encoding: gzip;q=0")
    #expect(field("Content-Encoding", refused) == nil)
  }

  @Test mutating func aHeadIsTheSameWithoutTheBody() {
    let guest = hall.connect()
    let whole = hall.get(guest, "GET /style.css HTTP/1.1")
    let head = hall.get(guest, "HEAD /style.css HTTP/1.1")
    // An answer ends in the line end of its head.
    #expect(head.last == "" && head.count < whole.count)
    #expect(whole.prefix(head.count - 1) == head.dropLast())
  }

  @Test mutating func whatIsNotThereIs404AndTheNextIsAnswered() {
    let guest = hall.connect()
    for path in ["/nothing", "/metrics", "/../Package.swift", "/style.css/", "/index.html"] {
      #expect(head(guest, "GET \(path) HTTP/1.1").first == "HTTP/1.1 404 Not Found", "\(path)")
    }
    #expect(head(guest, "GET /health HTTP/1.1").first == "HTTP/1.1 200 OK")
  }

  @Test mutating func itIsReadyWhileMessagesCanBeKept() {
    let ann = hall.program("ann")
    #expect(status("GET /ready HTTP/1.1") == "200")
    hall.send(ann, #"{"send":{"room":"lobby","text":"lost"}}"# + "\n")
    hall.refuseToKeep()
    #expect(status("GET /ready HTTP/1.1") == "503")
    #expect(status("GET /health HTTP/1.1") == "200")
    hall.say(ann, "kept")
    #expect(status("GET /ready HTTP/1.1") == "200")
  }

  @Test mutating func anotherMethodIsToldWhichMayBeUsed() {
    let guest = hall.connect()
    let refused = head(guest, "PUT / HTTP/1.1\r\nContent-Length: 0")
    #expect(refused.first == "HTTP/1.1 405 Method Not Allowed")
    #expect(field("Allow", refused) != nil)
    #expect(head(guest, "BREW / HTTP/1.1").first == "HTTP/1.1 501 Not Implemented")
  }
}

extension Hall {
  /// Sends a request with a host, and gives the lines of what came back at once.
  mutating func get(_ guest: Guest, _ request: String) -> [String] {
    send(guest, "\(request)\r\nHost: localhost\r\n\r\n")
    // CR and LF are one character to Swift.
    let answer = guest.socket.lines().joined(separator: "\n").replacing("\r\n", with: "\n")
    return answer.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }
}
