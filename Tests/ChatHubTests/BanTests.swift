/// Bans and kicks: what they do, how they end, and that nothing crosses them once they are
/// answered.

import ChatHub
import ChatModel
import Testing

@Suite struct BanTests {
  var chat = Chat(facts: Staff.accounts)
  private let tea = room("tea")
  private let bob: PersonID

  /// 1 founded the room, 2 and 22 are bob's in it, 3 is in it, 4 and 5 rule the server.
  init() {
    chat.come(1, "ann")
    chat.found(1, "tea", isPrivate: false)
    bob = chat.come(2, "bob", to: "tea", "den")
    chat.resume(22, bob, as: "bob", .manyRooms)
    chat.join(22, "tea")
    chat.come(3, "cat", to: "tea")
    chat.come(4, .mod)
    chat.come(5, .boss, to: "@audit")
  }

  private func banned(_ room: RoomName? = room("tea"), _ reason: String? = nil) -> [Refusal] {
    [.banned(room, reason.map { short($0) }, until: nil)]
  }

  // MARK: Of a room

  @Test mutating func aBanPutsAllConnectionsOutAndTellsTheOthersThenIsAnswered() throws {
    let asked = chat.ban(1, "bob", in: "tea", "spam", seconds: 60)
    #expect(asked.answers(to: 1).isEmpty && asked.told.isEmpty, "nothing before it is kept")
    #expect(asked.lines == ["banned bob in tea for 60 s: spam"])
    let kept = chat.store(asked)
    for id in [2, 22] {
      #expect(kept.contains(.withdraw(connection(id), tea)))
      #expect(kept.heard(by: id) == [.kicked(tea, by: user("ann"), short("spam"))])
    }
    #expect(kept.heard(by: 3) == [.left(tea, user("bob"), members: 2)], "once, by name")
    #expect(kept.texts(shownTo: 5) == ["banned bob in tea for 60 s: spam"])
    #expect(kept.last == .answer(connection(1), nil, .done))
    #expect(chat.demand(2, .who(room("den"))).refusals(of: 2).isEmpty, "elsewhere it stays")
    #expect(
      chat.join(2, "tea").refusals(of: 2)
        == [.banned(tea, short("spam"), until: noon.adding60)])
  }

  @Test mutating func behindTheAnswerNothingOfTheRoomReachesTheBanned() {
    _ = chat.done(chat.ban(1, "bob", in: "tea"))
    let happened =
      chat.say(1, "he is gone", in: "tea") + chat.say(3, "at last", in: "tea")
      + chat.ask(3, .typing(.room(tea), true)) + chat.ask(3, .away(short("tea")))
      + chat.demand(1, .setTopic(tea, short("no bobs"))) + chat.drop(3)
      + chat.ask(1, .edit(.room(tea), of: 1, message("he is away")))
    #expect(happened.heard(by: 1).count >= 5)
    for id in [2, 22] { #expect(happened.reaching(id).isEmpty) }
  }

  @Test mutating func behindTheAnswerNothingOfTheBannedIsSeenThere() {
    _ = chat.done(chat.ban(1, "bob", in: "tea"))
    chat.come(6, "dan", to: "den")
    let happened =
      chat.demand(2, .send(.room(tea), message("hi"), key: nil, replyTo: nil))
      + chat.join(22, "tea") + chat.ask(2, .typing(.room(tea), true))
      + chat.ask(2, .away(short("banned!"))) + chat.logIn(2, "bobby") + chat.drop(2)
      + chat.drop(22)
    for id in [1, 3] { #expect(happened.reaching(id).isEmpty) }
    #expect(happened.heard(by: 6).count == 4, "where they may be they are heard")
  }

  @Test mutating func whatWasUnderWayBeforeIsSeenBeforeTheAnswer() {
    let said = chat.send(2, "last words", to: "tea")
    let ban = chat.ban(1, "bob", in: "tea")
    let happened = chat.done(said + ban)
    let shown = happened.firstIndex { effect in
      if case .publish(_, let message, in: _) = effect {
        message.draft.words == "last words"
      } else {
        false
      }
    }
    #expect(happened.texts(shownTo: 3) == ["last words"])
    #expect(shown.map { $0 < happened.count - 1 } == true)
    #expect(happened.last == .answer(connection(1), nil, .done))
  }

  private static let deeds: [Request] = [
    .send(.room(room("tea")), message("hi"), key: nil, replyTo: nil),
    .edit(.room(room("tea")), of: 1, message("ho")), .delete(.room(room("tea")), of: 1),
    .typing(.room(room("tea")), true), .setTopic(room("tea"), nil), .mark(.room(room("tea")), 1),
    .history(.room(room("tea")), .before(nil), limit: 1), .who(room("tea")), .topic(room("tea")),
    .search(Search("x", in: .room(room("tea")))), .join(.room(room("tea")), .after(0), code: nil),
    .leave(room("tea")), .kick(room("tea"), user("cat"), nil), .archive(room("tea")),
  ]

  @Test(arguments: deeds)
  func fromItsSettingOnNothingOfTheirsGetsBehindABan(deed: Request) {
    var chat = self.chat
    _ = chat.say(2, "first", in: "tea")
    let ban = chat.ban(1, "bob", in: "tea")
    #expect(
      chat.ask(2, deed) == [.answer(connection(2), nil, .refused(banned()[0]))],
      "it is not kept yet, and they are still there")
    _ = chat.store(ban)
    #expect(chat.ask(2, deed) == [.answer(connection(2), nil, .refused(banned()[0]))])
  }

  @Test mutating func aBanThatCouldNotBeKeptIsNone() {
    let failed = chat.fail(chat.ban(1, "bob", in: "tea"))
    #expect(failed == [.answer(connection(1), nil, .refused(.notStored(reason: .diskFull)))])
    #expect(chat.say(2, "still here", in: "tea").texts(shownTo: 3) == ["still here"])
    #expect(!chat.hub.registry.isSanctioned(bob))
    #expect(chat.hub.published(in: .audit) == 0)
  }

  @Test mutating func whoseBanningConnectionHasGoneIsOutAllTheSame() {
    let asked = chat.ban(1, "bob", in: "tea")
    _ = chat.drop(1)
    let kept = chat.store(asked)
    #expect(kept.contains(.withdraw(connection(2), tea)) && kept.answers(to: 1).isEmpty)
  }

  @Test mutating func aBanEndsByTheClockAndTellsUntilWhen() {
    _ = chat.done(chat.ban(1, "bob", in: "tea", seconds: 60))
    chat.wall.goOn(seconds: 59)
    #expect(chat.join(2, "tea").refusals(of: 2) == [.banned(tea, nil, until: noon.adding60)])
    chat.wall.goOn(seconds: 1)
    #expect(chat.join(2, "tea").refusals(of: 2).isEmpty)
  }

  @Test(arguments: [Int.min, Int.max])
  func noTimeIsTooLong(seconds: Int) {
    var chat = self.chat
    _ = chat.done(chat.ban(1, "bob", in: "tea", seconds: seconds))
    #expect(chat.join(2, "tea").refusals(of: 2).isEmpty == (seconds < 0))
  }

  @Test mutating func aBanIsLiftedByTheNameAlsoOfAGuestWhoHasGone() {
    _ = chat.done(chat.ban(1, "bob", in: "tea"))
    for id in [2, 22] { _ = chat.drop(id) }
    chat.come(6, "bob")
    #expect(chat.join(6, "tea").refusals(of: 6).isEmpty, "somebody else")
    let lifted = chat.ask(1, .lift(.ban, tea, .name(user("BOB"))))
    #expect(lifted.lines == ["lifted the ban of BOB in tea"])
    _ = chat.store(lifted)
    #expect(!chat.hub.registry.isSanctioned(bob))
    #expect(
      chat.ask(1, .lift(.ban, tea, .name(user("bob")))) == [.answer(connection(1), nil, .done)])
    #expect(
      chat.ask(1, .lift(.ban, tea, .name(user("nobody")))).refusals(of: 1)
        == [.notHere(user("nobody"))])
  }

  @Test mutating func theBannedFromTheLobbyAreLoggedInAndInNoRoom() {
    _ = chat.done(chat.ban(5, "bob", in: "lobby"))
    for id in [2, 22] { _ = chat.drop(id) }
    let effects = chat.resume(6, bob, as: "bob", .oneRoom)
    #expect(effects.logins.count == 1 && effects.told.isEmpty)
    #expect(chat.send(6, "hi").refusals(of: 6) == [.inNoRoom])
  }

  @Test mutating func aBanOfARoomTakesRoleAndAdmission() {
    _ = chat.demand(1, .setRole(tea, user("bob"), .moderator))
    #expect(chat.role(bob, in: "tea") == .moderator)
    _ = chat.done(chat.ban(1, "bob", in: "tea"))
    #expect(chat.role(bob, in: "tea") == nil)
    _ = chat.demand(1, .lift(.ban, tea, .name(user("bob"))))
    #expect(chat.demand(2, .setTopic(tea, nil)).refusals(of: 2) == [.notMember(tea)])
  }

  // MARK: Of the server

  @Test mutating func aBanOfTheServerClosesEveryConnectionWithItsReason() {
    let kept = chat.done(chat.ban(4, "bob", "spam", seconds: 60))
    let reason = ClosingReason.banned(short("spam"), until: noon.adding60)
    for id in [2, 22] { #expect(kept.contains(.close(connection(id), reason))) }
    #expect(kept.heard(by: 3) == [.left(tea, user("bob"), members: 2)])
    #expect(kept.last == .answer(connection(4), nil, .done))
    #expect(
      chat.resume(6, bob, as: "bob").refusals(of: 6) == [
        .banned(nil, short("spam"), until: noon.adding60)
      ])
    chat.wall.goOn(seconds: 60)
    #expect(chat.resume(6, bob, as: "bob").person(of: 6) == bob)
  }

  @Test(
    arguments: deeds + [
      .send(.with(user("cat")), message("hi"), key: nil, replyTo: nil), .away(short("tea")),
      .typing(.with(user("cat")), true), .rooms, .create(room("new"), isPrivate: false, topic: nil),
      .search(Search("x")), .logOut,
    ])
  func fromItsSettingOnTheServersBannedAskInVain(deed: Request) {
    var chat = self.chat
    let ban = chat.ban(4, "bob")
    #expect(chat.ask(2, deed) == [.answer(connection(2), nil, .refused(banned(nil)[0]))])
    #expect(chat.store(ban).contains(.close(connection(2), .banned(nil, until: nil))))
  }

  @Test mutating func whoBansIsNotAskedForByNameThatTheBannedTookMeanwhile() {
    // The name is of the person as the measure is asked for, whatever it is called later.
    let asked = chat.ban(4, "bob")
    #expect(chat.logIn(2, "bobby").refusals(of: 2) == banned(nil))
    #expect(chat.store(asked).contains(.close(connection(22), .banned(nil, until: nil))))
  }

  @Test mutating func aLoginThatWaitsForItsPasswordIsBannedToo() {
    let asked = chat.logIn(6, "pat", by: "correct horse")
    let ban = chat.ban(4, "pat")
    #expect(chat.work(asked).refusals(of: 6) == banned(nil), "not kept yet")
    _ = chat.store(ban)
    #expect(chat.work(chat.logIn(6, "pat", by: "correct horse")).refusals(of: 6) == banned(nil))
  }

  @Test mutating func aLoginThatWaitsForANameIsBannedToo() {
    for id in [2, 22] { _ = chat.drop(id) }
    chat.come(6, "bob")
    #expect(chat.resume(2, bob, as: "bob", .manyRooms).contains(.wait(connection(2))))
    // By its other name, meanwhile, it is here and banned.
    chat.resume(22, bob, as: "robert", .manyRooms)
    _ = chat.done(chat.ban(4, "robert"))
    #expect(chat.drop(6).refusals(of: 2) == banned(nil))
  }

  @Test mutating func aGuestWhoRegistersWhileBeingBannedIsOut() {
    let register = chat.register(2, "bobby")
    let ban = chat.ban(4, "bob")
    let kept = chat.store(ban)
    #expect(kept.contains(.close(connection(2), .banned(nil, until: nil))))
    #expect(chat.work(register).logins.isEmpty)
    #expect(chat.hub.registry.person(named: user("bobby")) == nil)
  }

  @Test mutating func aGuestWhoHasRegisteredIsBannedAsThePersonItIs() {
    let hashed = chat.work(chat.register(2, "bobby"))
    let ban = chat.ban(4, "bob")
    let happened = chat.store(hashed + ban)
    #expect(happened.contains(.close(connection(2), .banned(nil, until: nil))))
    #expect(chat.work(chat.logIn(6, "bobby", by: "correct horse")).refusals(of: 6) == banned(nil))
  }

  // MARK: Kicks

  @Test mutating func aKickPutsOutAndLetsBackIn() {
    let kept = chat.demand(1, .kick(tea, user("bob"), short("calm down")))
    for id in [2, 22] {
      #expect(kept.heard(by: id) == [.kicked(tea, by: user("ann"), short("calm down"))])
      #expect(kept.contains(.withdraw(connection(id), tea)))
    }
    #expect(kept.texts(shownTo: 5) == ["kicked bob in tea: calm down"])
    #expect(chat.join(2, "tea").refusals(of: 2).isEmpty)
  }

  @Test mutating func aKickFromAPrivateRoomNeedsANewInvitation() {
    chat.found(1, "cave")
    let code = chat.invite(1, to: "cave")
    _ = chat.done(chat.use(code, 2, "cave"))
    _ = chat.demand(1, .kick(room("cave"), user("bob"), nil))
    #expect(chat.join(2, "cave").refusals(of: 2) == [.notInvited(room("cave"))])
    #expect(chat.done(chat.use(code, 2, "cave")).refusals(of: 2).isEmpty)
  }

  @Test mutating func whoIsNotThereIsNotPutOut() {
    for (id, place, name) in [(1, tea, "mod"), (1, tea, "pat"), (4, nil, "pat")] {
      #expect(
        chat.ask(id, .kick(place, user(name), nil)).refusals(of: id) == [.notHere(user(name))])
    }
    chat.found(1, "cave")
    _ = chat.demand(1, .setRole(room("cave"), user("bob"), .member))
    #expect(chat.demand(1, .kick(room("cave"), user("bob"), nil)).answers(to: 1) == [.done])
    #expect(chat.role(bob, in: "cave") == nil, "an admission is taken also of who is away")
  }

  @Test mutating func aKickOffTheServerClosesAndLetsBackIn() {
    let kept = chat.demand(4, .kick(nil, user("bob"), nil))
    for id in [2, 22] {
      #expect(kept.contains(.close(connection(id), .kicked(by: user("mod"), nil))))
    }
    #expect(chat.resume(6, bob, as: "bob").person(of: 6) == bob)
  }

  // MARK: Networks

  private let range = network("203.0.113.0/24")

  @Test mutating func aNetworkIsSentAwayAndLogsInNoMore() {
    let asked = chat.ask(
      4, .sanction(.ban, nil, .network(range), short("spam"), seconds: 60), from: "192.0.2.1")
    #expect(asked.lines == ["banned 203.0.113.0/24 for 60 s: spam"])
    let kept = chat.store(asked)
    let reason = ClosingReason.banned(short("spam"), until: noon.adding60)
    #expect(
      kept.suffix(2) == [.closeNetwork(range, reason), .answer(connection(4), nil, .done)])
    let refused: [Refusal] = [.banned(nil, short("spam"), until: noon.adding60)]
    let guest = Request.logIn(user("new"), .oneRoom)
    #expect(chat.ask(6, guest, from: "203.0.113.9").refusals(of: 6) == refused)
    let word = password("correct horse")
    for request in [
      Request.logInWithPassword(user("pat"), word, orAsGuest: false, .manyRooms),
      .register(user("new"), word, code: nil, .manyRooms),
    ] {
      #expect(chat.ask(6, request, from: "203.0.113.9").refusals(of: 6) == refused)
    }
    #expect(
      chat.hub.resume(
        bob, as: user("bob"), epoch: 0, .manyRooms, from: connection(6), of: "203.0.113.9",
        at: chat.now
      ).refusals(of: 6) == refused)
    #expect(chat.ask(6, guest, from: "203.0.114.9").refusals(of: 6).isEmpty)
    chat.wall.goOn(seconds: 60)
    #expect(
      chat.ask(7, .logIn(user("new2"), .oneRoom), from: "203.0.113.9").refusals(of: 7).isEmpty)
  }

  @Test mutating func aNetworkIsFreeAgainWhenTheBanIsLifted() {
    _ = chat.demand(4, .sanction(.ban, nil, .network(range), nil, seconds: nil))
    let lifted = chat.ask(4, .lift(.ban, nil, .network(range)))
    #expect(lifted.lines == ["lifted the ban of 203.0.113.0/24 on the server"])
    _ = chat.store(lifted)
    #expect(
      chat.ask(6, .logIn(user("new"), .oneRoom), from: "203.0.113.9").refusals(of: 6).isEmpty)
  }

  @Test mutating func nobodyBansWhereItComesFromOrARoomsNetworks() {
    #expect(
      chat.ask(4, .sanction(.ban, nil, .network(range), nil, seconds: nil), from: "203.0.113.1")
        .refusals(of: 4) == [.oneself])
    for request in [
      Request.sanction(.ban, tea, .network(range), nil, seconds: nil),
      .sanction(.mute, nil, .network(range), nil, seconds: nil),
    ] {
      guard case .operation? = chat.ask(4, request).refusals(of: 4).first else {
        Issue.record("\(request) is refused")
        continue
      }
    }
    #expect(
      chat.ask(1, .sanction(.ban, nil, .network(range), nil, seconds: nil)).refusals(of: 1)
        == [.needsRole(.moderator)])
  }

  // MARK: Bounds

  @Test mutating func aPlaceHasItsLimitOfSanctionsAndThoseThatAreOverMakeRoom() {
    var limits = HubLimits()
    limits.sanctionsPerPlaceMax = 2
    var chat = Chat(limits: limits)
    chat.come(1, "ann")
    chat.found(1, "tea", isPrivate: false)
    for id in 2...4 { chat.come(id, "user\(id)") }
    _ = chat.done(chat.ban(1, "user2", in: "tea", seconds: 60))
    _ = chat.done(chat.ban(1, "user3", in: "tea"))
    guard case .tooMany? = chat.ban(1, "user4", in: "tea").refusals(of: 1).first else {
      Issue.record("the third is refused")
      return
    }
    #expect(chat.done(chat.ban(1, "user3", in: "tea", "again")).refusals(of: 1).isEmpty)
    chat.wall.goOn(seconds: 60)
    #expect(chat.done(chat.ban(1, "user4", in: "tea")).refusals(of: 1).isEmpty)
    #expect(chat.hub.registry.sanctions(in: tea).count == 2)
    #expect(HubLimits().sanctionsPerPlaceMax == 10_000)
  }

  @Test mutating func measuresCostAsTypingDoes() {
    chat.now += .seconds(10)
    for _ in 0..<200 { _ = chat.demand(1, measure(.mute, "cat", in: "tea")) }
    #expect(
      chat.ask(1, measure(.mute, "cat", in: "tea")).refusals(of: 1)
        == [.rateLimited(retryAfter: .milliseconds(50))])
  }
}

extension Moment {
  fileprivate var adding60: Moment { Moment(milliseconds: milliseconds + 60_000) }
}
