/// People who talk to a real server over sockets, in the plain dialect.

import ChatHub
import ChatServer
import Loop
import TestSupport
import Testing

@Suite struct ConversationTests {
  @Test func whatOneSaysEverybodyHearsInOneOrder() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    let bob = try TestClient(port: running.port)
    ann.logIn("ann")
    bob.logIn("bob")
    ann.send("msg:one\nmsg:two\n")
    #expect(ann.lines(until: "ann: two") == ["bob has joined", "ann: one", "ann: two"])
    bob.send("msg:three\n")
    #expect(bob.lines(until: "bob: three") == ["ann: one", "ann: two", "bob: three"])
    #expect(ann.linesBeforePong() == ["bob: three"])
    await running.stop()
  }

  @Test func aNameWithoutALoginHearsNothing() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    let stranger = try TestClient(port: running.port)
    ann.logIn("ann")
    ann.send("msg:secret\n")
    _ = ann.lines(until: "ann: secret")
    #expect(stranger.linesBeforePong() == [])
    await running.stop()
  }

  @Test func endOfStreamIsALeaveAfterWhatWasSent() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    let bob = try TestClient(port: running.port)
    bob.send("iam:bob\nmsg:last words")
    bob.finishWriting()
    #expect(bob.linesUntilEnd() == ["bob has joined", "bob: last words"])
    #expect(
      ann.lines(until: "bob has left")
        == ["bob has joined", "bob: last words", "bob has left"])
    await running.stop()
  }

  @Test func aResetInTheMiddleHarmsNobodyElse() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    let bob = try TestClient(port: running.port)
    bob.logIn("bob")
    bob.send("msg:half a")
    bob.reset()
    #expect(ann.lines(until: "bob has left").first == "bob has joined")
    ann.send("msg:still here\n")
    #expect(ann.lines(until: "ann: still here").count == 1)
    await running.stop()
  }

  @Test func quitSaysGoodbyeAndEnds() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    ann.send("quit:\nmsg:never\n")
    let last = ann.linesUntilEnd()
    #expect(last.count == 1 && last[0].hasPrefix("* "), "\(last)")
    await running.stop()
  }

  @Test func stopTellsEverybody() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    await running.stop()
    let last = ann.linesUntilEnd()
    #expect(last.count == 1 && last[0].hasPrefix("* "), "\(last)")
  }

  @Test func aFastSpeakerIsReadLaterAndLosesNothing() async throws {
    let running = try await RunningServer { $0.limits.hub.messagesPerSecond = 200 }
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    let start = ContinuousClock.now
    ann.send((1...150).map { "msg:\($0)\n" }.joined())
    #expect(ann.lines(until: "ann: 150") == (1...150).map { "ann: \($0)" })
    #expect(ContinuousClock.now - start > .milliseconds(450), "100 beyond the burst at 200/s")
    await running.stop()
  }

  @Test func aLiveHolderOfANameIsAskedAndKeepsIt() async throws {
    let running = try await RunningServer()
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    let other = try TestClient(port: running.port)
    let start = ContinuousClock.now
    other.send("iam:Ann\nmsg:not said\n")
    guard let refusal = other.line() else {
      Issue.record("a taken name is answered")
      return
    }
    #expect(refusal.hasPrefix("! ") && refusal.contains("taken"), "\(refusal)")
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(ann.linesBeforePong() == [])
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func aReaderThatStopsCatchesUpWithoutHoleOrDouble(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits = .tight }
    let slow = try TestClient(port: running.port, receiveBuffer: 4_096)
    slow.logIn("slow")
    let ann = try TestClient(port: running.port)
    ann.logIn("ann")
    let text = String(repeating: "x", count: 4_000)
    let count = 400  // 1.6 MB: more than the kernel and the outbox hold
    for batch in 0..<(count / 10) {
      ann.send((0..<10).map { "msg:\(batch * 10 + $0) \(text)\n" }.joined())
      _ = ann.lines(until: "ann: \(batch * 10 + 9) \(text)")
    }
    slow.widen()
    let lines = slow.lines(until: "* live again")
    let said = lines.filter { $0.hasPrefix("ann: ") }
    #expect(said == (0..<count).map { "ann: \($0) \(text)" }, "whole, in order, once each")
    #expect(lines.filter { $0.hasPrefix("* ") } == ["* catching up", "* live again"])
    ann.send("msg:live\n")
    _ = ann.lines(until: "ann: live")
    #expect(slow.linesBeforePong() == ["ann: live"])
    await running.stop()
  }
}
