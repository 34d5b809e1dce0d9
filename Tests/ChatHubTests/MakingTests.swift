/// Rooms that stay: made, described, archived; changes of messages; and all of it where it could
/// not be kept.

import ChatHub
import ChatModel
import Testing

@Suite struct MakingTests {
  var chat = Chat()
  private let tea = room("tea")
  private let ann: PersonID

  init() {
    ann = chat.come(1, "ann")
    chat.come(2, "bob")
  }

  private func create(_ isPrivate: Bool = false, _ topic: String? = nil) -> Request {
    .create(tea, isPrivate: isPrivate, topic: topic.map { short($0) })
  }

  // MARK: Made

  @Test mutating func whoMakesARoomIsItsOwnerAndInItOnceItIsKept() {
    let asked = chat.ask(1, create(true, "leaves"))
    #expect(
      asked.records.map(\.record.facts) == [
        [
          .room(tea, RoomRecord(isPrivate: true)), .member(tea, ann, .owner),
          .topic(tea, short("leaves")),
        ]
      ])
    #expect(asked.answers(to: 1).isEmpty && asked.told.isEmpty)
    #expect(
      chat.store(asked).answers(to: 1)
        == [.joined(.room(tea), seq: 0, members: 1, topic: short("leaves"))])
    _ = chat.drop(1)
    chat.resume(1, ann, as: "ann", .manyRooms)
    #expect(chat.join(1, "tea").refusals(of: 1).isEmpty, "it stays without anybody in it")
  }

  @Test mutating func ofTwoWhoMakeOneRoomTheFirstHasIt() {
    let one = chat.ask(1, create())
    #expect(chat.ask(2, create()).refusals(of: 2) == [.roomTaken(tea)])
    _ = chat.store(one)
    #expect(chat.ask(2, create()).refusals(of: 2) == [.roomTaken(tea)])
    #expect(chat.ask(2, .create(.lobby, isPrivate: true, topic: nil)).refusals(of: 2).count == 1)
    #expect(chat.ask(2, .create(.audit, isPrivate: true, topic: nil)).refusals(of: 2).count == 1)
  }

  @Test(arguments: [true, false])
  func aRoomThatCouldNotBeKeptIsAsIfNobodyHadAsked(isPrivate: Bool) {
    var chat = self.chat
    let failed = chat.fail(chat.ask(1, create(isPrivate, "leaves")))
    #expect(failed == [.answer(connection(1), nil, .refused(.notStored(reason: .diskFull)))])
    #expect(chat.ask(1, .who(tea)).refusals(of: 1) == [.noSuchRoom(tea)])
    #expect(chat.hub.registry.topic(of: tea) == nil && chat.hub.registry.roles(in: tea).isEmpty)
    #expect(chat.demand(2, create()).refusals(of: 2).isEmpty)
    #expect(chat.role(ann, in: "tea") == nil)
  }

  @Test mutating func nobodyIsInARoomThatMayStillBePutBack() {
    chat.resume(11, ann, as: "ann", .manyRooms)
    let made = chat.ask(1, create(true))
    let joined = chat.join(11, "tea")
    #expect(joined.answers(to: 11).isEmpty)
    #expect(chat.join(2, "tea").refusals(of: 2) == [.notInvited(tea)])
    #expect(chat.send(11, "secret", to: "tea").refusals(of: 11) == [.notMember(tea)])
    let failed = chat.fail(made + joined)
    #expect(failed.refusals(of: 1).count == 1 && failed.refusals(of: 11).count == 1)
    #expect(chat.ask(1, .who(tea)).refusals(of: 1) == [.noSuchRoom(tea)])
  }

  @Test mutating func whoHasGoneMeanwhileOwnsTheRoomAllTheSame() {
    let made = chat.ask(1, create(true))
    _ = chat.drop(1)
    #expect(chat.store(made).answers(to: 1).isEmpty)
    chat.resume(1, ann, as: "ann", .manyRooms)
    #expect(chat.join(1, "tea").refusals(of: 1).isEmpty)
  }

  @Test mutating func anAddressMakesTenRoomsAMinuteInWhicheverWay() {
    for index in 0..<10 {
      let request = Request.create(room("r\(index)"), isPrivate: true, topic: nil)
      #expect(chat.ask(1, request, from: "a").refusals(of: 1).isEmpty)
    }
    #expect(
      chat.ask(1, create(), from: "a").refusals(of: 1) == [.rateLimited(retryAfter: .seconds(6))])
    #expect(chat.make(2, "other", from: "a") == [.rateLimited(retryAfter: .seconds(6))])
  }

  @Test mutating func whoMakesARoomAtATerminalLeavesTheOneBefore() {
    chat.logIn(3, "cat")
    let kept = chat.demand(3, create())
    #expect(kept.contains(.forget(connection(3), .lobby)))
    #expect(chat.send(3, "here").drafts.first?.draft.room == tea)
  }

  @Test mutating func theRoomsOfAStoreAreWhatTheyWere() {
    let record = RoomRecord(isPrivate: true)
    let owner = PersonID(rawValue: 5)
    var chat = Chat(facts: [.room(tea, record), .member(tea, owner, .owner)])
    chat.resume(1, owner, as: "ann", .manyRooms)
    chat.come(2, "bob")
    #expect(chat.join(1, "tea").refusals(of: 1).isEmpty)
    #expect(chat.join(2, "tea").refusals(of: 2) == [.notInvited(tea)])
  }

  // MARK: Topics

  @Test mutating func aTopicIsAChangeInTheRoomsOrderAndToldToAll() {
    chat.found(1, "tea", isPrivate: false)
    chat.join(2, "tea")
    let asked = chat.ask(1, .setTopic(tea, short("leaves")))
    #expect(asked.drafts.map(\.draft.facts) == [[.topic(tea, short("leaves"))]])
    #expect(chat.ask(2, .topic(tea)).answers(to: 2) == [.topic(tea, nil)], "it is not kept yet")
    let kept = chat.done(asked)
    #expect(kept.answers(to: 1) == [.done] && kept.texts(shownTo: 2) == ["leaves"])
    #expect(chat.ask(2, .topic(tea)).answers(to: 2) == [.topic(tea, short("leaves"))])
    #expect(
      chat.join(2, "tea").answers(to: 2)
        == [.joined(.room(tea), seq: 1, members: 2, topic: short("leaves"))])
    _ = chat.demand(1, .setTopic(tea, nil))
    #expect(chat.ask(2, .topic(tea)).answers(to: 2) == [.topic(tea, nil)])
  }

  @Test mutating func aTopicThatCouldNotBeKeptIsNone() throws {
    chat.found(1, "tea", isPrivate: false)
    let (draft, ticket) = try #require(chat.ask(1, .setTopic(tea, short("x"))).drafts.first)
    #expect(
      chat.hub.kept(draft, ticket, .failed(.failed), .stored).refusals(of: 1)
        == [.notStored(reason: .failed)])
    #expect(chat.hub.registry.topic(of: tea) == nil)
  }

  // MARK: Archived

  @Test mutating func nothingIsSaidInAnArchivedRoomFromTheSettingOn() {
    chat.found(1, "tea", isPrivate: false)
    chat.join(2, "tea")
    _ = chat.say(2, "hi", in: "tea")
    let under = chat.send(2, "before", to: "tea")
    let asked = chat.ask(1, .archive(tea))
    #expect(chat.send(2, "behind", to: "tea").refusals(of: 2) == [.archived(tea)])
    let kept = chat.done(under + asked)
    #expect(kept.texts(shownTo: 1) == ["before"] && kept.answers(to: 1) == [.done])
    #expect(chat.history(2, "tea").refusals(of: 2).isEmpty)
    #expect(chat.ask(1, .archive(tea)).refusals(of: 1) == [.archived(tea)])
    guard case .rooms(let rooms, _)? = chat.ask(2, .rooms).answers(to: 2).first else {
      Issue.record("rooms is answered")
      return
    }
    #expect(rooms.first { $0.place == .room(tea) }?.isArchived == true)
  }

  @Test func whereEverybodyComesInNothingIsArchived() {
    var chat = Chat(facts: Staff.accounts)
    chat.come(5, .boss, to: "lobby")
    #expect(
      chat.ask(5, .archive(.lobby)).refusals(of: 5) == [.operation(.permanent(.lobby))])
  }

  @Test mutating func anArchivingThatCouldNotBeKeptIsNone() {
    chat.found(1, "tea", isPrivate: true)
    _ = chat.fail(chat.ask(1, .archive(tea)))
    #expect(chat.send(1, "open", to: "tea").drafts.count == 1)
    #expect(chat.hub.registry.isPrivate(tea), "and it is as private as before")
  }

  @Test mutating func anArchivedPrivateRoomStaysHidden() {
    chat.found(1, "tea", isPrivate: true)
    _ = chat.demand(1, .archive(tea))
    #expect(chat.history(2, "tea").refusals(of: 2) == [.noSuchRoom(tea)])
    #expect(!chat.listed(for: 2).contains(.room(tea)))
  }

  // MARK: Changes

  @Test mutating func aChangeIsAnsweredWithItsNumberAndShownToAll() {
    for id in [1, 2] { chat.join(id, "den") }
    _ = chat.say(1, "hi", in: "den")
    let place = Place.room(room("den"))
    let edited = chat.demand(1, .edit(place, of: 1, message("ho")))
    #expect(edited.answers(to: 1) == [.changed(seq: 2)] && edited.texts(shownTo: 2) == ["ho"])
    let deleted = chat.demand(1, .delete(place, of: 1))
    #expect(deleted.answers(to: 1) == [.changed(seq: 3)] && deleted.texts(shownTo: 2) == [""])
    #expect(chat.hub.published(in: room("den")) == 3)
  }

  @Test mutating func onlyModeratorsChangeOthersWords() {
    chat.found(1, "tea", isPrivate: false)
    chat.join(2, "tea")
    for (id, changes) in [(1, true), (2, false)] {
      for request in [
        Request.edit(.room(tea), of: 1, message("x")), .delete(.room(tea), of: 1),
      ] {
        #expect(chat.ask(id, request).drafts.map(\.draft.changesOthers) == [changes])
      }
    }
  }

  @Test(arguments: [
    (KeepOutcome.notYours, Refusal.notYours(7)), (.noSuchMessage, .noSuchMessage(7)),
    (.failed(.diskFull), .notStored(reason: .diskFull)),
  ])
  func aChangeThatIsNotMadeIsRefusedAndShownToNobody(
    outcome: KeepOutcome, refusal: Refusal
  ) throws {
    var chat = self.chat
    for id in [1, 2] { chat.join(id, "den") }
    for request in [
      Request.edit(.room(room("den")), of: 7, message("x")), .delete(.room(room("den")), of: 7),
    ] {
      let (draft, ticket) = try #require(chat.ask(1, request).drafts.first)
      #expect(
        chat.hub.kept(draft, ticket, outcome, .stored)
          == [.answer(connection(1), nil, .refused(refusal))])
    }
  }

  @Test mutating func aChangeCostsAsAMessageDoes() {
    chat.join(1, "den")
    for _ in 0..<50 { _ = chat.ask(1, .delete(.room(room("den")), of: 1)) }
    #expect(
      chat.ask(1, .delete(.room(room("den")), of: 1)).refusals(of: 1)
        == [.rateLimited(retryAfter: .milliseconds(100))])
  }
}
