/// The ninth connection of a person: it takes the place of a dead one, and is refused where all
/// live.

import ChatHub
import ChatModel
import Testing

@Suite struct CrowdTests {
  var chat = Chat(facts: Staff.accounts)
  private let ann: PersonID

  init() {
    ann = chat.come(1, "ann", to: "tea")
    for id in 2...8 { chat.resume(id, ann, as: "ann", .manyRooms) }
  }

  private let full: [Refusal] = [.tooManyConnections(limit: 8)]

  @Test mutating func theFirstThatIsSilentMakesRoom() {
    let asked = chat.resume(9, ann, as: "ann", .manyRooms)
    #expect(asked == [.wait(connection(9))] + (1...8).map { .probe(connection($0)) })
    #expect(chat.probed(1, isAlive: true).isEmpty)
    let effects = chat.probed(5, isAlive: false)
    #expect(effects.contains(.close(connection(5), .silent)))
    #expect(effects.person(of: 9) == ann && effects.contains(.proceed(connection(9))))
    for id in [2, 3, 4, 6, 7, 8] { #expect(chat.probed(id, isAlive: true).isEmpty) }
    #expect(chat.hub.crowdsHeld == 0)
  }

  @Test mutating func ofSeveralWhoAskEachTakesOnePlaceAndTheRestIsRefusedWithTheLastAnswer() {
    for id in 9...11 { chat.resume(id, ann, as: "ann", .manyRooms) }
    #expect(chat.probed(1, isAlive: false).person(of: 9) == ann)
    for id in 2...7 { #expect(chat.probed(id, isAlive: true).isEmpty) }
    // The last is dead, too: one gets in, and nobody is left whose answer could decide.
    let last = chat.probed(8, isAlive: false)
    #expect(last.person(of: 10) == ann)
    #expect(last.refusals(of: 11) == full && last.contains(.proceed(connection(11))))
    #expect(chat.hub.crowdsHeld == 0)
  }

  @Test mutating func whoAsksAndGoesIsForgottenAndTheNextIsAnsweredByTheProbesUnderWay() {
    chat.resume(9, ann, as: "ann", .manyRooms)
    #expect(chat.drop(9).isEmpty)
    #expect(chat.resume(10, ann, as: "ann", .manyRooms) == [.wait(connection(10))])
    for id in 1...7 { #expect(chat.probed(id, isAlive: true).isEmpty) }
    #expect(chat.probed(8, isAlive: true).refusals(of: 10) == full)
  }

  @Test mutating func whenAllWhoAskedHaveGoneTheNextHasThemProbedAgain() {
    chat.resume(9, ann, as: "ann", .manyRooms)
    _ = chat.drop(9)
    for id in 1...8 { #expect(chat.probed(id, isAlive: true).isEmpty) }
    #expect(chat.hub.crowdsHeld == 0)
    #expect(chat.resume(10, ann, as: "ann", .manyRooms).count == 9)
  }

  @Test mutating func whereAllGoAllWhoAskGetIn() {
    for id in 9...12 { chat.resume(id, ann, as: "ann", .manyRooms) }
    let effects = (1...8).flatMap { chat.drop($0) }
    for id in 9...12 { #expect(effects.person(of: id) == ann) }
    #expect(chat.hub.crowdsHeld == 0)
  }

  @Test mutating func whereAllGoAndNobodyAsksNothingIsLeft() {
    chat.resume(9, ann, as: "ann", .manyRooms)
    _ = chat.drop(9)
    for id in 1...8 { _ = chat.drop(id) }
    #expect(chat.hub.crowdsHeld == 0)
    #expect(chat.come(20, "ann") != ann)
  }

  @Test mutating func whoWaitsComesInByTheNameThatThePersonHasByThen() {
    chat.resume(9, ann, as: "ann", .manyRooms)
    chat.logIn(1, "anna")
    let effects = chat.drop(2)
    #expect(effects.contains(.named(connection(9), ann, user("anna"))))
    #expect(chat.logIn(20, "ann").person(of: 20) != nil, "the old name is free")
    #expect(chat.logIn(21, "anna").contains(.wait(connection(21))))
  }

  @Test mutating func whoWaitsByATokenThatIsVoidMeanwhileIsNotLetIn() {
    chat.resume(9, ann, as: "ann", .manyRooms)
    let effects = chat.demand(1, .logOut)
    #expect(effects.refusals(of: 9) == [.badToken] && effects.contains(.proceed(connection(9))))
    #expect(effects.logins.isEmpty)
  }

  @Test mutating func anotherPasswordLetsNobodyInWhoWaitedByTheOldOne() {
    for id in 21...28 { chat.come(id, .pat) }
    #expect(
      chat.work(chat.logIn(29, "pat", by: "correct horse")).contains(.probe(connection(21))))
    let change = Request.changePassword(
      old: password("correct horse"), new: password("battery staple"))
    let effects = chat.demand(21, change)
    #expect(effects.logins.map(\.id) == [connection(21)])
    #expect(effects.refusals(of: 29) == [.badToken])
  }

  @Test mutating func whoWaitsForANameByATokenThatIsVoidMeanwhileIsNotLetIn() {
    for id in 1...8 { _ = chat.drop(id) }
    chat.come(9, "ann")
    chat.resume(1, ann, as: "ann", .manyRooms)
    chat.resume(2, ann, as: "anna", .manyRooms)
    _ = chat.demand(2, .logOut)
    let effects = chat.drop(9)
    #expect(effects.refusals(of: 1) == [.badToken] && effects.logins.isEmpty)
  }

  @Test mutating func whoWaitsForAnOldNameOfItsOwnKeepsTheOneItHasByThen() {
    for id in 1...8 { _ = chat.drop(id) }
    chat.come(9, "ann")
    chat.resume(1, ann, as: "ann", .manyRooms)
    chat.resume(2, ann, as: "anna", .manyRooms)
    #expect(chat.drop(9).contains(.named(connection(1), ann, user("anna"))))
    #expect(chat.logIn(20, "ann").person(of: 20) != nil)
  }

  @Test mutating func theBannedWhoWaitAreRefused() {
    chat.come(20, .boss)
    chat.resume(9, ann, as: "ann", .manyRooms)
    let effects = chat.done(chat.ban(20, "ann"))
    #expect(effects.refusals(of: 9) == [.banned(nil, nil, until: nil)])
    #expect(effects.logins.isEmpty && chat.hub.crowdsHeld == 0)
  }
}
