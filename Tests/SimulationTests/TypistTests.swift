/// What somebody at a terminal is held to: messages and changes, in order and without a hole.

import ChatModel
import Testing

@testable import Simulation

@Suite struct TypistTests {
  private let world = World(seed: 1)
  private let typist: Typist

  /// In tea #1 is said, #2 changes it, and #3 is not kept any more.
  init() throws {
    let tea = try #require(RoomName("tea"))
    let texts = try ["hi", "hello", "bye"].map { try #require(MessageText($0)) }
    for content in [Content.text(texts[0]), .edit(of: 1, texts[1]), .text(texts[2])] {
      let draft = try Draft(
        room: tea, person: PersonID(rawValue: 1), from: UserName("ann"), content: content)
      _ = try world.ledger.keep(draft, at: Moment(milliseconds: 0), step: 0, skipping: 0)
    }
    world.ledger.remove(3...3, from: tea)
    typist = Typist("typist", in: world)
    try hear("* you are in tea: 2 here, newest #1")
  }

  private func hear(_ lines: String...) throws {
    for line in lines { try typist.heard(line, writtenAs: Stamp(step: 1)) }
  }

  @Test func aGapMayFollowAChange() throws {
    try hear("* ann changed #1: hello", "* #3 to #3 are not kept any more")
  }

  @Test func aChangeThatIsLeftOutBeforeAGapIsMissing() {
    #expect(throws: Violation.self) { try hear("* #3 to #3 are not kept any more") }
  }

  @Test func aChangeIsShownOnce() throws {
    try hear("* ann changed #1: hello")
    #expect(throws: Violation.self) { try hear("* ann changed #1: hello") }
  }

  @Test func aChangeThatIsNotKeptIsNotShown() {
    #expect(throws: Violation.self) { try hear("* ann deleted #1") }
  }
}
