/// Invitations: how often, how long, and what is left where they could not be kept.

import ChatHub
import ChatModel
import Testing

@Suite struct InvitationTests {
  var chat = Chat()
  private let den = room("den")
  private let ann: PersonID

  init() {
    ann = chat.come(1, "ann")
    chat.found(1, "den")
  }

  private var absent: [Refusal] { [.notInvited(den)] }

  @Test mutating func aCodeLetsInOnceItIsKeptAndForGood() {
    let code = chat.invite(1, to: "den", uses: 1)
    let bob = chat.come(2, "bob")
    let asked = chat.use(code, 2, "den")
    #expect(asked.answers(to: 2).isEmpty && asked.records.count == 1, "not before it is kept")
    let kept = chat.store(asked)
    #expect(kept.answers(to: 2) == [.joined(.room(den), seq: 0, members: 2)])
    #expect(kept.heard(by: 1) == [.joined(den, user("bob"), members: 2)])
    _ = chat.drop(2)
    chat.resume(2, bob, as: "bob", .manyRooms)
    #expect(chat.join(2, "den").refusals(of: 2).isEmpty, "it needs no code again")
    #expect(chat.history(2, "den").refusals(of: 2).isEmpty)
  }

  @Test mutating func aCodeOfOneUseIsNotUsedTwice() {
    let code = chat.invite(1, to: "den", uses: 1)
    for id in [2, 3] { chat.come(id, "user\(id)") }
    #expect(chat.done(chat.use(code, 2, "den")).refusals(of: 2).isEmpty)
    #expect(chat.use(code, 3, "den").refusals(of: 3) == absent)
    #expect(chat.hub.registry.invitations(to: den).isEmpty)
  }

  @Test mutating func ofTwoAtOnceForTheLastUseTheFirstHasIt() {
    let code = chat.invite(1, to: "den", uses: 2)
    for id in [2, 3, 4] { chat.come(id, "user\(id)") }
    let (one, two) = (chat.use(code, 2, "den"), chat.use(code, 3, "den"))
    #expect(chat.use(code, 4, "den").refusals(of: 4) == absent)
    #expect(chat.store(one + two).refusals(of: 3).isEmpty)
  }

  @Test mutating func whatCouldNotBeKeptIsAsIfTheCodeHadNotBeenUsed() {
    let code = chat.invite(1, to: "den", uses: 1)
    for id in [2, 3] { chat.come(id, "user\(id)") }
    let asked = chat.use(code, 2, "den")
    #expect(chat.use(code, 3, "den").refusals(of: 3) == absent)
    let failed = chat.fail(asked)
    #expect(failed.refusals(of: 2) == [.notStored(reason: .diskFull)])
    #expect(failed.heard(by: 1).isEmpty)
    #expect(chat.history(2, "den").refusals(of: 2) == [.noSuchRoom(den)])
    #expect(chat.done(chat.use(code, 3, "den")).refusals(of: 3).isEmpty, "and good for another")
  }

  @Test mutating func severalUsesThatCouldNotBeKeptArePutBackTogether() {
    let code = chat.invite(1, to: "den", uses: 3)
    for id in [2, 3, 4] { chat.come(id, "user\(id)") }
    let before = chat.hub.registry.invitations(to: den)
    let asked = [2, 3, 4].flatMap { chat.use(code, $0, "den") }
    #expect(chat.hub.registry.invitations(to: den).isEmpty)
    _ = chat.fail(asked)
    #expect(chat.hub.registry.invitations(to: den) == before)
    #expect(chat.hub.registry.roles(in: den) == [ann: .owner])
  }

  @Test mutating func anotherDeviceIsNotLetInBeforeItIsKept() {
    let code = chat.invite(1, to: "den")
    let bob = chat.come(2, "bob")
    chat.resume(3, bob, as: "bob", .manyRooms)
    let one = chat.use(code, 2, "den")
    let two = chat.join(3, "den")
    #expect(two.answers(to: 3).isEmpty && two.records.count == 1)
    #expect(chat.say(1, "who is here?", in: "den").reaching(3).isEmpty)
    let failed = chat.fail(one + two)
    #expect(failed.refusals(of: 2).count == 1 && failed.refusals(of: 3).count == 1)
    #expect(chat.join(3, "den").refusals(of: 3) == absent)
    #expect(chat.say(1, "nobody", in: "den").reaching(3).isEmpty)
  }

