/// What errors of streams mean for a conversation, and how they are worded.

import ChatModel
import SocketStreams
import Testing

@testable import ChatClient

@Suite struct ConnectionEndTests {
  private func tls(_ code: Int, _ words: String = "The peer left.") -> NSError {
    NSError(
      domain: NSStreamSocketSSLErrorDomain, code: code,
      userInfo: [NSLocalizedDescriptionKey: words])
  }

  @Test(
    arguments: [
      (-9814, .outOfDate), (-9815, .outOfDate), (-9843, .wrongHost), (-9812, .notTrusted),
      (-9807, .badCertificate), (-9808, .badCertificate), (-9836, .nothingInCommon),
      (-9801, .nothingInCommon), (-9800, .noTLS), (-9802, .noTLS), (-9806, .noTLS),
      (-9810, .other), (-1, .other),
    ] as [(Int, SecurityProblem)])
  func failuresOfTLSHaveTheirKinds(code: Int, problem: SecurityProblem) {
    #expect(ConnectionEnd(tls(code)) == .insecure("the peer left", problem))
  }

  @Test func anEndWithoutCloseNotifyIsACut() {
    #expect(ConnectionEnd(tls(-9816)) == .cutOff)
  }

  @Test func otherFailuresHaveTheSystemsWords() {
    #expect(ConnectionEnd(POSIXError(.ECONNRESET)) == .failed("connection reset by peer"))
  }

  @Test func whatAStrangersCertificateSaysCannotDriveATerminal() {
    let error = tls(-9843, "The certificate is for \u{1B}[2Jevil\u{202E}.test.")
    #expect(ConnectionEnd(error) == .insecure("the certificate is for [2Jevil.test", .wrongHost))
  }

  private static let states: [ChatState] = [.connecting, .securing, .loggingIn, .open]

  @Test(
    arguments: [
      (
        .failed("x"),
        [
          .unreachable("x"), .notSecured("x", .noTLS), .broken("x", unanswered: 3),
          .broken("x", unanswered: 3),
        ]
      ),
      (
        .byServer,
        [
          .endedByServer(unanswered: 3), .notSecured("the server ended the connection", .noTLS),
          .endedByServer(unanswered: 3), .endedByServer(unanswered: 3),
        ]
      ),
      (
        .insecure("x", .wrongHost),
        [
          .notSecured("x", .wrongHost), .notSecured("x", .wrongHost), .notSecured("x", .wrongHost),
          .broken("x", unanswered: 3),
        ]
      ),
      (
        .cutOff,
        [
          .cutOff(unanswered: 3), .cutOff(unanswered: 3), .cutOff(unanswered: 3),
          .cutOff(unanswered: 3),
        ]
      ),
    ] as [(ConnectionEnd, [ChatClosing])])
  func whatAnEndMeansDependsOnHowFarItHasCome(end: ConnectionEnd, closings: [ChatClosing]) {
    #expect(Self.states.map { end.closing(in: $0, unanswered: 3) } == closings)
  }

  @Test func aSecuredConversationIsOpenedAfterTheHandshake() throws {
    let ann = try UserName("ann")
    let sessions: [any ChatSession] = [
      JSONSession(name: ann), PlainSession(name: ann), TutorialSession(name: ann),
    ]
    for session in sessions {
      var session = session
      #expect(session.reached(at: .zero) == [.enter(.securing)])
      #expect(session.reached(at: .zero) == [])
      #expect(session.opened(at: .zero).first == .enter(.loggingIn))
      #expect(session.reached(at: .zero) == [])
      #expect(session.opened(at: .zero) == [])
    }
  }

  @Test func aCutAfterTheLastAnswerLosesNothing() throws {
    var session = PlainSession(name: try UserName("ann"))
    _ = session.opened(at: .zero)
    _ = session.received(Array("* pong beck-1\n".utf8), at: .zero)
    _ = session.say(try #require(MessageText("hello")), at: .zero)
    _ = session.finish(at: .zero)
    var early = session
    #expect(early.ended(.cutOff, at: .zero) == [.enter(.closed(.cutOff(unanswered: 1)))])
    _ = session.received(Array("* pong beck-2\n".utf8), at: .zero)
    #expect(session.ended(.cutOff, at: .zero) == [.enter(.closed(.finished))])
  }
}
