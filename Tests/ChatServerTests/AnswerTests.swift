/// What programs are answered over sockets: in their order, under load, and when they go too far.

import ChatHub
import ChatServer
import Glibc
import TestSupport
import Testing

@Suite struct AnswerTests {
  @Test(arguments: Keeping.allCases)
  func answersComeInTheOrderOfRequestsWithMessagesInFlight(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try running.program("ann")
    let before = ann.answeredIDs.count
    var ids: [Int] = []
    var pages: [Int] = []
    for number in 0..<150 {
      ids.append(ann.say("\(number)"))
      ids.append(ann.say("nobody is there", in: "nowhere"))
      ids.append(ann.post("ping"))
      ids.append(ann.say("\(number) again"))
      ids.append(ann.post("history", ["room": "lobby", "limit": 2]))
      pages.append(ids.last ?? 0)
      ids.append(ann.post("nonsense"))
      ids.append(ann.post("who", ["room": "lobby"]))
      ids.append(ann.post("send", ["room": "lobby"]))
      ids.append(ann.post("rooms"))
    }
    for id in ids { #expect(ann.answer(to: id) != nil) }
    #expect(Array(ann.answeredIDs.dropFirst(before)) == ids)
    for (number, id) in pages.enumerated() {
      let messages = ann.known(id).ok["messages"] as? [JSONClient.Fields] ?? []
      #expect(
        messages.map { $0["text"] as? String } == ["\(number)", "\(number) again"],
        "a page has what was said before it was asked for")
    }
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func whatIsSaidBehindAChangeOfFactsIsJudgedByIt(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    // All in one write.
    let made = ann.post("create", ["room": "tea", "private": true])
    let said = ann.say("first", in: "tea")
    let changed = ann.post("edit", ["room": "tea", "seq": 1, "text": "1st"])
    #expect(ann.answer(to: made) != nil && ann.known(made).code == nil)
    #expect(ann.answer(to: said) != nil && ann.known(said).ok["seq"] as? Int == 1)
    #expect(ann.answer(to: changed) != nil && ann.known(changed).ok["seq"] as? Int == 2)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func historyIsWholeWhileMoreIsSaid(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let (ann, bob) = (try running.program("ann"), try running.program("bob"))
    let reader = try JSONClient(port: running.port)
    reader.logIn("reader")
    for round in 0..<15 {
      for number in 0..<50 {
        ann.say("a \(round) \(number)")
        bob.say("b \(round) \(number)")
      }
      let (messages, gaps) = reader.history(limit: 70)
      #expect(messages.seqs == Array(1..<messages.count + 1) && gaps.isEmpty)
    }
    for speaker in [ann, bob] { speaker.ask("ping") }
    #expect(reader.history().messages == ann.messages)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func aProgramThatIsTooFastIsToldWhenToTryAgain(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.hub.messagesPerSecond = 5 }
    let ann = try running.program("ann")
    let answers = ann.sayAll((0..<60).map { "\($0)" })
    #expect(answers.prefix(50).allSatisfy { $0.isOK }, "as many as a burst has")
    guard case .error("rate-limited", let fields)?? = answers.last else {
      Issue.record("the 60th is refused: \(String(describing: answers.last))")
      return
    }
    let wait = fields["retryAfterMs"] as? Int ?? 0
    #expect((1...200).contains(wait), "a fifth of a second brings the next: \(wait)")
    _ = ann.socket.linesWithin(milliseconds: Int32(wait) + 5)
    #expect(ann.answer(to: ann.say("in time")).isOK)
    #expect(ann.ask("ping").isOK, "and is no reason to close")
    await running.stop()
  }

  @Test func tenLinesThatAreNoRequestsCloseTheConnection() async throws {
    let running = try await RunningServer()
    let ann = try running.program("ann")
    let eve = try running.program("eve")
    for _ in 0..<9 { eve.socket.send("nonsense\n") }
    #expect(eve.ask("ping").isOK, "after nine it is still heard")
    for _ in 0..<5 { eve.post("who", ["room": 7]) }
    eve.socket.send("nonsense\n{\"ping\":{},\"id\":\"not heard\"}\n")
    eve.readToEnd()
    #expect(eve.socket.isEnded)
    #expect(eve.refusals == Array(repeating: "bad-request", count: 10))
    #expect(eve.events.last?.name == "closing")
    #expect(eve.events.last?.fields["reason"] as? String == "too-many-mistakes")
    #expect(ann.ask("ping").isOK)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func whoAsksAndNeverReadsIsNotReadAndHasAllAnswersInTheEnd(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try running.program("ann")
    let text = String(repeating: "x", count: 1_000)
    ann.sayAll((0..<200).map { "\($0) \(text)" })
    let eve = try JSONClient(port: running.port, receiveBuffer: 4_096)
    eve.logIn("eve")
    // Each answer has some 64 kB.
    let ask = Array(#"{"id":1,"history":{"room":"lobby","limit":500}}"#.utf8 + [0x0A])
    _ = fcntl(eve.socket.descriptor, F_SETFL, O_NONBLOCK)
    var asked = 0
    var wish = pollfd(fd: eve.socket.descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&wish, 1, 300) > 0 {
      let count = send(eve.socket.descriptor, ask, ask.count, Int32(MSG_NOSIGNAL))
      guard count == ask.count else {
        // The rest of a request that went in part.
        if count > 0 { eve.socket.sendReading(Array(ask[count...])) }
        break
      }
      asked += 1
      if asked == 2_000_000 { break }
    }
    #expect(asked < 2_000_000, "nothing more is read of it")
    let start = ContinuousClock.now
    #expect(ann.answer(to: ann.say("quick")).isOK)
    // Who waited for what eve reads would wait for ever.
    #expect(ContinuousClock.now - start < .seconds(10))
    for number in 0..<20 {
      #expect(eve.read { $0.answeredIDs.count > number + 1 })
      #expect((eve.known(1).ok["messages"] as? [Any])?.count ?? 0 >= 50)
    }
    await running.stop()
  }
}
