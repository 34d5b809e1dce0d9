/// Readers that stop for a while under load: they hold nobody up, and have everything in the end.

import ChatServer
import Stores
import TestSupport
import Testing

@Suite struct SlowReaderTests {
  private let text = String(repeating: "x", count: 4_000)

  /// Says so many long messages, by ten, each ten answered; gives the longest wait.
  private func flood(_ ann: JSONClient, _ numbers: Range<Int>) -> Duration {
    var longest = Duration.zero
    for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 10) {
      let start = ContinuousClock.now
      ann.sayAll((first..<first + 10).map { "\($0) \(text)" })
      longest = max(longest, ContinuousClock.now - start)
    }
    return longest
  }

  @Test(arguments: Keeping.allCases)
  func aProgramThatStopsHasEverythingOnceInOrder(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits = .tight }
    let slow = try running.program("slow", receiveBuffer: 4_096)
    let ann = try running.program("ann")
    let count = 400  // 1.6 MB: more than the kernel and the outbox hold
    // It reads only afterwards: who waited for it would wait for ever.
    #expect(flood(ann, 0..<count) < .seconds(10), "nobody waits for a reader")
    slow.socket.widen()
    #expect(slow.read { $0.count(of: "caughtUp") == 1 })
    #expect(slow.messages.seqs == Array(1...count))
    #expect(slow.messages.texts == (0..<count).map { "\($0) \(text)" })
    ann.sayAll(["live"])
    slow.read(untilMessage: "live")
    #expect(slow.messages.count == count + 1)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func whileItCatchesUpOthersGoOnAndItReachesThem(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits = .tight }
    let slow = try running.program("slow", receiveBuffer: 4_096)
    let ann = try running.program("ann")
    _ = flood(ann, 0..<400)
    slow.socket.widen()
    // It reads some, then more is said, again and again.
    for round in 0..<10 {
      slow.read { $0.messages.count >= (round + 1) * 30 }
      _ = flood(ann, 400 + round * 10..<410 + round * 10)
    }
    ann.sayAll(["the end"])
    slow.read(untilMessage: "the end")
    #expect(slow.messages.seqs == Array(1...501))
    #expect(slow.read { $0.count(of: "caughtUp") > 0 }, "it was behind")
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func inSeveralRoomsEachIsWhole(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits = .tight }
    let rooms = ["tea", "coffee", "water"]
    let slow = try JSONClient(port: running.port, receiveBuffer: 4_096)
    slow.logIn("slow")
    let ann = try JSONClient(port: running.port)
    ann.logIn("ann")
    for client in [slow, ann] { for room in rooms { client.ask("join", ["room": room]) } }
    for number in 0..<450 {
      ann.say("\(number) \(text)", in: rooms[number % 3])
      if number.isMultiple(of: 50) { ann.ask("ping") }
    }
    ann.ask("ping")
    for room in rooms { ann.sayAll(["the end of \(room)"], in: room) }
    slow.socket.widen()
    for room in rooms { slow.read(untilMessage: "the end of \(room)") }
    #expect(slow.read { $0.count(of: "caughtUp") > 0 }, "it was behind")
    for room in rooms {
      #expect(slow.messages.filter { $0.room == room }.seqs == Array(1...151), "\(room)")
    }
    await running.stop()
  }

  @Test func whatIsGoneWhenItReadsAgainIsSaid() async throws {
    let running = try await RunningServer {
      $0.limits = .tight
      $0.limits.memory.messagesPerRoomMax = 150
    }
    let slow = try running.program("slow", receiveBuffer: 4_096)
    let ann = try running.program("ann")
    let count = 400
    _ = flood(ann, 0..<count)
    slow.socket.widen()
    #expect(slow.read { $0.count(of: "caughtUp") == 1 })
    let gaps = slow.events.filter { $0.name == "gap" }.compactMap { JSONClient.range($0.fields) }
    #expect(!gaps.isEmpty)
    #expect((slow.messages.seqs + gaps.joined()).sorted() == Array(1...count))
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func aReaderThatIsBehindAndGoesAwayLeavesNothingUndone(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits = .tight }
    let ann = try running.program("ann")
    for round in 0..<5 {
      let slow = try running.program("slow\(round)", receiveBuffer: 4_096)
      _ = flood(ann, round * 150..<(round + 1) * 150)
      // Some while a page is on its way.
      slow.read()
      if round.isMultiple(of: 2) { slow.socket.reset() } else { slow.socket.close() }
    }
    ann.sayAll(["still here"])
    ann.read(untilMessage: "still here")
    #expect(ann.messages.seqs == Array(1...751))
    await running.stop()
  }
}
