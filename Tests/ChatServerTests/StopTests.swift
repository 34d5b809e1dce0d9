/// A server that is told to end: what was kept is answered, and who reads late is still given it.

import ChatServer
import TestSupport
import Testing

@Suite struct StopTests {
  @Test(arguments: Keeping.allCases)
  func whoReadsLateIsStillGivenItsAnswers(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) {
      $0.limits.liftRates()
      $0.limits.stopLingerMax = .seconds(20)
    }
    let bob = try running.program("bob")
    let ann = try running.program("ann", receiveBuffer: 4_096)
    let text = String(repeating: "x", count: 1_000)
    let ids = (0..<300).map { ann.say("\($0) \(text)") }
    bob.read(untilMessage: "299 \(text)")
    running.beginToStop()
    #expect(bob.event("closing")?["reason"] as? String == "shutdown")
    // On a closed connection this would bring a reset, and take back what ann has not read.
    ann.socket.sendReading(Array("{\"ping\":{}}\n".utf8))
    ann.socket.widen()
    ann.readToEnd()
    #expect(ids.allSatisfy { ann.known($0).isOK })
    #expect(ann.events.last?.name == "closing")
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func whatIsWithTheStoreIsAnsweredBeforeTheEnd(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try running.program("ann")
    let bob = try running.program("bob")
    let ids = (0..<1_000).map { ann.say("\($0)") }
    running.beginToStop()
    ann.readToEnd()
    bob.readToEnd()
    await running.stop()
    let answered = ids.prefix { ann.known($0).isOK }
    #expect(ids.dropFirst(answered.count).allSatisfy { ann.known($0) == nil }, "then none")
    #expect(bob.messages.count == answered.count, "who was shown a message is one of those")
    #expect(ann.messages == bob.messages)
    #expect(bob.events.last?.name == "closing")
  }

  @Test func whoNeverReadsHoldsTheEndUpForAMomentOnly() async throws {
    // In a process of its own: here an await may wait for the threads that other tests block.
    await #expect(processExitsWith: .success) {
      let running = try await RunningServer {
        $0.limits.liftRates()
        $0.limits.stopLingerMax = .milliseconds(300)
      }
      let deaf = try running.program("deaf", receiveBuffer: 4_096)
      let ann = try running.program("ann")
      let text = String(repeating: "x", count: 4_000)
      ann.sayAll((0..<300).map { "\($0) \(text)" })
      let start = ContinuousClock.now
      await running.stop()
      #expect(ContinuousClock.now - start < .seconds(3))
      #expect(!deaf.socket.isEnded)
    }
  }
}
