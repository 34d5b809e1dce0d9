/// Accounts: who may have a name, who gets in, and what a token is good for.

import ChatHub
import ChatModel
import Testing

@Suite struct AccountTests {
  var chat = Chat(ownerCode: "1234")
  private let ann = user("ann")

  @Test mutating func registeringHashesThenKeepsThenLogsIn() throws {
    let asked = chat.register(1, "ann", "correct horse", .number("1"))
    #expect(
      asked == [.wait(connection(1)), .hash(connection(1), .make(password("correct horse")))])
    let hashed = chat.work(asked)
    let record = try #require(hashed.records.first)
    let person = try #require(chat.hub.registry.person(named: ann))
    let account = Account(name: ann, password: hash(of: "correct horse"), role: .member)
    #expect(record.record.facts == [.account(person, account)])
    #expect(hashed.last == .proceed(connection(1)))
    #expect(hashed.logins.isEmpty, "nothing is answered before it is kept")
    let kept = chat.store(hashed)
    #expect(kept.person(of: 1) == person)
    #expect(kept.contains(.answerLogin(connection(1), .number("1"), person, ann)))
    #expect(!chat.hub.isGuest(person))
  }

  @Test mutating func aGuestThatRegistersKeepsWhoItIsAndHowItsNameIsSpelled() throws {
    let guest = try #require(chat.logIn(1, "Ann", .manyRooms).person(of: 1))
    chat.join(1, "tea")
    let effects = chat.store(chat.work(chat.register(1, "ANN")))
    #expect(effects.logins.map(\.person) == [guest])
    #expect(effects.logins.first?.name.shown == "Ann")
    #expect(effects.told.isEmpty, "nobody has joined or left")
    #expect(chat.hub.registry.account(of: guest)?.name.shown == "Ann")
  }

  @Test mutating func aGuestThatRegistersAnotherNameIsRenamed() throws {
    let guest = try #require(chat.logIn(1, "bob", .manyRooms).person(of: 1))
    chat.join(1, "tea")
    chat.logIn(2, "eve", .manyRooms)
    chat.join(2, "tea")
    let effects = chat.store(chat.work(chat.register(1, "ann")))
    #expect(effects.contains(.named(connection(1), guest, ann)))
    #expect(
      effects.heard(by: 2) == [
        .left(room("tea"), user("bob"), members: 2), .joined(room("tea"), ann, members: 2),
      ])
  }

  @Test mutating func whoHasAnAccountMakesNoSecondOne() {
    chat.enroll(1, "ann")
    #expect(chat.register(1, "eve").refusals(of: 1) == [.hasAccount])
  }

  @Test mutating func theFirstOfTwoWhoRegisterOneNameHasIt() throws {
    let one = chat.register(1, "ann", "correct horse")
    let two = chat.register(2, "ANN", "battery staple")
    let first = chat.work(one)
    // Its facts are not kept yet, and judged by all the same.
    #expect(chat.work(two).refusals(of: 2) == [.nameHasAccount(user("ANN"))])
    #expect(chat.register(3, "Ann").refusals(of: 3) == [.nameHasAccount(user("Ann"))])
    #expect(chat.logIn(4, "ann").refusals(of: 4) == [.nameHasAccount(ann)])
    #expect(chat.store(first).logins.map(\.id) == [connection(1)])
  }

  @Test mutating func aNameThatALiveGuestHoldsIsNotForOthersToRegister() {
    chat.logIn(1, "ann", .manyRooms)
    #expect(chat.register(2, "ann").refusals(of: 2) == [.nameTaken(ann)])
    // Also where the guest came while the password was being hashed.
    let asked = chat.register(2, "bob")
    chat.logIn(3, "bob", .manyRooms)
    #expect(chat.work(asked).refusals(of: 2) == [.nameTaken(user("bob"))])
  }

  @Test mutating func anAccountsNameNeedsItsPassword() throws {
    let person = try #require(chat.enroll(1, "ann").logins.first?.person)
    _ = chat.drop(1)
    #expect(chat.logIn(2, "Ann").refusals(of: 2) == [.nameHasAccount(user("Ann"))])
    let wrong = chat.work(chat.logIn(2, "ann", by: "wrong horse"))
    #expect(wrong.refusals(of: 2) == [.badPassword] && wrong.logins.isEmpty)
    #expect(wrong.last == .proceed(connection(2)))
    let right = chat.work(chat.logIn(2, "ANN", by: "correct horse"))
    #expect(right.logins.map(\.person) == [person])
    #expect(right.logins.first?.name.shown == "ann")
  }

  @Test mutating func aWrongPasswordAndNoAccountTakeTheSameWorkAndAnswer() {
    chat.enroll(1, "ann")
    let wrong = chat.logIn(2, "ann", by: "wrong horse")
    let absent = chat.logIn(2, "bob", by: "wrong horse")
    #expect(wrong.works == [.check(password("wrong horse"), hash(of: "correct horse"))])
    #expect(absent.works == [.check(password("wrong horse"), nil)])
    #expect(chat.work(absent).refusals(of: 2) == [.badPassword])
  }

  @Test mutating func whoMayHaveMeantNoPasswordIsAGuestWhereThereIsNoAccount() throws {
    let effects = chat.logIn(1, "bob", by: "and alice", orAsGuest: true, .oneRoom)
    #expect(effects.works.isEmpty)
    let bob = try #require(effects.person(of: 1))
    #expect(chat.hub.isGuest(bob))
  }

  @Test mutating func severalConnectionsOfOneAccountAreOnePresence() throws {
    let person = try #require(chat.enroll(1, "ann").logins.first?.person)
    chat.join(1, "tea")
    #expect(chat.work(chat.logIn(2, "ann", by: "correct horse")).person(of: 2) == person)
    #expect(chat.join(2, "tea").told.isEmpty)
    #expect(
      chat.ask(1, .who(room("tea"))).answers(to: 1)
        == [.members(room("tea"), [Member(ann, role: .member)], count: 1)])
  }

  @Test mutating func byAnotherNameAnAccountsConnectionBecomesAGuest() throws {
    let person = try #require(chat.enroll(1, "ann").logins.first?.person)
    chat.join(1, "tea")
    let effects = chat.logIn(1, "zoe", .manyRooms)
    #expect(effects.person(of: 1).map { $0 != person } == true)
    #expect(effects.contains(.forget(connection(1), room("tea"))))
    #expect(chat.hub.registry.account(of: person)?.name == ann)
  }

  @Test mutating func aGuestsTokenIsNotGoodForANameThatHasAnAccountNow() throws {
    let guest = try #require(chat.logIn(1, "ann", .manyRooms).person(of: 1))
    _ = chat.drop(1)
    chat.enroll(2, "ann")
    #expect(chat.resume(3, guest, as: "ann").refusals(of: 3) == [.nameHasAccount(ann)])
  }

  @Test mutating func aTokenOfAnAccountHasTheNameThatTheAccountHas() throws {
    let guest = try #require(chat.logIn(1, "bob", .manyRooms).person(of: 1))
    _ = chat.store(chat.work(chat.register(1, "ann")))
    _ = chat.drop(1)
    #expect(chat.resume(2, guest, as: "bob").logins.map(\.name) == [ann])
  }

  // MARK: The owner

  @Test mutating func theCodeMakesOneOwner() throws {
    let wrong = chat.work(chat.register(1, "ann", code: "1243"))
    #expect(wrong.refusals(of: 1) == [.badCode] && wrong.records.isEmpty)
    let first = chat.work(chat.register(1, "ann", code: "1234"))
    let person = try #require(chat.hub.registry.person(named: ann))
    #expect(chat.work(chat.register(2, "bob", code: "1234")).refusals(of: 2) == [.badCode])
    // It was not kept, so the code is good again.
    #expect(chat.fail(first).refusals(of: 1) == [.notStored(reason: .diskFull)])
    #expect(chat.hub.registry.account(of: person) == nil)
    let bob = try #require(chat.enroll(2, "bob", code: "1234").logins.first?.person)
    #expect(chat.hub.registry.account(of: bob)?.role == .owner)
    #expect(chat.hub.registry.hasOwner)
  }

  @Test func withoutACodeNobodyBecomesTheOwner() {
    var chat = Chat()
    #expect(chat.work(chat.register(1, "ann", code: "")).refusals(of: 1) == [.badCode])
  }

  // MARK: Another password, and logging out

  private func change(_ old: String, _ new: String) -> Request {
    .changePassword(old: password(old), new: password(new))
  }

  @Test mutating func anotherPasswordMakesTokensVoidAndEndsOtherConnections() throws {
    let person = try #require(chat.enroll(1, "ann").logins.first?.person)
    _ = chat.work(chat.logIn(2, "ann", by: "correct horse"))
    let effects = chat.work(chat.ask(1, change("correct horse", "battery staple"), .number("3")))
    #expect(effects.records.count == 1 && effects.logins.isEmpty)
    // From here on the old ones are not good enough, kept or not.
    #expect(chat.resume(3, person, as: "ann").refusals(of: 3) == [.badToken])
    #expect(
      chat.work(chat.logIn(3, "ann", by: "correct horse")).refusals(of: 3) == [.badPassword])
    // And the new one lets nobody in that could turn out not to have been let in.
    #expect(chat.work(chat.logIn(3, "ann", by: "battery staple")).refusals(of: 3) == [.busy])
    #expect(!chat.hub.isGuest(person), "an account is one while its password changes")
    let kept = chat.store(effects)
    #expect(kept.contains(.close(connection(2), .loggedOut)))
    #expect(kept.contains(.answerLogin(connection(1), .number("3"), person, ann)))
    #expect(chat.resume(3, person, as: "ann").refusals(of: 3) == [.badToken])
    #expect(chat.resume(3, person, as: "ann", epoch: 1).person(of: 3) == person)
    #expect(chat.work(chat.logIn(4, "ann", by: "battery staple")).person(of: 4) == person)
  }

  @Test mutating func aPasswordThatWasNotKeptWasNeverGood() throws {
    let person = try #require(chat.enroll(1, "ann").logins.first?.person)
    let effects = chat.work(chat.ask(1, change("correct horse", "battery staple")))
    #expect(chat.fail(effects).refusals(of: 1) == [.notStored(reason: .diskFull)])
    #expect(
      chat.work(chat.logIn(2, "ann", by: "battery staple")).refusals(of: 2) == [.badPassword])
    #expect(chat.work(chat.logIn(2, "ann", by: "correct horse")).person(of: 2) == person)
    #expect(chat.resume(3, person, as: "ann").person(of: 3) == person)
  }

  @Test mutating func aPasswordNeedsTheOldOneAndAnAccount() {
    chat.enroll(1, "ann")
    let effects = chat.work(chat.ask(1, change("wrong horse", "battery staple")))
    #expect(effects.refusals(of: 1) == [.badPassword] && effects.records.isEmpty)
    chat.logIn(2, "bob", .manyRooms)
    #expect(chat.ask(2, change("some words", "other words")).refusals(of: 2) == [.noAccount])
    #expect(chat.ask(3, change("some words", "other words")).refusals(of: 3) == [.notLoggedIn])
  }

  @Test mutating func ofTwoChangesAtOnceTheSecondHasTheWrongPassword() {
    chat.enroll(1, "ann")
    _ = chat.work(chat.logIn(2, "ann", by: "correct horse"))
    let one = chat.ask(1, change("correct horse", "battery staple"))
    let two = chat.ask(2, change("correct horse", "another one"))
    _ = chat.work(one)
    #expect(chat.work(two).refusals(of: 2) == [.badPassword])
  }

  @Test(arguments: [true, false])
  func whoLogsOutIsNobodyAndItsTokensAreVoid(hasAccount: Bool) throws {
    var chat = Chat()
    let person = try #require(chat.logIn(1, "ann", .manyRooms).person(of: 1))
    if hasAccount { chat.enroll(1, "ann") }
    chat.join(1, "tea")
    chat.resume(2, person, as: "ann", .manyRooms)
    let asked = chat.ask(1, .logOut, .number("9"))
    #expect(asked.answers(to: 1).isEmpty)
    let effects = chat.store(asked)
    #expect(effects.contains(.close(connection(2), .loggedOut)))
    #expect(effects.contains(.unnamed(connection(1))))
    #expect(effects.contains(.forget(connection(1), room("tea"))))
    #expect(effects.last == .answer(connection(1), .number("9"), .loggedOut))
    #expect(chat.resume(3, person, as: "ann").refusals(of: 3) == [.badToken])
    #expect(chat.ask(1, .rooms).refusals(of: 1) == [.notLoggedIn])
    #expect(chat.logIn(3, "ann").refusals(of: 3) == (hasAccount ? [.nameHasAccount(ann)] : []))
  }

  @Test mutating func whileALogoutIsUnderWayNoPasswordLetsAnybodyIn() throws {
    chat.enroll(1, "ann")
    let effects = chat.ask(1, .logOut)
    #expect(chat.work(chat.logIn(2, "ann", by: "correct horse")).refusals(of: 2) == [.busy])
    _ = chat.store(effects)
    #expect(chat.work(chat.logIn(2, "ann", by: "correct horse")).logins.count == 1)
  }

  @Test mutating func aLogoutThatCannotBeKeptIsNone() throws {
    let person = try #require(chat.enroll(1, "ann").logins.first?.person)
    #expect(
      chat.fail(chat.ask(1, .logOut)).refusals(of: 1) == [.notStored(reason: .diskFull)])
    #expect(chat.ask(1, .rooms).refusals(of: 1) == [])
    #expect(chat.resume(2, person, as: "ann").person(of: 2) == person)
  }

  // MARK: Meanwhile

  @Test mutating func whoHasGoneWhileItsPasswordWasLookedAtIsNotLetIn() {
    chat.enroll(1, "ann")
    let asked = chat.logIn(2, "ann", by: "correct horse")
    _ = chat.drop(2)
    #expect(chat.work(asked).filter { $0 != .wait(connection(2)) }.isEmpty)
  }

  @Test mutating func whoHasGoneWhileItsAccountWasKeptHasItAllTheSame() {
    let effects = chat.work(chat.register(1, "ann"))
    _ = chat.drop(1)
    #expect(chat.store(effects).logins.isEmpty)
    #expect(chat.work(chat.logIn(2, "ann", by: "correct horse")).logins.count == 1)
  }

  @Test mutating func aGuestWhoseConnectionHasGoneMeanwhileIsRenamedByTheOthers() throws {
    let guest = try #require(chat.logIn(1, "bob", .manyRooms).person(of: 1))
    chat.resume(2, guest, as: "bob", .manyRooms)
    let effects = chat.work(chat.register(1, "ann"))
    _ = chat.drop(1)
    // Until it is kept the person is the guest it was.
    #expect(chat.resume(3, guest, as: "bob").logins.map(\.name) == [user("bob")])
    #expect(chat.store(effects).contains(.named(connection(2), guest, ann)))
  }

  @Test mutating func whatIsNotDoneIsRefusedInTheWordsOfWhoDidNotDoIt() {
    _ = chat.register(1, "ann")
    #expect(
      chat.hub.hashed(connection(1), .refused(.busy), at: chat.now)
        == [.answer(connection(1), nil, .refused(.busy)), .proceed(connection(1))])
  }
}
