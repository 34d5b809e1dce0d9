/// The third promise over sockets: whatever is sent again with its key is there once.

import ChatServer
import TestSupport
import Testing

@Suite struct OnceTests {
  @Test(arguments: Keeping.allCases)
  func tenThousandRetriesOfOneKeyMakeOneMessage(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try running.program("ann")
    let bob = try running.program("bob")
    let ids = (0..<10_000).map { _ in ann.say("hello", key: "k") }
    let answers = ids.map { ann.answer(to: $0) }
    #expect(answers.allSatisfy { $0.seq == 1 })
    #expect(Set(answers.map { $0.ok["at"] as? String }).count == 1, "the first answer, each time")
    bob.ask("ping")
    #expect(bob.messages.texts == ["hello"])
    ann.ask("ping")
    #expect(ann.messages.texts == ["hello"])
    #expect(bob.history().messages.texts == ["hello"])
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func aRetryOnAnotherConnectionGetsTheFirstAnswer(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let bob = try running.program("bob")
    let ann = try running.program("ann")
    let first = ann.answer(to: ann.say("hello", key: "k"))
    let other = try running.again(ann.token)
    let second = other.answer(to: other.say("hello", key: "k"))
    ann.socket.reset()
    let third = try running.again(other.token)
    let last = third.answer(to: third.say("hello", key: "k"))
    for answer in [second, last] {
      #expect(answer.seq == first.seq && answer.ok["at"] as? String == first.ok["at"] as? String)
    }
    bob.ask("ping")
    #expect(bob.messages.texts == ["hello"])
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func theSameKeysInFlightOnEightConnectionsAtOnceAreOnceEach(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let bob = try running.program("bob")
    let first = try running.program("ann")
    let all = try [first] + (0..<7).map { _ in try running.again(first.token) }
    var ids: [[Int]] = all.map { _ in [] }
    for key in 0..<100 {
      // Each time another one begins.
      for place in 0..<8 {
        let index = (place + key) % 8
        ids[index].append(all[index].say("text \(key)", key: "k\(key)"))
      }
    }
    let seqs = zip(all, ids).map { client, ids in ids.map { client.answer(to: $0).seq } }
    #expect(seqs.allSatisfy { $0 == seqs[0] }, "every retry has the first one's answer")
    let told = seqs[0].compactMap { $0 }
    #expect(told.count == 100 && Set(told).count == 100)
    for client in all + [bob] {
      client.ask("ping")
      #expect(client.messages.count == 100 && Set(client.messages.texts).count == 100)
    }
    #expect(bob.history().messages.texts == bob.messages.texts)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func afterAResetBeforeTheAnswersARetryIsNoSecondMessage(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let bob = try running.program("bob")
    let ann = try running.program("ann")
    for round in 0..<20 {
      let lost = try running.again(ann.token)
      for number in 0..<20 { lost.say("\(round)-\(number)", key: "\(round)-\(number)") }
      // In some rounds it has heard of some.
      if round.isMultiple(of: 2) { lost.read() }
      lost.socket.reset()
      let retry = try running.again(ann.token, joins: false)
      retry.ask("join", ["room": "lobby"])
      let ids = (0..<20).map { retry.say("\(round)-\($0)", key: "\(round)-\($0)") }
      let seqs = ids.compactMap { retry.answer(to: $0).seq }
      #expect(seqs.count == 20 && seqs.isIncreasing)
      retry.socket.close()
    }
    bob.ask("ping")
    let texts = (0..<20).flatMap { round in (0..<20).map { "\(round)-\($0)" } }
    #expect(bob.messages.texts == texts, "once each, in the order they were said")
    #expect(bob.history().messages.texts == texts)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func theSameKeyOfSomebodyElseIsAnotherMessage(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    let bob = try running.program("bob")
    #expect(ann.answer(to: ann.say("one", key: "k")).seq == 1)
    #expect(bob.answer(to: bob.say("two", key: "k")).seq == 2)
    ann.ask("ping")
    #expect(ann.messages.texts == ["one", "two"])
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func aKeyOfAnotherRoomOrTextIsRefusedAndIsNoSecondMessage(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    ann.ask("join", ["room": "tea"])
    ann.answer(to: ann.say("zero"))
    #expect(ann.answer(to: ann.say("one", key: "k")).seq == 2)
    for (text, room) in [("one", "tea"), ("two", "lobby"), ("One", "lobby")] {
      let answer = ann.answer(to: ann.say(text, in: room, key: "k"))
      #expect(answer.code == "bad-request", "\(text) in \(room)")
    }
    // What it is the key of is still known by it.
    #expect(ann.answer(to: ann.say("one", key: "k")).seq == 2)
    #expect(ann.history(of: "tea").messages.isEmpty)
    #expect(ann.history().messages.texts == ["zero", "one"])
    await running.stop()
  }
}
