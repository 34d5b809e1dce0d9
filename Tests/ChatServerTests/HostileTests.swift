/// Any bytes at all: a readable answer or silence, and nobody else notices.

import ChatServer
import Glibc
import TestSupport
import Testing

/// Bytes that differ from run to run of a test by nothing: xorshift, seeded.
private struct Noise {
  var state: UInt64

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }
}

@Suite struct HostileTests {
  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 421 "),
    (
      "POST / HTTP/1.1\r\nContent-Length: 30\r\n\r\niam:eve\r\nmsg:from a web page\r\n",
      "HTTP/1.1 400 "
    ),
    ("NICK eve\r\nUSER eve 0 * :eve\r\n", "IRC"),
    ("PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\niam:eve\n", ""),
  ])
  func whatBelongsToAnotherDialectIsAnsweredAndClosed(bytes: String, answer: String) async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    let eve = try TestClient(port: running.port)
    eve.send(bytes)
    let got = String(decoding: eve.bytesUntilEnd(), as: UTF8.self)
    #expect(answer.isEmpty ? got.isEmpty : got.contains(answer), "\(got)")
    #expect(ann.linesBeforePong() == [], "nothing of it is seen by others")
    await running.stop()
  }

  @Test func aTLSHelloGetsAnAlert() async throws {
    let running = try await RunningServer()
    let eve = try TestClient(port: running.port)
    eve.send([0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x00])
    #expect(eve.bytesUntilEnd() == [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])
    await running.stop()
  }

  @Test(arguments: 1...20)
  func noiseHarmsNothing(seed: Int) async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    var noise = Noise(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
    for size in [1, 7, 100, 5_000, 70_000] {
      let eve = try TestClient(port: running.port)
      eve.send(noise.bytes(size))
      if size.isMultiple(of: 2) { eve.reset() } else { eve.close() }
    }
    ann.send("msg:still here\n")
    let seen = ann.lines(until: "ann: still here")
    #expect(
      seen.dropLast().allSatisfy { line in
        line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      })
    await running.stop()
  }

  @Test func aLineWithoutEndIsBoundedAndTheNextIsHeard() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    for _ in 0..<200 { ann.send([UInt8](repeating: UInt8(ascii: "x"), count: 10_000)) }
    ann.send("\nmsg:after\n")
    let seen = ann.lines(until: "ann: after")
    #expect(
      seen.count == 2 && seen[0].hasPrefix("! line too long"), "\(seen.map { $0.prefix(60) })")
    await running.stop()
  }

  @Test func whoAsksAndNeverReadsCostsNobodyAnything() async throws {
    let running = try await RunningServer()
    let eve = try TestClient(port: running.port, receiveBuffer: 4_096)
    eve.send("ping:0\n")
    _ = eve.line()
    _ = fcntl(eve.descriptor, F_SETFL, O_NONBLOCK)
    let many = String(repeating: "ping:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nhelp:\n", count: 1_000)
    for _ in 0..<300 { eve.send(many) }
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    ann.send("msg:hello\n")
    #expect(ann.lines(until: "ann: hello").count == 1)
    await running.stop()
  }
}

@Suite struct CrowdTests {
  @Test func theOldestWithoutANameGoesWhenTheyAreTooMany() async throws {
    let running = try await RunningServer {
      $0.capacity = 40
      $0.limits.namelessGrace = .milliseconds(50)
    }
    let first = try TestClient(port: running.port)
    #expect(first.linesBeforePong() == [])
    let named = try TestClient(port: running.port)
    named.logIn("ann")
    let others = try (0..<10).map { _ in try TestClient(port: running.port) }
    #expect(others[9].linesBeforePong() == [])
    let last = first.linesUntilEnd()
    #expect(last.count == 1 && last[0].hasPrefix("! "), "\(last)")
    #expect(named.linesBeforePong() == [], "who has a name stays")
    await running.stop()
  }

  @Test func manyThatLogInAtOnceAreNotTakenForNameless() async throws {
    let running = try await RunningServer {
      $0.capacity = 40
      $0.limits.namelessGrace = .seconds(600)
    }
    let crowd = try (0..<40).map { _ in try TestClient(port: running.port) }
    for client in crowd { #expect(client.linesBeforePong() == []) }
    for (index, client) in crowd.enumerated() { client.logIn("p\(index)") }
    await running.stop()
  }

  @Test func atCapacityOneMoreWaitsUntilThereIsRoom() async throws {
    let running = try await RunningServer { $0.capacity = 3 }
    let clients = try (0..<3).map { index in
      let client = try TestClient(port: running.port)
      client.logIn("p\(index)")
      return client
    }
    let waiting = try TestClient(port: running.port)
    waiting.send("iam:late\n")
    #expect(waiting.linesWithin(milliseconds: 100) == [])
    clients[0].close()
    #expect(waiting.line() == "late has joined")
    await running.stop()
  }

  @Test func manyThatVanishAtOnceAreCountedAndTheRestGoOn() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    var crowd = try (0..<300).map { _ in try TestClient(port: running.port) }
    for (index, client) in crowd.enumerated() { client.logIn("c\(index)") }
    for (index, client) in crowd.enumerated() where index.isMultiple(of: 2) { client.reset() }
    crowd = []
    while let line = ann.line() { if line.hasSuffix(", 1 here") || line == "c0 has left" { break } }
    ann.send("msg:alone\n")
    #expect(ann.lines(until: "ann: alone").last == "ann: alone")
    ann.send("who:\n")
    #expect(ann.lines(until: "* 1 here: ann").last == "* 1 here: ann")
    await running.stop()
  }
}
