/// The library's connection in JSON lines, on a run loop of the test's own: cuts, and servers that
/// have no JSON.

import ChatClient
import ChatModel
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct JSONConnectionTests {
  private let server: ScriptedServer
  private let diary = Diary()
  private let connection: ChatConnection

  init() throws {
    server = try ScriptedServer()
    connection = ChatConnection(
      to: try #require(ServerAddress(server.address)), as: try UserName("ann"))
    connection.delegate = diary
  }

  private func say(_ text: String) throws {
    #expect(connection.say(try #require(MessageText(text))))
  }

  /// The state's kind, without what it holds.
  private func kinds() -> [String] {
    diary.states.map { String("\($0)".prefix { $0 != "(" }) }
  }

  /// Opens and answers the login and the entry.
  private func openAndLogIn() throws -> ScriptedPeer {
    connection.open()
    try diary.run { connection.state == .loggingIn }
    let peer = try server.accept()
    try welcome(peer)
    try diary.run { connection.state == .open }
    return peer
  }

  /// The loop has to turn between a peer's two lines.
  @discardableResult private func welcome(
    _ peer: ScriptedPeer
  ) throws -> (login: String, join: String) {
    let login = try peer.request("login")
    try peer.answer(
      login.id, #""name":"ann","token":"T","guest":true,"server":"scripted","limits":{}"#)
    try diary.run { try peer.intake.hasLine() }
    let join = try peer.request("join")
    try peer.answer(join.id, #""room":"lobby","seq":7,"members":1"#)
    return (login.arguments, join.arguments)
  }

  @Test func theStatesAreEnteredInOrder() throws {
    let peer = try openAndLogIn()
    try say("hello")
    #expect(connection.unanswered == 1)
    let sent = try peer.hearJSON(seq: 8)
    #expect(sent.hasPrefix(#"{"room":"lobby","text":"hello","key":""#))
    try diary.run { connection.unanswered == 0 }
    connection.finish()
    try peer.answer(peer.request("ping").id)
    try diary.run { connection.state == .closed(.finished) }
    #expect(diary.states == [.loggingIn, .open, .closed(.finished)])
    #expect(diary.timesToSay == 1)
    #expect(try peer.intake.line() == nil)
  }

  @Test func aConnectionThatBreaksComesBackAndSaysTheSameAgain() throws {
    var peer = try openAndLogIn()
    try say("one")
    try say("two")
    let first = try peer.request("send").arguments
    peer.reset()
    try diary.run { connection.state == .loggingIn }
    #expect(kinds() == ["loggingIn", "open", "interrupted", "connecting", "loggingIn"])
    peer = try server.accept()
    let (login, join) = try welcome(peer)
    #expect(login == #"{"token":"T"}"#)
    #expect(join == #"{"room":"lobby","after":7}"#)
    try diary.run { connection.state == .open }
    #expect(try peer.hearJSON(seq: 8) == first)
    try diary.run { connection.unanswered == 1 }
    #expect(try peer.hearJSON(seq: 9).contains(#""text":"two""#))
    try diary.run { connection.unanswered == 0 }
  }

  @Test func aConnectionLetGoWhileItIsInterruptedStaysAway() throws {
    var connection: ChatConnection? = ChatConnection(
      to: try #require(ServerAddress(server.address)), as: try UserName("ann"))
    connection?.delegate = diary
    connection?.open()
    try diary.run { connection?.state == .loggingIn }
    let peer = try server.accept()
    try welcome(peer)
    try diary.run { connection?.state == .open }
    // It asks to be left alone for a while.
    try peer.write(
      #"{"closing":{"reason":"shutdown","message":"bye","retryAfterMs":600000}}"# + "\n")
    peer.end()
    try diary.run { kinds().last == "interrupted" }
    #expect(try peer.intake.line() == nil)
    weak let gone = connection
    connection = nil
    #expect(gone == nil)
  }

  @Test(
    "a server without JSON lines is spoken to in plain on another connection",
    arguments: ["\n", "", #"{"error":{"code":"bad-request","message":"not spoken here"}}"# + "\n"])
  func plain(answer: String) throws {
    try say("hello")
    connection.open()
    try diary.run { connection.state == .loggingIn }
    var peer = try server.accept()
    #expect(try peer.request("login").arguments == #"{"name":"ann"}"#)
    try peer.write(answer)
    if answer.isEmpty { peer.end() }
    try diary.run { diary.states.count == 3 }
    #expect(try peer.intake.line() == nil)
    peer = try server.accept()
    try diary.run { try peer.intake.hasLine() }
    try peer.welcome()
    try diary.run { connection.state == .open }
    #expect(try peer.hear() == "hello")
    try diary.run { diary.lines.count == 2 }
    #expect(diary.lines == [.joined("ann"), .said(from: "ann", text: "hello")])
    #expect(diary.states == [.loggingIn, .connecting, .loggingIn, .open])
  }
}
