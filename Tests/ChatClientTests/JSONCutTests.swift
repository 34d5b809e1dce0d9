/// What a JSON session does when its connection is cut, or was never one for JSON. By hand clock.

import ChatModel
import Testing

@testable import ChatClient

@Suite struct JSONCutTests {
  @Test func aCutIsFollowedByTheTokenTheNewestSeenAndTheSameKeys() throws {
    var talk = try JSONTalk()
    _ = try talk.say("one")
    _ = try talk.say("two")
    _ = talk.hear(message(4), message(5))
    let actions = talk.session.ended(.failed("connection reset by peer"), at: talk.now)
    guard case .enter(.interrupted("connection reset by peer", let wait)) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(wait <= .milliseconds(500))
    #expect(talk.session.unanswered == 2)
    #expect(talk.session.canSay)
    #expect(try talk.say("three") == [])
    #expect(talk.session.deadline == wait)
    #expect(talk.pass(wait) == [.enter(.connecting)])
    #expect(
      written(talk.session.opened(at: talk.now)) == [#"{"id":4,"login":{"token":"T1"}}"#])
    #expect(
      written(talk.hear(login(4, token: "T2"))) == [#"{"id":5,"join":{"room":"lobby","after":5}}"#])
    #expect(written(talk.hear(entered(5, seq: 7))) == [send(6, "one", key: "1-2")])
    #expect(written(talk.hear(stored(6, seq: 6))) == [send(7, "two", key: "3-4")])
    // What was said meanwhile bears its time; what was shown is not shown again.
    let lines = shown(talk.hear(message(5), message(6), message(7), caughtUp(7), message(8)))
    #expect(lines.count == 3)
    #expect(lines[0].hasSuffix(" #6] bob: hi"))
    #expect(lines[1].hasSuffix(" #7] bob: hi"))
    #expect(lines[2] == "bob: hi")
    #expect(written(talk.hear(stored(7, seq: 9))) == [send(8, "three", key: "6-7")])
    try talk.cut()
    #expect(
      written(talk.session.opened(at: talk.now)) == [#"{"id":9,"login":{"token":"T2"}}"#])
  }

  @Test func withoutAReplayTheCutIsReadOverFromWhereItBegan() throws {
    var talk = try JSONTalk(isOpen: false)
    try talk.open(seq: 43)
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(written(talk.hear(login(3))) == [#"{"id":4,"join":{"room":"lobby","after":43}}"#])
  }

  @Test func aReplayThatIsCutGoesOnBehindWhatItGave() throws {
    var talk = try JSONTalk(replay: 20, isOpen: false)
    try talk.open(seq: 43)
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(written(talk.hear(login(3))) == [#"{"id":4,"join":{"room":"lobby","last":20}}"#])
    _ = talk.hear(entered(4, seq: 43), message(40), message(41))
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(written(talk.hear(login(5))) == [#"{"id":6,"join":{"room":"lobby","after":41}}"#])
  }

  @Test func questionsAndRoomsAreAskedForAgainInTheirOrder() throws {
    var talk = try JSONTalk()
    _ = talk.session.join(try #require(RoomName("tea")), at: talk.now)
    _ = try talk.say("for tea")
    _ = talk.session.ask(.who, at: talk.now)
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.hear(login(4))
    #expect(written(talk.hear(entered(5))) == [#"{"id":6,"join":{"room":"tea"}}"#])
    #expect(
      written(talk.hear(entered(6, room: "tea"))) == [
        #"{"id":7,"leave":{"room":"lobby"}}"#, send(8, "for tea", key: "1-2", room: "tea"),
        #"{"id":9,"who":{"room":"tea"}}"#,
      ])
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(written(talk.hear(login(10))) == [#"{"id":11,"join":{"room":"tea","after":0}}"#])
  }

  @Test(
    "of a server that has forgotten us a new history is shown whole, the old one not twice",
    arguments: [true, false])
  func forgotten(isAnew: Bool) throws {
    var talk = try JSONTalk()
    _ = talk.hear(message(1, minute: 10), message(2, minute: 11))
    _ = try talk.say("mine")
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(
      written(talk.hear(refusal(4, "bad-token"))) == [#"{"id":5,"login":{"name":"ann"}}"#])
    #expect(
      written(talk.hear(login(5, token: "T2"))) == [#"{"id":6,"join":{"room":"lobby","last":500}}"#]
    )
    #expect(written(talk.hear(entered(6, seq: 2))) == [send(7, "mine", key: "1-2")])
    let minute = isAnew ? 20 : 10
    let lines = shown(
      talk.hear(message(1, minute: minute), message(2, minute: minute + 1), caughtUp(2)))
    #expect(lines.count == (isAnew ? 2 : 0))
    #expect(shown(talk.hear(message(3, minute: 30))) == ["bob: hi"])
    #expect(talk.hear(message(3, minute: 30)) == [])
  }

  @Test func anOlderHistoryInTheSamePlaceIsReadAnew() throws {
    var talk = try JSONTalk()
    _ = talk.hear(message(40))
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(written(talk.hear(login(3))) == [#"{"id":4,"join":{"room":"lobby","after":40}}"#])
    // The server knows us, and has fewer messages than were seen: a backup was restored.
    #expect(
      written(talk.hear(entered(4, seq: 31)))
        == [#"{"id":5,"join":{"room":"lobby","last":500}}"#])
    #expect(shown(talk.hear(message(32, "in between", minute: 20), caughtUp(32))) == [])
    _ = talk.hear(entered(5, seq: 32))
    let lines = talk.hear(
      message(30, "known", minute: 10), message(31, "said meanwhile", minute: 11),
      message(32, "in between", minute: 20), caughtUp(32), message(33, "live", minute: 21))
    #expect(shown(lines).map { $0.suffix(4) } == ["hile", "ween", "live"])
  }

  @Test func anEmptyHistoryAfterAFullOneIsBelieved() throws {
    var talk = try JSONTalk()
    _ = talk.hear(message(40))
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.hear(refusal(3, "bad-token"), login(4), entered(5, seq: 0), caughtUp(0))
    #expect(shown(talk.hear(message(1, minute: 11))) == ["bob: hi"])
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(written(talk.hear(login(6))) == [#"{"id":7,"join":{"room":"lobby","after":1}}"#])
  }

  @Test(
    arguments: [
      ("shutdown", nil, true), ("crowded", nil, true), ("silent", nil, true),
      ("too-many-connections", nil, true), ("too-many-mistakes", nil, false),
      ("of-a-later-version", nil, false), ("of-a-later-version", 5_000, true),
      ("shutdown", 7_000, true),
    ] as [(String, Int?, Bool)])
  func theServersReasonDecidesWhetherAndWhenToComeBack(
    reason: String, wait: Int?, comesBack: Bool
  ) throws {
    var talk = try JSONTalk()
    #expect(shown(talk.hear(closing(reason, wait: wait))) == ["* bye"])
    let actions = talk.session.ended(.byServer, at: talk.now)
    guard comesBack else {
      #expect(actions == [.enter(.closed(.endedByServer(unanswered: 0)))])
      return
    }
    guard case .enter(.interrupted(_, let delay)) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(delay >= .milliseconds(wait ?? 0))
    #expect(delay <= .milliseconds((wait ?? 0) + 500))
  }

  @Test(
    arguments: [
      (.failed("connection refused"), true), (.byServer, true), (.cutOff, true),
      (.insecure("x", .noTLS), true), (.insecure("x", .other), true),
      (.insecure("x", .outOfDate), false), (.insecure("x", .wrongHost), false),
      (.insecure("x", .notTrusted), false), (.insecure("x", .badCertificate), false),
    ] as [(ConnectionEnd, Bool)])
  func anAttemptThatFailsIsRepeatedUnlessTheServerIsNotTheOneItWas(
    end: ConnectionEnd, isRepeated: Bool
  ) throws {
    var talk = try JSONTalk()
    try talk.cut()
    #expect(talk.session.reached(at: talk.now) == [.enter(.securing)])
    let actions = talk.session.ended(end, at: talk.now)
    #expect(talk.session.state.isInterrupted == isRepeated)
    if !isRepeated, case .insecure(let words, let problem) = end {
      #expect(actions == [.enter(.closed(.notSecured(words, problem)))])
    }
  }

  @Test func aNameThatSomebodyTookMeanwhileIsWaitedFor() throws {
    var talk = try JSONTalk()
    _ = try talk.say("one")
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    guard
      case .enter(.interrupted("ann is taken", let wait))? = talk.hear(
        refusal(4, "name-taken", "ann is taken")
      ).last
    else {
      Issue.record("it is not interrupted but \(talk.session.state)")
      return
    }
    #expect(talk.session.unanswered == 1)
    #expect(talk.pass(wait) == [.enter(.connecting)])
  }

  @Test func anAttemptThatIsNotAnsweredIsGivenUp() throws {
    var talk = try JSONTalk()
    try talk.cut()
    #expect(talk.session.deadline == talk.now + .seconds(30))
    _ = talk.session.opened(at: talk.now)
    let actions = talk.pass(.seconds(30))
    #expect(actions.count == 1 && talk.session.state.isInterrupted)
  }

  @Test func aServerThatIsTooBusyForTheLoginIsAskedAgain() throws {
    var talk = try JSONTalk(isOpen: false)
    _ = talk.session.opened(at: talk.now)
    let actions = talk.hear(refusal(1, "busy", "later", wait: 2_000))
    guard case .enter(.interrupted("later", let wait)) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(wait >= .seconds(2))
  }

  @Test func aServerThatIsSilentIsAskedAndThenLeft() throws {
    var talk = try JSONTalk()
    #expect(talk.session.deadline == .seconds(30))
    #expect(written(talk.pass(.seconds(30))) == [#"{"id":3,"ping":{}}"#])
    #expect(talk.hear(#"{"id":3,"ok":{}}"#) == [])
    #expect(talk.session.deadline == .seconds(60))
    _ = talk.pass(.seconds(30))
    #expect(talk.pass(.seconds(10)) == [])
    #expect(talk.session.state == .open)
    _ = talk.pass(.seconds(10))
    #expect(talk.session.state.isInterrupted)
  }

  @Test func whoHasSaidTheLastGivesUpAfterTwoMinutesWithoutAnAnswer() throws {
    var talk = try JSONTalk(generator: Largest())
    _ = try talk.say("one")
    _ = try talk.say("two")
    _ = talk.session.finish(at: talk.now)
    _ = talk.pass(.seconds(20))
    _ = talk.hear(stored(3, seq: 1))
    _ = talk.session.ended(.byServer, at: talk.now)
    let end = talk.now + .seconds(120)
    while let deadline = talk.session.deadline, deadline < end {
      talk.now = deadline
      _ = talk.session.timePassed(at: talk.now)
      _ = talk.session.ended(.failed("connection refused"), at: talk.now)
    }
    #expect(talk.session.deadline == end)
    #expect(
      talk.session.timePassed(at: end)
        == [.enter(.closed(.gaveUp("connection refused", unanswered: 1)))])
  }

  @Test func aCutAfterTheLastAnswerIsTheEnd() throws {
    var talk = try JSONTalk()
    _ = try talk.say("one")
    _ = talk.session.finish(at: talk.now)
    var early = talk
    _ = early.session.ended(.byServer, at: talk.now)
    #expect(early.session.state.isInterrupted)
    _ = talk.hear(stored(3, seq: 1))
    #expect(talk.session.ended(.byServer, at: talk.now) == [.enter(.closed(.finished))])
  }

  @Test func whoeverLeavesWhileThereIsNoConnectionLeavesAtOnce() throws {
    var talk = try JSONTalk()
    _ = talk.session.ended(.byServer, at: talk.now)
    var other = talk
    #expect(other.session.finish(at: talk.now) == [.enter(.closed(.finished))])
    _ = try talk.say("one")
    #expect(talk.session.quit(at: talk.now) == [.enter(.closed(.abandoned(unanswered: 1)))])
  }

  @Test func aServerThatNobodyUnderstandsIsLeft() throws {
    var talk = try JSONTalk()
    let actions = talk.hear("{no JSON", message(1))
    guard case .enter(.closed(.broken(let words, unanswered: 0))) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(words.hasPrefix("the server is not understood: "))
  }

  @Test(
    "what is no answer in JSON leads to plain, with everything that waits",
    arguments: [
      "\n", "welcome\n", "! type msg:TEXT to speak, help: for more\n", "\u{0}", "{ \n",
      #"{"error":{"code":"bad-request","message":"JSON is not spoken here yet"}}"# + "\n",
    ])
  func foreign(answer: String) throws {
    var talk = try JSONTalk(room: "tea", isOpen: false)
    _ = try talk.say("one")
    _ = talk.session.finish(at: .zero)
    _ = talk.session.opened(at: .zero)
    #expect(talk.session.successor == nil)
    #expect(talk.session.received(Array(answer.utf8), at: .zero) == [])
    try speakPlainly(talk, end: .failed("connection refused"), .unreachable("connection refused"))
  }

  @Test(arguments: [.byServer, .failed("connection reset by peer"), .cutOff] as [ConnectionEnd])
  func aServerThatHangsUpWithoutAWordIsSpokenToInPlainOnce(end: ConnectionEnd) throws {
    var talk = try JSONTalk(room: "tea", isOpen: false)
    _ = try talk.say("one")
    _ = talk.session.finish(at: .zero)
    _ = talk.session.opened(at: .zero)
    #expect(talk.session.ended(end, at: .zero) == [])
    // If nobody is there the second time, the first end is what is told.
    try speakPlainly(
      talk, end: .failed("connection refused"), end.closing(in: .loggingIn, unanswered: 1))
  }

  private func speakPlainly(
    _ talk: JSONTalk, end: ConnectionEnd, _ closing: ChatClosing
  ) throws {
    var plain = try #require(talk.session.successor)
    var other = plain
    #expect(other.ended(end, at: .zero) == [.enter(.closed(closing))])
    _ = plain.opened(at: .zero)
    #expect(
      plain.received(Array("* pong beck-1\n".utf8), at: .zero)
        == [.enter(.open), write("join:tea", "msg:one", "ping:beck-2", "ping:beck-3")])
  }

  @Test func aServerThatHasSpokenJSONIsNeverSpokenToInPlain() throws {
    var talk = try JSONTalk()
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.session.ended(.byServer, at: talk.now)
    #expect(talk.session.successor == nil)
    #expect(talk.session.state.isInterrupted)
  }
}

@Suite struct BackoffTests {
  @Test func theBoundDoublesUpToHalfAMinuteAndBeginsAgain() {
    var backoff = Backoff()
    var largest: any RandomNumberGenerator = Largest()
    let waits = (0..<9).map { _ in backoff.next(using: &largest) / .seconds(1) }
    for (wait, bound) in zip(waits, [0.5, 1, 2, 4, 8, 16, 30, 30, 30]) {
      #expect(abs(wait - bound) < 0.001)
    }
    backoff.reset()
    let wait = backoff.next(atLeast: .seconds(5), using: &largest) / .seconds(1)
    #expect(abs(wait - 5.5) < 0.001)
  }

  @Test func waitsAreSpreadOverTheWholeBound() {
    var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    var backoff = Backoff()
    let waits = (0..<1_000).map { _ in
      backoff.reset()
      return backoff.next(using: &random) / .milliseconds(1)
    }
    #expect(waits.allSatisfy { (0...500).contains($0) })
    #expect(waits.count { $0 < 250 } > 350 && waits.count { $0 >= 250 } > 350)
  }
}
