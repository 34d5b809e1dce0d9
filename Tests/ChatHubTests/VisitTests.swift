/// Who reads a room and speaks there without being in it: what a visitor may, and what it is
/// refused.

import ChatModel
import Testing

@testable import ChatHub

@Suite struct VisitTests {
  private let den = room("den")
  private let gone = PersonID(rawValue: 900)

  /// Pat in the public tea; a private den of the boss's, in which mod was admitted.
  private func stage(_ limits: HubLimits = HubLimits(), _ further: [Fact] = []) -> Chat {
    var chat = Chat(
      limits: limits,
      facts: Staff.accounts + [
        .room(den, RoomRecord(isPrivate: true)), .member(den, Staff.boss.person, .owner),
        .member(den, Staff.mod.person, .member),
      ] + further)
    chat.come(1, .pat, to: "tea")
    return chat
  }

  private func refused(_ refusal: Refusal, _ id: Int = 5) -> [Effect] {
    [.answer(connection(id), nil, .refused(refusal))]
  }

  // MARK: Reading

  @Test func everybodyReadsAPublicRoom() {
    var chat = stage()
    for visitor in [nil, token(of: .boss), token(of: gone, as: "guest")] {
      #expect(
        chat.visit(5, .page(room("tea"), .after(3), limit: 20), by: visitor)
          == [.fetch(connection(5), nil, room("tea"), .after(3), limit: 20)])
    }
  }

  @Test(arguments: [(0, 1), (1, 1), (500, 500), (501, 500)])
  func aPageHasAsManyAsAPageMayHave(asked: Int, given: Int) {
    var chat = stage()
    #expect(
      chat.visit(5, page(of: "tea", limit: asked))
        == [.fetch(connection(5), nil, room("tea"), .before(nil), limit: given)])
  }

  @Test func aPrivateRoomIsThereForTheAdmittedAlone() {
    var chat = stage()
    for visitor in [nil, token(of: .pat), token(of: gone, as: "guest")] {
      #expect(chat.visit(5, page(of: "den"), by: visitor) == refused(.noSuchRoom(den)))
      #expect(chat.follow(5, "den", by: visitor) == refused(.noSuchRoom(den)))
    }
    #expect(
      chat.visit(5, saying("hi", in: "den"), by: token(of: .pat)) == refused(.noSuchRoom(den)))
    let read = chat.visit(5, page(of: "den"), by: token(of: .mod))
    #expect(read == [.fetch(connection(5), nil, den, .before(nil), limit: 9)])
    let said = chat.visitAndSay(5, "hi", in: "den", by: token(of: .mod))
    #expect(said.answers(to: 5) == [.sent(.room(den), seq: 1, at: noon, .stored)])
    #expect(said.texts(shownTo: 1) == [], "pat is in another room")
  }

  @Test func aRoomThatIsNotThereIsNotMade() {
    var chat = stage()
    let cave = room("cave")
    for visit in [page(of: "cave"), .follow(cave, .now), saying("hi", in: "cave")] {
      #expect(chat.visit(5, visit, by: token(of: .boss)) == refused(.noSuchRoom(cave)))
    }
    #expect(!chat.hub.has(cave))
  }

  @Test func whatTheServerMadeIsAbsentToItsOwnersToo() {
    var chat = stage()
    let talk = RoomName.conversation(of: Staff.boss.person, and: Staff.pat.person)
    chat.come(2, .boss)
    chat.demand(2, .send(.with(user("pat")), message("hi"), key: nil, replyTo: nil))
    #expect(chat.hub.has(talk) && chat.hub.has(.audit))
    for place in [talk, RoomName.audit] {
      let text = message("hi")
      for visit in [
        Visit.page(place, .before(nil), limit: 1), .follow(place, .now),
        .say(place, text, key: nil, replyTo: nil),
      ] {
        #expect(chat.visit(5, visit, by: token(of: .boss)) == refused(.noSuchRoom(place)))
      }
      #expect(!chat.hub.mayRead(place, visitor: Staff.boss.person))
    }
  }

  @Test func aPageThatComesLateIsShownToWhoMayStillRead() {
    var chat = stage()
    chat.come(2, .boss)
    #expect(chat.hub.mayRead(room("tea"), visitor: nil))
    #expect(chat.hub.mayRead(room("tea"), visitor: Staff.mod.person))
    #expect(chat.hub.mayRead(den, visitor: Staff.mod.person))
    #expect(!chat.hub.mayRead(den, visitor: nil) && !chat.hub.mayRead(den, visitor: gone))
    #expect(!chat.hub.mayRead(room("cave"), visitor: nil))
    _ = chat.done(chat.ban(2, "mod", in: "tea"))
    #expect(!chat.hub.mayRead(room("tea"), visitor: Staff.mod.person))
    _ = chat.operate(.setDisabled(.name(user("pat")), true))
    #expect(!chat.hub.mayRead(room("tea"), visitor: Staff.pat.person))
    _ = chat.hub.operate(.removeRoom(room("tea")), from: connection(operatorID), at: chat.now)
    #expect(!chat.hub.mayRead(room("tea"), visitor: nil), "it is being removed")
  }

  // MARK: Whom a token is of

  @Test func aTokenIsGoodForAsLongAsOneCouldLogInByIt() {
    var chat = stage()
    _ = chat.operate(.setPassword(.name(user("boss")), password("battery staple")))
    _ = chat.operate(.sanction(.ban, in: nil, .name(user("mod")), short("why"), seconds: nil))
    _ = chat.operate(.setDisabled(.name(user("pat")), true))
    let table: [(Visitor, Refusal)] = [
      (token(of: .boss), .badToken), (token(of: .boss, epoch: 2), .badToken),
      (token(of: .mod), .banned(nil, short("why"), until: nil)), (token(of: .pat), .badToken),
      (token(of: .pat, epoch: 1), .accountDisabled),
    ]
    for (visitor, refusal) in table {
      for visit in [page(of: "lobby"), .follow(.lobby, .now), saying("hi", in: "lobby")] {
        #expect(chat.visit(5, visit, by: visitor) == refused(refusal))
      }
    }
    #expect(
      chat.visit(5, saying("hi", in: "lobby"), by: token(of: .boss, epoch: 1)).drafts.count == 1)
  }

  @Test func whoIsBannedFromARoomIsAVisitorOfTheOthers() {
    var chat = stage()
    chat.come(2, .boss)
    _ = chat.done(chat.ban(2, "mod", in: "tea"))
    let banned = refused(.banned(room("tea"), nil, until: nil))
    for visit in [page(of: "tea"), .follow(room("tea"), .now), saying("hi", in: "tea")] {
      #expect(chat.visit(5, visit, by: token(of: .mod)) == banned)
    }
    #expect(chat.visit(5, saying("hi", in: "lobby"), by: token(of: .mod)).drafts.count == 1)
    #expect(chat.visit(5, page(of: "tea")).refusals(of: 5).isEmpty, "nobody knows who that is")
  }

  @Test func nobodyVisitsFromABannedNetwork() {
    var chat = stage()
    let ban = ChatModel.Operation.sanction(
      .ban, in: nil, .network(network("203.0.113.0/24")), nil, seconds: nil)
    _ = chat.operate(ban)
    for visitor in [nil, token(of: .boss)] {
      for visit in [page(of: "tea"), .follow(room("tea"), .now), saying("hi", in: "tea")] {
        #expect(
          chat.visit(5, visit, by: visitor, from: "203.0.113.9")
            == refused(.banned(nil, nil, until: nil)))
      }
    }
    #expect(chat.visit(5, page(of: "tea"), from: "198.51.100.1").refusals(of: 5).isEmpty)
  }

  // MARK: Speaking

  @Test func whoeverMayEnterMaySpeakWithoutEntering() {
    var chat = stage()
    let asked = chat.visit(5, saying("hi", in: "tea", key: "k", replyTo: 7), by: token(of: .mod))
    let draft = Draft(
      room: room("tea"), person: Staff.mod.person, from: user("mod"), text: message("hi"),
      key: MessageKey("k"), replyTo: 7)
    #expect(asked == [.keep(draft, Ticket(connection: connection(5), request: nil))])
    let said = chat.keepAll(asked)
    #expect(said.answers(to: 5) == [.sent(.room(room("tea")), seq: 1, at: noon, .stored)])
    #expect(said.texts(shownTo: 1) == ["hi"])
    #expect(said.told.map(\.id) == [connection(1)], "the speaker is in no room")
    #expect(chat.ask(1, .who(room("tea"))).answers(to: 1).count == 1)
    let again = chat.hub.kept(
      draft, Ticket(connection: connection(6), request: nil),
      .duplicate(of: 1, at: noon, in: room("tea")), .stored)
    #expect(
      again == [.answer(connection(6), nil, .sent(.room(room("tea")), seq: 1, at: noon, .stored))])
  }

  @Test func whoeverHasNotSaidWhoItIsSaysNothing() {
    var chat = stage()
    for name in ["tea", "den", "cave"] {
      #expect(chat.visit(5, saying("hi", in: name)) == refused(.notLoggedIn))
    }
  }

  @Test func theMutedAndTheArchivedAreSilentHereToo() {
    var chat = stage(
      HubLimits(), [.room(room("old"), RoomRecord(isPrivate: false, isArchived: true))])
    chat.come(2, .boss)
    chat.demand(2, measure(.mute, "mod", in: "tea"))
    #expect(
      chat.visit(5, saying("hi", in: "tea"), by: token(of: .mod))
        == refused(.muted(room("tea"), nil, until: nil)))
    #expect(chat.visit(5, page(of: "tea"), by: token(of: .mod)).refusals(of: 5).isEmpty)
    #expect(
      chat.visit(5, saying("hi", in: "old"), by: token(of: .mod))
        == refused(.archived(room("old"))))
    #expect(chat.visit(5, page(of: "old")).refusals(of: 5).isEmpty)
  }

  @Test func aVisitorSpeaksByTheNameThatItWouldHaveHere() {
    var chat = stage()
    func name(_ visitor: Visitor) -> UserName? {
      chat.visit(5, saying("hi", in: "tea"), by: visitor).drafts.first?.draft.from
    }
    #expect(name(token(of: Staff.mod.person, as: "older")) == user("mod"), "the account's")
    #expect(name(token(of: gone, as: "gil")) == user("gil"), "the token's")
    chat.resume(3, gone, as: "gil", .manyRooms)
    chat.demand(3, .logIn(user("gus"), .manyRooms))
    #expect(name(token(of: gone, as: "gil")) == user("gus"), "that of who is here")
  }

  @Test func aNameThatIsSomebodyElsesByNowIsTaken() {
    var chat = stage()
    chat.logIn(3, "gil", .manyRooms)
    for name in ["gil", "GIL", "pat", "boss"] {
      #expect(
        chat.visit(5, saying("hi", in: "tea"), by: token(of: gone, as: name))
          == refused(.nameTaken(user(name))))
    }
    #expect(chat.visit(5, page(of: "tea"), by: token(of: gone, as: "gil")).refusals(of: 5) == [])
    _ = chat.drop(3)
    #expect(
      chat.visit(5, saying("hi", in: "tea"), by: token(of: gone, as: "gil")).drafts.count == 1)
  }

  // MARK: Too fast

  private var slow: HubLimits {
    var limits = HubLimits()
    (limits.messagesPerSecond, limits.messagesBurst) = (2, 3)
    return limits
  }

  @Test func whoeverSpeaksTooFastIsRefusedAndToldHowLong() {
    var chat = stage(slow)
    for id in 5...7 {
      #expect(chat.visit(id, saying("hi", in: "tea"), by: token(of: .mod)).drafts.count == 1)
    }
    let wait = Refusal.rateLimited(retryAfter: .milliseconds(500))
    #expect(chat.visit(5, saying("hi", in: "tea"), by: token(of: .mod)) == refused(wait))
    #expect(chat.visit(5, saying("hi", in: "tea"), by: token(of: .boss)).drafts.count == 1)
    #expect(chat.visit(5, page(of: "tea"), by: token(of: .mod)).refusals(of: 5) == [])
    chat.now += .milliseconds(500)
    #expect(chat.visit(5, saying("hi", in: "tea"), by: token(of: .mod)).drafts.count == 1)
    #expect(chat.visit(5, saying("hi", in: "tea"), by: token(of: .mod)) == refused(wait))
  }

  @Test func whoIsHereAndVisitsSpeaksFromOnePurse() {
    var chat = stage(slow)
    for _ in 1...2 { #expect(chat.send(1, "hi", to: "tea").drafts.count == 1) }
    #expect(chat.visit(5, saying("hi", in: "tea"), by: token(of: .pat)).drafts.count == 1)
    let wait = Refusal.rateLimited(retryAfter: .milliseconds(500))
    #expect(chat.visit(5, saying("hi", in: "tea"), by: token(of: .pat)) == refused(wait))
    #expect(chat.send(1, "hi", to: "tea").refusals(of: 1) == [wait])
    #expect(chat.hub.visitors.count == 0)
  }

  @Test func whoHasBeenSilentLongEnoughIsForgotten() {
    var chat = stage(slow)
    for number in 1...1_024 {
      let visitor = token(of: PersonID(rawValue: 1_000 + Int64(number)), as: "v\(number)")
      #expect(chat.visit(5, saying("hi", in: "tea"), by: visitor).drafts.count == 1)
    }
    #expect(chat.hub.visitors.count == 1_024)
    chat.now += .seconds(1)
    #expect(chat.visit(5, saying("hi", in: "tea"), by: token(of: .mod)).drafts.count == 1)
    #expect(chat.hub.visitors.count == 1)
  }

  // MARK: What may still be put back

  @Test func whileABanIsBeingLiftedItIsWaitedFor() {
    for isKept in [true, false] {
      var chat = stage()
      chat.come(2, .boss)
      _ = chat.done(chat.ban(2, "mod", in: "tea"))
      let lifting = chat.ask(2, .lift(.ban, room("tea"), .name(user("mod"))))
      let asked = chat.visit(5, saying("hi", in: "tea"), by: token(of: .mod))
      #expect(asked.records.map(\.record.facts) == [[]] && asked.count == 1)
      if isKept {
        _ = chat.store(lifting)
        #expect(chat.store(asked).drafts.map(\.draft.from) == [user("mod")])
      } else {
        _ = chat.fail(lifting)
        #expect(chat.store(asked) == refused(.banned(room("tea"), nil, until: nil)))
      }
    }
  }

  @Test func whoGoesWhileItWaitsSaysNothing() {
    var chat = stage()
    chat.come(2, .boss)
    _ = chat.done(chat.ban(2, "mod", in: "tea"))
    _ = chat.ask(2, .lift(.ban, room("tea"), .name(user("mod"))))
    let asked = chat.visit(5, saying("hi", in: "tea"), by: token(of: .mod))
    _ = chat.drop(5)
    #expect(chat.store(asked) == [])
  }

  @Test func whatCouldNotBeWaitedForIsRefusedAsNotStored() {
    var chat = stage()
    chat.come(2, .boss)
    _ = chat.ask(2, .create(room("new"), isPrivate: false, topic: nil))
    let asked = chat.visit(5, .follow(room("new"), .now))
    #expect(asked.records.count == 1)
    #expect(chat.fail(asked) == refused(.notStored(reason: .diskFull)))
    #expect(chat.hub.pending[connection(5)] == nil)
  }
}
