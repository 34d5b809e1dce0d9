/// A server that is told to end: what was kept is answered, and who reads late is still given it.

import ChatModel
import ChatServer
import Loop
import Stores
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
    let running = try await RunningServer(keeping) {
      $0.limits.liftRates()
      // Whoever was behind would have the rest when it comes again.
      $0.limits.outboxBytesMax = 1 << 22
    }
    let ann = try running.program("ann")
    let bob = try running.program("bob")
    let texts = (0..<1_000).map { "\($0)" }
    let ids = texts.map { ann.say($0) }
    #expect(ann.answer(to: ids[0]).isOK)
    running.beginToStop()
    ann.readToEnd()
    bob.readToEnd()
    await running.stop()
    let answered = ids.prefix { ann.known($0).isOK }
    try #require(!answered.isEmpty)
    #expect(ids.dropFirst(answered.count).allSatisfy { ann.known($0) == nil }, "then none")
    #expect(bob.messages.count == answered.count, "who was shown a message is one of those")
    #expect(ann.messages == bob.messages)
    #expect(bob.events.last?.name == "closing")
    guard let data = running.data else { return }
    let store = try SQLiteStore(in: data)
    let (first, second) = (
      try await store.page(of: .lobby, .after(0), .messages, limit: 500),
      try await store.page(of: .lobby, .after(500), .messages, limit: 500)
    )
    let kept = (first.messages + second.messages).map(\.draft.words)
    #expect(kept == Array(texts.prefix(answered.count)), "what is kept is what was answered")
    await store.close()
  }

  @Test func whoNeverReadsHoldsTheEndUpForAMomentOnly() async throws {
    // In a process of its own: here an await may wait for the threads that other tests block.
    await #expect(processExitsWith: .success) {
      let running = try await RunningServer {
        $0.limits.liftRates()
        $0.limits.stopLingerMax = .milliseconds(300)
        $0.limits.lingerMax = .seconds(60)
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

  @Test func whoStopsAServerThatIsJustStartingHasItListenNowhere() async throws {
    let store = SlowStore()
    var configuration = Configuration(log: { _ in })
    configuration.listen = [ListenAddress(loopback(port: 0))]
    configuration.store = store
    let loop = EventLoop()
    let server = Server(configuration: configuration, loop: loop)
    let ended = Gate()
    startThread {
      loop.run()
      ended.open()
    }
    let places = Task(executorPreference: loop) {
      defer { store.mayClose.open() }
      return try await server.start()
    }
    await store.isAsked.wait()
    Task(executorPreference: loop) { await server.stop() }
    await ended.wait()
    #expect(try await places.value.isEmpty)
  }
}

/// A store that tells of its rooms only when it is closed, and closes only when it may.
private final class SlowStore: MessageStore {
  let isAsked = Gate()
  let mayClose = Gate()
  private let isClosing = Gate()
  let durability = Durability.stored

  func append(_ entries: [Entry]) -> [Kept] { [] }

  func facts() -> [Fact] { [] }

  func page(of room: RoomName, _ stretch: Stretch, _ reading: Reading, limit: Int)
    -> HistoryPage
  {
    HistoryPage(room: room, messages: [], more: false)
  }

  func rows(of person: PersonID, after row: Int64, limit: Int) -> PersonRows {
    PersonRows(rows: [], next: nil)
  }

  func remove(_ room: RoomName) -> Int { 0 }

  func rooms() async -> [StoredRoom] {
    isAsked.open()
    await isClosing.wait()
    return []
  }

  func close() async {
    isClosing.open()
    await mayClose.wait()
  }
}
