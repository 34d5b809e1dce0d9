/// `beck chat` at a terminal, against a scripted server.

import Foundation
import TestSupport
import Testing

@Suite struct KeyboardChatTests {
  private let server: ScriptedServer

  init() throws {
    server = try ScriptedServer()
  }

  @Test func theStateIsTold() throws {
    let beck = try BeckProcess(
      ["chat", "--name", "ann", server.address, "--plain"], input: .keyboard)
    let peer = try server.accept()
    try beck.errors.read(until: "connecting to \(server.address)\n")
    try peer.welcome()
    try beck.errors.read(until: "open: you are ann. ")
    try beck.type("\u{4}")
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.status == 0)
    #expect(ending.errors.hasSuffix("closed: everything was said and answered\n"))
  }

  @Test func aSlashBeginsACommand() throws {
    let beck = try BeckProcess(
      ["chat", "--name", "ann", server.address, "--plain"], input: .keyboard)
    let peer = try server.accept()
    try peer.welcome()
    try beck.type("/who\n/help\n/ping one\n//who\n/quti\nhello\n/quit\n")
    #expect(try peer.line("who:") == "")
    #expect(try peer.line("help:") == "")
    #expect(try peer.line("ping:") == "one")
    try peer.write("* pong one\n")
    #expect(try peer.hear() == "/who")
    #expect(try peer.hear() == "hello")
    #expect(try peer.line("quit:") == "")
    try peer.write("* bye\n")
    peer.end()
    let ending = try beck.ending()
    #expect(ending.status == 0)
    #expect(ending.output == "ann has joined\n* pong one\nann: /who\nann: hello\n* bye\n")
    #expect(ending.errors.contains("there is no command /quti. help: shows"))
  }

  @Test func aRefusalAtTheKeyboardIsALineLikeAnyOther() throws {
    let beck = try BeckProcess(
      ["chat", "--name", "ann", server.address, "--plain"], input: .keyboard)
    let peer = try server.accept()
    try peer.welcome()
    try beck.type("hello\n\u{4}")
    #expect(try peer.line("msg:") == "hello")
    try peer.write("! no\n* pong \(peer.line("ping:"))\n")
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.status == 0)
    #expect(ending.output == "ann has joined\n! no\n")
  }

  @Test func theNameIsAskedFor() throws {
    let beck = try BeckProcess(["chat", server.address, "--plain"], input: .keyboard)
    try beck.errors.read(until: "name: ")
    try beck.type(" bea \n")
    let peer = try server.accept()
    try peer.welcome("bea")
    try beck.type("hi\n\u{4}")
    #expect(try peer.hear(from: "bea") == "hi")
    try peer.farewell()
    #expect(try beck.ending().status == 0)
  }

  @Test(arguments: [true, false])
  func coloursAreForTerminalsThatWantThem(wanted: Bool) throws {
    let beck = try BeckProcess(
      ["chat", "--name", "ann", server.address, "--plain"], terminalOutput: true,
      environment: wanted ? [:] : ["NO_COLOR": "1"])
    let peer = try server.accept()
    try peer.welcome()
    try peer.write("bob: \u{1B}[31mred\n")
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.output.contains(wanted ? "\u{1B}[1mbob:\u{1B}[0m [31mred" : "bob: [31mred"))
    #expect(ending.output.contains("\u{1B}") == wanted)
  }
}
