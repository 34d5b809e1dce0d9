/// The conversation with our own server, by hand clock. No sockets.

import ChatModel
import Testing

@testable import ChatClient

@Suite struct PlainSessionTests {
  private var session: PlainSession
  private let start = Duration.zero

  init() throws {
    session = PlainSession(name: try UserName("ann"))
  }

  private mutating func open() {
    _ = session.opened(at: start)
    _ = receive("* pong beck-1\n")
    #expect(session.state == .open)
  }

  private mutating func receive(_ text: String) -> [SessionAction] {
    session.received(Array(text.utf8), at: start)
  }

  private mutating func say(_ text: String) throws -> [SessionAction]? {
    session.say(try #require(MessageText(text)), at: start)
  }

  private func write(_ text: String) -> SessionAction { .write(Array(text.utf8)) }

  @Test mutating func theNameGoesFirstAndIsTakenWhenItsPingIsAnswered() {
    #expect(session.state == .connecting)
    #expect(
      session.opened(at: start) == [.enter(.loggingIn), write("iam:ann\nping:beck-1\n")])
    #expect(!session.canSay)
    #expect(receive("ann has joined\n") == [.show(.joined("ann"))])
    #expect(!session.canSay)
    #expect(receive("* pong beck-1\n") == [.enter(.open)])
    #expect(session.canSay)
  }

