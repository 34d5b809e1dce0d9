/// What `beck chat` shows and says in JSON lines, against servers as built and scripted ones.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct JSONChatTests {
  private func chat(_ address: String, _ input: BeckProcess.Input, _ more: String...) throws
    -> BeckProcess
  {
    try BeckProcess(
      ["chat", "--name", "ann", address] + more, input: input, environment: ["TZ": "UTC"])
  }

  /// Lines that bear the time at which they were said, without their date.
  private func undated(_ output: String) -> [String] {
    output.split(separator: "\n").map {
      $0.replacing(#/^\[\d{4}-\d\d-\d\d \d\d:\d\d /#, with: "[").trimmingCharacters(in: ["\r"])
    }
  }

  @Test("at the keyboard the newest twenty are shown with their time, in a pipe as many as wanted")
  func replayed() throws {
    let beck = try RunningBeck()
    let bob = try beck.join("bob")
    for number in 1...25 { bob.send("msg:\(number)\n") }
    _ = bob.lines(until: "bob: 25")
    let ann = try chat(beck.addresses[0], .keyboard)
    try ann.output.read(until: "] bob: 25\n")
    try ann.type("hi\n/quit\n")
    let shown = undated(try ann.ending().output)
    #expect(shown.filter { $0.hasPrefix("[") } == (6...25).map { "[#\($0)] bob: \($0)" })
    #expect(shown.suffix(2) == ["ann: hi", "* goodbye"])

    let two = try chat(beck.addresses[0], .file("ho\n"), "--last", "2").ending()
    #expect(undated(two.output).filter { $0.hasPrefix("[") } == ["[#25] bob: 25", "[#26] ann: hi"])
    let none = try chat(beck.addresses[0], .file("ha\n")).ending()
    #expect(none.output == "ann has joined\nann: ha\n")
  }

  @Test("one room at a time: what is said in another is neither seen nor heard")
  func rooms() throws {
    let beck = try RunningBeck()
    let bob = try beck.join("bob")
    let ann = try chat(beck.addresses[0], .keyboard, "--room", "Tea")
    try ann.errors.read(until: "open: ")
    try ann.type("in tea\n/join lobby\nin the lobby\n")
    #expect(bob.lines(until: "ann: in the lobby") == ["ann has joined", "ann: in the lobby"])
    try ann.output.read(until: "ann: in the lobby\n")
    try ann.type("/rooms\n/history 1\n/join a b c\n/history none\n")
    try ann.output.read(until: " #1] ann: in the lobby\n")
    try ann.type("/quit\n")
    #expect(bob.lines(until: "ann has left").last == "ann has left")
    let ending = try ann.ending()
    let output = undated(ending.output)
    #expect(output.contains("* you are in lobby: 2 here, nothing said yet"))
    #expect(output.contains("* tea: 0 here, newest #1"))
    #expect(ending.errors.contains("beck chat: join:ROOM takes a room: "))
    #expect(ending.errors.contains("beck chat: history:N takes a number from 1 to 500\n"))
  }

  @Test("what is refused is told with its beginning and not said again")
  func refused() throws {
    let server = try ScriptedServer()
    let beck = try chat(server.address, .file("one\ntwo\n"))
    let peer = try server.accept()
    try peer.welcomeJSON()
    try peer.refuse(peer.request("send").id, "not-allowed", "you are muted")
    #expect(try peer.hearJSON(seq: 1).contains(#""text":"two""#))
    try peer.farewellJSON()
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(
      ending.errors
        == "! \"one\" was not said: you are muted\nbeck chat: something was refused\n")
  }

  @Test("a room that takes nobody in is told with what to do")
  func roomRefused() throws {
    let server = try ScriptedServer()
    let beck = try chat(server.address, .file("one\n"), "--room", "vip")
    let peer = try server.accept()
    let login = try peer.request("login").id
    try peer.answer(login, #""name":"ann","token":"T","guest":true,"server":"s","limits":{}"#)
    try peer.refuse(peer.request("join").id, "not-allowed", "this room is closed")
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(
      ending.errors
        == "! this room is closed\nbeck chat: the room was not entered; try another: --room ROOM\n"
    )
  }

  @Test("what retention has removed is told")
  func gap() throws {
    let server = try ScriptedServer()
    let beck = try chat(server.address, .pipe)
    let peer = try server.accept()
    try peer.welcomeJSON(seq: 11)
    try peer.write(#"{"gap":{"room":"lobby","from":12,"to":40}}"# + "\n")
    try beck.output.read(until: "* #12 to #40 are not kept any more\n")
    beck.endInput()
    try peer.farewellJSON()
    #expect(try beck.ending().status == 0)
  }

  @Test("whoever ends it is told how much has no answer")
  func signal() throws {
    let server = try ScriptedServer()
    let beck = try chat(server.address, .file("one\ntwo\n"))
    let peer = try server.accept()
    try peer.welcomeJSON()
    try peer.hearJSON(seq: 1)
    #expect(try peer.request("send").arguments.contains(#""text":"two""#))
    beck.send(SIGTERM)
    let ending = try beck.ending()
    #expect(ending.status == 128 + SIGTERM)
    #expect(ending.errors == "beck chat: 1 line has no answer and may be lost\n")
  }

  @Test(
    "a server that has no JSON lines is spoken to in plain",
    arguments: [
      // One of this project, from before it had them; one of the tutorials; one that hangs up.
      #"{"error":{"code":"bad-request","message":"JSON is not spoken here yet"}}"# + "\n", "\n", "",
    ])
  func plain(answer: String) throws {
    let server = try ScriptedServer()
    let beck = try chat(server.address, .file("one\n"))
    var peer = try server.accept()
    #expect(try peer.request("login").arguments == #"{"name":"ann"}"#)
    try peer.write(answer)
    peer.end()
    #expect(try peer.intake.line() == nil)
    peer = try server.accept()
    try peer.welcome()
    #expect(try peer.hear() == "one")
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.status == 0)
    #expect(ending.output == "ann has joined\nann: one\n")
    #expect(ending.errors == "")
  }

  @Test("at the keyboard it is told that plain is spoken")
  func plainIsTold() throws {
    let server = try ScriptedServer()
    let beck = try chat(server.address, .keyboard)
    var peer = try server.accept()
    try peer.write("\n")
    _ = try peer.request("login")
    peer = try server.accept()
    try peer.welcome()
    try beck.errors.read(until: "no JSON lines are spoken there; going on in plain")
    try beck.errors.read(until: "open: ")
    try beck.type("\u{4}")
    try peer.farewell()
    #expect(try beck.ending().status == 0)
  }

  @Test(arguments: [
    (["--room", "two words"], "'two words' cannot be a room: "),
    (["--last", "501"], "--last takes a number from 0 to 500, not '501'"),
    (["--last", "-1"], "--last takes a number from 0 to 500, not '-1'"),
    (["--last", "5", "--plain"], "--last is of no use with --plain and --legacy"),
    (["--room", "tea", "--legacy"], "--room is of no use with --legacy"),
    (["--plain", "--legacy"], "--plain and --legacy exclude each other"),
  ])
  func aWrongCommandLineIsStatus64(arguments: [String], sentence: String) throws {
    let ending = try BeckProcess(["chat", "--name", "ann"] + arguments).ending()
    #expect(ending.status == 64)
    #expect(ending.errors.hasPrefix("beck chat: \(sentence)"), "\(ending.errors)")
  }
}
