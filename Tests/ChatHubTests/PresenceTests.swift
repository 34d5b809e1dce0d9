/// Typing, being away and marks: who is told, and that a crowd is not.

import ChatHub
import ChatModel
import Testing

@Suite struct PresenceTests {
  var chat = Chat()
  private let tea = room("tea")
  private let ann: PersonID

  init() {
    ann = chat.come(1, "ann", to: "tea", "den")
    chat.resume(11, ann, as: "ann", .manyRooms)
    chat.come(2, "bob", to: "tea", "den")
    chat.come(3, "eve", to: "den")
    chat.come(4, "far", to: "bar")
  }

  @Test mutating func typingIsToldToTheOthersInTheRoom() {
    let effects = chat.ask(1, .typing(.room(tea), true))
    #expect(
      effects == [
        .tellAll([connection(2)], .typing(.room(tea), user("ann"), true)),
        .answer(connection(1), nil, .done),
      ])
    #expect(chat.ask(11, .typing(.room(tea), true)).refusals(of: 11) == [.notMember(tea)])
  }

  @Test mutating func typingToSomebodyIsToldToThemAlone() {
    let effects = chat.ask(1, .typing(.with(user("far")), false))
    #expect(effects.heard(by: 4) == [.typing(.with(user("ann")), user("ann"), false)])
    #expect(effects.told.count == 1)
  }

  @Test mutating func beingAwayIsToldOnceToEachWhoIsInARoomWithThePerson() {
    let away = Event.presence(user("ann"), away: short("tea"))
    let effects = chat.ask(1, .away(short("tea")))
    for id in [11, 2, 3] { #expect(effects.heard(by: id) == [away]) }
    #expect(effects.heard(by: 1).isEmpty && effects.heard(by: 4).isEmpty)
    #expect(chat.ask(1, .away(short("tea"))) == [.answer(connection(1), nil, .done)], "as before")
    let back = chat.ask(11, .away(nil))
    for id in [1, 2, 3] { #expect(back.heard(by: id) == [.presence(user("ann"), away: nil)]) }
  }

  @Test mutating func whoSaysWhyAndAComingBackIsBack() {
    _ = chat.ask(1, .away(short("lunch")))
    #expect(
      chat.ask(2, .who(tea)).answers(to: 2) == [
        .members(
          tea, [Member(user("ann"), away: short("lunch")), Member(user("bob"))], count: 2)
      ])
    for id in [1, 11] { _ = chat.drop(id) }
    chat.resume(1, ann, as: "ann", .manyRooms)
    chat.join(1, "tea")
    #expect(
      chat.ask(2, .who(tea)).answers(to: 2)
        == [.members(tea, [Member(user("ann")), Member(user("bob"))], count: 2)])
  }

  @Test mutating func aCrowdIsToldNothingOfIt() {
    chat.crowd(64)
    for id in [1, 5] {
      if id == 5 { chat.come(5, "gil") }
      chat.join(id, "lobby")
    }
    #expect(chat.ask(5, .typing(.room(.lobby), true)) == [.answer(connection(5), nil, .done)])
    #expect(chat.ask(5, .away(short("x"))).told.isEmpty)
    let effects = chat.ask(1, .away(short("tea")))
    #expect(Set(effects.told.map(\.id)) == Set([11, 2, 3].map { connection($0) }))
    #expect(chat.say(1, "still heard", in: "lobby").texts(shownTo: 5) == ["still heard"])
  }

  @Test mutating func sixtyFourAreNoCrowd() {
    chat.crowd(63)
    chat.come(5, "gil", to: "lobby")
    #expect(chat.ask(5, .typing(.room(.lobby), true)).told.count == 63)
    #expect(chat.ask(5, .away(short("x"))).told.count == 63)
  }

  @Test mutating func aMarkOfARoomIsToldToOnesOwnOtherConnections() {
    _ = chat.say(2, "hi", in: "tea")
    let kept = chat.demand(1, .mark(.room(tea), 1))
    #expect(kept.heard(by: 11) == [.marked(.room(tea), seq: 1)])
    #expect(kept.told.count == 1 && kept.answers(to: 1) == [.done])
    guard case .rooms(let rooms, _)? = chat.ask(11, .rooms).answers(to: 11).first else {
      Issue.record("rooms is answered")
      return
    }
    #expect(rooms.first { $0.place == .room(tea) }?.unread == 0)
    #expect(rooms.first { $0.place == .room(room("den")) }?.unread == nil)
  }

  @Test mutating func aMarkThatCouldNotBeKeptIsNone() {
    _ = chat.say(2, "hi", in: "tea")
    let failed = chat.fail(chat.ask(1, .mark(.room(tea), 1)))
    #expect(failed == [.answer(connection(1), nil, .refused(.notStored(reason: .diskFull)))])
    #expect(chat.hub.registry.mark(of: ann, in: tea) == nil)
  }

  @Test mutating func comingGoingAndOtherNamesCostAsTypingDoes() {
    var chat = Chat()
    chat.logIn(1, "ann", .manyRooms)
    chat.logIn(2, "bob", .manyRooms)
    for _ in 0..<100 {
      #expect(chat.join(1, "tea").refusals(of: 1).isEmpty)
      #expect(chat.ask(1, .leave(tea)).refusals(of: 1).isEmpty)
    }
    let later: [Refusal] = [.rateLimited(retryAfter: .milliseconds(50))]
    #expect(chat.join(1, "tea").refusals(of: 1) == later)
    #expect(chat.logIn(1, "anna", .manyRooms).refusals(of: 1) == later)
    #expect(chat.logIn(1, "ann", .manyRooms).refusals(of: 1).isEmpty, "nobody is told of that")
    #expect(chat.logIn(2, "bobby", .manyRooms).refusals(of: 2).isEmpty)
  }

  @Test func oneAddressBringsSoManyNewPeopleAndConversationsAMinute() {
    var limits = HubLimits()
    limits.newcomersPerMinute = 2
    limits.conversationsBegunPerMinute = 1
    var chat = Chat(limits: limits)
    let come = { (chat: inout Chat, id: Int) in
      chat.hub.handle(
        .logIn(user("user\(id)"), .manyRooms), from: connection(id), of: "host", at: chat.now
      )
      .refusals(of: id)
    }
    #expect(come(&chat, 1).isEmpty && come(&chat, 2).isEmpty)
    #expect(come(&chat, 3) == [.rateLimited(retryAfter: .seconds(30))])
    #expect(chat.logIn(4, "user4", .manyRooms).refusals(of: 4).isEmpty, "from elsewhere")
    let write = { (chat: inout Chat, name: String) in
      chat.hub.handle(
        .send(.with(user(name)), message("hi"), key: nil, replyTo: nil), from: connection(1),
        of: "host", at: chat.now
      ).refusals(of: 1)
    }
    #expect(write(&chat, "user2").isEmpty)
    #expect(write(&chat, "user4") == [.rateLimited(retryAfter: .seconds(60))])
  }

  @Test mutating func whatIsNoMessageHasItsPrice() {
    chat.now += .seconds(10)  // what entering has cost is made up for
    for index in 0..<200 {
      #expect(chat.ask(1, .typing(.room(tea), index.isMultiple(of: 2))).refusals(of: 1).isEmpty)
    }
    let later: [Refusal] = [.rateLimited(retryAfter: .milliseconds(50))]
    for request in [
      Request.typing(.room(tea), true), .away(nil), .mark(.room(tea), 1), .search(Search("x")),
      .rooms,
    ] {
      #expect(
        chat.ask(11, request).refusals(of: 11)
          == (request == .typing(.room(tea), true) ? [.notMember(tea)] : later))
    }
    #expect(chat.send(1, "messages have their own", to: "tea").drafts.count == 1)
    chat.now += .milliseconds(50)
    #expect(chat.ask(1, .typing(.room(tea), true)).refusals(of: 1).isEmpty)
  }
}
