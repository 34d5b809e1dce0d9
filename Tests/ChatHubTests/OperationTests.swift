/// What operators do with accounts and sanctions, and what they are shown; nobody else may.

import ChatHub
import ChatModel
import Testing

@Suite struct OperationTests {
  private let secret = password("correct horse")

  /// Ann with an account, by two connections; bob as a guest.
  private func stage() -> Chat {
    var chat = Chat()
    chat.enroll(1, "ann")
    _ = chat.work(chat.logIn(2, "ann", by: "correct horse"))
    chat.logIn(3, "bob", .manyRooms)
    for id in [1, 2, 3] { chat.join(id, "tea") }
    return chat
  }

  private func person(_ chat: Chat, _ name: String) throws -> PersonID {
    try #require(chat.hub.registry.person(named: user(name)))
  }

  @Test func nobodyOperatesByAnyOtherConnection() {
    var chat = stage()
    chat.enroll(4, "zoe", code: nil)
    let operations: [ChatModel.Operation] = [
      .status, .accounts(after: nil), .removeAccount(.name(user("ann"))),
      .createAccount(user("eve"), secret, .owner), .removeRoom(room("tea")),
      .erase(.name(user("ann")), after: nil), .audit(before: nil, limit: 1),
    ]
    for id in [1, 3, 4, 5] {
      for operation in operations {
        #expect(chat.ask(id, .operate(operation)).refusals(of: id) == [.unknownCommand])
      }
    }
  }

