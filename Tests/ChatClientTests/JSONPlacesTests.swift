/// The rooms and conversations of a JSON session, and what becomes of them at a cut. By hand clock.

import ChatModel
import Testing

@testable import ChatClient

@Suite struct JSONPlacesTests {
  private func inTalk(_ seq: Int, _ text: String, with: String = "bob", from: String = "bob")
    -> String
  {
    #"{"message":{"with":"\#(with)","seq":\#(seq),"from":"\#(from)","text":"\#(text)","#
      + #""at":"2026-11-30T02:10:00.000Z"}}"#
  }

  private func list(_ id: String, _ talks: (name: String, seq: Int, mark: Int)...) -> String {
    let rooms = talks.map {
      #"{"with":"\#($0.name)","members":2,"seq":\#($0.seq),"mark":\#($0.mark),"unread":1}"#
    }
    return #"{"id":"\#(id)","ok":{"rooms":[\#(rooms.joined(separator: ","))],"count":9}}"#
  }

  private func resumed(_ id: String, _ name: String, seq: Int) -> String {
    #"{"id":"\#(id)","ok":{"with":"\#(name)","seq":\#(seq),"members":2}}"#
  }

  private func caughtUp(with name: String, _ seq: Int) -> String {
    #"{"caughtUp":{"with":"\#(name)","seq":\#(seq)}}"#
  }

  private func bob() throws -> Place { .with(try UserName("bob")) }

