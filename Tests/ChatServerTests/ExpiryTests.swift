/// A server removes what is not to be kept any longer: again and again, and until it is stopped.

import ChatServer
import Loop
import Stores
import TestSupport
import Testing

@Suite struct ExpiryTests {
  private let directory: TemporaryDirectory
  private let store: SQLiteStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try SQLiteStore(in: DataDirectory(directory.path + "/data"))
  }

  @Test func itIsDoneAgainAndAgainWhileMessagesAreKept() async throws {
    let store = store
    let retention = Retention(messagesPerRoomMax: 50)
    let running = try await RunningServer {
      $0.store = store
      $0.expire = { () async throws(StoreError) in try await store.expire(retention) }
      $0.limits.liftRates()
      $0.limits.expiryDelay = .milliseconds(1)
      $0.limits.expiryPause = .milliseconds(1)
    }
    let ann = try running.program("ann")
    for round in 0..<4 {
      ann.sayAll((0..<300).map { "\(round) \($0)" })
      let newest = (round + 1) * 300
      var found = ann.history()
      for _ in 0..<2_000 where found.messages.count > 50 { found = ann.history() }
      #expect(found.messages.seqs == Array((newest - 49)...newest))
      #expect(found.gaps == [1...(newest - 50)])
    }
    await running.stop()
    #expect(running.logged.withLock { $0 }.isEmpty)
  }

  @Test func whereItFailsOneLineSaysSoUntilItWorksAgain() async throws {
    let store = store
    let count = Guarded(0)
    let running = try await RunningServer {
      $0.store = store
      $0.expire = { () async throws(StoreError) in
        let number = count.withLock { number in
          number += 1
          return number
        }
        if number == 3 { return 0 }
        throw .diskFull(path: "/nowhere")
      }
      $0.limits.expiryDelay = .milliseconds(1)
      $0.limits.expiryPause = .milliseconds(1)
    }
    let ann = try running.program("ann")
    for _ in 0..<10_000 where count.withLock({ $0 }) < 6 { ann.ask("ping") }
    await running.stop()
    let line =
      "no room is left on the disk for /nowhere; make some, then try again; "
      + "old messages stay until it works again"
    #expect(running.logged.withLock { $0 } == [line, line])
  }

  @Test func aServerThatIsStoppedDoesNotWaitForTheWhole() async throws {
    let store = store
    let hasBegun = Gate()
    let wasCancelled = Guarded(false)
    let running = try await RunningServer {
      $0.store = store
      $0.expire = { () async throws(StoreError) in
        hasBegun.open()
        while !Task.isCancelled { _ = try await store.rooms() }
        wasCancelled.withLock { $0 = true }
        return 0
      }
      $0.limits.expiryDelay = .milliseconds(1)
    }
    await hasBegun.wait()
    // Whoever waits for an end that does not come has failed.
    await running.stop()
    #expect(wasCancelled.withLock { $0 })
    #expect(running.logged.withLock { $0 }.isEmpty, "it was not closed under its hands")
  }
}
