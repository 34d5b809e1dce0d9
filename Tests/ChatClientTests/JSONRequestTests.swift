/// What a JSON session can be asked, how it is sent, and what its answer reads like. By hand clock.

import ChatModel
import Testing

@testable import ChatClient

@Suite struct JSONRequestTests {
  private let tea: RoomName
  private let bob: UserName

  init() throws {
    tea = try #require(RoomName("tea"))
    bob = try UserName("bob")
  }

  @Test func eachIsSentAndItsAnswerTold() throws {
    let yes = try #require(MessageText("yes"))
    let spam = ShortText("spam")
    let rows: [(Request, String, String, [String])] = [
      (
        .edit(.room(tea), of: 4, yes), #""edit":{"room":"tea","seq":4,"text":"yes"}"#,
        #""seq":5"#, []
      ),
      (.delete(.with(bob), of: 4), #""delete":{"with":"bob","seq":4}"#, #""seq":5"#, []),
      (.setTopic(nil, spam), #""topic":{"room":"lobby","text":"spam"}"#, "", []),
      (.archive(tea), #""archive":{"room":"tea"}"#, "", ["* done"]),
      (
        .invite(tea, uses: 1, seconds: 60), #""invite":{"room":"tea","uses":1,"seconds":60}"#,
        #""code":"c\u001b0de""#, ["* join:tea:c0de lets others in"]
      ),
      (.uninvite(tea, code: "c"), #""uninvite":{"room":"tea","code":"c"}"#, "", ["* done"]),
      (
        .kick(tea, bob, spam), #""kick":{"room":"tea","name":"bob","reason":"spam"}"#, "",
        ["* done"]
      ),
      (
        .sanction(.ban, nil, .name(bob), nil, seconds: 60),
        #""ban":{"name":"bob","seconds":60}"#, "", ["* done"]
      ),
      (
        .lift(.mute, tea, .name(bob)), #""unmute":{"room":"tea","name":"bob"}"#, "", ["* done"]
      ),
      (
        .setRole(tea, bob, .owner), #""role":{"room":"tea","name":"bob","role":"owner"}"#, "",
        ["* done"]
      ),
      (.mark(.with(bob), 7), #""mark":{"with":"bob","seq":7}"#, "", []),
      (.typing(.room(tea), true), #""typing":{"room":"tea","on":true}"#, "", []),
      (
        .who(tea), #""who":{"room":"tea"}"#,
        #""members":[{"name":"bob","role":"owner","away":"x"}],"count":1"#,
        ["* 1 here: bob (owner, away)"]
      ),
      (
        .topic(nil), #""rooms":{}"#,
        #""rooms":[{"name":"lobby","members":1,"seq":0,"topic":"a\nb"}],"count":1"#,
        ["* topic of lobby: a b"]
      ),
    ]
    var talk = try JSONTalk()
    for (index, (request, sent, answer, lines)) in rows.enumerated() {
      let id = index + 3
      #expect(
        written(talk.session.request(request, at: .zero)) == [#"{"id":\#(id),\#(sent)}"#])
      let actions = talk.hear(#"{"id":\#(id),"ok":{\#(answer)}}"#)
      #expect(shown(actions) == lines)
      #expect(reports(actions) == 1, "\(request)")
    }
  }

  private func reports(_ actions: [SessionAction]) -> Int {
    actions.count { if case .report = $0 { true } else { false } }
  }

  @Test func whatHasAMethodOfItsOwnIsNotTaken() throws {
    var talk = try JSONTalk()
    let text = try #require(MessageText("x"))
    let requests: [Request] = [
      .quit, .ping("x"), .join(.room(tea), .now, code: nil), .resume(token: "x", .manyRooms),
      .logIn(bob, .manyRooms), .send(nil, text, key: nil, replyTo: nil), .leave(nil), .leave(tea),
    ]
    for request in requests {
      #expect(talk.session.request(request, at: .zero) == nil, "\(request)")
    }
  }

  @Test func whatIsFoundSaysWhereItWasSaid() throws {
    var talk = try JSONTalk()
    let search = Request.search(Search("hi \"a\" b"))
    #expect(
      written(talk.session.request(search, at: .zero))
        == [#"{"id":3,"search":{"query":"hi \"a\" b","limit":20}}"#])
    let time = #""at":"2026-11-30T02:10:00.000Z""#
    let lines = shown(
      talk.hear(
        #"{"id":3,"ok":{"messages":[{"room":"tea","seq":7,"from":"bob","text":"hi\n!",\#(time)},"#
          + #"{"with":"bob","seq":2,"from":"bob","text":"hi",\#(time)}],"cursor":"c"}}"#))
    #expect(
      lines.map { $0.drop { $0 != "#" } } == [
        "#7] tea | bob: hi !", "#2] bob (private): hi", "",
      ])
    #expect(lines.last == "* there may be more; add a word")
    _ = talk.session.request(search, at: .zero)
    #expect(shown(talk.hear(#"{"id":4,"ok":{"messages":[]}}"#)) == ["* nothing found"])
  }

  @Test func changesAreToldInTheirOrderAndGuarded() throws {
    var talk = try JSONTalk()
    let at = #""at":"2026-11-30T02:10:00.000Z""#
    let lines = shown(
      talk.hear(
        message(1),
        #"{"message":{"room":"lobby","seq":2,"from":"bob","text":"a","replyTo":1,\#(at)}}"#,
        #"{"edited":{"room":"lobby","seq":3,"of":1,"by":"ann","text":"x\u001b[2J\ny",\#(at)}}"#,
        #"{"deleted":{"room":"lobby","seq":4,"of":2,"by":"ann",\#(at)}}"#,
        #"{"topic":{"room":"lobby","seq":5,"by":"ann","text":"t\r!",\#(at)}}"#,
        #"{"topic":{"room":"lobby","seq":6,"by":"ann","text":"",\#(at)}}"#,
        #"{"deleted":{"room":"lobby","seq":4,"of":2,"by":"ann",\#(at)}}"#,
        #"{"presence":{"name":"ann","away":"a\nb"}}"#, #"{"presence":{"name":"ann"}}"#,
        #"{"typing":{"room":"lobby","name":"ann","on":true}}"#,
        #"{"marked":{"room":"lobby","seq":6}}"#))
    #expect(
      lines == [
        "bob: hi", "bob: (re #1) a", "* ann changed #1: x[2J y", "* ann deleted #2",
        "* topic of lobby, by ann: t !", "* ann took the topic of lobby away",
        "* ann is away: a b", "* ann is back",
      ])
  }

  @Test func anAccountIsLoggedInToByItsPasswordAndAfterACutByItsToken() throws {
    var session = JSONSession(
      name: try UserName("ann"), password: Password("correct horse"), generator: Counting())
    #expect(
      written(session.opened(at: .zero))
        == [#"{"id":1,"login":{"name":"ann","password":"correct horse"}}"#])
    let line = refusal(1, "bad-password", "no such account with this password") + "\n"
    #expect(
      session.received(Array(line.utf8), at: .zero).last
        == .enter(.closed(.loginRefused("no such account with this password", .badPassword))))
  }

  @Test(arguments: ["welcome\n", "{ \n", nil])
  func aServerThatHasNoJSONIsNotToldThePasswordAsAName(answer: String?) throws {
    var session = JSONSession(name: try UserName("ann"), password: Password("correct horse"))
    _ = session.opened(at: .zero)
    let actions =
      answer.map { session.received(Array($0.utf8), at: .zero) }
      ?? session.ended(.byServer, at: .zero)
    guard case .enter(.closed(.broken(let words, unanswered: 0))) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(words.hasPrefix("no JSON lines are spoken there"))
    #expect(session.successor == nil)
  }

  @Test func whoRegistersIsTheSameByAnotherToken() throws {
    var talk = try JSONTalk()
    let password = try #require(Password("correct horse"))
    let register = Request.register(try UserName("ann"), password, code: "c", .oneRoom)
    #expect(
      written(talk.session.request(register, at: .zero))
        == [#"{"id":3,"register":{"name":"ann","password":"correct horse","code":"c"}}"#])
    let answer = login(3, token: "T2").replacing(#""guest":true"#, with: #""guest":false"#)
    #expect(shown(talk.hear(answer)) == ["* ann is your account; keep its password"])
    try talk.cut()
    #expect(
      written(talk.session.opened(at: talk.now)) == [#"{"id":4,"login":{"token":"T2"}}"#])
  }

  @Test func whoLogsOutIsGone() throws {
    var talk = try JSONTalk()
    #expect(written(talk.session.request(.logOut, at: .zero)) == [#"{"id":3,"logout":{}}"#])
    let actions = talk.hear(#"{"id":3,"ok":{}}"#)
    #expect(shown(actions) == ["* you are logged out, on all connections"])
    #expect(actions.last == .enter(.closed(.finished)))
  }

  @Test func aRoomThatIsMadeIsEnteredAndTheOneBeforeItLeft() throws {
    var talk = try JSONTalk()
    let create = Request.create(tea, isPrivate: true, topic: nil)
    #expect(
      written(talk.session.request(create, at: .zero))
        == [#"{"id":3,"create":{"room":"tea","private":true}}"#])
    #expect(talk.session.room == tea)
    #expect(try talk.say("hi") == [])
    let actions = talk.hear(entered(3, room: "tea"))
    #expect(shown(actions) == ["* you are in tea: 1 here, nothing said yet"])
    #expect(
      written(actions)
        == [#"{"id":4,"leave":{"room":"lobby"}}"#, send(5, "hi", key: "1-2", room: "tea")])
  }

  @Test func whatDoesNoHarmTwiceIsAskedAgainAfterACut() throws {
    var talk = try JSONTalk()
    _ = talk.session.request(.delete(.room(.lobby), of: 4), at: .zero)
    try talk.cut()
    _ = talk.session.opened(at: talk.now)
    _ = talk.hear(login(4))
    #expect(
      written(talk.hear(entered(5))) == [#"{"id":6,"delete":{"room":"lobby","seq":4}}"#])
    #expect(
      shown(talk.hear(refusal(6, "no-such-message", "no #4"))) == [
        "! no #4 (it may have been done before the connection was lost)"
      ])
  }

  @Test func whatWouldDoHarmTwiceIsToldAndNotAskedAgain() throws {
    let password = try #require(Password("correct horse"))
    let requests: [(Request, String)] = [
      (.kick(tea, bob, nil), "putting bob out"), (.invite(tea, uses: 1, seconds: nil), "the inv"),
      (.create(tea, isPrivate: true, topic: nil), "making tea"),
      (.changePassword(old: password, new: password), "the new password"),
    ]
    for (request, words) in requests {
      var talk = try JSONTalk()
      _ = talk.session.request(request, at: .zero)
      let lines = shown(talk.session.ended(.byServer, at: .zero))
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("! the connection was lost before \(words)") == true)
      talk.now = try #require(talk.session.deadline)
      _ = talk.session.timePassed(at: talk.now)
      _ = talk.session.opened(at: talk.now)
      #expect(
        written(talk.hear(login(4), entered(5)))
          == [#"{"id":5,"join":{"room":"lobby","after":0}}"#])
    }
  }

  @Test func whatIsOfTheMomentHoldsUpNothing() throws {
    var talk = try JSONTalk()
    _ = talk.session.request(.typing(.room(.lobby), true), at: .zero)
    #expect(talk.hear(refusal(3, "rate-limited", "slow", wait: 9_000)) == [])
    #expect(try talk.say("hi") == [write(send(4, "hi", key: "1-2"))])
  }
}
