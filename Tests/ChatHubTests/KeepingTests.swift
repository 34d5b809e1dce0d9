/// Messages: kept first, then shown to who is there, once. And how fast a person may speak.

import ChatHub
import ChatModel
import Testing

@Suite struct KeepingTests {
  var chat = Chat()

  @Test mutating func whatIsSaidIsToBeKeptAndShownToNobodyYet() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.logIn(2, "bob")
    let effects = chat.ask(
      1, .send(nil, message("hi"), key: MessageKey("k"), replyTo: 4), .number("5"))
    let draft = Draft(
      room: .lobby, person: ann, from: user("ann"), text: message("hi"), key: MessageKey("k"),
      replyTo: 4)
    #expect(
      effects == [.keep(draft, Ticket(connection: connection(1), request: .number("5")))])
    #expect(chat.hub.published(in: .lobby) == 0)
  }

  @Test(arguments: [Durability.received, .stored])
  func whatIsKeptIsAnsweredThenShownToAllWithTheSpeaker(durability: Durability) throws {
    var chat = Chat()
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let sent = try #require(chat.send(1, "hi").drafts.first)
    let effects = chat.hub.kept(
      sent.draft, sent.ticket, .stored(seq: 8, at: noon), durability)
    #expect(
      effects == [
        .answer(connection(1), nil, .sent(.room(.lobby), seq: 8, at: noon, durability)),
        .publish(
          [connection(1), connection(2)], Message(sent.draft, seq: 8, at: noon),
          in: .room(.lobby)),
      ])
    #expect(chat.hub.published(in: .lobby) == 8)
  }

  @Test mutating func aMessageIsShownToWhoIsThereWhenItIsKept() throws {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let sent = try #require(chat.send(1, "hi").drafts.first)
    _ = chat.drop(2)
    chat.logIn(3, "eve")
    let effects = chat.keep(sent.draft, sent.ticket)
    #expect(effects.texts(shownTo: 2).isEmpty)
    #expect(effects.texts(shownTo: 3) == ["hi"])
  }

  @Test mutating func aMessageWhoseSenderHasGoneIsShownAllTheSame() throws {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let sent = try #require(chat.send(1, "last words").drafts.first)
    _ = chat.drop(1)
    #expect(chat.keep(sent.draft, sent.ticket).texts(shownTo: 2) == ["last words"])
  }

  @Test mutating func aMessageKeptInARoomThatWasForgottenMakesTheRoomAgain() throws {
    chat.logIn(1, "ann")
    chat.join(1, "tea")
    let sent = try #require(chat.send(1, "hi").drafts.first)
    chat.join(1, "den")
    _ = chat.keep(sent.draft, sent.ticket)
    #expect(chat.hub.published(in: room("tea")) == 1)
    #expect(chat.join(1, "tea").answers(to: 1) == [.joined(.room(room("tea")), seq: 1, members: 1)])
  }

  @Test mutating func aRetryIsAnsweredWithWhatBecameOfTheFirstAndShownToNobody() throws {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    _ = chat.say(1, "hi")
    _ = chat.say(2, "ho")
    let retry = try #require(chat.send(1, "hi", key: "k").drafts.first)
    #expect(
      chat.hub.kept(
        retry.draft, retry.ticket, .duplicate(of: 1, at: noon, in: .lobby), .stored)
        == [.answer(connection(1), nil, .sent(.room(.lobby), seq: 1, at: noon, .stored))])
    #expect(chat.hub.published(in: .lobby) == 2, "it never goes back")
  }

  @Test mutating func aKeyOfAnotherMessageIsRefusedAndShownToNobody() throws {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let other = try #require(chat.send(1, "hi", key: "k").drafts.first)
    #expect(
      chat.hub.kept(other.draft, other.ticket, .keyReused, .stored)
        == [.answer(connection(1), nil, .refused(.keyReused))])
    #expect(chat.hub.published(in: .lobby) == 0)
  }

  @Test(arguments: [StoreTrouble.diskFull, .failed, .busy])
  func whatCouldNotBeKeptIsRefusedAndShownToNobody(trouble: StoreTrouble) throws {
    var chat = Chat()
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let sent = try #require(chat.send(1, "hi").drafts.first)
    #expect(
      chat.hub.kept(sent.draft, sent.ticket, .failed(trouble), .stored)
        == [.answer(connection(1), nil, .refused(.notStored(reason: trouble)))])
    #expect(chat.hub.published(in: .lobby) == 0)
  }
}

@Suite struct RateTests {
  @Test func aBurstOfFiftyIsFreeAndTheNextOfAPersonAtATerminalIsReadLater() {
    var chat = Chat()
    chat.logIn(1, "ann")
    for index in 0..<50 { #expect(chat.send(1, "\(index)").count == 1) }
    let effects = chat.send(1, "one too many")
    #expect(effects.drafts.count == 1, "it is kept all the same")
    #expect(effects.last == .readLater(connection(1), until: .milliseconds(100)))
  }

  @Test func theFiftyFirstOfAProgramIsRefusedAndSaysWhenToComeBack() {
    var chat = Chat()
    chat.logIn(1, "bot", .manyRooms)
    chat.join(1, "tea")
    for index in 0..<50 { #expect(chat.send(1, "\(index)").drafts.count == 1) }
    for _ in 0..<3 {
      #expect(
        chat.send(1, "one too many").refusals(of: 1)
          == [.rateLimited(retryAfter: .milliseconds(100))], "a refusal costs nothing")
    }
    chat.now += .milliseconds(100)
    #expect(chat.send(1, "again").drafts.count == 1)
  }

  @Test func tokensComeBackAtTenASecondAndNoMoreThanTheBurst() {
    var chat = Chat()
    chat.logIn(1, "ann")
    for _ in 0..<50 { _ = chat.send(1, "x") }
    chat.now = .milliseconds(100)
    #expect(chat.send(1, "x").count == 1)
    #expect(chat.send(1, "x").last == .readLater(connection(1), until: .milliseconds(200)))
    chat.now = .seconds(3_600)
    for _ in 0..<50 { #expect(chat.send(1, "x").count == 1) }
    #expect(chat.send(1, "x").count == 2)
  }

  @Test func theRateIsThePersonsWhateverTheConnectionAndTheRoom() throws {
    var chat = Chat()
    let bot = try #require(chat.logIn(1, "bot", .manyRooms).person(of: 1))
    chat.resume(2, bot, as: "bot", .manyRooms)
    for id in [1, 2] { chat.join(id, "room\(id)") }
    for _ in 0..<25 {
      for id in [1, 2] { #expect(chat.send(id, "x").drafts.count == 1) }
    }
    #expect(chat.send(1, "x").refusals(of: 1).count == 1)
    #expect(chat.send(2, "x").refusals(of: 2).count == 1)
  }

  @Test func aNewNameBringsNoNewBurst() {
    var chat = Chat()
    chat.logIn(1, "ann")
    for _ in 0..<50 { _ = chat.send(1, "x") }
    chat.logIn(1, "anna")
    #expect(chat.send(1, "x").count == 2)
  }

  @Test func withoutARateNothingIsReadLater() {
    var limits = HubLimits()
    limits.messagesPerSecond = nil
    var chat = Chat(limits: limits)
    chat.logIn(1, "ann")
    for _ in 0..<1_000 { #expect(chat.send(1, "x").count == 1) }
  }
}
