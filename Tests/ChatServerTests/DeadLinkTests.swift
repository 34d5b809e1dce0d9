/// Links that are dead while bytes are on the way, with a limit shorter than the default's minutes.

import ChatServer
import Loop
import TestSupport
import Testing

@Suite(.enabled(if: NetworkNamespace.hindrance == nil, "needs root and ip(8)"))
struct DeadLinkTests {
  private let cable: Cable
  private let running: RunningServer
  private let ann: TestClient
  private let bob: TestClient

  init() async throws {
    let cable = try Cable("link-\(UInt32.random(in: 0 ... .max))")
    self.cable = cable
    running = try await RunningServer(in: cable.near) { configuration in
      configuration.listen += SocketAddress(host: cable.nearHost, port: 0).map { [.init($0)] } ?? []
      configuration.limits.unacknowledgedMax = .milliseconds(1_500)
      configuration.limits.unacknowledgedTick = .milliseconds(50)
      configuration.limits.liftRates()
    }
    ann = try TestClient(
      host: cable.nearHost, port: running.ports[1], receiveBuffer: 4_096, in: cable.far)
    bob = try TestClient(port: running.port, in: cable.near)
    ann.logIn("ann")
    bob.logIn("bob")
    #expect(ann.linesBeforePong() == ["bob has joined"])
  }

  @Test func aDeadLinkWithBytesOnTheWayIsClosed() async throws {
    try cable.cut()
    let start = ContinuousClock.now
    bob.send("msg:are you there?\n")
    #expect(bob.lines(until: "ann has left") == ["bob: are you there?", "ann has left"])
    #expect(ContinuousClock.now - start > .milliseconds(1_400))
    await running.stop()
  }

  @Test func aDeadLinkBehindWhichTheReaderWasFullIsClosed() async throws {
    let text = String(repeating: "x", count: 4_000)
    for number in 1...50 { bob.send("msg:\(number) \(text)\n") }
    bob.send("msg:full\n")
    _ = bob.lines(until: "bob: full")
    try cable.waitForFullReader()
    #expect(bob.linesBeforePong() == [], "who does not read is not closed for it")
    try cable.cut()
    #expect(bob.lines(until: "ann has left") == ["ann has left"])
    await running.stop()
  }

  @Test func aLinkThatLivesIsLeftAlone() async throws {
    // Silent for longer than the limit, then written to.
    #expect(ann.linesWithin(milliseconds: 1_700) == [])
    bob.send("msg:one\n")
    _ = bob.lines(until: "bob: one")
    #expect(ann.linesBeforePong() == ["bob: one"])
    await running.stop()
  }
}
