/// Conversations: what two people say to each other, whether both are here or not.

import ChatHub
import ChatModel
import Testing

@Suite struct ConversationTests {
  var chat = Chat(facts: Staff.accounts)
  private let ann: PersonID
  private let pat = Staff.pat.person
  private let mod = Staff.mod.person

  /// 1 is a guest's program, 2 and 22 are pat's, 3 is somebody else's.
  init() {
    ann = chat.come(1, "ann")
    for id in [2, 22] { chat.come(id, .pat) }
    chat.come(3, "eve", to: "tea")
  }

  private func say(_ text: String, to name: String) -> Request {
    .send(.with(user(name)), message(text), key: nil, replyTo: nil)
  }

  private func state(_ name: String, members: Int, seq: Int64, mark: Int64?) -> RoomState {
    var state = RoomState(place: .with(user(name)), members: members, seq: seq)
    state.isPrivate = true
    state.mark = mark
    return state
  }

  private mutating func conversations(of id: Int) -> [RoomState] {
    for case .rooms(let rooms, _) in chat.ask(id, .rooms).answers(to: id) {
      return rooms.filter { if case .with = $0.place { true } else { false } }
    }
    return []
  }

  @Test mutating func whatIsSaidReachesBothByAllConnectionsAndNobodyElse() {
    let kept = chat.demand(1, say("psst", to: "PAT"))
    #expect(kept.answers(to: 1) == [.sent(.with(user("pat")), seq: 1, at: noon, .stored)])
    for id in [1, 2, 22] { #expect(kept.texts(shownTo: id) == ["psst"]) }
    let places = kept.told.compactMap { told -> Place? in
      if case .message(_, in: let place) = told.event { place } else { nil }
    }
    #expect(
      places.sorted { "\($0)" < "\($1)" } == [
        .with(user("ann")), .with(user("ann")), .with(user("pat")),
      ])
    #expect(kept.reaching(3).isEmpty)
  }

  @Test mutating func aPersonWithAnAccountIsWrittenToAlsoWhenAway() {
    let kept = chat.demand(1, say("are you there?", to: "mod"))
    #expect(kept.refusals(of: 1).isEmpty && kept.texts(shownTo: 1) == ["are you there?"])
    chat.come(4, .mod)
    #expect(conversations(of: 4) == [state("ann", members: 2, seq: 1, mark: 0)])
    #expect(conversations(of: 4).first?.unread == 1)
    #expect(conversations(of: 1) == [state("mod", members: 2, seq: 1, mark: 0)])
  }

