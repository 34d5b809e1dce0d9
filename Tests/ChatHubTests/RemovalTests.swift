/// A person's words and whole rooms that are removed: to the end, and by nobody's leave in between.

import ChatHub
import ChatModel
import Testing

@Suite struct RemovalTests {
  private let secret = password("correct horse")

  // MARK: Words

  private func said(_ name: String, _ seq: Int64) -> ErrandOutcome.Said {
    ErrandOutcome.Said(room: name == "@audit" ? .audit : room(name), seq: seq)
  }

  @Test func wordsAreTakenAwayByDeletionsThatEverybodySees() throws {
    var chat = Chat()
    for (id, name) in [(1, "ann"), (2, "bob")] {
      chat.logIn(id, name, .manyRooms)
      chat.join(id, "tea")
    }
    for text in ["one", "two"] { _ = chat.say(1, text, in: "tea") }
    let begun = chat.operate(.erase(.name(user("ann")), after: nil))
    let errand = try #require(begun.errands.first)
    guard case .walk(let ann, after: 0, limit: 200) = errand else {
      Issue.record("it is walked from the beginning, not \(errand)")
      return
    }
    #expect(chat.lines(begun) == ["began to erase the words of ann, person \(ann.rawValue)"])
    let found = chat.finish(
      errand, .walked([said("tea", 1), said("@audit", 1), said("tea", 2)], next: 77))
    #expect(found.drafts.map(\.draft.content) == [.deletion(of: 1), .deletion(of: 2)])
    #expect(found.drafts.allSatisfy { $0.draft.changesOthers && $0.draft.room == room("tea") })
    #expect(chat.answer(found) == nil && !found.contains(.proceed(connection(operatorID))))
    let kept = chat.keepAll(found)
    #expect(chat.report(kept) == .erased(ann, messages: 2, next: 77))
    #expect(kept.last == .proceed(connection(operatorID)))
    for id in [1, 2] {
      #expect(
        kept.heard(by: id).count { event in
          if case .message(let message, in: _) = event {
            !message.draft.content.isMessage
          } else {
            false
          }
        } == 2)
    }
  }

  @Test func whoGoesOnAsksForTheRestAndNothingIsLoggedAgain() throws {
    var chat = Chat()
    let person = PersonID(rawValue: 7)
    let more = chat.operate(.erase(.person(person), after: 77))
    #expect(more.errands == [.walk(person, after: 77, limit: 200)] && chat.lines(more) == [])
    let end = chat.finish(more.errands[0], .walked([], next: nil))
    #expect(chat.report(end) == .erased(person, messages: 0, next: nil))
    #expect(end.last == .proceed(connection(operatorID)))
  }

  @Test func whatIsGoneAlreadyIsNotCounted() throws {
    var chat = Chat()
    let asked = chat.operate(.erase(.person(PersonID(rawValue: 7)), after: 1))
    let drafts = chat.finish(asked.errands[0], .walked([said("a", 1), said("a", 2)], next: nil))
    let ticket = Ticket(connection: connection(operatorID), request: .number("1"))
    let first = chat.hub.kept(drafts.drafts[0].draft, ticket, .noSuchMessage, .stored)
    #expect(first.isEmpty)
    let second = chat.keepAll([.keep(drafts.drafts[1].draft, ticket)])
    #expect(chat.report(second) == .erased(PersonID(rawValue: 7), messages: 1, next: nil))
  }

  @Test func aStoreThatFailsIsToldOnceAllAreAnswered() throws {
    var chat = Chat()
    let asked = chat.operate(.erase(.person(PersonID(rawValue: 7)), after: 1))
    let drafts = chat.finish(asked.errands[0], .walked([said("a", 1), said("a", 2)], next: 5))
    let ticket = Ticket(connection: connection(operatorID), request: .number("1"))
    #expect(chat.hub.kept(drafts.drafts[0].draft, ticket, .failed(.diskFull), .stored).isEmpty)
    let end = chat.keepAll([.keep(drafts.drafts[1].draft, ticket)])
    #expect(chat.answer(end) == .refused(.notStored(reason: .diskFull)))
    let unread = chat.operate(.erase(.person(PersonID(rawValue: 7)), after: 1))
    let failed = chat.finish(unread.errands[0], .failed(.failed))
    #expect(chat.answer(failed) == .refused(.notStored(reason: .failed)))
    #expect(failed.last == .proceed(connection(operatorID)))
  }

  @Test func anOperatorWhoGoesStopsIt() throws {
    var chat = Chat()
    let asked = chat.operate(.erase(.person(PersonID(rawValue: 7)), after: 1))
    #expect(chat.drop(operatorID).isEmpty)
    #expect(chat.finish(asked.errands[0], .walked([said("a", 1)], next: 5)).isEmpty)
    let again = chat.operate(.erase(.person(PersonID(rawValue: 7)), after: 1))
    let drafts = chat.finish(again.errands[0], .walked([said("a", 1)], next: 5))
    _ = chat.drop(operatorID)
    #expect(chat.keepAll(drafts).answers(to: operatorID).isEmpty)
  }

  // MARK: Rooms

  /// Ann, the owner of a private room with bob in it, and zoe outside; an invitation is good.
  private func stage() -> Chat {
    var chat = Chat()
    for (id, name) in [(1, "ann"), (2, "bob"), (3, "zoe")] { chat.enroll(id, name) }
    _ = chat.store(chat.ask(1, .create(room("plans"), isPrivate: true, topic: short("all"))))
    _ = chat.store(chat.ask(1, .invite(room("plans"), uses: nil, seconds: nil)))
    _ = chat.store(chat.ask(2, .join(.room(room("plans")), .now, code: "code-1")))
    for text in ["one", "two", "three"] { _ = chat.say(1, text, in: "plans") }
    _ = chat.store(chat.ask(2, .mark(.room(room("plans")), 2)))
    return chat
  }

  private func isHidden(_ chat: inout Chat) -> Bool {
    let place = Place.room(room("plans"))
    let absent = Refusal.noSuchRoom(room("plans"))
    let requests: [Request] = [
      .history(place, .before(nil), limit: 1), .who(room("plans")), .topic(room("plans")),
      .mark(place, 1), .search(Search("one", in: place)),
      .invite(room("plans"), uses: nil, seconds: nil), .archive(room("plans")),
      .setRole(room("plans"), user("zoe"), .owner),
    ]
    for id in 1...3 {
      for request in requests where chat.ask(id, request).refusals(of: id) != [absent] {
        return false
      }
      let said = chat.ask(id, .send(place, message("x"), key: nil, replyTo: nil))
      guard said.refusals(of: id) == [absent] else { return false }
      let joined = chat.ask(id, .join(place, .now, code: "code-1"))
      guard joined.refusals(of: id) == [.notInvited(room("plans"))] else { return false }
    }
    return true
  }

  @Test func aRoomThatIsRemovedIsNobodysFromTheFirstMomentOn() throws {
    var chat = stage()
    let asked = chat.hub.operate(
      .removeRoom(room("plans")), .number("1"), from: connection(operatorID), at: chat.now)
    // Until that is kept who is in it is not put out, and says nothing more.
    #expect(isHidden(&chat))
    let begun = chat.store(asked)
    #expect(begun.errands == [.clear(room("plans"))])
    for id in [1, 2] {
      #expect(begun.contains(.withdraw(connection(id), room("plans"))))
      #expect(begun.heard(by: id).last == .kicked(room("plans"), by: user("operator"), nil))
    }
    #expect(isHidden(&chat), "it is hidden while its words go")
    #expect(chat.hub.registry.isArchived(room("plans")), "a crash here leaves it archived")
    #expect(chat.hub.registry.isPrivate(room("plans")), "and private")
    #expect(
      chat.ask(3, .create(room("plans"), isPrivate: false, topic: nil)).refusals(of: 3)
        == [.roomTaken(room("plans"))])
    #expect(chat.problem(chat.operate(.removeRoom(room("plans")))) == .beingRemoved(room("plans")))
    #expect(chat.problem(chat.operate(.archive(room("plans")))) == .beingRemoved(room("plans")))
  }

  @Test func whatWasKnownOfItGoesWhenItsWordsAreGone() throws {
    var chat = stage()
    let begun = chat.operate(.removeRoom(room("plans")))
    let end = chat.store(chat.finish(begun.errands[0], .cleared(3)))
    #expect(chat.report(end) == .roomRemoved(messages: 3))
    #expect(
      chat.lines(begun) + chat.lines(end) == [
        "began to remove plans", "removed plans with 3 messages",
      ])
    let registry = chat.hub.registry
    #expect(registry.record(of: room("plans")) == nil && registry.topic(of: room("plans")) == nil)
    #expect(registry.roles(in: room("plans")).isEmpty)
    #expect(registry.invitations(to: room("plans")).isEmpty)
    let bob = try #require(registry.person(named: user("bob")))
    #expect(registry.mark(of: bob, in: room("plans")) == nil)
    #expect(chat.problem(chat.operate(.removeRoom(room("plans")))) == .noSuchRoom(room("plans")))
  }

  @Test func aLaterRoomOfTheNameGoesOnWithTheNumbers() throws {
    var chat = stage()
    let begun = chat.operate(.removeRoom(room("plans")))
    _ = chat.store(chat.finish(begun.errands[0], .cleared(3)))
    #expect(chat.ask(3, .who(room("plans"))).refusals(of: 3) == [.noSuchRoom(room("plans"))])
    let joined = chat.join(3, "plans", .after(0))
    #expect(
      joined.answers(to: 3) == [.joined(.room(room("plans")), seq: 3, members: 1, topic: nil)])
    // Nothing was said in it: it goes with the last who leaves.
    _ = chat.ask(3, .leave(room("plans")))
    #expect(chat.ask(3, .who(room("plans"))).refusals(of: 3) == [.noSuchRoom(room("plans"))])
    let made = chat.store(chat.ask(2, .create(room("plans"), isPrivate: false, topic: nil)))
    #expect(made.refusals(of: 2) == [])
    _ = chat.say(2, "anew", in: "plans")
    #expect(chat.hub.published(in: room("plans")) == 4)
  }

  @Test func itIsRemovedToTheEndAlsoWhenTheOperatorHasGone() throws {
    var chat = stage()
    let begun = chat.operate(.removeRoom(room("plans")))
    _ = chat.drop(operatorID)
    let end = chat.store(chat.finish(begun.errands[0], .cleared(3)))
    #expect(end.answers(to: operatorID).isEmpty)
    #expect(chat.hub.registry.record(of: room("plans")) == nil)
    #expect(chat.ask(3, .who(room("plans"))).refusals(of: 3) == [.noSuchRoom(room("plans"))])
  }

  @Test func aStoreThatFailsLeavesItArchivedToBeRemovedOnceMore() throws {
    var chat = stage()
    let begun = chat.operate(.removeRoom(room("plans")))
    let failed = chat.finish(begun.errands[0], .failed(.failed))
    #expect(chat.answer(failed) == .refused(.notStored(reason: .failed)))
    #expect(chat.hub.registry.isArchived(room("plans")))
    #expect(chat.ask(3, .who(room("plans"))).refusals(of: 3) == [.noSuchRoom(room("plans"))])
    #expect(chat.ask(2, .who(room("plans"))).refusals(of: 2) == [])
    let again = chat.operate(.removeRoom(room("plans")))
    #expect(again.errands == [.clear(room("plans"))])
    let unkept = chat.fail(chat.finish(again.errands[0], .cleared(3)))
    #expect(chat.answer(unkept) == .refused(.notStored(reason: .diskFull)))
    #expect(chat.hub.registry.isPrivate(room("plans")), "nobody else may see what is left")
  }

  @Test func whatAStoreHasOfARemovedRoomIsItsNumberAlone() {
    let chat = Wall()
    var hub = Hub(
      known: [room("tea"): 5], former: [room("plans"): 9], surroundings: chat.surroundings)
    _ = hub.handle(.logIn(user("ann"), .manyRooms), from: connection(1), at: .zero)
    guard
      case .answer(_, _, .rooms(let rooms, count: 2)) = hub.handle(
        .rooms, from: connection(1), at: .zero
      ).first
    else {
      Issue.record("the removed room is not listed")
      return
    }
    #expect(Set(rooms.map(\.place)) == [.room(.lobby), .room(room("tea"))])
    let joined = hub.handle(
      .join(.room(room("plans")), .now, code: nil), from: connection(1), at: .zero)
    #expect(
      joined.answers(to: 1) == [.joined(.room(room("plans")), seq: 9, members: 1, topic: nil)])
  }
}
