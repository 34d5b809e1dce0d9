/// What the tutorials' clients are sent: one line a write, paced, and the newest when they are
/// behind.

import ChatServer
import TestSupport
import Testing

@Suite struct RawTests {
  @Test func linesToARawClientAreATickApart() async throws {
    let running = try await RunningServer()
    let raw = try TestClient(port: running.port)
    raw.send("iam:raw")
    #expect(raw.line() == "raw has joined")
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    let start = ContinuousClock.now
    ann.send((1...20).map { "msg:\($0)\n" }.joined())
    var reads: [[String]] = []
    while reads.joined().last != "ann: 20" {
      let lines = raw.linesOfOneRead()
      if lines.isEmpty { break }
      reads.append(lines)
    }
    #expect(reads.joined().suffix(20) == (1...20).map { "ann: \($0)" })
    // Twenty lines have nineteen gaps of 20 ms; two lines may lie in one read where this thread was
    // slow.
    #expect(ContinuousClock.now - start >= .milliseconds(380))
    await running.stop()
  }

  @Test func aLongMessageComesInPartsOfAtMostAThousandBytes() async throws {
    let running = try await RunningServer()
    let raw = try TestClient(port: running.port)
    raw.send("iam:raw")
    _ = raw.line()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    let text = String(repeating: "grüße ", count: 500)
    ann.send("msg:\(text)\n")
    _ = raw.line()
    var parts = ""
    while parts.utf8.count < text.utf8.count - 1, let line = raw.line() {
      #expect(line.utf8.count < 1_000 && line.hasPrefix("ann: "))
      parts += line.dropFirst(5)
    }
    #expect(parts.filter { $0 != " " } == text.filter { $0 != " " })
    await running.stop()
  }

  @Test func farBehindARawClientSkipsToTheNewestTwenty() async throws {
    let running = try await RunningServer { $0.limits.liftRates() }
    let raw = try TestClient(port: running.port)
    raw.send("iam:raw")
    _ = raw.line()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    ann.send((1...400).map { "msg:\($0)\n" }.joined())
    _ = ann.lines(until: "ann: 400")
    var heard: [Int] = []
    var skipped: [Int] = []
    while heard.last != 400, let line = raw.line() {
      if line.hasPrefix("* ") {
        skipped += [line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0]
      } else if line.hasPrefix("ann: ") {
        heard += Int(line.dropFirst(5)).map { [$0] } ?? []
      }
    }
    #expect(skipped.count == 1, "told once: \(skipped)")
    #expect(heard.count + skipped.reduce(0, +) >= 400 && heard == heard.sorted())
    await running.stop()
  }
}
