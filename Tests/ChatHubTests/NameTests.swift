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

  @Test mutating func aLivingHolderKeepsTheName() {
    chat.logIn(1, "ann")
    chat.logIn(2, "ann")
    let effects = chat.hub.probed(connection(1), isAlive: true, at: chat.now)
    #expect(
      effects == [
        .tell(connection(2), .refused(.nameTaken(user("ann")))), .proceed(connection(2)),
      ])
    #expect(chat.say(1, "mine").count == 1)
  }

  @Test mutating func aSilentHolderIsClosedAndTheFirstWhoAskedHasTheName() {
    chat.logIn(1, "ann")
    chat.logIn(9, "bob")
    chat.logIn(2, "ann")
    #expect(chat.logIn(3, "ann") == [.wait(connection(3))], "one probe is enough")
    let effects = chat.hub.probed(connection(1), isAlive: false, at: chat.now)
    #expect(effects.contains(.close(connection(1), .silent)))
    #expect(effects.contains(.named(connection(2), user("ann"))))
    #expect(effects.contains(.proceed(connection(2))))
    #expect(effects.contains(.probe(connection(2))), "the next asks for the new holder")
    #expect(!effects.contains(.proceed(connection(3))))
    #expect(
      chat.hears(9, effects) == [
        .left(user("ann"), members: 1), .joined(user("ann"), members: 2),
      ])
  }

  @Test mutating func aHolderThatLeavesMeanwhileLetsTheNextIn() {
    chat.logIn(1, "ann")
    chat.logIn(2, "ann")
    let effects = chat.drop(1)
    #expect(effects.contains(.named(connection(2), user("ann"))))
    #expect(effects.contains(.proceed(connection(2))))
    #expect(chat.hub.probed(connection(1), isAlive: false, at: chat.now).isEmpty)
  }

  @Test mutating func aHolderThatChangesItsNameLetsTheNextIn() {
    chat.logIn(1, "ann")
    chat.logIn(2, "ann")
    let effects = chat.logIn(1, "anna")
    #expect(effects.contains(.named(connection(2), user("ann"))))
    #expect(effects.contains(.named(connection(1), user("anna"))))
  }

  @Test mutating func oneWhoGoesWhileWaitingIsForgotten() {
    chat.logIn(1, "ann")
    chat.logIn(2, "ann")
    #expect(chat.drop(2).isEmpty)
    #expect(chat.hub.probed(connection(1), isAlive: true, at: chat.now).isEmpty)
  }

  @Test mutating func anotherNameThatIsTakenKeepsTheOldOne() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    chat.logIn(2, "ann")
    _ = chat.hub.probed(connection(1), isAlive: true, at: chat.now)
    #expect(chat.hears(1, chat.say(2, "hi")) == [.said(user("bob"), message("hi"))])
  }

  @Test mutating func afterALeaveTheNameIsFree() {
    chat.logIn(1, "ann")
    _ = chat.drop(1)
    #expect(chat.logIn(2, "ann").first == .named(connection(2), user("ann")))
  }
}