  @Test mutating func anInvitationEndsByTheClock() {
    let code = chat.invite(1, to: "den", seconds: 60)
    for id in [2, 3] { chat.come(id, "user\(id)") }
    chat.wall.goOn(seconds: 59)
    #expect(chat.done(chat.use(code, 2, "den")).refusals(of: 2).isEmpty)
    chat.wall.goOn(seconds: 1)
    #expect(chat.use(code, 3, "den").refusals(of: 3) == absent)
  }

  @Test mutating func oneThatIsWithdrawnIsGoodForNothing() {
    let code = chat.invite(1, to: "den")
    chat.come(2, "bob")
    #expect(chat.demand(1, .uninvite(den, code: code)).answers(to: 1) == [.done])
    #expect(chat.use(code, 2, "den").refusals(of: 2) == absent)
    #expect(
      chat.ask(1, .uninvite(den, code: code)).refusals(of: 1) == [.noSuchInvitation(den)])
  }

  @Test mutating func oneIsWithdrawnAtOnceAndGoodAgainWhereThatIsNotKept() {
    let code = chat.invite(1, to: "den")
    chat.come(2, "bob")
    let asked = chat.ask(1, .uninvite(den, code: code))
    #expect(chat.use(code, 2, "den").refusals(of: 2) == absent)
    _ = chat.fail(asked)
    #expect(chat.done(chat.use(code, 2, "den")).refusals(of: 2).isEmpty)
  }

  @Test mutating func aCodeIsOfOneRoom() {
    chat.found(1, "pub", isPrivate: true)
    let code = chat.invite(1, to: "pub")
    chat.come(2, "bob")
    #expect(chat.use(code, 2, "den").refusals(of: 2) == absent)
    #expect(chat.use(code, 2, "@audit").refusals(of: 2) == [.notInvited(.audit)])
  }

  @Test(arguments: [Int.min, -1, 0, 1])
  func fewerUsesThanOneAreOne(uses: Int) {
    var chat = self.chat
    let code = chat.invite(1, to: "den", uses: uses)
    for id in [2, 3] { chat.come(id, "user\(id)") }
    #expect(chat.done(chat.use(code, 2, "den")).refusals(of: 2).isEmpty)
    #expect(chat.use(code, 3, "den").refusals(of: 3) == absent)
  }

  @Test(arguments: [Int.min, Int.max])
  func noNumberOfSecondsIsTooMany(seconds: Int) {
    var chat = self.chat
    let code = chat.invite(1, to: "den", seconds: seconds)
    chat.come(2, "bob")
    #expect(chat.use(code, 2, "den").refusals(of: 2) == (seconds < 0 ? absent : []))
  }

  @Test mutating func aRoomHasAThousandInvitationsAndThoseThatAreOverMakeRoom() {
    var limits = HubLimits()
    limits.invitationsPerRoomMax = 3
    var chat = Chat(limits: limits)
    chat.come(1, "ann")
    chat.found(1, "den")
    for seconds in [10, 20, 30] { _ = chat.invite(1, to: "den", seconds: seconds) }
    let request = Request.invite(den, uses: nil, seconds: nil)
    guard case .tooMany? = chat.ask(1, request).refusals(of: 1).first else {
      Issue.record("the fourth is refused")
      return
    }
    chat.wall.goOn(seconds: 20)
    #expect(chat.demand(1, request).refusals(of: 1).isEmpty)
    #expect(chat.hub.registry.invitations(to: den).count == 2)
    #expect(HubLimits().invitationsPerRoomMax == 1_000)
  }

  @Test mutating func whoIsPutOutWhileTheCodeIsBeingKeptDoesNotEnter() {
    let code = chat.invite(1, to: "den")
    let bob = chat.come(2, "bob")
    let join = chat.use(code, 2, "den")
    let kick = chat.ask(1, .kick(den, user("bob"), nil))
    let happened = chat.store(join + kick)
    #expect(happened.refusals(of: 2) == absent)
    #expect(happened.heard(by: 1).isEmpty)
    #expect(chat.role(bob, in: "den") == nil)
  }

  @Test mutating func whoIsBannedWhileTheCodeIsBeingKeptDoesNotEnter() {
    let code = chat.invite(1, to: "den")
    chat.come(2, "bob")
    let join = chat.use(code, 2, "den")
    let ban = chat.ban(1, "bob", in: "den")
    #expect(chat.store(join + ban).refusals(of: 2) == absent)
    #expect(chat.use(code, 2, "den").refusals(of: 2) == [.banned(den, nil, until: nil)])
  }
}
