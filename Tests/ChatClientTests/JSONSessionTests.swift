/// A conversation in JSON lines on one connection, by hand clock. No sockets.

import ChatModel
import Testing

@testable import ChatClient

@Suite struct JSONSessionTests {
  @Test func theNameGoesFirstThenTheRoomThenTexts() throws {
    var talk = try JSONTalk(isOpen: false)
    #expect(talk.session.state == .connecting)
    #expect(
      talk.session.opened(at: .zero)
        == [.enter(.loggingIn), write(#"{"id":1,"login":{"name":"ann"}}"#)])
    #expect(!talk.session.canSay)
    #expect(try talk.say("early") == [])
    #expect(talk.hear(login(1)) == [write(#"{"id":2,"join":{"room":"lobby"}}"#)])
    #expect(
      talk.hear(entered(2, seq: 43)) == [.enter(.open), write(send(3, "early", key: "1-2"))])
    #expect(talk.session.canSay)
  }

  @Test(arguments: [0, 20, 9_999])
  func asManyOfTheNewestAreAskedForAsWanted(replay: Int) throws {
    var talk = try JSONTalk(room: "Tea", replay: replay, isOpen: false)
    _ = talk.session.opened(at: .zero)
    let last = replay == 0 ? "" : #","last":\#(min(replay, 500))"#
    #expect(talk.hear(login(1)) == [write(#"{"id":2,"join":{"room":"tea"\#(last)}}"#)])
  }

  @Test func aNameThatIsTakenEndsTheLogin() throws {
    var talk = try JSONTalk(isOpen: false)
    _ = talk.session.opened(at: .zero)
    #expect(
      talk.hear(refusal(1, "name-taken", "ann is taken"))
        == [
          .show(.refusal("ann is taken")),
          .enter(.closed(.loginRefused("ann is taken", .nameTaken))),
        ])
  }

