/// The fourth promise over sockets: everything after a number, then live, and what is gone is said.

import ChatServer
import Stores
import TestSupport
import Testing

@Suite struct NothingMissingTests {
  @Test(arguments: Keeping.allCases)
  func whoJoinsAfterAnyNumberUnderLoadHasAllThatFollows(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let (ann, bob) = (try running.program("ann"), try running.program("bob"))
    ann.sayAll((0..<300).map { "early \($0)" })
    var readers: [(after: Int, client: JSONClient)] = []
    for round in 0..<12 {
      for number in 0..<25 {
        ann.say("a \(round) \(number)")
        bob.say("b \(round) \(number)")
      }
      let client = try JSONClient(port: running.port)
      client.logIn("reader\(round)")
      // Of what is kept for certain: who has a number from the future is live at once.
      let after = round * 27
      client.post("join", ["room": "lobby", "after": after])
      readers.append((after, client))
      for number in 0..<25 {
        ann.say("c \(round) \(number)")
        bob.say("d \(round) \(number)")
      }
    }
    for speaker in [ann, bob] { speaker.ask("ping") }
    ann.sayAll(["the end"])
    let all = ann.history().messages
    let saidInAll: Int = 300 + 12 * 100 + 1
    #expect(all.count == saidInAll)
    for (after, client) in readers {
      client.read(untilMessage: "the end")
      #expect(client.messages == all.filter { $0.seq > after }, "after \(after)")
      #expect(client.read { $0.count(of: "caughtUp") == 1 })
      #expect(client.count(of: "gap") == 0)
    }
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func theNewestAreAtMostAsManyAsAskedForThenLive(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try running.program("ann")
    ann.sayAll((1...50).map { "\($0)" })
    let bob = try JSONClient(port: running.port)
    bob.logIn("bob")
    bob.ask("join", ["room": "lobby", "last": 10])
    #expect(bob.event("caughtUp")?["seq"] as? Int == 50)
    #expect(bob.messages.texts == (41...50).map { "\($0)" })
    ann.sayAll(["51"])
    bob.read(untilMessage: "51")
    #expect(bob.messages.seqs == Array(41...51))
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func whoHasEverythingIsLiveAtOnce(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    ann.sayAll(["1", "2", "3"])
    for after in [3, 4_000] {
      let bob = try JSONClient(port: running.port)
      bob.logIn("bob\(after)")
      bob.ask("join", ["room": "lobby", "after": after])
      #expect(bob.event("caughtUp")?["seq"] as? Int == 3)
      #expect(bob.messages.isEmpty)
    }
    await running.stop()
  }

  @Test func whatMemoryHasNoRoomForIsSaid() async throws {
    let running = try await RunningServer {
      $0.limits.liftRates()
      $0.limits.memory.messagesPerRoomMax = 100
    }
    let ann = try running.program("ann")
    ann.sayAll((1...250).map { "\($0)" })
    let bob = try JSONClient(port: running.port)
    bob.logIn("bob")
    bob.ask("join", ["room": "lobby", "after": 20])
    #expect(bob.event("gap").flatMap(JSONClient.range) == 21...150)
    #expect(bob.messages.isEmpty, "first what is gone, then what follows it")
    #expect(bob.event("caughtUp")?["seq"] as? Int == 250)
    #expect(bob.messages.seqs == Array(151...250))
    let page = bob.history(after: 20)
    #expect(page.gaps == [21...150] && page.messages.seqs == Array(151...250))
    await running.stop()
  }

  @Test func whatRetentionRemovesUnderLoadIsAGapAndNothingElseIsMissing() async throws {
    let directory = try TemporaryDirectory()
    let store = try SQLiteStore(in: DataDirectory(directory.path + "/data"))
    let running = try await RunningServer {
      $0.limits.liftRates()
      $0.store = store
    }
    let ann = try running.program("ann")
    ann.sayAll((1...1_000).map { "\($0)" })
    var removed = 0
    for round in 0..<5 {
      let removing = Task.detached {
        try await store.expire(Retention(messagesPerRoomMax: 300))
      }
      let bob = try JSONClient(port: running.port)
      bob.logIn("bob\(round)")
      let ids = (0..<200).map { ann.say("\(round) \($0)") }
      bob.post("join", ["room": "lobby", "after": 0])
      for id in ids { #expect(ann.answer(to: id).isOK) }
      ann.sayAll(["end \(round)"])
      bob.read(untilMessage: "end \(round)")
      let gaps = bob.events.filter { $0.name == "gap" }.compactMap { JSONClient.range($0.fields) }
      let there = bob.messages.seqs
      #expect(there.isIncreasing)
      #expect(
        Set(gaps.joined()).isDisjoint(with: there)
          && gaps.map(\.count).reduce(0, +) + there.count == 1_000 + (round + 1) * 201,
        "every number is a message or in a gap: \(gaps), \(there.first ?? 0)")
      // One that was late has removed what the next would have.
      removed += try await removing.value
    }
    #expect(removed >= 700)
    await running.stop()
  }
}
