/// The lobby as a machine: call, then expect the effects. No I/O; the clock is moved by hand.

import ChatHub
import ChatModel
import Testing

@Suite struct LobbyTests {
  var chat = Chat()

  @Test mutating func aLoginIsNamedThenToldToAllWithTheOneWhoCame() {
    chat.logIn(1, "ann")
    let effects = chat.logIn(2, "bob")
    #expect(effects.first == .named(connection(2), user("bob")))
    #expect(chat.hears(1, effects) == [.joined(user("bob"), members: 2)])
    #expect(chat.hears(2, effects) == [.joined(user("bob"), members: 2)])
  }

  @Test mutating func whatIsSaidIsToldToAllWithTheSpeaker() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let effects = chat.say(1, "hi")
    #expect(chat.hears(1, effects) == [.said(user("ann"), message("hi"))])
    #expect(chat.hears(2, effects) == [.said(user("ann"), message("hi"))])
  }

  @Test mutating func aConnectionWithoutANameHearsNothingAndIsRefused() {
    chat.logIn(1, "ann")
    #expect(chat.say(2, "hi") == [.tell(connection(2), .refused(.notLoggedIn))])
    #expect(chat.ask(2, .who) == [.tell(connection(2), .refused(.notLoggedIn))])
    #expect(chat.hears(2, chat.say(1, "anyone?")).isEmpty)
  }

  @Test mutating func whoGivesSortedNamesAndTheWholeCount() {
    chat.crowd(60)
    guard case .tell(_, .members(let names, let count))? = chat.ask(1_000, .who).first else {
      Issue.record("who is answered")
      return
    }
    #expect(count == 60)
    #expect(names.count == HubLimits().whoNamesMax)
    #expect(names.map(\.folded) == names.map(\.folded).sorted())
  }

  @Test mutating func aPingIsAnsweredEvenWithoutAName() {
    #expect(chat.ask(1, .ping("x")) == [.tell(connection(1), .pong("x"))])
  }

  @Test mutating func aLeaveIsToldToThoseWhoStay() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let effects = chat.drop(1)
    #expect(chat.hears(2, effects) == [.left(user("ann"), members: 1)])
    #expect(chat.hears(1, effects).isEmpty)
    #expect(chat.drop(1).isEmpty)
  }

  @Test mutating func quitLeavesAndCloses() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let effects = chat.ask(1, .quit)
    #expect(chat.hears(2, effects) == [.left(user("ann"), members: 1)])
    #expect(effects.last == .close(connection(1), .quit))
    #expect(chat.hears(1, chat.say(2, "gone?")).isEmpty)
  }

  @Test mutating func theSameNameAgainChangesNothing() {
    chat.logIn(1, "ann")
    #expect(chat.logIn(1, "ann").isEmpty)
    #expect(chat.logIn(1, "ANN").isEmpty)
  }

  @Test mutating func anotherNameIsALeaveAndAJoin() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let effects = chat.logIn(1, "anna")
    #expect(
      chat.hears(2, effects) == [
        .left(user("ann"), members: 1), .joined(user("anna"), members: 2),
      ])
    #expect(chat.hears(1, effects) == [.joined(user("anna"), members: 2)])
    #expect(effects.contains(.named(connection(1), user("anna"))))
  }
}

@Suite struct RateTests {
  @Test func aBurstOfFiftyIsFreeAndTheNextIsReadLater() {
    var chat = Chat()
    chat.logIn(1, "ann")
    for index in 0..<50 {
      #expect(chat.say(1, "\(index)").count == 1)
    }
    let effects = chat.say(1, "one too many")
    #expect(chat.hears(1, effects).count == 1, "it is told all the same")
    #expect(effects.last == .readLater(connection(1), until: .milliseconds(100)))
  }

  @Test func tokensComeBackAtTenASecondAndNoMoreThanTheBurst() {
    var chat = Chat()
    chat.logIn(1, "ann")
    for _ in 0..<50 { _ = chat.say(1, "x") }
    chat.now = .milliseconds(100)
    #expect(chat.say(1, "x").count == 1)
    #expect(chat.say(1, "x").last == .readLater(connection(1), until: .milliseconds(200)))
    chat.now = .seconds(3_600)
    for _ in 0..<50 {
      #expect(chat.say(1, "x").count == 1)
    }
    #expect(chat.say(1, "x").count == 2)
  }

  @Test func aNewNameBringsNoNewBurst() {
    var chat = Chat()
    chat.logIn(1, "ann")
    for _ in 0..<50 { _ = chat.say(1, "x") }
    chat.logIn(1, "anna")
    #expect(chat.say(1, "x").count == 2)
  }

  @Test func withoutARateNothingIsReadLater() {
    var limits = HubLimits()
    limits.messagesPerSecond = nil
    var chat = Chat(limits: limits)
    chat.logIn(1, "ann")
    for _ in 0..<1_000 {
      #expect(chat.say(1, "x").count == 1)
    }
  }
}