  @Test mutating func aRefusalBeforeThePongEndsTheLogin() {
    _ = session.opened(at: start)
    #expect(
      receive("! ann is taken\n* pong beck-1\n")
        == [
          .show(.refusal("ann is taken")),
          .enter(.closed(.loginRefused("ann is taken", .nameTaken))),
        ])
  }

  @Test mutating func aPingFollowsEveryLine() throws {
    open()
    #expect(try say("hello") == [write("msg:hello\nping:beck-2\n")])
    #expect(try say("again") == [write("msg:again\nping:beck-3\n")])
  }

  @Test mutating func whatIsSaidTooEarlyWaitsForTheLogin() throws {
    #expect(try say("one") == [])
    _ = session.opened(at: start)
    #expect(try say("two") == [])
    #expect(
      receive("* pong beck-1\n")
        == [.enter(.open), write("msg:one\nping:beck-2\nmsg:two\nping:beck-3\n")])
  }

  @Test mutating func atMostEightLinesAreUnanswered() throws {
    open()
    for number in 1...8 {
      #expect(session.canSay)
      #expect(try say("\(number)")?.count == 1)
    }
    #expect(!session.canSay)
    #expect(try say("nine") == [])
    #expect(try say("ten") == [])
    // An echo alone frees nothing, a pong does.
    #expect(receive("ann: 1\n") == [.show(.said(from: "ann", text: "1"))])
    #expect(receive("* pong beck-2\n") == [write("msg:nine\nping:beck-10\n")])
    #expect(!session.canSay)
    #expect(receive("* pong beck-3\n") == [write("msg:ten\nping:beck-11\n")])
    #expect(!session.canSay)
    #expect(receive("* pong beck-4\n") == [])
    #expect(session.canSay)
  }

  @Test mutating func aPongAnswersAllThatWasSentBeforeIt() throws {
    open()
    for number in 1...8 { _ = try say("\(number)") }
    #expect(receive("* pong beck-9\n") == [])
    #expect(session.ended(.byServer, at: start) == [.enter(.closed(.endedByServer(unanswered: 0)))])
  }

  @Test mutating func otherPongsAreShown() {
    open()
    #expect(session.ask(.ping("x"), at: start) == [write("ping:x\n")])
    #expect(receive("* pong x\n") == [.show(.pong("x"))])
    #expect(session.ask(.who, at: start) == [write("who:\n")])
    #expect(session.ask(.help, at: start) == [write("help:\n")])
  }

  @Test mutating func roomsAndHistoryAreAskedForInPlainWords() throws {
    open()
    let tea = try #require(RoomName("tea"))
    #expect(session.ask(.rooms, at: start) == [write("rooms:\n")])
    #expect(session.ask(.history(7), at: start) == [write("history:7\n")])
    #expect(session.join(tea, at: start) == [write("join:tea\n")])
    var other = PlainSession(name: try UserName("ann"), room: tea)
    _ = other.opened(at: start)
    #expect(
      other.received(Array("* pong beck-1\n".utf8), at: start)
        == [.enter(.open), write("join:tea\n")])
  }

  @Test mutating func theEndComesWithTheLastPong() throws {
    open()
    _ = try say("hello")
    #expect(session.finish(at: start) == [write("ping:beck-3\n")])
    #expect(!session.canSay)
    #expect(try say("late") == nil)
    #expect(receive("ann: hello\n* pong beck-2\n").count == 1)
    #expect(receive("* pong beck-3\nbob: hi\n") == [.enter(.closed(.finished))])
    #expect(receive("bob: hi\n") == [])
  }

  @Test mutating func theEndWaitsForLinesThatWait() throws {
    open()
    for number in 1...9 { _ = try say("\(number)") }
    #expect(session.finish(at: start) == [])
    #expect(
      receive("* pong beck-2\n") == [write("msg:9\nping:beck-10\nping:beck-11\n")])
    #expect(receive("* pong beck-10\n") == [])
    #expect(receive("* pong beck-11\n") == [.enter(.closed(.finished))])
  }

  @Test mutating func theEndMayBeAskedForBeforeTheBeginning() throws {
    _ = try say("hello")
    #expect(session.finish(at: start) == [])
    _ = session.opened(at: start)
    #expect(
      receive("* pong beck-1\n")
        == [.enter(.open), write("msg:hello\nping:beck-2\nping:beck-3\n")])
  }

  @Test mutating func aRefusalIsShownAndTheConversationGoesOn() throws {
    open()
    _ = try say("hello")
    #expect(receive("! no\n* pong beck-2\n") == [.show(.refusal("no"))])
    #expect(session.canSay)
  }

  @Test mutating func quittingWaitsForTheServerToClose() {
    open()
    #expect(session.quit(at: .seconds(5)) == [write("quit:\n")])
    #expect(session.deadline == .seconds(7))
    #expect(session.timePassed(at: .seconds(6)) == [])
    #expect(session.ended(.byServer, at: .seconds(6)) == [.enter(.closed(.finished))])
    #expect(session.deadline == nil)
  }

  @Test mutating func quittingDoesNotWaitForEver() throws {
    open()
    _ = try say("hello")
    _ = session.quit(at: .seconds(5))
    #expect(
      session.timePassed(at: .seconds(7)) == [.enter(.closed(.abandoned(unanswered: 1)))])
  }

  @Test mutating func theServersEndLeavesLinesUnanswered() throws {
    open()
    for number in 1...10 { _ = try say("\(number)") }
    #expect(
      session.ended(.byServer, at: start) == [.enter(.closed(.endedByServer(unanswered: 10)))])
    #expect(session.ended(.failed("late"), at: start) == [])
  }

  @Test mutating func theServersEndIsFineOnceAllIsSaidAndAnswered() throws {
    open()
    _ = try say("hello")
    _ = session.finish(at: start)
    var early = session
    #expect(
      early.ended(.byServer, at: start) == [.enter(.closed(.endedByServer(unanswered: 1)))])
    _ = receive("* pong beck-2\n")
    #expect(session.ended(.failed("reset"), at: start) == [.enter(.closed(.finished))])
  }

  @Test mutating func theServersEndBeforeTheLoginIsNeverFine() {
    _ = session.opened(at: start)
    _ = session.finish(at: start)
    #expect(
      session.ended(.byServer, at: start) == [.enter(.closed(.endedByServer(unanswered: 0)))])
  }

  @Test mutating func anUnfinishedLineIsShownAtTheEnd() throws {
    open()
    _ = receive("* bye")
    #expect(
      session.ended(.failed("connection reset by peer"), at: start) == [
        .show(.notice("bye")),
        .enter(.closed(.broken("connection reset by peer", unanswered: 0))),
      ])
  }

  @Test mutating func aServerOutOfReachIsToldFromABrokenConnection() {
    #expect(
      session.ended(.failed("connection refused"), at: start)
        == [.enter(.closed(.unreachable("connection refused")))])
  }

  @Test mutating func aTextNeverBecomesTwoLines() throws {
    open()
    #expect(try say("a\nb\r\nc\0d") == [write("msg:a b  c d\nping:beck-2\n")])
    #expect(session.ask(.ping("a\nquit:"), at: start) == [write("ping:aquit:\n")])
  }

  @Test mutating func everyChopOfAConversationShowsTheSame() throws {
    let bytes = Array("ann has joined\r\n* pong beck-1\nann: grüße ☕\n\n! no\nbob: a\u{1B}b".utf8)
    var whole: [SessionAction]?
    for cut in 0...bytes.count {
      var session = PlainSession(name: try UserName("ann"))
      var actions = session.opened(at: start)
      actions += session.received(Array(bytes[..<cut]), at: start)
      actions += session.received(Array(bytes[cut...]), at: start)
      actions += session.ended(.byServer, at: start)
      #expect(actions == whole ?? actions)
      whole = actions
    }
    #expect(whole?.contains(.show(.said(from: "ann", text: "grüße ☕"))) == true)
    #expect(whole?.contains(.show(.said(from: "bob", text: "ab"))) == true)
  }
}
