/// Who is told what is said in a room without being there: what a follower hears, how it is none of
/// the members, and when it ends.

import ChatModel
import Testing

@testable import ChatHub

@Suite struct FollowTests {
  private let tea = room("tea")
  private let den = room("den")

  /// The boss and pat in tea; the boss's private den, in which mod was admitted.
  private func stage(_ limits: HubLimits = HubLimits()) -> Chat {
    var chat = Chat(
      limits: limits,
      facts: Staff.accounts + [
        .room(den, RoomRecord(isPrivate: true)), .member(den, Staff.boss.person, .owner),
        .member(den, Staff.mod.person, .member), .room(tea, RoomRecord(isPrivate: false)),
      ])
    chat.come(1, .boss, to: "tea")
    chat.come(2, .pat, to: "tea")
    return chat
  }

  private func ended(_ id: Int, _ room: RoomName, _ reason: ClosingReason) -> [Effect] {
    [.withdraw(connection(id), room), .close(connection(id), reason)]
  }

  /// What these effects do to followers, connections 5 and up.
  private func ends(_ effects: [Effect]) -> [Effect] {
    effects.filter { effect in
      switch effect {
      case .withdraw(let id, _), .close(let id, _), .forget(let id, _): (5..<900).contains(id.slot)
      case _: false
      }
    }
  }

  // MARK: What is heard

