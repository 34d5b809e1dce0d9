/// `beck chat` against `beck serve`, both as built, under the server's default limits.

import Foundation
import TestSupport
import Testing

@Suite struct ServedChatTests {
  private let server: BeckProcess
  private let address: String

  init() throws {
    let running = try RunningBeck()
    server = running.process
    address = running.addresses[0]
  }

  private func chat(_ name: String, _ input: BeckProcess.Input, _ more: String...) throws
    -> BeckProcess
  {
    try BeckProcess(["chat", "--name", name, address] + more, input: input)
  }

  @Test func oneLineFromAPipe() throws {
    let ending = try chat("ann", .file("hello\n")).ending()
    #expect(ending.status == 0)
    #expect(ending.output == "ann has joined\nann: hello\n")
    #expect(ending.errors == "")
  }

  @Test func peopleHearEachOther() throws {
    let ann = try chat("ann", .pipe)
    try ann.output.read(until: "ann has joined\n")
    let bob = try chat("bob", .pipe)
    try ann.output.read(until: "bob has joined\n")
    try bob.output.read(until: "bob has joined\n")
    try ann.type("grüße ☕\n")
    try bob.output.read(until: "ann: grüße ☕\n")
    try bob.type("hi\n")
    bob.endInput()
    #expect(try bob.ending().status == 0)
    try ann.output.read(until: "bob: hi\nbob has left\n")
    ann.endInput()
    #expect(try ann.ending().status == 0)
  }

  @Test func eightyLinesArriveWholeUnderTheDefaultLimits() throws {
    let bob = try chat("bob", .pipe)
    try bob.output.read(until: "bob has joined\n")
    let ending = try chat("ann", .file((1...80).map { "line \($0)\n" }.joined())).ending()
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    let said = (1...80).map { "ann: line \($0)\n" }.joined()
    #expect(ending.output == "ann has joined\n" + said)
    try bob.output.read(until: "ann has left\n")
    #expect(bob.output.text == "bob has joined\nann has joined\n\(said)ann has left\n")
  }

  @Test func linesOfAllKindsAreEachAnswered() throws {
    let long = String(repeating: "x", count: 4_096)
    let ending = try chat(
      "ann", .file("\u{1}\u{2}\n  indented\none\rline\0here\nmsg:a:b\n\(long)\n\u{202E}\nend\n")
    ).ending()
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    #expect(ending.output.contains("ann: one line here\nann: msg:a:b\nann: \(long)\n"))
    #expect(ending.output.hasSuffix("ann: end\n"))
  }

  @Test func aNameThatSomebodyHasIsRefused() throws {
    let ann = try chat("ann", .pipe)
    try ann.output.read(until: "ann has joined\n")
    let ending = try chat("ANN", .file("hello\n")).ending()
    #expect(ending.status == 1)
    #expect(ending.errors.contains("the name ANN was not taken; try another: --name NAME"))
    ann.endInput()
    #expect(try ann.ending().output == "ann has joined\n")
  }

  @Test func theKeyboardsCommandsAreUnderstood() throws {
    let ann = try chat("ann", .keyboard)
    try ann.errors.read(until: "open: ")
    try ann.type("/who\n")
    try ann.output.read(until: "* 1 here: ann\n")
    try ann.type("/ping there\n")
    try ann.output.read(until: "* pong there\n")
    try ann.type("/help\n")
    try ann.output.read(until: "* What you type is said")
    try ann.type("/quit\n")
    let ending = try ann.ending()
    #expect(ending.status == 0)
    #expect(ending.output.hasSuffix("* goodbye\n"))
    #expect(!ending.output.contains("\n! "))
  }

  @Test func inPlainTheyAreTheServersOwn() throws {
    let ann = try chat("ann", .keyboard, "--plain", "--room", "tea")
    try ann.output.read(until: "* you are in tea: 1 here")
    try ann.type("/help\n")
    try ann.output.read(until: "msg:TEXT")
    try ann.type("/join coffee\nhot\n/history 5\n")
    try ann.output.read(until: " #1] ann: hot\n")
    try ann.type("/rooms\n")
    try ann.output.read(until: "* coffee: 1 here, newest #1\n")
    try ann.type("/quit\n")
    #expect(try ann.ending().status == 0)
  }

  @Test func inPlainTheServersEndIsTold() throws {
    let ann = try chat("ann", .pipe, "--plain")
    try ann.output.read(until: "ann has joined\n")
    server.send(SIGTERM)
    let ending = try ann.ending()
    #expect(ending.status == 1)
    #expect(ending.errors == "beck chat: the server ended the connection\n")
    #expect(ending.output.contains("* the server is closing"))
    #expect(try server.ending().status == 0)
  }

  @Test func theSpellingOfTheTutorialsIsUnderstoodToo() throws {
    let long = String(repeating: "y", count: 2_500)
    let ending = try chat("leo", .file("one\n\(long)\n"), "--legacy").ending()
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("leo has joined\nleo: one\n"))
    #expect(ending.output.count { $0 == "y" } == 2_500)
  }
}
