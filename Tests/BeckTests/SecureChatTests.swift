/// `beck chat --tls` through a real TLS relay to a real `beck serve`: what goes well.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SecureChatTests {
  private let server: RunningBeck
  private let authority: String

  init() throws {
    server = try RunningBeck()
    authority = try Certificates.made().rootPath
  }

  private func relay(_ options: String...) throws -> TLSRelay {
    try TLSRelay(to: Int(server.port), options)
  }

  private func chat(_ address: String, _ input: BeckProcess.Input, _ more: String...) throws
    -> BeckProcess
  {
    try BeckProcess(
      ["chat", "--name", "ann", address, "--tls", "--ca", authority] + more, input: input)
  }

  @Test(
    "a conversation through TLS 1.2 and 1.3 with somebody at a plain port of the same server",
    arguments: ["TLS1.2", "TLS1.3"])
  func conversation(version: String) throws {
    let bob = try server.join("bob")
    let relay = try relay("openssl-max-proto-version=\(version)")
    let ann = try chat(relay.address, .pipe)
    try ann.output.read(until: "ann has joined\n")
    try ann.type("grüße ☕\n")
    #expect(bob.lines(until: "ann: grüße ☕") == ["ann has joined", "ann: grüße ☕"])
    bob.send("msg:hi\n")
    try ann.output.read(until: "bob: hi\n")
    ann.endInput()
    let ending = try ann.ending()
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    #expect(bob.lines(until: "ann has left") == ["bob: hi", "ann has left"])
  }

  @Test("at the keyboard the encryption is told")
  func keyboard() throws {
    let relay = try relay()
    let ann = try chat(relay.address, .keyboard)
    try ann.errors.read(until: "open: you are ann.")
    try ann.type("/quit\n")
    let ending = try ann.ending()
    #expect(ending.status == 0)
    #expect(ending.output == "ann has joined\n* goodbye\n")
    #expect(
      ending.errors.hasPrefix(
        """
        connecting to \(relay.address) by TLS\r
        connected to \(relay.address), encrypted by TLS 1.3\r
        open: you are ann.
        """.replacingOccurrences(of: "\r", with: "")))
  }

  @Test("all lines of a pipe arrive before the end, which is a close-notify")
  func piping() throws {
    let bob = try server.join("bob")
    let relay = try relay()
    let ending = try chat(relay.address, .file((1...80).map { "line \($0)\n" }.joined())).ending()
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    let said = (1...80).map { "ann: line \($0)" }
    #expect(ending.output == (["ann has joined"] + said).map { $0 + "\n" }.joined())
    #expect(bob.lines(until: "ann has left") == ["ann has joined"] + said + ["ann has left"])
    // Without one socat has a word on its own farewell that fails.
    let log = try relay.child.ending()
    #expect(log.status == 0)
    #expect(!log.errors.contains("] W ") && !log.errors.contains("] E "), "\(log.errors)")
  }

  @Test("an address is checked as an address, without --ca by what the system trusts")
  func systemTrust() throws {
    let relay = try relay()
    let ending = try BeckProcess(
      ["chat", "--name", "ann", "--tls", "127.0.0.1:\(relay.port)"], input: .file("hello\n"),
      environment: ["SSL_CERT_FILE": authority]
    ).ending()
    #expect(ending.status == 0)
    #expect(ending.output == "ann has joined\nann: hello\n")
    #expect(ending.errors == "")
  }

  @Test("--ca takes the very server's own certificate")
  func selfSigned() throws {
    let relay = try TLSRelay(to: Int(server.port), showing: .selfSigned)
    let own = try Certificates.made().chainPath(.selfSigned)
    let ending = try BeckProcess(
      ["chat", "--name", "ann", "--tls", "--ca", own, relay.address], input: .file("hello\n")
    ).ending()
    #expect(ending.status == 0)
    #expect(ending.errors == "")
  }

  @Test("the tutorials' spelling goes through TLS too")
  func legacy() throws {
    let bob = try server.join("bob")
    let relay = try relay()
    let ending = try chat(relay.address, .file("one\ntwo\n"), "--legacy").ending()
    #expect(ending.status == 0)
    #expect(
      bob.lines(until: "ann has left")
        == ["ann has joined", "ann: one", "ann: two", "ann has left"])
  }

  @Test("in plain the server's end is an end like any other")
  func serversEnd() throws {
    let relay = try relay()
    let ann = try chat(relay.address, .pipe, "--plain")
    try ann.output.read(until: "ann has joined\n")
    #expect(try server.end().status == 0)
    let ending = try ann.ending()
    #expect(ending.status == 1)
    #expect(ending.output.contains("* the server is closing"))
    #expect(ending.errors == "beck chat: the server ended the connection\n")
  }
}
