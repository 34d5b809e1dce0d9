/// Above 64 members joins and leaves are counted, room by room: when the lines come, and what they
/// say.

import ChatHub
import ChatModel
import Testing

@Suite struct CountLineTests {
  var chat = Chat()

  @Test mutating func theSixtyFourthIsToldByNameAndTheSixtyFifthIsCounted() {
    chat.crowd(63)
    #expect(chat.logIn(64, "sixtyfourth").told.count == 64)
    let effects = chat.logIn(65, "sixtyfifth")
    #expect(effects.heard(by: 65) == [.joined(.lobby, user("sixtyfifth"), members: 65)])
    #expect(effects.told.count == 1, "only the one who came is told by name")
  }

  @Test mutating func aCountLineTellsAllWithinHalfASecondOfTheLastChange() throws {
    chat.crowd(70)
    chat.now += .seconds(10)
    for id in 1...12 { chat.logIn(id, "late\(id)") }
    for id in 1...3 { #expect(chat.drop(id).isEmpty) }
    let due = try #require(chat.hub.nextWake)
    #expect(due > chat.now && due <= chat.now + .milliseconds(500))
    chat.now = due
    let line = chat.hub.wake(at: due)
    #expect(line.heard(by: 1_000) == [.membersChanged(.lobby, joined: 12, left: 3, members: 79)])
    #expect(line.told.count == 79)
    #expect(chat.hub.nextWake == nil)
  }

  @Test mutating func linesAreAtLeastHalfASecondApartHoweverManyCome() {
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

  @Test mutating func wakingTooEarlyTellsNothing() {
    chat.crowd(64)
    chat.now += .seconds(10)
    chat.logIn(1, "ann")
    #expect(chat.hub.wake(at: chat.now).isEmpty)
    #expect(chat.hub.nextWake != nil)
  }

  @Test mutating func aRoomIsCountedForItselfAndASmallOneBesideItIsToldByName() throws {
    chat.crowd(70)
    chat.logIn(1, "ann")
    chat.join(1, "tea")
    chat.letCountLinesGoBy()
    chat.now += .seconds(10)
    chat.logIn(2, "bob")
    let moved = chat.join(2, "tea")
    #expect(moved.heard(by: 1) == [.joined(room("tea"), user("bob"), members: 2)])
    chat.now = try #require(chat.hub.nextWake)
    let line = chat.hub.wake(at: chat.now)
    #expect(line.heard(by: 1_000) == [.membersChanged(.lobby, joined: 1, left: 1, members: 70)])
    #expect(line.heard(by: 1).isEmpty)
  }

  @Test mutating func twoLargeRoomsHaveTheirLinesAtTheirOwnTimes() throws {
    chat.crowd(70)
    for id in 1...70 {
      chat.logIn(id, "bot\(id)", .manyRooms)
      chat.join(id, "tea")
    }
    chat.letCountLinesGoBy()
    chat.now += .seconds(10)
    chat.logIn(2_000, "ann")
    let first = try #require(chat.hub.nextWake)
    chat.now += .milliseconds(50)
    _ = chat.drop(1)
    #expect(chat.hub.nextWake == first)
    #expect(
      chat.hub.wake(at: first).told.map(\.event).first
        == .membersChanged(.lobby, joined: 1, left: 0, members: 71))
    let second = try #require(chat.hub.nextWake)
    #expect(second > first)
    let line = chat.hub.wake(at: second)
    #expect(line.heard(by: 2) == [.membersChanged(room("tea"), joined: 0, left: 1, members: 69)])
    #expect(line.told.count == 69)
  }

  @Test mutating func aLargeRoomThatEmptiesAtOnceLeavesNothingToTell() throws {
    chat.crowd(100)
    chat.now += .seconds(10)
    for id in 0..<100 { _ = chat.drop(1_000 + id) }
    #expect(chat.hub.nextWake == nil)
    chat.now += .seconds(10)
    for id in 1...70 { chat.logIn(id, "user\(id)") }
    chat.now = try #require(chat.hub.nextWake)
    #expect(
      chat.hub.wake(at: chat.now).heard(by: 1)
        == [.membersChanged(.lobby, joined: 6, left: 0, members: 70)])
  }
}
