/// `beck chat` with a pipe or file as its input, against a scripted server.

import Foundation
import TestSupport
import Testing

@Suite struct PipedChatTests {
  private let server: ScriptedServer

  init() throws {
    server = try ScriptedServer()
  }

  private func chat(_ input: BeckProcess.Input, _ more: String...) throws -> BeckProcess {
    try BeckProcess(["chat", "--plain", "--name", "ann", server.address] + more, input: input)
  }

  @Test func aLineIsSaidAndAnswered() throws {
    let beck = try chat(.pipe)
    try beck.type("hello\n")
    beck.endInput()
    let peer = try server.accept()
    try peer.welcome()
    #expect(try peer.hear() == "hello")
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.status == 0)
    #expect(ending.output == "ann has joined\nann: hello\n")
    #expect(ending.errors == "")
  }

  @Test func blankLinesAreSkippedAndTheLastNeedsNoEnd() throws {
    let beck = try chat(.file("\none\r\n\r\n \t\n/who\nlast"))
    let peer = try server.accept()
    try peer.welcome()
    #expect(try peer.hear() == "one")
    #expect(try peer.hear() == "/who")
    #expect(try peer.hear() == "last")
    try peer.farewell()
    #expect(try beck.ending().status == 0)
  }

  @Test func noInputIsFineToo() throws {
    let beck = try chat(.file(""))
    let peer = try server.accept()
    try peer.welcome()
    try peer.farewell()
    #expect(try beck.ending().status == 0)
  }

  @Test func aRefusalMakesTheStatusOneAndTheRestIsSaid() throws {
    let beck = try chat(.file("one\ntwo\n"))
    let peer = try server.accept()
    try peer.welcome()
    #expect(try peer.line("msg:") == "one")
    try peer.write("! not now\n* pong \(peer.line("ping:"))\n")
    #expect(try peer.hear() == "two")
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(ending.output == "ann has joined\nann: two\n")
    #expect(ending.errors == "! not now\nbeck chat: something was refused\n")
  }

  @Test func aNameRefusedEndsItBeforeAnythingIsSaid() throws {
    let beck = try chat(.file("one\n"))
    let peer = try server.accept()
    #expect(try peer.line("iam:") == "ann")
    try peer.write("! ann is taken\n* pong \(peer.line("ping:"))\n")
    #expect(try peer.intake.line() == nil)
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(
      ending.errors
        == "! ann is taken\nbeck chat: the name ann was not taken; try another: --name NAME, or "
        + "log in to its account: --password-file FILE\n")
  }

  @Test func aLineTooLongIsNamedAndTheOthersAreSaid() throws {
    let fits = String(repeating: "x", count: 4_096)
    let beck = try chat(.file("one\n\(fits)y\n\(fits)\nlast\n"))
    let peer = try server.accept()
    try peer.welcome()
    #expect(try peer.hear() == "one")
    #expect(try peer.hear() == fits)
    #expect(try peer.hear() == "last")
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(
      ending.errors.contains(
        "line 2 was not sent: it has 4097 bytes, and a message has at most 4096"))
  }

  @Test func theServersEndIsToldWithWhatIsUnanswered() throws {
    let beck = try chat(.file("one\ntwo\nthree\n"))
    let peer = try server.accept()
    try peer.welcome()
    #expect(try peer.hear() == "one")
    #expect(try peer.line("msg:") == "two")
    #expect(try peer.line("ping:") == "beck-3")
    #expect(try peer.line("msg:") == "three")
    peer.end()
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(
      ending.errors
        == "beck chat: the server ended the connection; 2 lines have no answer and may be lost\n")
  }

  @Test func aBrokenConnectionIsTold() throws {
    let beck = try chat(.pipe)
    let peer = try server.accept()
    try peer.welcome()
    try beck.output.read(until: "joined\n")
    peer.reset()
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(ending.errors.contains("broke: connection reset by peer; no line was outstanding"))
  }

  @Test func charactersCutInTwoAndControlsNeverShow() throws {
    let beck = try chat(.pipe)
    let peer = try server.accept()
    try peer.welcome()
    for byte in Array("bob: grüße ☕ 👋\r\neve: \u{1B}[2J\u{9B}31m\u{202E}\u{7}\tred\n".utf8) {
      try peer.write([byte])
    }
    try beck.output.read(until: "red\n")
    beck.endInput()
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.output == "ann has joined\nbob: grüße ☕ 👋\neve: [2J31m\tred\n")
  }

  @Test func twentyThousandLinesArriveAtAServerThatReadsSlowly() throws {
    let count = 20_000
    let beck = try chat(.file((1...count).map { "line \($0)\n" }.joined()))
    let peer = try server.accept()
    try peer.welcome()
    var heard = 0
    var pings: [String] = []
    while heard < count || !pings.isEmpty {
      // Takes all that is there, answers one line, and so is always behind.
      while try heard < count && (pings.isEmpty || peer.intake.hasLine()) {
        heard += 1
        let line = try peer.line("msg:")
        guard line == "line \(heard)" else { throw Failure("\(line), not line \(heard)") }
        pings.append(try peer.line("ping:"))
      }
      guard pings.count <= 8 else { throw Failure("\(pings.count) lines without an answer") }
      try peer.write("* pong \(pings.removeFirst())\n")
    }
    try peer.farewell()
    #expect(try beck.ending().status == 0)
  }

  @Test func aPipeIsReadNoFurtherThanALittleAhead() throws {
    let beck = try chat(.pipe)
    let peer = try server.accept()
    try peer.welcome()
    try beck.output.read(until: "joined\n")
    let taken = beck.typeUntilStuck("one line of a pipe without an end\n", atMost: 1_000_000)
    #expect(taken < 400_000)
    beck.send(SIGTERM)
    #expect(try beck.ending().status == 128 + SIGTERM)
  }
}