  @Test func aFollowerIsToldWhereItStands() {
    var chat = stage()
    _ = chat.say(1, "one", in: "tea")
    chat.demand(1, .setTopic(tea, short("leaves")))
    let joined = Answer.joined(.room(tea), seq: 2, members: 2, topic: short("leaves"))
    #expect(chat.follow(5, "tea") == [.answer(connection(5), nil, joined)])
    for (id, beginning) in [(6, Beginning.after(1)), (7, .last(20)), (8, .after(0))] {
      #expect(
        chat.follow(id, "tea", beginning).suffix(2) == [
          .answer(connection(id), nil, joined), .replay(connection(id), tea, beginning),
        ])
    }
  }

  @Test func aFollowerHearsWhatIsSaidAndChanged() {
    var chat = stage()
    chat.follow(5, "tea")
    chat.follow(6, "tea", by: token(of: .mod))
    #expect(chat.say(1, "one", in: "tea").texts(shownTo: 5) == ["one"])
    let edited = chat.demand(1, .edit(.room(tea), of: 1, message("two")))
    let deleted = chat.demand(1, .delete(.room(tea), of: 1))
    let topic = chat.demand(1, .setTopic(tea, short("leaves")))
    let contents: [Content] = [
      .edit(of: 1, message("two")), .deletion(of: 1), .topic(short("leaves")),
    ]
    for id in [5, 6] {
      let heard = (edited + deleted + topic).heard(by: id).compactMap { event in
        if case .message(let message, in: .room(tea)) = event { message.draft.content } else { nil }
      }
      #expect(heard == contents)
    }
    #expect(chat.visitAndSay(7, "three", in: "tea", by: token(of: .mod)).heard(by: 6).count == 1)
    #expect(chat.say(1, "elsewhere", in: "lobby").heard(by: 5).isEmpty)
  }

  @Test func aFollowerHearsNothingOfComingGoingAndTyping() {
    var chat = stage()
    chat.follow(5, "tea", by: token(of: .mod))
    var effects = chat.logIn(3, "bob", .manyRooms) + chat.join(3, "tea")
    effects += chat.ask(1, .typing(.room(tea), true)) + chat.ask(1, .away(short("lunch")))
    effects += chat.ask(3, .logIn(user("rob"), .manyRooms)) + chat.drop(3)
    #expect(effects.heard(by: 2).count == 6, "a member does")
    #expect(effects.reaching(5).isEmpty)
  }

  @Test func aFollowerIsNoMember() {
    var chat = stage()
    let alone = chat.ask(1, .who(tea))
    let listed = chat.ask(1, .rooms)
    let came = chat.follow(5, "tea", by: token(of: .mod))
    #expect(came.told.isEmpty)
    #expect(chat.ask(1, .who(tea)) == alone && chat.ask(1, .rooms) == listed)
    #expect(chat.hub.people[Staff.mod.person] == nil)
    #expect(
      chat.ask(1, .send(.with(user("mod")), message("x"), key: nil, replyTo: nil)).drafts.count == 1
    )
    #expect(chat.drop(5) == [])
  }

  @Test func aRoomWithoutFollowersIsPublishedToOnce() {
    var chat = stage()
    #expect(chat.say(1, "one", in: "tea").count == 2, "an answer, and one list")
    chat.follow(5, "tea")
    let lists = chat.say(1, "two", in: "tea").compactMap { effect -> [ConnectionID]? in
      if case .publish(let ids, _, in: _) = effect { ids } else { nil }
    }
    #expect(lists == [[connection(1), connection(2)], [connection(5)]])
    _ = chat.drop(5)
    #expect(chat.say(1, "three", in: "tea").count == 2)
  }

  @Test func ofManyFollowersTheRightOnesGo() {
    var chat = stage()
    for id in 5..<15 { chat.follow(id, "tea") }
    for id in [5, 14, 9, 10] { #expect(chat.drop(id) == []) }
    #expect(chat.drop(9) == [])
    let heard = chat.say(1, "x", in: "tea").told.map(\.id.slot).filter { $0 >= 5 }
    #expect(heard.sorted() == [6, 7, 8, 11, 12, 13])
    #expect(chat.hub.followers.count == 6)
  }

  // MARK: The room

  @Test func aRoomIsThereForAsLongAsItIsFollowed() {
    var chat = stage()
    chat.join(1, "nook")
    chat.follow(5, "nook")
    chat.follow(6, "nook")
    #expect(chat.ask(1, .leave(room("nook"))).refusals(of: 1).isEmpty)
    #expect(chat.hub.has(room("nook")))
    _ = chat.drop(5)
    #expect(chat.hub.has(room("nook")))
    _ = chat.drop(6)
    #expect(!chat.hub.has(room("nook")))
    chat.follow(7, "lobby")
    _ = chat.drop(7)
    #expect(chat.hub.has(.lobby))
  }

  @Test func aConnectionFollowsOneRoom() async {
    await #expect(processExitsWith: .failure) {
      var chat = FollowTests().stage()
      chat.follow(5, "tea")
      chat.follow(5, "lobby")
    }
  }

  // MARK: The end

  /// Mod follows tea by 5, the den by 6 and the lobby by 7; pat follows tea by 8, nobody by 9.
  private func following() -> Chat {
    var chat = stage()
    for (id, name) in [(5, "tea"), (6, "den"), (7, "lobby")] {
      chat.follow(id, name, by: token(of: .mod))
    }
    chat.follow(8, "tea", by: token(of: .pat))
    chat.follow(9, "tea")
    return chat
  }

  @Test func whoIsBannedFromARoomFollowsItNoMore() {
    var chat = following()
    let asked = chat.ban(1, "mod", in: "tea", "why")
    #expect(chat.say(1, "before", in: "tea").texts(shownTo: 5) == ["before"])
    let reason = ClosingReason.putOut(tea, by: user("boss"), short("why"))
    #expect(ends(chat.done(asked)) == ended(5, tea, reason))
    let said = chat.say(1, "behind", in: "tea")
    #expect(said.heard(by: 5).isEmpty && said.texts(shownTo: 8) == ["behind"])
    #expect(said.texts(shownTo: 9) == ["behind"])
    #expect(chat.follow(5, "tea", by: token(of: .mod)).refusals(of: 5).count == 1)
  }

  @Test func whoIsBannedFromTheServerFollowsNothing() {
    var chat = following()
    let banned = chat.done(chat.ban(1, "mod", in: nil, "why"))
    let reason = ClosingReason.banned(short("why"), until: nil)
    #expect(
      ends(banned) == ended(5, tea, reason) + ended(6, den, reason) + ended(7, .lobby, reason))
    #expect(chat.hub.followers.count == 2)
  }

  @Test func whoIsKickedIsPutOutAlsoWhereItOnlyFollows() {
    var chat = following()
    let boss = user("boss")
    let fromTea = chat.demand(1, .kick(tea, user("mod"), nil))
    #expect(ends(fromTea) == ended(5, tea, .putOut(tea, by: boss, nil)))
    #expect(chat.demand(1, .kick(tea, user("mod"), nil)).refusals(of: 1) == [.notHere(user("mod"))])
    let fromDen = chat.demand(1, .kick(den, user("mod"), nil))
    #expect(ends(fromDen) == ended(6, den, .putOut(den, by: boss, nil)))
    #expect(
      chat.follow(6, "den", by: token(of: .mod)).refusals(of: 6) == [.noSuchRoom(den)],
      "its admission is gone")
    #expect(
      ends(chat.demand(1, .kick(nil, user("mod"), nil))) == ended(7, .lobby, .kicked(by: boss, nil))
    )
    #expect(chat.demand(1, .kick(nil, user("mod"), nil)).refusals(of: 1) == [.notHere(user("mod"))])
  }

  @Test func aTokenThatIsVoidedEndsWhoFollowsByIt() {
    let mod = user("mod")
    let table: [(ChatModel.Operation, ClosingReason)] = [
      (.setPassword(.name(mod), password("battery staple")), .loggedOut),
      (.setDisabled(.name(mod), true), .accountEnded), (.removeAccount(.name(mod)), .accountEnded),
    ]
    for (operation, reason) in table {
      var chat = following()
      #expect(
        ends(chat.operate(operation))
          == ended(5, tea, reason) + ended(6, den, reason) + ended(7, .lobby, reason))
    }
    var chat = following()
    chat.come(3, .mod)
    let out = chat.demand(3, .logOut)
    #expect(ends(out).count == 6 && ends(out).suffix(2) == ended(7, .lobby, .loggedOut)[...])
  }

  @Test func anotherPasswordEndsWhoFollowsByTheTokensBefore() {
    var chat = following()
    chat.come(3, .mod)
    let changed = chat.demand(
      3, .changePassword(old: password("correct horse"), new: password("battery staple")))
    #expect(changed.logins.map(\.person) == [Staff.mod.person])
    #expect(ends(changed).count == 6 && ends(changed).first == .withdraw(connection(5), tea))
    #expect(chat.follow(5, "tea", by: token(of: .mod)).refusals(of: 5) == [.badToken])
    #expect(chat.follow(5, "tea", by: token(of: .mod, epoch: 1)).refusals(of: 5) == [])
  }

  @Test func whatCouldNotBeKeptEndsNobody() {
    var chat = following()
    let asked = chat.ban(1, "mod", in: "tea")
    #expect(ends(chat.fail(asked)) == [])
    #expect(chat.say(1, "one", in: "tea").texts(shownTo: 5) == ["one"])
  }

  @Test func aRoomThatIsRemovedIsFollowedByNobody() {
    var chat = following()
    let removed = chat.operate(.removeRoom(tea))
    let reason = ClosingReason.putOut(tea, by: user("operator"), nil)
    #expect(Set(ends(removed).map { "\($0)" }).count == 6)
    for id in [5, 8, 9] {
      #expect(ends(removed).filter { ended(id, tea, reason).contains($0) }.count == 2)
    }
    #expect(removed.errands == [.clear(tea)])
    for visitor in [nil, token(of: .mod)] {
      #expect(chat.follow(5, "tea", by: visitor).refusals(of: 5) == [.noSuchRoom(tea)])
    }
    _ = chat.store(chat.finish(.clear(tea), .cleared(0)))
    #expect(!chat.hub.has(tea) && chat.hub.followers.count == 2)
  }

  @Test func anArchivedRoomIsFollowedOn() {
    var chat = following()
    #expect(ends(chat.operate(.archive(tea))) == [])
    #expect(chat.hub.followers.count == 5)
  }

  // MARK: What may still be put back

  @Test func whileABanIsBeingLiftedNobodyIsLetIn() {
    for isKept in [true, false] {
      var chat = stage()
      _ = chat.done(chat.ban(1, "mod", in: "tea"))
      let lifting = chat.ask(1, .lift(.ban, tea, .name(user("mod"))))
      let asked = chat.follow(5, "tea", .after(0), by: token(of: .mod))
      #expect(asked.records.count == 1 && asked.count == 1)
      #expect(chat.say(1, "meanwhile", in: "tea").heard(by: 5).isEmpty)
      _ = isKept ? chat.store(lifting) : chat.fail(lifting)
      let decided = chat.store(asked)
      #expect(decided.contains(.replay(connection(5), tea, .after(0))) == isKept)
      #expect(decided.refusals(of: 5) == (isKept ? [] : [.banned(tea, nil, until: nil)]))
      #expect(chat.say(1, "then", in: "tea").texts(shownTo: 5) == (isKept ? ["then"] : []))
    }
  }
}
