/// `beck serve` with fewer descriptors than it could use: everybody waits, nobody is lost.

import Foundation
import TestSupport
import Testing

@Suite struct ShortageTests {
  private func limited(to count: Int) -> [String] {
    ["sh", "-c", "ulimit -n \(count); exec \"$@\"", "sh"]
  }

  /// Sets the process's limit from outside, as an operator would.
  private func limit(_ beck: RunningBeck, to count: Int) throws {
    let ending = try ChildProcess(
      running: ["prlimit", "--pid", "\(beck.process.pid)", "--nofile=\(count):"]
    ).ending()
    guard ending.status == 0 else { throw Failure("prlimit: \(ending.errors)") }
  }

  /// Logs all of them in and closes each as soon as it was served. Gives those that were not, with
  /// what they were told.
  private func serve(_ clients: [TestClient]) throws -> [[String]] {
    for (index, client) in clients.enumerated() { client.send("iam:p\(index)\nping:all\n") }
    var waiting = Array(clients.enumerated())
    var lost: [[String]] = []
    while !waiting.isEmpty {
      var wishes = waiting.map {
        pollfd(fd: $0.element.descriptor, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&wishes, nfds_t(wishes.count), patience) > 0 else {
        throw Failure("\(waiting.count) of \(clients.count) still wait")
      }
      // One at a time: its place is free for one other.
      guard let index = wishes.firstIndex(where: { $0.revents != 0 }) else { continue }
      let (number, client) = waiting.remove(at: index)
      var lines: [String] = []
      while lines.last != "* pong all", let line = client.line() { lines.append(line) }
      let isServed = lines.contains("p\(number) has joined") && lines.last == "* pong all"
      if !isServed { lost.append(lines) }
      client.close()
    }
    return lost
  }

  @Test func farMoreThanFitAreAllServedInTheEnd() throws {
    let beck = try RunningBeck(under: limited(to: 100))
    let clients = try (0..<200).map { _ in try TestClient(port: beck.port) }
    #expect(try serve(clients) == [])
    let ending = try beck.end()
    #expect(ending.status == 0)
    #expect(ending.errors.count { $0 == "\n" } <= 1, "\(ending.errors)")
  }

  @Test func withFewerDescriptorsThanItThinksItComplainsOnceAndServesAll() throws {
    let beck = try RunningBeck()
    try limit(beck, to: beck.descriptors + 5)
    let clients = try (0..<50).map { _ in try TestClient(port: beck.port) }
    #expect(try serve(clients) == [])
    let ending = try beck.end()
    #expect(ending.status == 0)
    #expect(
      ending.errors == """
        beck serve: no descriptor left for a new connection; accepting waits until one is free

        """)
  }

  @Test func descriptorsThatComeBackWithoutACloseAreNoticed() throws {
    let beck = try RunningBeck()
    try limit(beck, to: 5)
    let ann = try TestClient(port: beck.port)
    ann.send("iam:ann\n")
    try beck.process.errors.read(until: "no descriptor left")
    try limit(beck, to: 1_000)
    #expect(ann.line() == "ann has joined")
    let ending = try beck.end()
    #expect(ending.status == 0)
    #expect(ending.errors.count { $0 == "\n" } == 1)
  }

  @Test func whoBreaksOffLeavesNothingBehind() throws {
    let beck = try RunningBeck()
    let ann = try beck.join("ann")
    let before = beck.descriptors
    for wave in 0..<4 {
      let crowd = try (0..<250).map { _ in try TestClient(port: beck.port) }
      for (index, client) in crowd.enumerated() {
        if index.isMultiple(of: 3) { client.send("iam:w\(wave)-\(index)\nmsg:half") }
        if index.isMultiple(of: 2) { client.reset() } else { client.close() }
      }
    }
    ann.send("msg:still here\n")
    _ = ann.lines(until: "ann: still here")
    #expect(beck.settles(ann) { beck.descriptors == before }, "\(beck.descriptors) of \(before)")
    #expect(try beck.end().status == 0)
  }
}