  @Test func whatIsSaidToOneAloneIsHeardWithoutAJoin() throws {
    var talk = try JSONTalk()
    let text = try #require(MessageText("psst"))
    let sent = talk.session.say(text, to: try bob(), replyTo: 7, at: .zero)
    #expect(
      written(sent) == [#"{"id":3,"send":{"with":"bob","text":"psst","key":"1-2","replyTo":7}}"#])
    let lines = talk.hear(
      stored(3, seq: 8), inTalk(8, "psst", from: "ann"), inTalk(9, "yes"), inTalk(9, "yes"))
    #expect(shown(lines) == ["ann (private to bob): psst", "bob (private): yes"])
  }

  @Test("a conversation that is cut in the middle goes on: nothing missing, nothing twice")
  func cutInTheMiddle() throws {
    var talk = try JSONTalk()
    var lines = shown(talk.hear(inTalk(1, "one"), inTalk(2, "two")))
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(asides(talk.hear(login(3))) == [#"{"rooms":{}}"#])
    // What comes before the server has said how far it is comes again.
    lines += shown(talk.hear(entered(4), inTalk(5, "five")))
    #expect(
      asides(talk.hear(list("a1", ("bob", 5, 0)))) == [#"{"join":{"with":"bob","after":2}}"#])
    lines += shown(talk.hear(inTalk(6, "six")))
    lines += shown(
      talk.hear(
        resumed("a2", "bob", seq: 6), inTalk(3, "three"), inTalk(4, "four"), inTalk(5, "five")))
    // It is cut in the middle of that, too.
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.hear(login(5), entered(6))
    #expect(
      asides(talk.hear(list("a3", ("bob", 6, 0)))) == [#"{"join":{"with":"bob","after":5}}"#])
    lines += shown(
      talk.hear(
        resumed("a4", "bob", seq: 6), inTalk(6, "six"), caughtUp(with: "bob", 6),
        inTalk(7, "seven")))
    #expect(
      lines.map { $0.split(separator: " ").last } == [
        "one", "two", "three", "four", "five", "six", "seven",
      ])
    #expect(lines.map { $0.hasPrefix("[") } == [false, false, true, true, true, true, false])
  }

  @Test func somebodyElseMayComeBackALittleLater() throws {
    var talk = try JSONTalk()
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.hear(login(3), entered(4))
    let text = try #require(MessageText("psst"))
    _ = talk.session.say(text, to: try bob(), replyTo: nil, at: talk.now)
    let waiting = talk.hear(refusal(5, "not-here", "bob is not here"))
    #expect(shown(waiting) == [#"* "psst" has to wait: bob is not here"#])
    talk.now += .seconds(10)
    #expect(written(talk.session.timePassed(at: talk.now)).count == 1)
    let late = talk.hear(refusal(6, "not-here", "bob is not here"))
    #expect(shown(late) == [#"! "psst" was not said: bob is not here"#])
  }

  @Test func somebodyWhoSpokeForTheFirstTimeDuringTheCutIsHeard() throws {
    var talk = try JSONTalk()
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.hear(login(3), entered(4))
    let actions = talk.hear(list("a1", ("bob", 2, 0), ("carl", 0, 0)))
    #expect(asides(actions) == [#"{"join":{"with":"bob","after":0}}"#])
    let lines = shown(talk.hear(resumed("a2", "bob", seq: 2), inTalk(1, "one"), inTalk(2, "two")))
    #expect(lines.map { $0.suffix(3) } == ["one", "two"])
  }

  @Test("a list that is not given, or too short, leaves no hole", arguments: [true, false])
  func unlisted(isRefused: Bool) throws {
    var talk = try JSONTalk()
    _ = talk.hear(inTalk(4, "four"))
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.hear(login(3), entered(4), inTalk(9, "nine", with: "carl", from: "carl"))
    let answer =
      isRefused ? #"{"id":"a1","error":{"code":"busy","message":"x"}}"# : list("a1")
    #expect(
      asides(talk.hear(answer)) == [
        #"{"join":{"with":"bob","after":4}}"#, #"{"join":{"with":"carl","after":8}}"#,
      ])
    // Who has another name by now is no trouble to tell of.
    #expect(shown(talk.hear(#"{"id":"a2","error":{"code":"not-here","message":"x"}}"#)) == [])
    #expect(shown(talk.hear(inTalk(5, "five"))) == ["bob (private): five"])
  }

  @Test(
    "an account is shown what it has not read, where it wants to see what was said before",
    arguments: [0, 20])
  func unread(replay: Int) throws {
    var talk = try JSONTalk(replay: replay, isOpen: false)
    _ = talk.session.opened(at: .zero)
    let account = login(1).replacing(#""guest":true"#, with: #""guest":false"#)
    #expect(asides(talk.hear(account)) == [#"{"rooms":{}}"#])
    _ = talk.hear(entered(2))
    let actions = talk.hear(
      list("a1", ("bob", 9, 7), ("carl", 400, 0), ("dora", 3, 3)))
    let joins = [
      #"{"join":{"with":"bob","after":7}}"#, #"{"join":{"with":"carl","last":50}}"#,
    ]
    #expect(asides(actions) == (replay > 0 ? joins : []))
    #expect(shown(talk.hear(inTalk(4, "x", with: "dora", from: "dora"))).count == 1)
  }

  @Test func roomsThatAreHeardBesidesAreToldAndNotShown() throws {
    var talk = try JSONTalk()
    let tea = try #require(RoomName("tea"))
    #expect(
      written(talk.session.enter(tea, code: "c", at: .zero))
        == [#"{"id":3,"join":{"room":"tea","code":"c"}}"#])
    #expect(talk.session.room == .lobby)
    #expect(written(talk.hear(entered(3, room: "tea", seq: 7))) == [])
    let actions = talk.hear(message(8, "hot", room: "tea"), message(1, "cold"))
    #expect(shown(actions) == ["bob: cold"])
    #expect(told(actions) == [8, 1])
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    let coming = talk.hear(login(4))
    #expect(written(coming) == [#"{"id":5,"join":{"room":"lobby","after":1}}"#])
    #expect(asides(coming) == [#"{"join":{"room":"tea","after":8}}"#, #"{"rooms":{}}"#])
    _ = talk.hear(
      entered(5, seq: 1), #"{"id":"a1","ok":{"room":"tea","seq":9,"members":2}}"#)
    #expect(told(talk.hear(message(8, room: "tea"), message(9, room: "tea"))) == [9])
    // What is heard besides can be gone into, and goes on where it was.
    var other = talk
    #expect(
      written(other.session.join(tea, at: talk.now))
        == [#"{"id":6,"join":{"room":"tea","after":9}}"#])
    _ = other.hear(entered(6, room: "tea", seq: 9))
    try other.cut()
    _ = other.session.opened(at: other.now)
    #expect(written(other.hear(login(8))) == [#"{"id":9,"join":{"room":"tea","after":9}}"#])
    _ = talk.session.request(.leave(tea), at: talk.now)
    _ = talk.hear(#"{"id":6,"ok":{}}"#)
    #expect(told(talk.hear(message(10, room: "tea"))) == [])
  }

  @Test func whoWasPutOutHearsNothingMoreAndDoesNotComeBack() throws {
    var talk = try JSONTalk()
    let actions = talk.hear(
      #"{"kicked":{"room":"lobby","by":"bob","reason":"a\nb"}}"#, message(1))
    #expect(shown(actions) == ["! you were put out of lobby by bob: a b"])
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(written(talk.hear(login(3))) == [])
    #expect(talk.session.state == .open)
    let tea = try #require(RoomName("tea"))
    #expect(
      written(talk.session.join(tea, at: talk.now)) == [#"{"id":4,"join":{"room":"tea"}}"#])
    #expect(written(talk.hear(entered(4, room: "tea"))) == [])
    #expect(shown(talk.hear(message(1, room: "tea"))) == ["bob: hi"])
  }

  @Test(
    "who was put off the server is told, and stays away",
    arguments: ["kicked", "banned", "account-ended"])
  func expelled(reason: String) throws {
    var talk = try JSONTalk()
    #expect(shown(talk.hear(closing(reason, wait: 1))) == ["! bye"])
    #expect(
      talk.session.ended(.byServer, at: talk.now)
        == [.enter(.closed(.endedByServer(unanswered: 0)))])
  }

  @Test func whoeverIsAwayIsAwayAlsoAfterACut() throws {
    var talk = try JSONTalk()
    let away = Request.away(ShortText("tea"))
    #expect(
      written(talk.session.request(away, at: .zero)) == [#"{"id":3,"away":{"text":"tea"}}"#])
    #expect(shown(talk.hear(#"{"id":3,"ok":{}}"#)) == ["* done"])
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    #expect(asides(talk.hear(login(4))) == [#"{"rooms":{}}"#, #"{"away":{"text":"tea"}}"#])
  }

  /// The numbers of the messages that programs are given.
  private func told(_ actions: [SessionAction]) -> [Int64] {
    actions.compactMap {
      if case .tell(.message(let message, in: _)) = $0 { message.seq } else { nil }
    }
  }
}
