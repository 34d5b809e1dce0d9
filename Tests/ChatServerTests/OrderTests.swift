/// The first two promises over sockets: one order for everybody, and what an answer says is true.

import ChatServer
import TestSupport
import Testing

@Suite struct OrderTests {
  @Test(arguments: Keeping.allCases)
  func whateverTheySpeakAllReadersSeeOneOrder(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) {
      $0.limits.liftRates()
      $0.limits.rawLinesMax = 50
    }
    let eve = try running.program("eve")
    let fay = try running.person("fay")
    let gus = try TestClient(port: running.port)
    gus.send("iam:gus")
    _ = gus.line()
    let (ann, bob) = (try running.program("ann"), try running.program("bob"))
    let cat = try running.person("cat")
    for round in 0..<20 {
      for number in 0..<10 {
        ann.say("ann \(round) \(number)")
        bob.say("bob \(round) \(number)")
      }
      cat.send((0..<10).map { "msg:cat \(round) \($0)\n" }.joined())
    }
    _ = cat.lines(until: "cat: cat 19 9")
    for speaker in [ann, bob] { #expect(speaker.ask("ping").isOK, "all before it is answered") }
    ann.ask("send", ["room": "lobby", "text": "the end"])
    for reader in [eve, ann, bob] { #expect(reader.read(untilMessage: "the end")) }

    let order = eve.messages
    #expect(order.count == 601)
    #expect(order.seqs.isIncreasing)
    #expect(ann.messages == order, "also the numbers")
    #expect(bob.messages == order)
    #expect(ann.history().messages == order, "history is as it was live")
    #expect(said(fay.lines(until: "ann: the end")) == order.texts)
    for speaker in ["ann", "bob", "cat"] {
      let own = (0..<20).flatMap { round in (0..<10).map { "\(speaker) \(round) \($0)" } }
      #expect(order.texts.filter { $0.hasPrefix(speaker) } == own, "each in the order it was said")
    }
    // A tutorial's client is paced and may skip; what it sees is in the same order.
    var rest = order.texts[...]
    let heard = said(gus.lines(until: "ann: the end"))
    let isInOrder = heard.allSatisfy { text in
      guard let place = rest.firstIndex(of: text) else { return false }
      rest = rest[(place + 1)...]
      return true
    }
    #expect(isInOrder && heard.count > 20)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func anAnswerSaysHowSafeTheMessageIs(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    let answer = ann.answer(to: ann.say("hello"))
    #expect(answer.ok["durability"] as? String == (keeping == .disk ? "stored" : "received"))
    #expect(answer.seq == 1)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func theOneWhoSentItHasTheAnswerFirst(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    for number in 1...20 {
      let id = ann.say("\(number)", key: "k\(number)")
      #expect(ann.answer(to: id).seq == number)
      #expect(ann.messages.count == number - 1, "answered before it is shown")
      ann.read(untilMessage: "\(number)")
      #expect(ann.messages.last?.key == "k\(number)", "one's own message bears its key")
    }
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func theKeyIsForTheSendersOwnConnectionsAlone(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    let other = try running.again(ann.token)
    let bob = try running.program("bob")
    ann.say("hello", key: "secret")
    for client in [ann, other, bob] { client.read(untilMessage: "hello") }
    #expect(ann.messages.map(\.key) == ["secret"] && other.messages.map(\.key) == ["secret"])
    #expect(bob.messages.map(\.key) == [nil])
    #expect(bob.history().messages.map(\.key) == [nil])
    await running.stop()
  }
}
