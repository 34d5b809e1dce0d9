/// `beck chat` in JSON lines when its server goes away: killed, told to end, or forgetful. What was
/// said arrives once and in its order.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ComebackTests {
  private let directory: TemporaryDirectory
  private var data: [String] { ["--data", directory.path + "/data"] }

  init() throws { directory = try TemporaryDirectory() }

  /// A server on this port, or on any free one.
  private func serve(_ flags: [String], on port: UInt16 = 0) throws -> RunningBeck {
    try RunningBeck(["--listen", "127.0.0.1:\(port)", "--no-limits"] + flags)
  }

  private func chat(
    _ name: String, at port: UInt16, _ input: BeckProcess.Input = .pipe, _ more: String...
  ) throws -> BeckProcess {
    try BeckProcess(["chat", "--name", name, "127.0.0.1:\(port)"] + more, input: input)
  }

  /// What was said, in the order shown, whether it was shown live or with its time.
  private func said(_ output: String, by name: String = "ann") -> [String] {
    output.split(separator: "\n").compactMap { line in
      var line = line
      if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        line = line[line.index(end, offsetBy: 2)...]
      }
      return line.hasPrefix("\(name): ") ? String(line.dropFirst(name.count + 2)) : nil
    }
  }

  @Test("a server killed while somebody talks loses nothing, doubles nothing, moves nothing")
  func killed() throws {
    var server = try serve(data)
    let port = server.port
    let bob = try chat("bob", at: port)
    try bob.output.read(until: "bob has joined\n")
    let ann = try chat("ann", at: port)
    try ann.output.read(until: "ann has joined\n")
    let rounds = 6
    let linesOfRound = 40
    for round in 0..<rounds {
      let numbers = round * linesOfRound + 1...(round + 1) * linesOfRound
      // Answered, it is back for good: its next wait is a short one.
      try bob.type("round \(round)\n")
      try bob.output.read(until: "bob: round \(round)\n")
      try ann.type(numbers.map { "line \($0)\n" }.joined())
      // Each time another line is on its way when the server dies.
      try bob.output.read(until: "ann: line \(numbers.lowerBound + round * 5)\n")
      server.process.send(SIGKILL)
      #expect(try server.process.ending().status == -SIGKILL)
      server = try serve(data, on: port)
    }
    ann.endInput()
    let ending = try ann.ending()
    let expected = (1...rounds * linesOfRound).map { "line \($0)" }
    #expect(ending.status == 0)
    #expect(said(ending.output) == expected)
    #expect(ending.errors.contains("beck chat: interrupted: "))
    #expect(ending.errors.contains("beck chat: connected again\n"))
    try bob.output.read(until: "ann: line \(rounds * linesOfRound)\n")
    #expect(said(bob.output.text) == expected)
    bob.endInput()
    #expect(try bob.ending().status == 0)
    #expect(try server.end().status == 0)
    let kept = try BeckProcess(["export"] + data).ending().output.split(separator: "\n").dropFirst()
    let texts = kept.compactMap { $0.firstMatch(of: /"text":"(line \d+)"/).map { String($0.1) } }
    #expect(texts == expected)
    #expect(try BeckProcess(["verify"] + data).ending().status == 0)
  }

  @Test("a server that is told to end is waited for, and what is typed meanwhile is said then")
  func ended() throws {
    var server = try serve(data)
    let port = server.port
    let ann = try chat("ann", at: port, .keyboard)
    try ann.errors.read(until: "open: ")
    #expect(try server.end().status == 0)
    try ann.errors.read(until: "interrupted: the server ended the connection; trying again in ")
    try ann.type("hello again\n")
    // It goes on trying, with a word each time.
    try ann.errors.read(until: "\nconnection refused; trying again in ")
    server = try serve(data, on: port)
    try ann.output.read(until: "ann: hello again\n")
    try ann.type("/quit\n")
    let ending = try ann.ending()
    #expect(ending.status == 0)
    #expect(ending.output.contains("* the server is closing; connect again in a moment\n"))
    #expect(said(ending.output) == ["hello again"])
  }

  @Test("a server that has forgotten everything is told everything that it has not answered")
  func forgotten() throws {
    var server = try serve(["--memory"])
    let port = server.port
    let bob = try chat("bob", at: port)
    try bob.output.read(until: "bob has joined\n")
    let ann = try chat("ann", at: port)
    try ann.output.read(until: "ann has joined\n")
    try ann.type("before\n")
    try bob.output.read(until: "ann: before\n")
    server.process.send(SIGKILL)
    #expect(try server.process.ending().status == -SIGKILL)
    try ann.errors.read(until: "interrupted")
    try ann.type("after\n")
    server = try serve(["--memory"], on: port)
    try bob.output.read(until: "ann: after\n")
    ann.endInput()
    let ending = try ann.ending()
    #expect(ending.status == 0)
    #expect(said(ending.output) == ["before", "after"])
    bob.endInput()
    #expect(said(try bob.ending().output) == ["before", "after"])
  }

  @Test("through TLS it comes back too")
  func secured() throws {
    var server = try serve(data)
    let relay = try TLSRelay(to: Int(server.port), ["fork"])
    let ann = try BeckProcess(
      [
        "chat", "--name", "ann", relay.address, "--tls", "--ca", try Certificates.made().rootPath,
      ], input: .pipe)
    try ann.type("one\n")
    try ann.output.read(until: "ann: one\n")
    server.process.send(SIGKILL)
    #expect(try server.process.ending().status == -SIGKILL)
    try ann.errors.read(until: "interrupted")
    try ann.type("two\n")
    ann.endInput()
    server = try serve(data, on: server.port)
    let ending = try ann.ending()
    #expect(ending.status == 0)
    #expect(said(ending.output) == ["one", "two"])
  }
}
