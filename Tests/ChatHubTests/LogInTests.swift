/// How connections become people: names, tokens, several connections of one person.

import ChatHub
import ChatModel
import Testing

@Suite struct LogInTests {
  var chat = Chat()

  @Test mutating func aLoginIsNamedThenAnsweredThenToldToAllWithTheOneWhoCame() throws {
    chat.logIn(1, "ann")
    let effects = chat.logIn(2, "bob")
    let bob = try #require(effects.person(of: 2))
    #expect(
      effects == [
        .named(connection(2), bob, user("bob")),
        .answerLogin(connection(2), nil, bob, user("bob")),
        .tellAll([connection(1), connection(2)], .joined(.lobby, user("bob"), members: 2)),
      ])
  }

  @Test mutating func aProgramIsInNoRoomBeforeItJoinsOne() throws {
    chat.logIn(1, "ann")
    let effects = chat.logIn(2, "bot", .manyRooms, .number("7"))
    let bot = try #require(effects.person(of: 2))
    #expect(
      effects == [
        .named(connection(2), bot, user("bot")),
        .answerLogin(connection(2), .number("7"), bot, user("bot")),
      ])
    #expect(chat.say(1, "anyone?").heard(by: 2).isEmpty)
    #expect(chat.send(2, "hi").refusals(of: 2) == [.inNoRoom])
  }

  @Test mutating func eachNewPersonHasANumberOfItsOwn() throws {
    let people = (1...100).compactMap { chat.logIn($0, "user\($0)").person(of: $0) }
    #expect(Set(people).count == 100)
    #expect(people.allSatisfy { $0.rawValue > 0 })
  }

  @Test(arguments: [
    Request.join(.room(.lobby), .now, code: nil), .leave(nil),
    .send(nil, message("hi"), key: nil, replyTo: nil),
    .history(nil, .before(nil), limit: 1), .rooms, .who(nil),
  ])
  func aConnectionWithoutANameIsRefusedEverythingOfRooms(request: Request) {
    var chat = Chat()
    #expect(
      chat.ask(1, request, .number("3"))
        == [.answer(connection(1), .number("3"), .refused(.notLoggedIn))])
  }

  @Test mutating func aConnectionWithoutANameHearsNothing() {
    chat.logIn(1, "ann")
    #expect(chat.say(1, "anyone?").heard(by: 2).isEmpty)
  }

  @Test mutating func aPingIsAnsweredEvenWithoutAName() {
    #expect(
      chat.ask(1, .ping("x"), .text("p")) == [.answer(connection(1), .text("p"), .pong("x"))])
  }

  @Test mutating func aTokenThatNobodyHasLookedIntoIsABadOne() {
    #expect(
      chat.ask(1, .resume(token: "x", .manyRooms)).refusals(of: 1) == [.badToken])
  }

  @Test mutating func quitIsAnsweredLeavesAndCloses() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let effects = chat.ask(1, .quit)
    #expect(effects.first == .answer(connection(1), nil, .quit))
    #expect(effects.heard(by: 2) == [.left(.lobby, user("ann"), members: 1)])
    #expect(effects.last == .close(connection(1), .quit))
    #expect(chat.say(2, "gone?").heard(by: 1).isEmpty)
  }

  // MARK: Another name

  @Test mutating func theSameNameAgainIsAnsweredAndChangesNothing() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    #expect(chat.logIn(1, "ann") == [.answerLogin(connection(1), nil, ann, user("ann"))])
    #expect(chat.logIn(1, "ANN") == [.answerLogin(connection(1), nil, ann, user("ann"))])
  }

  @Test mutating func anotherNameIsALeaveAndAJoinInEveryRoom() throws {
    let ann = try #require(chat.logIn(1, "ann", .manyRooms).person(of: 1))
    for name in ["tea", "den"] {
      chat.join(1, name)
      chat.logIn(name == "tea" ? 2 : 3, "in\(name)")
      chat.join(name == "tea" ? 2 : 3, name)
    }
    let effects = chat.logIn(1, "anna")
    #expect(effects.first == .named(connection(1), ann, user("anna")))
    #expect(
      effects.heard(by: 2) == [
        .left(room("tea"), user("ann"), members: 2), .joined(room("tea"), user("anna"), members: 2),
      ])
    #expect(
      effects.heard(by: 3) == [
        .left(room("den"), user("ann"), members: 2), .joined(room("den"), user("anna"), members: 2),
      ])
    #expect(effects.heard(by: 1).count == 4)
  }

  @Test mutating func messagesBearTheNameThatWasBorneAsTheyWereSent() throws {
    chat.logIn(1, "ann")
    let sent = try #require(chat.send(1, "hi").drafts.first)
    chat.logIn(1, "anna")
    #expect(sent.draft.from == user("ann"))
    #expect(chat.send(1, "hi").drafts.first?.draft.from == user("anna"))
  }

  // MARK: Several connections of one person

  @Test mutating func aTokenMakesAnotherConnectionTheSamePersonWithoutASecondJoin() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.logIn(9, "bob")
    let effects = chat.resume(2, ann, as: "ann")
    #expect(
      effects == [
        .named(connection(2), ann, user("ann")), .answerLogin(connection(2), nil, ann, user("ann")),
      ])
    #expect(chat.say(1, "hi").texts(shownTo: 2) == ["hi"])
    #expect(chat.say(2, "ho").drafts.isEmpty)
    #expect(chat.send(2, "ho").drafts.first?.draft.person == ann)
  }

  @Test mutating func onlyTheLastConnectionOfAPersonLeaves() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.logIn(9, "bob")
    chat.resume(2, ann, as: "ann")
    #expect(chat.drop(1).isEmpty)
    #expect(chat.drop(2).heard(by: 9) == [.left(.lobby, user("ann"), members: 1)])
    #expect(chat.drop(2).isEmpty)
  }

  @Test mutating func aPersonWhoIsHereKeepsThePresentNameWhateverTheTokenSays() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.logIn(1, "anna")
    #expect(chat.resume(2, ann, as: "ann").contains(.named(connection(2), ann, user("anna"))))
  }

  @Test mutating func aPersonWhoIsGoneComesBackWithTheTokensNameAndNumber() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    _ = chat.drop(1)
    let effects = chat.resume(2, ann, as: "ann")
    #expect(effects.first == .named(connection(2), ann, user("ann")))
    #expect(effects.heard(by: 2) == [.joined(.lobby, user("ann"), members: 1)])
  }

  @Test mutating func aRenameNamesEveryConnectionOfThePerson() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.resume(2, ann, as: "ann", .manyRooms)
    chat.join(2, "tea")
    let effects = chat.logIn(2, "anna")
    #expect(effects.contains(.named(connection(1), ann, user("anna"))))
    #expect(effects.contains(.named(connection(2), ann, user("anna"))))
    #expect(effects.heard(by: 1).count == 2, "the lobby")
    #expect(effects.heard(by: 2).count == 2, "the other room")
  }

  @Test mutating func theNinthConnectionOfAPersonIsRefusedWhereAllTheOthersLive() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    for id in 2...8 { #expect(chat.resume(id, ann, as: "ann").person(of: id) == ann) }
    #expect(
      chat.resume(9, ann, as: "ann")
        == [.wait(connection(9))] + (1...8).map { .probe(connection($0)) })
    for id in 1...7 { #expect(chat.probed(id, isAlive: true).isEmpty) }
    #expect(
      chat.probed(8, isAlive: true) == [
        .answer(connection(9), nil, .refused(.tooManyConnections(limit: 8))),
        .proceed(connection(9)),
      ])
    _ = chat.drop(3)
    #expect(chat.resume(9, ann, as: "ann").person(of: 9) == ann)
  }

  // MARK: Somebody else on the same connection

  @Test mutating func aTokenOfSomebodyElseLeavesAsTheOneAndComesAsTheOther() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    _ = chat.drop(1)
    chat.logIn(9, "bob")
    chat.logIn(2, "eve")
    let effects = chat.resume(2, ann, as: "ann")
    #expect(
      effects.heard(by: 9) == [
        .left(.lobby, user("eve"), members: 1), .joined(.lobby, user("ann"), members: 2),
      ])
    #expect(effects.person(of: 2) == ann)
    #expect(chat.logIn(3, "eve").person(of: 3) != nil, "the name is free again")
  }

  @Test mutating func whoBecomesSomebodyElseIsGivenNoMoreOfTheFormerRooms() throws {
    let ann = try #require(chat.logIn(1, "ann", .manyRooms).person(of: 1))
    _ = chat.drop(1)
    chat.logIn(2, "eve", .manyRooms)
    chat.join(2, "tea", .after(0))
    #expect(
      chat.resume(2, ann, as: "ann", .manyRooms).contains(.forget(connection(2), room("tea"))))
  }

  @Test mutating func whoMayNotBecomeSomebodyElseStaysWhoItIs() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    for id in 2...8 { chat.resume(id, ann, as: "ann") }
    chat.logIn(9, "eve")
    chat.resume(9, ann, as: "ann")
    for id in 1...8 { _ = chat.probed(id, isAlive: true) }
    #expect(chat.send(9, "still me").drafts.first?.draft.from == user("eve"))
  }
}
