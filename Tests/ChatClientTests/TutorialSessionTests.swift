/// The conversation with the tutorials' servers, by hand clock. No sockets.

import ChatModel
import Testing

@testable import ChatClient

@Suite struct TutorialSessionTests {
  private var session: TutorialSession

  init() throws {
    session = TutorialSession(name: try UserName("ann"))
    #expect(
      session.opened(at: .zero)
        == [.enter(.loggingIn), .write(Array("iam:ann".utf8)), .enter(.open)])
  }

  private mutating func say(_ text: String, at now: Duration) throws -> [SessionAction]? {
    session.say(try #require(MessageText(text)), at: now)
  }

  private func ms(_ count: Int) -> Duration { .milliseconds(count) }

  private mutating func receive(_ text: String, at now: Duration) -> [SessionAction] {
    session.received(Array(text.utf8), at: now)
  }

  @Test mutating func commandsGoOutOneByOneWithAPause() throws {
    #expect(try say("one", at: ms(10)) == [])
    #expect(try say("two", at: ms(20)) == [])
    #expect(session.deadline == ms(100))
    #expect(session.timePassed(at: ms(99)) == [])
    #expect(session.timePassed(at: ms(100)) == [.write(Array("msg:one".utf8))])
    #expect(session.deadline == ms(200))
    #expect(session.timePassed(at: ms(210)) == [.write(Array("msg:two".utf8))])
    #expect(session.deadline == nil)
    #expect(try say("three", at: ms(400)) == [.write(Array("msg:three".utf8))])
  }

  @Test(arguments: ["x", "é", "☕", "👩‍👩‍👧", "e\u{0301}\u{0302}"])
  mutating func longTextsAreCutBetweenCharacters(character: String) throws {
    let text = String(repeating: character, count: 4_096 / character.utf8.count)
    var now = ms(1_000)
    var actions = try #require(try say(text, at: now))
    while let deadline = session.deadline {
      now = deadline
      actions += session.timePassed(at: now)
    }
    var said = ""
    for action in actions {
      guard case .write(let bytes) = action else { continue }
      let command = String(decoding: bytes, as: UTF8.self)
      #expect(bytes.count <= 1_024)
      #expect(command.hasPrefix("msg:"))
      #expect(command.dropFirst(4).allSatisfy { String($0) == character })
      said += command.dropFirst(4)
    }
    #expect(said == text)
    #expect(actions.count == 5 || character == "x" && actions.count == 5)
  }

  @Test mutating func aCharacterLongerThanACommandIsCutAllTheSame() throws {
    let text = "a" + String(repeating: "\u{0301}", count: 2_000)
    var actions = try #require(try say(text, at: ms(1_000)))
    while let deadline = session.deadline { actions += session.timePassed(at: deadline) }
    let commands = actions.compactMap { action -> [UInt8]? in
      guard case .write(let bytes) = action else { return nil }
      return bytes
    }
    #expect(commands.allSatisfy { $0.count <= 1_024 })
    #expect(commands.flatMap { $0.dropFirst(4) } == Array(text.utf8))
  }

  @Test mutating func anUnterminatedLineIsShownAfterAWhile() {
    #expect(receive("bob has joined", at: ms(50)) == [])
    #expect(session.deadline == ms(100))
    #expect(session.timePassed(at: ms(100)) == [.show(.joined("bob"))])
    #expect(session.deadline == nil)
  }

  @Test mutating func aCharacterCutInTwoIsWaitedForOnce() {
    let bytes = Array("bob: é".utf8)
    _ = session.received(Array(bytes.dropLast()), at: ms(0))
    #expect(session.timePassed(at: ms(50)) == [.show(.said(from: "bob", text: ""))])
    #expect(session.deadline == ms(100))
    #expect(session.timePassed(at: ms(100)) == [.show(.other("\u{FFFD}"))])
    #expect(session.deadline == nil)
  }

  @Test mutating func theEndComesTwoSecondsAfterTheLastEcho() throws {
    _ = try say("one", at: ms(100))
    #expect(session.finish(at: ms(100)) == [])
    #expect(receive("ann: one\n", at: ms(1_500)).count == 1)
    _ = receive("bob: hi\n", at: ms(3_000))
    #expect(session.timePassed(at: ms(3_499)) == [])
    #expect(session.timePassed(at: ms(3_500)) == [.enter(.closed(.finished))])
  }

  @Test mutating func withoutEchoesTheEndComesAfterTwoQuietSeconds() throws {
    _ = try say("one", at: ms(100))
    _ = session.finish(at: ms(100))
    _ = receive("bob: hi\n", at: ms(1_000))
    #expect(session.deadline == ms(3_000))
    _ = receive("bob: hi\n", at: ms(2_000))
    #expect(session.timePassed(at: ms(3_999)) == [])
    #expect(session.timePassed(at: ms(4_000)) == [.enter(.closed(.finished))])
  }

  @Test mutating func aRoomThatIsNeverQuietDoesNotHoldTheEndForEver() throws {
    _ = try say("one", at: ms(100))
    _ = session.finish(at: ms(100))
    for second in 1...10 { _ = receive("bob: hi\n", at: .seconds(second)) }
    #expect(session.timePassed(at: ms(10_099)) == [])
    #expect(session.timePassed(at: ms(10_100)) == [.enter(.closed(.finished))])
  }

  @Test mutating func theServersEndIsFineOnceAllIsEchoed() throws {
    _ = try say("one", at: ms(100))
    _ = session.finish(at: ms(100))
    var other = session
    #expect(
      other.ended(.byServer, at: ms(200)) == [.enter(.closed(.endedByServer(unanswered: 1)))])
    _ = receive("ann: one", at: ms(200))
    #expect(
      session.ended(.byServer, at: ms(210))
        == [.show(.said(from: "ann", text: "one")), .enter(.closed(.finished))])
  }

  @Test mutating func nothingCanBeAsked() {
    #expect(session.ask(.who, at: ms(0)) == nil)
    #expect(session.quit(at: ms(0)) == [.enter(.closed(.finished))])
  }
}