  @Test func aRoomThatTakesNobodyEndsTheLogin() throws {
    var talk = try JSONTalk(isOpen: false)
    _ = talk.session.opened(at: .zero)
    _ = talk.hear(login(1))
    #expect(
      talk.hear(refusal(2, "not-allowed", "too many rooms"))
        == [.show(.refusal("too many rooms")), .enter(.closed(.roomRefused("too many rooms")))])
  }

  @Test func aTextGoesWhenTheOneBeforeItIsAnswered() throws {
    var talk = try JSONTalk()
    #expect(try talk.say("one") == [write(send(3, "one", key: "1-2"))])
    #expect(try talk.say("two") == [])
    #expect(try talk.say("three") == [])
    #expect(talk.session.unanswered == 3)
    #expect(talk.hear(stored(3, seq: 1)) == [write(send(4, "two", key: "3-4"))])
    #expect(talk.hear(stored(4, seq: 2)) == [write(send(5, "three", key: "5-6"))])
    #expect(talk.session.unanswered == 1)
  }

  @Test func eightTextsAreTakenAhead() throws {
    var talk = try JSONTalk()
    for number in 1...8 {
      #expect(talk.session.canSay)
      _ = try talk.say("\(number)")
    }
    #expect(!talk.session.canSay)
    _ = talk.hear(stored(3, seq: 1))
    #expect(talk.session.canSay)
  }

  @Test(
    "what is refused for the moment is sent again after a while, and nothing overtakes it",
    arguments: [("rate-limited", 120), ("busy", nil), ("not-stored", nil)] as [(String, Int?)])
  func passing(code: String, wait: Int?) throws {
    var talk = try JSONTalk()
    _ = try talk.say("one")
    _ = try talk.say("two")
    let told = shown(talk.hear(refusal(3, code, "not now", wait: wait)))
    #expect(told == (wait == nil ? [#"* "one" has to wait: not now"#] : []))
    #expect(talk.session.ask(.who, at: talk.now) == [])
    let end = try #require(talk.session.deadline)
    if let wait { #expect(end == .milliseconds(wait)) }
    talk.now = end
    #expect(talk.session.timePassed(at: end) == [write(send(4, "one", key: "1-2"))])
    // The person is told once.
    #expect(shown(talk.hear(refusal(4, code, "not now", wait: wait))) == [])
    talk.now = try #require(talk.session.deadline)
    #expect(talk.session.timePassed(at: talk.now) == [write(send(5, "one", key: "1-2"))])
    #expect(
      written(talk.hear(stored(5, seq: 1)))
        == [send(6, "two", key: "3-4"), #"{"id":7,"who":{"room":"lobby"}}"#])
  }

  @Test(
    "what is refused for good is told with its beginning, and not sent again",
    arguments: ["not-member", "too-long", "bad-request", "code-of-a-later-version"])
  func rejected(code: String) throws {
    var talk = try JSONTalk()
    _ = try talk.say("one")
    _ = try talk.say("two")
    let actions = talk.hear(refusal(3, code, "no"))
    #expect(shown(actions) == [#"! "one" was not said: no"#])
    #expect(written(actions) == [send(4, "two", key: "3-4")])
    #expect(talk.session.unanswered == 1)
  }

  @Test func whatPeopleDoIsShownInTheWordsOfThePlainDialect() throws {
    var talk = try JSONTalk()
    #expect(
      shown(
        talk.hear(
          #"{"joined":{"room":"lobby","name":"bob","members":2}}"#, message(1, #"a\nb\u001b[2J"#),
          #"{"left":{"room":"lobby","name":"bob","members":1}}"#,
          #"{"joined":{"room":"lobby","count":12,"members":1003}}"#,
          #"{"left":{"room":"lobby","count":3,"members":1000}}"#,
          #"{"gap":{"room":"lobby","from":12,"to":40}}"#,
          #"{"gap":{"room":"lobby","from":41,"to":41}}"#, #"{"notice":{"text":"tea is ready"}}"#))
        == [
          "bob has joined", "bob: a b[2J", "bob has left", "* 12 joined, 1,003 here",
          "* 3 left, 1,000 here", "* #12 to #40 are not kept any more",
          "* #41 is not kept any more", "* tea is ready",
        ])
  }

  @Test func questionsAreAskedAtOnceAndAnsweredInWords() throws {
    var talk = try JSONTalk()
    let questions: [ChatQuestion] = [.who, .rooms, .history(2), .ping("x")]
    let requests = questions.flatMap { written(talk.session.ask($0, at: .zero)) }
    #expect(
      requests == [
        #"{"id":3,"who":{"room":"lobby"}}"#, #"{"id":4,"rooms":{}}"#,
        #"{"id":5,"history":{"room":"lobby","limit":2}}"#, #"{"id":6,"ping":{}}"#,
      ])
    #expect(
      shown(
        talk.hear(
          #"{"id":3,"ok":{"members":[{"name":"ann"},{"name":"bob"}],"count":3}}"#,
          #"{"id":4,"ok":{"rooms":[{"name":"lobby","members":2,"seq":9},"#
            + #"{"name":"tea","members":0,"seq":0}],"count":9}}"#,
          #"{"id":5,"ok":{"messages":[],"more":false}}"#, #"{"id":6,"ok":{}}"#))
        == [
          "* 3 here: ann, bob and 1 more", "* lobby: 2 here, newest #9",
          "* tea: 0 here, nothing said yet", "* and 7 more", "* no messages", "* pong x",
        ])
    #expect(
      shown(talk.session.ask(.help, at: .zero) ?? []) == TypedLine.help.map { "* " + $0 })
  }

  @Test func historyThatComesInSeveralPagesIsShownAsOneInItsOrder() throws {
    var talk = try JSONTalk()
    let inner = { (seq: Int) in message(seq).dropFirst(#"{"message":"#.count).dropLast() }
    _ = talk.session.ask(.history(5), at: .zero)
    let first = talk.hear(
      #"{"id":3,"ok":{"messages":[\#(inner(42)),\#(inner(43))],"more":true}}"#)
    #expect(shown(first).isEmpty)
    #expect(written(first) == [#"{"id":4,"history":{"room":"lobby","before":42,"limit":3}}"#])
    let second = talk.hear(#"{"id":4,"ok":{"messages":[\#(inner(41))],"more":true}}"#)
    #expect(written(second) == [#"{"id":5,"history":{"room":"lobby","before":41,"limit":2}}"#])
    let last = talk.hear(
      #"{"id":5,"ok":{"messages":[],"more":false,"gap":{"from":1,"to":40}}}"#)
    #expect(written(last).isEmpty)
    let lines = shown(last)
    #expect(lines.first == "* #1 to #40 are not kept any more" && lines.count == 4)
    #expect(lines.dropFirst().map(\.isEmpty) == [false, false, false])
    let seqs = last.compactMap { action -> Int64? in
      if case .show(.replayed(from: _, text: _, seq: let seq, at: _)) = action { seq } else { nil }
    }
    #expect(seqs == [41, 42, 43])
  }

  @Test func historyThatIsCutBetweenTwoPagesIsAskedForFromTheBeginning() throws {
    var talk = try JSONTalk()
    let inner = message(42).dropFirst(#"{"message":"#.count).dropLast()
    _ = talk.session.ask(.history(5), at: .zero)
    _ = talk.hear(#"{"id":3,"ok":{"messages":[\#(inner)],"more":true}}"#)
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.hear(login(5))
    let again = written(talk.hear(entered(6, seq: 42)))
    #expect(again == [#"{"id":7,"history":{"room":"lobby","limit":5}}"#])
  }

  @Test func historyBearsItsTimeAndChangesNothing() throws {
    var talk = try JSONTalk()
    _ = talk.session.ask(.history(2), at: .zero)
    let inner = message(41).dropFirst(#"{"message":"#.count).dropLast()
    let actions = talk.hear(#"{"id":3,"ok":{"messages":[\#(inner)],"more":false}}"#)
    guard case .show(.replayed(from: "bob", text: "hi", seq: 41, at: _)) = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(shown(talk.hear(message(1))) == ["bob: hi"])
  }

  @Test func theEndComesWhenEverythingIsAnsweredAndShown() throws {
    var talk = try JSONTalk()
    _ = try talk.say("one")
    _ = try talk.say("two")
    #expect(talk.session.finish(at: .zero) == [])
    #expect(try talk.say("late") == nil)
    #expect(written(talk.hear(stored(3, seq: 1))) == [send(4, "two", key: "3-4")])
    #expect(written(talk.hear(stored(4, seq: 2))) == [#"{"id":5,"ping":{}}"#])
    #expect(shown(talk.hear(message(2, "two", from: "ann"))) == ["ann: two"])
    #expect(talk.hear(#"{"id":5,"ok":{}}"#) == [.enter(.closed(.finished))])
  }

  @Test func leaveIsTakenOfTheServer() throws {
    var talk = try JSONTalk()
    _ = try talk.say("one")
    #expect(written(talk.session.quit(at: .zero)) == [#"{"id":4,"quit":{}}"#])
    #expect(
      shown(talk.hear(stored(3, seq: 1), #"{"id":4,"ok":{}}"#, closing("quit"))) == ["* bye"])
    #expect(talk.session.ended(.byServer, at: .zero) == [.enter(.closed(.finished))])
  }

  @Test func whoeverLeavesIsNotHeldUpForLong() throws {
    var talk = try JSONTalk()
    _ = try talk.say("one")
    _ = talk.session.quit(at: .zero)
    #expect(talk.session.deadline == .seconds(2))
    #expect(talk.pass(.seconds(2)) == [.enter(.closed(.abandoned(unanswered: 1)))])
  }

  @Test func anotherRoomIsEnteredAndTheOneBeforeItLeft() throws {
    var talk = try JSONTalk(replay: 20)
    let tea = try #require(RoomName("tea"))
    _ = try talk.say("for the lobby")
    #expect(talk.session.join(tea, at: .zero) == [])
    #expect(try talk.say("for tea") == [])
    #expect(
      written(talk.hear(stored(3, seq: 1))) == [#"{"id":4,"join":{"room":"tea","last":20}}"#])
    let actions = talk.hear(entered(4, room: "tea", seq: 9, members: 3))
    #expect(shown(actions) == ["* you are in tea: 3 here, newest #9"])
    #expect(
      written(actions)
        == [
          #"{"id":5,"leave":{"room":"lobby"}}"#, send(6, "for tea", key: "3-4", room: "tea"),
        ])
    let lines = shown(talk.hear(message(2), message(9, room: "tea"), message(10, room: "tea")))
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix(" #9] bob: hi") == true)
    #expect(lines.last == "bob: hi")
  }

  @Test func whatIsMeantForARoomThatCannotBeEnteredIsSaidInNoOther() throws {
    var talk = try JSONTalk()
    _ = talk.session.join(try #require(RoomName("tea")), at: .zero)
    _ = try talk.say("secret")
    let actions = talk.hear(refusal(3, "not-allowed", "too many rooms"))
    #expect(shown(actions) == ["! too many rooms"])
    #expect(written(actions) == [send(4, "secret", key: "1-2", room: "tea")])
    _ = talk.hear(refusal(4, "not-member"))
    #expect(written(try talk.say("for all")) == [send(5, "for all", key: "3-4")])
  }
}
