/// The second that answers bear: right at each moment, and asked for once a second.

import ChatModel
import Testing

@testable import Dialects

@Suite struct HTTPClockTests {
  @Test func theClockIsAskedWhenTheSecondIsOver() {
    let clock = HTTPClock()
    #expect(clock.date == "Thu, 01 Jan 1970 00:00:00 GMT")
    var asked = 0
    // By the clock on the wall 0.3 s of a second are over at the beginning.
    for (now, seconds, count) in [(0, "00", 1), (699, "00", 1), (700, "01", 2), (2_650, "02", 3)] {
      clock.pass(to: .milliseconds(now)) {
        asked += 1
        return Moment(milliseconds: 1_796_004_600_300 + Int64(now))
      }
      #expect(clock.date == "Mon, 30 Nov 2026 02:10:\(seconds) GMT" && asked == count, "\(now)")
    }
  }

  @Test func answersBearIt() throws {
    let clock = HTTPClock()
    clock.pass(to: .zero) { Moment(milliseconds: 1_796_004_600_300) }
    var dialect = Dialect(WebSettings(), clock: clock)
    Array("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      .withUnsafeBytes { dialect.received($0, at: .zero) }
    guard case .write(let bytes)? = dialect.next() else {
      Issue.record("it is answered")
      return
    }
    let answer = try #require(HTTPAnswer(String(decoding: bytes, as: UTF8.self)))
    #expect(answer.fields["date"] == "Mon, 30 Nov 2026 02:10:00 GMT")
  }
}
