/// Who gets a name that somebody else has: the holder if it lives, else who asked first.

import ChatHub
import ChatModel
import Testing

@Suite struct NameTests {
  var chat = Chat()

  @Test mutating func aTakenNameWaitsForAProbeOfTheHolder() {
    chat.logIn(1, "ann")
    #expect(chat.logIn(2, "Ann") == [.wait(connection(2)), .probe(connection(1))])
  }

  @Test mutating func everyConnectionOfTheHolderIsProbed() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.resume(2, ann, as: "ann")
    #expect(
      chat.logIn(3, "ann")
        == [.wait(connection(3)), .probe(connection(1)), .probe(connection(2))])
  }

  @Test mutating func aLivingHolderKeepsTheName() {
    chat.logIn(1, "ann")
    chat.logIn(2, "ann", .manyRooms, .number("1"))
    #expect(
      chat.probed(1, isAlive: true) == [
        .answer(connection(2), .number("1"), .refused(.nameTaken(user("ann")))),
        .proceed(connection(2)),
      ])
    #expect(chat.say(1, "mine").texts(shownTo: 1) == ["mine"])
  }

  @Test mutating func aSilentHolderIsClosedAndTheFirstWhoAskedHasTheName() throws {
    chat.logIn(1, "ann")
    chat.logIn(9, "bob")
    chat.logIn(2, "ann")
    #expect(chat.logIn(3, "ann") == [.wait(connection(3))], "one probe is enough")
    let effects = chat.probed(1, isAlive: false)
    #expect(effects.contains(.close(connection(1), .silent)))
    #expect(effects.person(of: 2) != nil)
    #expect(effects.contains(.proceed(connection(2))))
    #expect(effects.contains(.probe(connection(2))), "the next asks for the new holder")
    #expect(!effects.contains(.proceed(connection(3))))
    #expect(
      effects.heard(by: 9) == [
        .left(.lobby, user("ann"), members: 1), .joined(.lobby, user("ann"), members: 2),
      ])
  }

  @Test mutating func aSilentConnectionOfALivingPersonIsClosedAndTheNameStays() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.resume(2, ann, as: "ann")
    chat.logIn(3, "ann")
    #expect(chat.probed(1, isAlive: false) == [.close(connection(1), .silent)])
    #expect(chat.probed(2, isAlive: true).refusals(of: 3) == [.nameTaken(user("ann"))])
  }

  @Test mutating func aHolderWhoComesBackByAnotherConnectionLives() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.logIn(3, "ann")
    let effects = chat.resume(2, ann, as: "ann")
    #expect(effects.refusals(of: 3) == [.nameTaken(user("ann"))])
    #expect(effects.contains(.proceed(connection(3))))
    #expect(chat.probed(1, isAlive: false) == [.close(connection(1), .silent)])
    #expect(chat.say(2, "mine").texts(shownTo: 2) == ["mine"])
  }

  @Test mutating func aHolderThatLeavesMeanwhileLetsTheNextIn() {
    chat.logIn(1, "ann")
    chat.logIn(2, "ann")
    let effects = chat.drop(1)
    #expect(effects.person(of: 2) != nil)
    #expect(effects.contains(.proceed(connection(2))))
    #expect(chat.probed(1, isAlive: false).isEmpty)
  }

  @Test mutating func aHolderThatChangesItsNameLetsTheNextIn() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.logIn(2, "ann")
    let effects = chat.logIn(1, "anna")
    #expect(effects.contains(.named(connection(1), ann, user("anna"))))
    #expect(effects.person(of: 2) != nil)
    #expect(effects.person(of: 2) != ann)
  }

  @Test mutating func oneWhoGoesWhileWaitingIsForgotten() {
    chat.logIn(1, "ann")
    chat.logIn(2, "ann")
    #expect(chat.drop(2).isEmpty)
    #expect(chat.probed(1, isAlive: true).isEmpty)
  }

  @Test mutating func oneWhoAsksWhenAllWhoWaitedHaveGoneIsAnsweredByTheProbeUnderWay() {
    chat.logIn(1, "ann")
    chat.logIn(2, "ann")
    _ = chat.drop(2)
    #expect(chat.logIn(3, "ann") == [.wait(connection(3))])
    #expect(chat.probed(1, isAlive: true).refusals(of: 3) == [.nameTaken(user("ann"))])
  }

  @Test mutating func anotherNameThatIsTakenKeepsTheOldOne() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    chat.logIn(2, "ann")
    _ = chat.probed(1, isAlive: true)
    #expect(chat.send(2, "hi").drafts.first?.draft.from == user("bob"))
  }

  @Test mutating func oneWhoIsSomebodyAndWaitsForADeadHoldersNameGetsIt() throws {
    chat.logIn(1, "ann")
    let bob = try #require(chat.logIn(2, "bob").person(of: 2))
    chat.logIn(2, "ann")
    let effects = chat.probed(1, isAlive: false)
    #expect(effects.contains(.named(connection(2), bob, user("ann"))))
    #expect(chat.logIn(3, "bob").person(of: 3) != nil, "and gives its own up")
  }

  @Test mutating func aTokenWhoseNameSomebodyElseHasWaitsForAProbe() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    _ = chat.drop(1)
    chat.logIn(2, "ann")
    #expect(
      chat.resume(3, ann, as: "ann") == [.wait(connection(3)), .probe(connection(2))])
    #expect(chat.probed(2, isAlive: false).person(of: 3) == ann)
  }

  @Test mutating func twoConnectionsThatWaitWithOneTokenBecomeOnePerson() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    _ = chat.drop(1)
    chat.logIn(2, "ann")
    chat.resume(3, ann, as: "ann")
    chat.resume(4, ann, as: "ann")
    let effects = chat.probed(2, isAlive: false)
    #expect(effects.person(of: 3) == ann)
    #expect(effects.person(of: 4) == ann)
    #expect(effects.contains(.proceed(connection(3))) && effects.contains(.proceed(connection(4))))
  }

  @Test mutating func afterALeaveTheNameIsFree() {
    chat.logIn(1, "ann")
    _ = chat.drop(1)
    #expect(chat.logIn(2, "ann").person(of: 2) != nil)
  }
}
