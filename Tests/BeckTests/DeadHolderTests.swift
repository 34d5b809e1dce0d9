/// Who keeps a name when somebody else asks for it: the living, also if they are silent.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: NetworkNamespace.hindrance == nil, "needs root and ip(8)"))
struct DeadHolderTests {
  /// A server on one machine, and the cable to another one.
  private struct Net {
    let cable: Cable
    let beck: RunningBeck

    init(_ label: String) throws {
      cable = try Cable(label)
      beck = try RunningBeck(
        [
          "--listen", "\(cable.nearHost):0", "--listen", "127.0.0.1:\(DeadHolderTests.nearPort)",
          "--no-limits",
        ],
        under: cable.near.wrapper)
    }

    /// From the other machine.
    func far(receiveBuffer: Int32? = nil) throws -> TestClient {
      try TestClient(
        host: cable.nearHost, port: beck.port, receiveBuffer: receiveBuffer, in: cable.far)
    }

    /// From the server's own machine.
    func near() throws -> TestClient {
      try TestClient(port: DeadHolderTests.nearPort, in: cable.near)
    }

    /// Has so much said that a far reader with a small buffer, who does not read, has it full.
    func fill(from speaker: TestClient) throws {
      let text = String(repeating: "x", count: 4_000)
      for number in 1...50 { speaker.send("msg:\(number) \(text)\n") }
      speaker.send("msg:full\n")
      _ = speaker.lines(until: "bob: full")
      try cable.waitForFullReader()
    }
  }

  private static let nearPort: UInt16 = 4_000

  @Test(arguments: [false, true])
  func aHolderBehindADeadLinkLosesTheName(isTold: Bool) throws {
    let net = try Net("dead-\(isTold)")
    let ann = try net.far()
    ann.logIn("ann")
    let bob = try net.near()
    bob.logIn("bob")
    #expect(ann.linesBeforePong() == ["bob has joined"])
    try net.cable.cut()
    if isTold {
      // So that something is on the way to the dead end, and the kernel sends no probes of its own.
      bob.send("msg:are you there?\n")
      _ = bob.lines(until: "bob: are you there?")
    }
    let other = try net.near()
    let start = ContinuousClock.now
    other.send("iam:ann\n")
    #expect(other.line() == "ann has joined")
    let time = ContinuousClock.now - start
    #expect(time > .seconds(3) && time < .seconds(5.5), "\(time)")
    #expect(bob.linesBeforePong() == ["ann has left", "ann has joined"])
    #expect(try net.beck.end().status == 0)
  }

  @Test func aHolderThatMerelySaysNothingKeepsTheName() throws {
    let net = try Net("quiet")
    let ann = try net.far()
    ann.logIn("ann")
    let other = try net.near()
    let start = ContinuousClock.now
    other.send("iam:ann\n")
    #expect(other.line()?.hasPrefix("! ann is taken") == true)
    let time = ContinuousClock.now - start
    #expect(time < .seconds(2), "\(time)")
    #expect(ann.linesBeforePong() == [])
    #expect(try net.beck.end().status == 0)
  }

  @Test func aHolderThatDoesNotReadKeepsTheName() throws {
    let net = try Net("silent")
    // The kernel asks a full reader at growing distances, up to two minutes: here from the start.
    try net.cable.near.ip(
      "route", "replace", "\(net.cable.farHost)/32", "dev", "cable", "rto_min", "60s")
    let ann = try net.far(receiveBuffer: 4_096)
    ann.logIn("ann")
    let bob = try net.near()
    bob.logIn("bob")
    try net.fill(from: bob)
    let other = try net.near()
    let start = ContinuousClock.now
    other.send("iam:ann\n")
    #expect(other.line()?.hasPrefix("! ann is taken") == true)
    let time = ContinuousClock.now - start
    #expect(time < .seconds(1.5), "\(time)")
    // Alive it is: it has lost nothing but what a slow reader skips.
    #expect(ann.line() == "bob has joined")
    #expect(ann.line()?.hasPrefix("bob: 1 x") == true)
    #expect(try net.beck.end().status == 0)
  }

  @Test func aHolderThatDidNotReadLosesTheNameBehindADeadLink() throws {
    let net = try Net("full")
    let ann = try net.far(receiveBuffer: 4_096)
    ann.logIn("ann")
    let bob = try net.near()
    bob.logIn("bob")
    try net.fill(from: bob)
    try net.cable.cut()
    // It may be refused at first: until a question of the kernel's has gone unanswered.
    let other = try net.near()
    let start = ContinuousClock.now
    repeat { other.send("iam:ann\n") } while other.line()?.hasPrefix("! ann is taken") == true
    #expect(bob.lines(until: "ann has joined") == ["ann has left", "ann has joined"])
    let time = ContinuousClock.now - start
    #expect(time < .seconds(8), "\(time)")
    #expect(try net.beck.end().status == 0)
  }

  @Test func aHolderOnTheSameMachineAnswersAtOnce() throws {
    let beck = try RunningBeck()
    let ann = try beck.join("ann")
    ann.send("msg:just now\n")
    _ = ann.lines(until: "ann: just now")
    let other = try TestClient(port: beck.port)
    let start = ContinuousClock.now
    other.send("iam:ann\n")
    #expect(other.line()?.hasPrefix("! ann is taken") == true)
    let time = ContinuousClock.now - start
    #expect(time < .milliseconds(500), "\(time)")
  }
}