  @Test func nobodyIsCalledOperator() {
    var chat = stage()
    for name in ["operator", "Operator", "OPERATOR "] {
      #expect(chat.logIn(5, name).refusals(of: 5) == [.nameTaken(user("operator"))])
      #expect(chat.register(6, name).refusals(of: 6) == [.nameTaken(user("operator"))])
    }
    #expect(
      chat.answer(chat.operate(.createAccount(user("operator"), secret, .member)))
        == .refused(.nameTaken(user("operator"))))
  }

  @Test func anAccountThatIsMadeCanBeLoggedInTo() throws {
    var chat = stage()
    let made = chat.operate(.createAccount(user("Eve"), secret, .owner))
    let eve = try person(chat, "eve")
    #expect(
      chat.report(made) == .account(AccountState(person: eve, name: user("Eve"), role: .owner)))
    #expect(chat.lines(made) == ["created the account Eve, owner of the server"])
    let logins = chat.work(chat.logIn(5, "eve", by: "correct horse")).logins
    #expect(logins.map(\.person) == [eve])
    let again = chat.operate(.createAccount(user("eve"), secret, .member))
    #expect(chat.problem(again) == .accountExists(user("eve")))
    let held = chat.operate(.createAccount(user("bob"), secret, .member))
    #expect(chat.problem(held) == .nameHeld(user("bob")))
  }

  @Test func twoWhoTakeOneNameAtOnceGetItOnce() throws {
    var chat = stage()
    let first = chat.hub.operate(
      .createAccount(user("eve"), secret, .member), from: connection(operatorID), at: chat.now)
    let second = chat.register(5, "eve")
    let registered = chat.store(chat.work(second))
    #expect(registered.logins.count == 1)
    #expect(chat.problem(chat.store(chat.work(first))) == .accountExists(user("eve")))
  }

  @Test func anotherPasswordEndsWhoCameByTheFormer() throws {
    var chat = stage()
    let ann = try person(chat, "ann")
    let set = chat.operate(.setPassword(.name(user("ann")), password("battery staple")))
    #expect(chat.answer(set) == .done)
    #expect(set.closed.map(\.id) == [connection(1), connection(2)])
    #expect(set.closed.allSatisfy { $0.reason == .loggedOut })
    #expect(chat.resume(5, ann, as: "ann", .manyRooms).refusals(of: 5) == [.badToken])
    let old = chat.work(chat.logIn(5, "ann", by: "correct horse"))
    #expect(old.refusals(of: 5) == [.badPassword])
    #expect(chat.work(chat.logIn(5, "ann", by: "battery staple")).logins.map(\.person) == [ann])
    let guest = chat.operate(.setPassword(.name(user("bob")), secret))
    #expect(chat.problem(guest) == .noAccount(user("bob")))
  }

  @Test func aDisabledAccountIsNobodysUntilItIsEnabled() throws {
    var chat = stage()
    let ann = try person(chat, "ann")
    let disabling = chat.hub.operate(
      .setDisabled(.name(user("ann")), true), from: connection(operatorID), at: chat.now)
    // Nothing of theirs comes behind it, also while it is being kept.
    #expect(chat.send(1, "one more", to: "tea").refusals(of: 1) == [.accountDisabled])
    let disabled = chat.store(disabling)
    #expect(chat.answer(disabled) == .done)
    #expect(disabled.closed.map(\.reason) == [.accountEnded, .accountEnded])
    #expect(chat.lines(disabled) == ["disabled the account ann"])
    #expect(chat.resume(5, ann, as: "ann", .manyRooms).refusals(of: 5) == [.badToken])
    #expect(
      chat.resume(5, ann, as: "ann", .manyRooms, epoch: 1).refusals(of: 5) == [.accountDisabled])
    let right = chat.work(chat.logIn(5, "ann", by: "correct horse"))
    #expect(right.refusals(of: 5) == [.accountDisabled])
    let wrong = chat.work(chat.logIn(5, "ann", by: "battery staple"))
    #expect(wrong.refusals(of: 5) == [.badPassword])
    #expect(chat.logIn(5, "ann").refusals(of: 5) == [.nameHasAccount(user("ann"))])
    #expect(chat.lines(chat.operate(.setDisabled(.name(user("ann")), true))) == [])
    #expect(chat.answer(chat.operate(.setDisabled(.person(ann), false))) == .done)
    #expect(chat.work(chat.logIn(5, "ann", by: "correct horse")).logins.map(\.person) == [ann])
  }

  @Test func aRemovedAccountLeavesItsNameAndItsRolesToOthers() throws {
    var chat = stage()
    let ann = try person(chat, "ann")
    _ = chat.store(chat.ask(1, .create(room("plans"), isPrivate: true, topic: nil)))
    _ = chat.keepAll(chat.send(1, "mine", to: "plans"))
    let removed = chat.operate(.removeAccount(.name(user("ann"))))
    #expect(chat.answer(removed) == .done)
    #expect(removed.closed.map(\.reason) == [.accountEnded, .accountEnded])
    #expect(chat.hub.registry.role(of: ann, in: room("plans")) == nil)
    #expect(chat.resume(5, ann, as: "ann", .manyRooms).refusals(of: 5) == [.badToken])
    #expect(chat.logIn(5, "ann", .manyRooms).logins.map(\.person) != [ann])
    #expect(chat.join(5, "plans").refusals(of: 5) == [.notInvited(room("plans"))])
    #expect(chat.problem(chat.operate(.removeAccount(.person(ann)))) == .guest(ann))
  }

  @Test func whatCouldNotBeKeptIsAsItWas() throws {
    var chat = stage()
    let ann = try person(chat, "ann")
    let operations: [ChatModel.Operation] = [
      .setDisabled(.name(user("ann")), true), .removeAccount(.name(user("ann"))),
      .sanction(.ban, in: nil, .name(user("ann")), nil, seconds: nil), .removeRoom(room("tea")),
      .archive(room("tea")),
    ]
    for operation in operations {
      let failed = chat.fail(
        chat.hub.operate(operation, from: connection(operatorID), at: chat.now))
      #expect(chat.answer(failed) == .refused(.notStored(reason: .diskFull)))
      #expect(failed.closed.isEmpty)
    }
    #expect(chat.hub.registry.account(of: ann)?.isDisabled == false)
    #expect(chat.hub.registry.epoch(of: ann) == 0)
    #expect(chat.keepAll(chat.send(1, "still here", to: "tea")).texts(shownTo: 3) == ["still here"])
  }

  @Test func whoIsBannedByAnOperatorIsGoneWhateverTheirRole() throws {
    var chat = stage()
    _ = chat.operate(.createAccount(user("eve"), secret, .owner))
    _ = chat.work(chat.logIn(5, "eve", by: "correct horse"))
    let eve = try person(chat, "eve")
    let banned = chat.operate(
      .sanction(.ban, in: nil, .name(user("eve")), short("enough"), seconds: 60))
    #expect(banned.closed.map(\.id) == [connection(5)])
    #expect(chat.lines(banned) == ["banned eve on the server for 60 s: enough"])
    let end = Moment(milliseconds: noon.milliseconds + 60_000)
    #expect(
      chat.work(chat.logIn(5, "eve", by: "correct horse")).refusals(of: 5) == [
        .banned(nil, short("enough"), until: end)
      ])
    guard case .sanctions(let rows, next: nil) = chat.report(chat.operate(.sanctions(after: nil)))
    else {
      Issue.record("bans are listed")
      return
    }
    #expect(rows.map(\.key) == [Sanction.Key(.ban, in: nil, of: .person(eve))])
    #expect(rows.map(\.sanction.name) == [user("eve")] && rows.map(\.sanction.until) == [end])
    chat.wall.goOn(seconds: 60)
    #expect(
      chat.report(chat.operate(.sanctions(after: nil))) == .sanctions([], next: nil))
  }

  @Test func aRoomsBanPutsOutOfThatRoomAlone() {
    var chat = stage()
    let banned = chat.operate(
      .sanction(.ban, in: room("tea"), .name(user("bob")), nil, seconds: nil))
    #expect(banned.closed.isEmpty)
    #expect(banned.heard(by: 3) == [.kicked(room("tea"), by: user("operator"), nil)])
    #expect(chat.join(3, "tea").refusals(of: 3).count == 1)
    let elsewhere = chat.operate(.lift(.ban, in: nil, .name(user("bob"))))
    #expect(chat.problem(elsewhere) == .noSanction(.ban))
    #expect(chat.answer(chat.operate(.lift(.ban, in: room("tea"), .name(user("bob"))))) == .done)
    #expect(chat.join(3, "tea").refusals(of: 3) == [])
    let absent = chat.operate(.sanction(.ban, in: room("x"), .name(user("bob")), nil, seconds: nil))
    #expect(chat.problem(absent) == .noSuchRoom(room("x")))
  }

  @Test func networksAreBannedFromTheWholeServer() throws {
    var chat = stage()
    let network = try #require(Network("203.0.113.0/24"))
    let banned = chat.operate(.sanction(.ban, in: nil, .network(network), nil, seconds: nil))
    #expect(banned.contains(.closeNetwork(network, .banned(nil, until: nil))))
    let inRoom = chat.operate(
      .sanction(.ban, in: room("tea"), .network(network), nil, seconds: nil))
    #expect(chat.problem(inRoom) == .networkElsewhere)
    let muted = chat.operate(.sanction(.mute, in: nil, .network(network), nil, seconds: nil))
    #expect(chat.problem(muted) == .networkElsewhere)
    for operation: ChatModel.Operation in [
      .removeAccount(.network(network)), .erase(.network(network), after: nil),
    ] {
      #expect(chat.problem(chat.operate(operation)) == .networkElsewhere)
    }
    #expect(chat.answer(chat.operate(.lift(.ban, in: nil, .network(network)))) == .done)
    #expect(
      chat.problem(chat.operate(.lift(.ban, in: nil, .network(network)))) == .noSanction(.ban))
  }

  @Test func thoseWhoAreNotThereAreNamedInTheRefusal() {
    var chat = stage()
    let nobody = user("nobody")
    for operation: ChatModel.Operation in [
      .setPassword(.name(nobody), secret), .setDisabled(.name(nobody), true),
      .removeAccount(.name(nobody)),
    ] {
      #expect(chat.problem(chat.operate(operation)) == .noAccount(nobody))
    }
    #expect(chat.problem(chat.operate(.erase(.name(nobody), after: nil))) == .nobody(nobody))
    let ban = chat.operate(.sanction(.ban, in: nil, .name(nobody), nil, seconds: nil))
    #expect(chat.problem(ban) == .nobody(nobody))
    #expect(chat.problem(chat.operate(.archive(room("x")))) == .noSuchRoom(room("x")))
    #expect(chat.problem(chat.operate(.archive(.audit))) == .noSuchRoom(.audit))
    #expect(chat.problem(chat.operate(.archive(.lobby))) == .permanent(.lobby))
    #expect(chat.problem(chat.operate(.removeRoom(.lobby))) == .permanent(.lobby))
  }

  // MARK: What is shown

  @Test func listsComeInPagesOfWhichEachHasARest() {
    let facts = (1...950).map { number in
      Fact.account(
        PersonID(rawValue: Int64(number)),
        Account(name: user("person \(number)"), password: hash(of: "x"), role: .member))
    }
    var chat = Chat(facts: facts)
    var names: [String] = []
    var after: String?
    repeat {
      guard case .accounts(let rows, let next) = chat.report(chat.operate(.accounts(after: after)))
      else {
        Issue.record("accounts are listed")
        return
      }
      #expect(!rows.isEmpty && rows.count <= 200)
      names += rows.map(\.name.folded)
      after = next
    } while after != nil
    #expect(names == (1...950).map { "person \($0)" }.sorted())
  }

  @Test func noPageIsLongerThanALine() {
    let reason = short(String(repeating: "\u{1}", count: 256))
    let facts = (1...300).flatMap { number -> [Fact] in
      let name = room("room-\(1_000 + number)")
      let key = Sanction.Key(.ban, in: name, of: .person(PersonID(rawValue: Int64(number))))
      let sanction = Sanction(name: user("ann"), by: user("bob"), reason: reason, at: noon)
      return [
        .room(name, RoomRecord(isPrivate: true)), .topic(name, reason), .sanction(key, sanction),
      ]
    }
    var chat = Chat(facts: facts)
    var rooms: [Place] = []
    var bans = 0
    var after: String?
    repeat {
      guard case .rooms(let rows, let next) = chat.report(chat.operate(.rooms(after: after)))
      else {
        Issue.record("rooms are listed")
        return
      }
      #expect((1...34).contains(rows.count))
      rooms += rows.map(\.place)
      after = next
    } while after != nil
    repeat {
      guard
        case .sanctions(let rows, let next) = chat.report(chat.operate(.sanctions(after: after)))
      else {
        Issue.record("bans are listed")
        return
      }
      #expect((1...31).contains(rows.count))
      bans += rows.count
      after = next
    } while after != nil
    #expect(rooms == [.room(.lobby)] + (1...300).map { .room(room("room-\(1_000 + $0)")) })
    #expect(bans == 300)
  }

  @Test func theStatusCountsWhatTheHubKnows() throws {
    var chat = stage()
    _ = chat.keepAll(chat.ask(1, .send(.with(user("bob")), message("hi"), key: nil, replyTo: nil)))
    let asked = chat.operate(.status)
    guard case .survey(let status) = try #require(asked.errands.first) else { return }
    #expect(status.people == 2 && status.accounts == 1)
    #expect(status.rooms == 2 && status.conversations == 1)
    #expect(asked.contains(.wait(connection(operatorID))))
    var whole = status
    whole.memoryBytes = 7
    let told = chat.finish(.survey(status), .surveyed(whole))
    #expect(
      told == [
        .answer(connection(operatorID), .number("1"), .report(.status(whole))),
        .proceed(connection(operatorID)),
      ])
  }

  @Test func theLogIsReadWithoutARole() {
    var chat = stage()
    #expect(
      chat.operate(.audit(before: 7, limit: 9_999)) == [
        .fetch(
          connection(operatorID), .number("1"), .audit, .before(7),
          limit: HistoryPage.messagesMax)
      ])
  }
}
