/// When a connection of HTTP is waited for, and what one request leaves to the next. By hand clock.

import ChatModel
import Dialects
import Testing

@Suite struct HTTPTimerTests {
  private var dialect = Dialect()

  private mutating func hear(_ text: String, at seconds: Int) -> [Heard] {
    Array(text.utf8).withUnsafeBytes { dialect.received($0, at: .seconds(seconds)) }
    return pull()
  }

  private mutating func pull() -> [Heard] {
    var all: [Heard] = []
    while let next = dialect.next() { all.append(next) }
    return all
  }

  @Test mutating func whileARequestIsCarriedOutNoTimerRuns() {
    let asked = hear("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n", at: 0)
    #expect(asked.count == 1)
    let behind = hear("GET /rea", at: 5)
    #expect(behind.isEmpty)
    // It could only pass, and again at once, for as long as the answer takes.
    #expect(dialect.deadline == nil)
    var out: [UInt8] = []
    dialect.encode(HTTPReply(200, "ready"), into: &out)
    #expect(dialect.deadline == .seconds(15))
  }

  @Test mutating func whatWaitsBehindASlowAnswerIsGivenItsTimeFromThere() {
    let clock = HTTPClock()
    let moment = Moment(milliseconds: 0)
    dialect = Dialect(WebSettings(), clock: clock)
    let asked = hear("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\nGET /rea", at: 0)
    #expect(asked.count == 1)
    clock.pass(to: .seconds(30)) { moment }
    var out: [UInt8] = []
    dialect.encode(HTTPReply(200, "ready"), into: &out)
    #expect(dialect.deadline == .seconds(40))
  }

  @Test mutating func whatCameWholeIsAnsweredHoweverLateItWasRead() {
    let first = hear("GET /health HTTP/1.1\r\n", at: 0)
    #expect(first.isEmpty)
    Array("Host: localhost\r\n\r\n".utf8).withUnsafeBytes {
      dialect.received($0, at: .seconds(9))
    }
    dialect.deadlinePassed(at: .seconds(10))
    let heard = pull()
    #expect(heard.count == 1, "it is answered, and the connection stays open")
    guard case .write? = heard.first else {
      Issue.record("it was not answered: \(heard)")
      return
    }
  }

  @Test mutating func aRefusalHasItsBodyAlsoBehindAHead() {
    let head = hear("HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n", at: 0)
    #expect(head.count == 1)
    let refused = hear("GET\r\n\r\n", at: 1)
    guard case .farewell(let bytes)? = refused.first else {
      Issue.record("it was not refused: \(refused)")
      return
    }
    let answer = String(decoding: bytes, as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 400 "))
    #expect(answer.hasSuffix("with one space between them\n"))
  }

  @Test("An empty line behind a request begins no other (RFC 9112 2.2)")
  func blankLine() throws {
    for reads in [["\r\n"], ["\r", "\n"]] {
      var talk = HTTPTalk()
      talk.ask("GET", "/health")
      #expect(talk.takenAnswer()?.status == 200)
      for read in reads { talk.read(read) }
      talk.pass(.milliseconds(59_999))
      #expect(!talk.isOver)
      talk.read("G")
      talk.pass(.milliseconds(9_999))
      #expect(!talk.isOver, "its first byte came then")
      talk.pass(.milliseconds(1))
      #expect(try talk.oneAnswer().status == 408 && talk.isOver)
    }
    var idle = HTTPTalk()
    idle.ask("GET", "/health")
    #expect(idle.takenAnswer()?.status == 200)
    idle.read("\r")
    idle.pass(.seconds(60))
    #expect(idle.isOver && idle.taken().isEmpty, "nobody asked anything")
  }

  @Test("An empty line in the same read as the request counts as little")
  func blankLineAtOnce() {
    var talk = HTTPTalk()
    talk.read("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n\r\n")
    talk.answer(HTTPReply(200, "so"))
    #expect(talk.dialect.deadline == .seconds(60))
    talk.read("\r\n")
    #expect(talk.isOver, "one, not two")
  }
}
