/// The library's connection on a run loop of the test's own, against a scripted server.

import ChatClient
import ChatModel
import Foundation
import TestSupport
import Testing

@Suite struct ChatConnectionTests {
  private let server: ScriptedServer
  private let diary = Diary()
  private let connection: ChatConnection

  init() throws {
    server = try ScriptedServer()
    connection = ChatConnection(
      to: try #require(ServerAddress(server.address)), as: try UserName("ann"), speech: .plain)
    connection.delegate = diary
  }

  private func openAndLogIn() throws -> ScriptedPeer {
    connection.open()
    let peer = try server.accept()
    try diary.run { connection.state == .loggingIn }
    try peer.welcome()
    try diary.run { connection.state == .open }
    return peer
  }

  @Test func theStatesAreEnteredInOrder() throws {
    let peer = try openAndLogIn()
    #expect(connection.say(try #require(MessageText("hello"))))
    #expect(try peer.hear() == "hello")
    connection.finish()
    try peer.write("* pong \(peer.line("ping:"))\n")
    try diary.run { connection.state == .closed(.finished) }
    #expect(diary.states == [.loggingIn, .open, .closed(.finished)])
    #expect(diary.lines == [.joined("ann"), .said(from: "ann", text: "hello")])
    #expect(diary.timesToSay == 1)
    #expect(!connection.say(try #require(MessageText("late"))))
    #expect(try peer.intake.line() == nil)
  }

  @Test func whatIsSaidBeforeTheConnectionIsOpenGoesOutLater() throws {
    for number in 1...20 { connection.say(try #require(MessageText("\(number)"))) }
    connection.finish()
    let peer = try openAndLogIn()
    for number in 1...20 {
      #expect(try peer.hear() == "\(number)")
      try diary.run { diary.lines.count == number + 1 }
    }
    try peer.write("* pong \(peer.line("ping:"))\n")
    try diary.run { connection.state == .closed(.finished) }
  }

  @Test func aDelegateMayCallBackAndLinesKeepTheirOrder() throws {
    let peer = try openAndLogIn()
    diary.onLine = { connection in
      connection.ask(.who)
      connection.finish()
    }
    try peer.write("bob: one\nbob: two\nbob: three\n")
    try diary.run { diary.lines.count == 4 }
    #expect(diary.lines.suffix(3).map(\.text) == ["bob: one", "bob: two", "bob: three"])
    #expect(try peer.line("who:") == "")
    try peer.answerPing()
    try diary.run { connection.state == .closed(.finished) }
  }

  @Test func whatTheSocketDoesNotTakeIsSentWhenItDoes() throws {
    let peer = try openAndLogIn()
    let count = 5_000
    let text = String(repeating: "x", count: 1_000)
    for number in 1...count { connection.ask(.ping("\(number) \(text)")) }
    var heard = 0
    while heard < count {
      // The loop turns only as long as nothing is there to be read.
      while try !peer.intake.hasLine() {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
      }
      heard += 1
      #expect(try peer.line("ping:") == "\(heard) \(text)")
    }
  }

  @Test func aServerOutOfReachIsTold() throws {
    let nowhere = try #require(ServerAddress(try ScriptedServer().address))
    let connection = ChatConnection(to: nowhere, as: try UserName("ann"), speech: .plain)
    connection.delegate = diary
    connection.open()
    try diary.run { connection.state == .closed(.unreachable("connection refused")) }
  }

  @Test func aConnectionLetGoIsClosed() throws {
    var connection: ChatConnection? = ChatConnection(
      to: try #require(ServerAddress(server.address)), as: try UserName("ann"), speech: .plain)
    connection?.delegate = diary
    connection?.open()
    let peer = try server.accept()
    try diary.run { connection?.state == .loggingIn }
    connection = nil
    #expect(try peer.line("iam:") == "ann")
    #expect(try peer.line("ping:") == "beck-1")
    #expect(try peer.intake.line() == nil)
  }
}

extension ScriptedPeer {
  /// Answers the next ping.
  fileprivate func answerPing() throws {
    try write("* pong \(line("ping:"))\n")
  }
}