  @Test mutating func aGuestWhoHasGoneIsNotHere() {
    _ = chat.demand(1, say("psst", to: "eve"))
    _ = chat.drop(3)
    #expect(chat.ask(1, say("psst", to: "eve")).refusals(of: 1) == [.notHere(user("eve"))])
    #expect(chat.ask(1, say("psst", to: "nobody")).refusals(of: 1) == [.notHere(user("nobody"))])
    #expect(
      chat.ask(1, .history(.with(user("eve")), .before(nil), limit: 5)).refusals(of: 1).isEmpty,
      "what was said can be read")
    #expect(
      chat.ask(2, .history(.with(user("eve")), .before(nil), limit: 5)).refusals(of: 2)
        == [.notHere(user("eve"))], "by those who said it")
  }

  @Test(arguments: [
    Request.send(.with(user("ann")), message("me"), key: nil, replyTo: nil),
    .history(.with(user("ann")), .before(nil), limit: 1), .typing(.with(user("ann")), true),
    .mark(.with(user("ann")), 1), .join(.with(user("ann")), .now, code: nil),
    .edit(.with(user("ann")), of: 1, message("me")), .search(Search("me", in: .with(user("ann")))),
  ])
  func nobodyTalksToThemselves(request: Request) {
    var chat = self.chat
    #expect(chat.ask(1, request).refusals(of: 1) == [.oneself])
  }

  @Test mutating func aNameOfAnAccountIsThatPersonWhoeverBoreItBefore() throws {
    _ = chat.demand(1, say("psst", to: "eve"))
    _ = chat.drop(3)
    // Another eve, with an account.
    chat.enroll(5, "eve")
    let eve = try #require(chat.hub.registry.person(named: user("eve")))
    let draft = chat.ask(1, say("who are you?", to: "eve")).drafts.first?.draft
    #expect(draft?.room == .conversation(of: ann, and: eve))
  }

  @Test mutating func aRenamedPartnerIsNamedAsItIsNowAndAsItWasWhenItHasGone() {
    _ = chat.demand(1, say("psst", to: "eve"))
    chat.logIn(3, "eva")
    #expect(conversations(of: 1).map(\.place) == [.with(user("eva"))])
    #expect(
      chat.demand(3, say("I am eva", to: "ann")).answers(to: 3)
        == [.sent(.with(user("ann")), seq: 2, at: noon, .stored)])
    _ = chat.drop(3)
    #expect(conversations(of: 1) == [state("eva", members: 1, seq: 2, mark: 0)])
    let fetched = chat.ask(1, .history(.with(user("eva")), .before(nil), limit: 5))
    #expect(fetched.refusals(of: 1).isEmpty)
    #expect(
      chat.ask(1, .history(.with(user("eve")), .before(nil), limit: 5)).refusals(of: 1)
        == [.notHere(user("eve"))])
  }

  @Test mutating func whoJoinsAConversationIsGivenWhatIsMissedAndIsInNoRoom() {
    _ = chat.demand(1, say("psst", to: "pat"))
    #expect(
      chat.ask(2, .join(.with(user("ann")), .after(0), code: nil)) == [
        .answer(connection(2), nil, .joined(.with(user("ann")), seq: 1, members: 2)),
        .replay(connection(2), .conversation(of: ann, and: pat), .after(0)),
      ])
    #expect(chat.send(2, "nowhere").refusals(of: 2) == [.inNoRoom])
  }

  @Test mutating func aMarkIsToldToOnesOtherConnectionsAndNobodyElse() {
    _ = chat.demand(1, say("psst", to: "pat"))
    let asked = chat.ask(2, .mark(.with(user("ann")), 99))
    #expect(asked.answers(to: 2).isEmpty)
    let kept = chat.store(asked)
    #expect(kept.answers(to: 2) == [.done])
    #expect(kept.heard(by: 22) == [.marked(.with(user("ann")), seq: 1)], "no further than said")
    #expect(kept.heard(by: 2).isEmpty && kept.reaching(1).isEmpty)
    #expect(conversations(of: 22).map(\.unread) == [0])
    #expect(chat.ask(2, .mark(.with(user("ann")), 1)) == [.answer(connection(2), nil, .done)])
  }

  @Test(arguments: [Int64.min, -1, 0])
  func aMarkBeforeTheFirstMessageIsNone(seq: Int64) {
    var chat = self.chat
    _ = chat.demand(1, say("psst", to: "pat"))
    #expect(chat.ask(2, .mark(.with(user("ann")), seq)) == [.answer(connection(2), nil, .done)])
    #expect(chat.ask(1, .mark(.with(user("mod")), seq)) == [.answer(connection(1), nil, .done)])
  }

  @Test mutating func aPersonHasItsLimitOfMarks() {
    var limits = HubLimits()
    limits.marksPerPersonMax = 2
    var chat = Chat(limits: limits, known: [room("a"): 5, room("b"): 5, room("c"): 5])
    chat.come(1, "ann")
    for name in ["a", "b"] {
      #expect(chat.demand(1, .mark(.room(room(name)), 3)).answers(to: 1) == [.done])
    }
    #expect(chat.ask(1, .mark(.room(room("c")), 3)).refusals(of: 1) == [.tooMany(.marks, limit: 2)])
    #expect(chat.demand(1, .mark(.room(room("a")), 4)).answers(to: 1) == [.done])
    #expect(HubLimits().marksPerPersonMax == 10_000)
  }

  @Test mutating func changesAreOfWhatWasSaidThereAndOnesOwn() {
    let gone: [Refusal] = [.noSuchMessage(1)]
    #expect(chat.ask(1, .delete(.with(user("pat")), of: 1)).refusals(of: 1) == gone)
    #expect(chat.ask(1, .edit(.with(user("pat")), of: 1, message("x"))).refusals(of: 1) == gone)
    _ = chat.demand(1, say("psst", to: "pat"))
    let edit = chat.ask(1, .edit(.with(user("pat")), of: 1, message("hush")))
    #expect(edit.drafts.map(\.draft.changesOthers) == [false])
    let kept = chat.done(edit)
    #expect(kept.answers(to: 1) == [.changed(seq: 2)])
    #expect(kept.texts(shownTo: 2) == ["hush"])
  }

  @Test mutating func anOwnerOfTheServerChangesNothingInAnothersConversation() {
    chat.come(4, .boss)
    _ = chat.demand(1, say("psst", to: "boss"))
    let draft = chat.ask(4, .delete(.with(user("ann")), of: 1)).drafts.first?.draft
    #expect(draft?.changesOthers == false)
  }

  @Test mutating func nobodyElseSeesAConversation() throws {
    _ = chat.demand(1, say("psst", to: "pat"))
    let name = RoomName.conversation(of: ann, and: pat)
    chat.come(4, .boss)
    for id in [3, 4] {
      #expect(conversations(of: id).isEmpty)
      let sight = chat.sight(of: id)
      #expect(sight?.made.contains(name) == false)
    }
    for id in [1, 2] {
      let sight = chat.sight(of: id)
      #expect(sight?.made == [name])
    }
    #expect(!chat.hub.mayRead(name, Staff.boss.person) && chat.hub.mayRead(name, ann))
  }

  @Test mutating func thereIsALimitOfConversationsAndThoseThereAreGoOn() {
    var limits = HubLimits()
    limits.conversationsMax = 1
    var chat = Chat(limits: limits)
    for (id, name) in [(1, "ann"), (2, "bob"), (3, "eve")] { chat.come(id, name) }
    _ = chat.demand(1, say("psst", to: "bob"))
    #expect(
      chat.ask(1, say("psst", to: "eve")).refusals(of: 1) == [.tooMany(.conversations, limit: 1)])
    #expect(chat.demand(2, say("hm?", to: "ann")).refusals(of: 2).isEmpty)
  }

  @Test mutating func whatIsNotKeptLeavesNoConversation() throws {
    let asked = chat.ask(1, say("psst", to: "pat"))
    let (draft, ticket) = try #require(asked.drafts.first)
    #expect(
      draft.facts == [
        .partners(
          draft.room,
          ann.rawValue < pat.rawValue
            ? PartnerNames(lower: user("ann"), higher: user("pat"))
            : PartnerNames(lower: user("pat"), higher: user("ann")))
      ])
    let failed = chat.hub.kept(draft, ticket, .failed(.diskFull), .stored)
    #expect(failed.refusals(of: 1) == [.notStored(reason: .diskFull)])
    #expect(conversations(of: 1).isEmpty)
  }

  // MARK: Missed

  @Test mutating func aPersonAtATerminalIsGivenWhatItMissed() {
    _ = chat.demand(1, say("are you there?", to: "mod"))
    let name = RoomName.conversation(of: ann, and: mod)
    let effects = chat.resume(4, mod, as: "mod", .oneRoom)
    #expect(effects.last == .replay(connection(4), name, .after(0)))
    // It left by itself, so it has read that.
    _ = chat.done(chat.ask(4, .quit))
    #expect(chat.hub.registry.mark(of: mod, in: name) == 1)
    #expect(
      !chat.resume(4, mod, as: "mod", .oneRoom).contains(.replay(connection(4), name, .after(0))))
  }

  @Test mutating func whoseConnectionBreaksHasNotReadIt() {
    _ = chat.demand(1, say("are you there?", to: "mod"))
    chat.resume(4, mod, as: "mod", .oneRoom)
    _ = chat.done(chat.drop(4))
    let name = RoomName.conversation(of: ann, and: mod)
    #expect(chat.hub.registry.mark(of: mod, in: name) == nil)
    #expect(
      chat.resume(4, mod, as: "mod", .oneRoom).contains(.replay(connection(4), name, .after(0))))
  }

  @Test mutating func ofALongOneTheNewestAreGivenAndOfManySome() throws {
    var limits = HubLimits()
    limits.messagesPerSecond = nil
    limits.missedMessagesMax = 3
    limits.missedConversationsMax = 2
    var chat = Chat(limits: limits, facts: Staff.accounts)
    for id in 1...3 {
      chat.come(id, "user\(id)")
      for index in 0..<4 { _ = chat.demand(id, say("\(index)", to: "mod")) }
    }
    let replays = chat.resume(4, mod, as: "mod", .oneRoom).compactMap { effect -> Beginning? in
      if case .replay(connection(4), _, let beginning) = effect { beginning } else { nil }
    }
    #expect(replays == [.last(3), .last(3)])
  }

  @Test mutating func aProgramIsGivenNothingThatItDidNotAskFor() {
    _ = chat.demand(1, say("are you there?", to: "mod"))
    #expect(chat.resume(4, mod, as: "mod", .manyRooms).count == 2)
  }
}
