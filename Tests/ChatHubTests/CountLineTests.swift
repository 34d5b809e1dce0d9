/// Above 64 members joins and leaves are counted: when the lines come, and what they say.

import ChatHub
import ChatModel
import Testing

@Suite struct CountLineTests {
  @Test func theSixtyFourthIsToldByNameAndTheSixtyFifthIsCounted() {
    var chat = Chat()
    chat.crowd(63)
    #expect(chat.told(chat.logIn(64, "sixtyfourth")).count == 64)
    let effects = chat.logIn(65, "sixtyfifth")
    #expect(chat.hears(65, effects) == [.joined(user("sixtyfifth"), members: 65)])
    #expect(chat.told(effects).count == 1, "only the one who came is told by name")
  }

  @Test func aCountLineTellsAllWithinHalfASecondOfTheLastChange() {
    var chat = Chat()
    chat.crowd(70)
    chat.now += .seconds(10)
    for id in 1...12 { chat.logIn(id, "late\(id)") }
    for id in 1...3 { #expect(chat.drop(id).isEmpty) }
    guard let due = chat.hub.nextWake else {
      Issue.record("a line is due")
      return
    }
    #expect(due > chat.now && due <= chat.now + .milliseconds(500))
    chat.now = due
    let line = chat.hub.wake(at: due)
    #expect(
      chat.hears(1_000, line) == [.membersChanged(joined: 12, left: 3, members: 79)])
    #expect(chat.told(line).count == 79)
    #expect(chat.hub.nextWake == nil)
  }

  @Test func linesAreAtLeastHalfASecondApartHoweverManyCome() {
    var chat = Chat()
    chat.crowd(64)
    var lines: [Duration] = []
    chat.now += .seconds(10)
    for id in 1...300 {
      chat.now += .milliseconds(10)
      if let due = chat.hub.nextWake, due <= chat.now {
        lines.append(chat.now)
        _ = chat.hub.wake(at: chat.now)
      }
      chat.logIn(id, "late\(id)")
    }
    #expect(lines.count >= 5)
    #expect(zip(lines, lines.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(500) })
  }

  @Test func wakingTooEarlyTellsNothing() {
    var chat = Chat()
    chat.crowd(64)
    chat.now += .seconds(10)
    chat.logIn(1, "ann")
    #expect(chat.hub.wake(at: chat.now).isEmpty)
    #expect(chat.hub.nextWake != nil)
  }
}
