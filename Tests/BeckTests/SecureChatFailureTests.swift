/// `beck chat --tls` where something is wrong: certificates, servers, files, cut connections.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SecureChatFailureTests {
  private func chat(
    _ address: String, _ input: BeckProcess.Input = .file("secret\n"), _ more: String...
  ) throws -> BeckProcess {
    try BeckProcess(["chat", "--name", "ann", address, "--tls"] + more, input: input)
  }

  private static let trust = "if you know that authority or that certificate, trust it: --ca FILE"
  private static let renew = "if this machine's clock is right, the server needs a new one"

  @Test(
    "a bad certificate is told with what to do, and nothing is said (pitfall 17)",
    arguments: [
      (.expired, "the certificate of localhost expired on 2020-01-31", renew),
      (.notYetValid, "the certificate of localhost is not valid before 2090-03-01", renew),
      (.wrongHost, "is for other.test", "reach the server by a name that its certificate has"),
      (.unknownAuthority, "leads to \"Unknown Root\", an authority not trusted here", trust),
      (.selfSigned, "the certificate of localhost is signed by itself", trust),
      (.wrongSignature, "certificate chain of localhost is broken", "can be added: --ca FILE"),
    ] as [(Certificates.Kind, String, String)])
  func badCertificate(kind: Certificates.Kind, words: String, advice: String) throws {
    let server = try RunningBeck()
    let bob = try server.join("bob")
    let relay = try TLSRelay(to: Int(server.port), showing: kind)
    let authority = try Certificates.made().rootPath
    let ending = try chat(relay.address, .file("secret\n"), "--ca", authority).ending()
    #expect(ending.status == 2)
    #expect(ending.output == "")
    #expect(
      ending.errors.hasPrefix("beck chat: no TLS conversation with \(relay.address): "))
    #expect(ending.errors.contains(words), "\(ending.errors)")
    #expect(ending.errors.hasSuffix("\(advice)\n"), "\(ending.errors)")
    #expect(bob.linesBeforePong() == [])
  }

  @Test("an authority of one's own is not trusted without --ca")
  func unnamedAuthority() throws {
    let relay = try TLSRelay(to: ScriptedServer().port)
    let ending = try chat(relay.address).ending()
    #expect(ending.status == 2)
    #expect(ending.errors.contains("leads to \"Beck Test Root\""), "\(ending.errors)")
    #expect(ending.errors.hasSuffix("\(Self.trust)\n"))
  }

  @Test("beck serve's own port is told to be for plain text")
  func plainTextServer() throws {
    let server = try RunningBeck()
    let bob = try server.join("bob")
    let ending = try chat(server.addresses[0]).ending()
    #expect(ending.status == 2)
    #expect(ending.output == "")
    #expect(
      ending.errors == """
        beck chat: no TLS conversation with \(server.addresses[0]): 127.0.0.1 refused the TLS \
        conversation: handshake failure; is that a plain-text port, such as beck serve's own? \
        --tls needs one for TLS

        """)
    #expect(bob.linesBeforePong() == [])
  }

  @Test("a server that answers a TLS hello with text, an end or a reset", arguments: 0..<3)
  func otherServers(kind: Int) throws {
    let server = try ScriptedServer()
    let beck = try chat(server.address)
    let peer = try server.accept()
    try peer.intake.read()
    switch kind {
    case 0: try peer.write("* welcome; type iam:NAME\n")
    case 1: peer.end()
    case _: peer.reset()
    }
    let ending = try beck.ending()
    #expect(ending.status == 2)
    #expect(ending.output == "")
    let words = [
      "127.0.0.1 answers in plain text where TLS is expected",
      "127.0.0.1 closed the connection during the TLS handshake", "connection reset by peer",
    ]
    #expect(ending.errors.contains(words[kind]), "\(ending.errors)")
    #expect(
      ending.errors.hasSuffix(
        "; is that a plain-text port, such as beck serve's own? "
          + "--tls needs one for TLS\n"))
  }

  @Test("a server that leaves a TLS hello unanswered is waited for with a word")
  func silence() throws {
    let server = try ScriptedServer()
    let beck = try chat(server.address)
    let peer = try server.accept()
    try beck.errors.read(until: "has not answered yet; still waiting. ")
    try beck.errors.read(until: "--tls needs one for TLS\n")
    peer.end()
    let ending = try beck.ending()
    #expect(ending.status == 2)
    #expect(!ending.errors.contains("--legacy"))
  }

  @Test("a connection that is cut is no end, and says how much has no answer")
  func cut() throws {
    let server = try ScriptedServer()
    let relay = try TLSRelay(to: server.port)
    let authority = try Certificates.made().rootPath
    let beck = try chat(relay.address, .pipe, "--ca", authority, "--plain")
    let peer = try server.accept()
    try peer.welcome()
    try beck.type("one\ntwo\n")
    #expect(try peer.hear() == "one")
    #expect(try peer.line("msg:") == "two")
    try beck.output.read(until: "ann: one\n")
    relay.child.send(SIGKILL)
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(ending.output == "ann has joined\nann: one\n")
    #expect(
      ending.errors == """
        beck chat: the connection to \(relay.address) was cut: it ended without TLS's farewell, \
        and what came last may be missing; 1 line has no answer and may be lost

        """)
  }

  @Test("without --tls a port for TLS is told to be one, whether it hangs up or says why")
  func forgotten() throws {
    let relay = try TLSRelay(to: ScriptedServer().port)
    let hungUp = try BeckProcess(["chat", "--name", "ann", relay.address]).ending()
    #expect(hungUp.status == 1)
    #expect(hungUp.errors.hasSuffix("; if it is for TLS, try: --tls\n"), "\(hungUp.errors)")

    let server = try ScriptedServer()
    let beck = try BeckProcess(["chat", "--name", "ann", server.address])
    let peer = try server.accept()
    // RFC 8446 6: the fatal alert unexpected_message.
    try peer.write([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x0A])
    let ending = try beck.ending()
    #expect(ending.status == 2)
    #expect(ending.output == "")
    #expect(
      ending.errors == """
        beck chat: no TLS conversation with \(server.address): the server speaks TLS and was \
        spoken to in plain text; try: beck chat --tls

        """)
  }

  @Test("a file for --ca that is of no use is told before anything is opened or asked")
  func authorityFiles() throws {
    let certificates = try Certificates.made()
    let cases = [
      ("/no/such/file.pem", "--ca cannot use '/no/such/file.pem': no such file or directory"),
      ("/", "--ca cannot use '/': is a directory"),
      ("/dev/null", "--ca cannot use '/dev/null': it holds no certificate in PEM"),
      (certificates.keyPath(.good), "it holds no certificate in PEM"),
      ("/dev/zero", "--ca cannot use '/dev/zero': it has more than 4 MiB"),
    ]
    for (path, words) in cases {
      let server = try ScriptedServer()
      let ending = try BeckProcess(
        ["chat", server.address, "--tls", "--ca", path], input: .keyboard
      ).ending()
      #expect(ending.status == 64)
      #expect(ending.errors.contains(words), "\(ending.errors)")
      #expect(ending.errors.hasSuffix("; try: beck chat --help\n"))
    }
  }

  @Test("--ca without --tls is a mistake and not a conversation in plain text")
  func authorityAlone() throws {
    let authority = try Certificates.made().rootPath
    let ending = try BeckProcess(["chat", "--name", "ann", "--ca", authority]).ending()
    #expect(ending.status == 64)
    #expect(
      ending.errors == "beck chat: --ca is of no use without --tls; try: beck chat --help\n")
  }
}
