/// Peers with whom no conversation comes about: plain text, noise, other versions, other ciphers.

import TLS
import Testing
import TestSupport

@Suite("Strangers")
struct StrangerTests {
  private func client() throws -> TLSEngine {
    let engine = try TLSEngine(.shared(for: .trustingClient()), peerName: "localhost")
    _ = try engine.handshake()
    _ = engine.sendAll()
    return engine
  }

  private func server() throws -> TLSEngine {
    try TLSEngine(.shared(for: .server(showing: .good)), peerName: nil)
  }

  @Test(
    "A peer that answers in plain text is known by its first bytes",
    arguments: [
      "220 mail.test ESMTP\r\n", "SSH-2.0-x\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "h", "\n",
      "* caf\u{E9} \u{1F600}\r\n",
    ])
  func plainText(text: String) throws {
    let client = try client()
    client.receive(text.bytes)
    let expected = TLSError(.plainTextFromPeer, peerName: "localhost")
    #expect(throws: expected) { try client.handshake() }
    #expect(expected.description == "localhost answers in plain text where TLS is expected")
  }

  @Test(
    "So is a client that asks in plain text",
    arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\n", "iam:Bob\n", "P"])
  func plainTextToServer(text: String) throws {
    let server = try server()
    server.receive(text.bytes)
    #expect(throws: TLSError(.plainTextFromPeer)) { try server.handshake() }
  }

  @Test(
    "Noise is no TLS, whatever it begins with",
    arguments: [
      [0], [0, 1, 2, 3, 4, 5, 6, 7], [0x05, 0x00], [0x1B, 0x5B, 0x41], [0xFF, 0xFF, 0xFF],
      [0x68, 0x69, 0x00, 0x01], [0x16, 0x07, 0x07, 0x00, 0x01, 0x00],
      [0x16, 0x03, 0x03, 0xFF, 0xFF, 0, 0], [0x17, 0x03, 0x03, 0, 2, 1, 1],
      [0x16, 0x03, 0x03, 0, 4, 99, 0, 0, 0],
    ] as [[UInt8]])
  func garbage(bytes: [UInt8]) throws {
    let client = try client()
    client.receive(bytes)
    let expected = TLSError(.garbage, peerName: "localhost")
    #expect(throws: expected) { try client.handshake() }
    #expect(expected.description == "what localhost sends is not TLS")
  }

  @Test("Noise sent to a server ends its conversation, too", arguments: 0..<40)
  func noise(seed: UInt32) throws {
    var state = seed &* 2_654_435_761 &+ 1
    let server = try server()
    var failure: TLSError?
    for _ in 0..<2_000 where failure == nil {
      state = state &* 1_664_525 &+ 1_013_904_223
      server.receive([UInt8(truncatingIfNeeded: state >> 24)])
      failure = error { try server.handshake() }
    }
    #expect(failure != nil)
  }

  @Test("Sides with no version in common say so, both")
  func versions() throws {
    for (clients, servers) in [(TLSVersion.v1_2, TLSVersion.v1_3), (.v1_3, .v1_2)] {
      var client = try TLSConfiguration.trustingClient()
      (client.leastVersion, client.greatestVersion) = (clients, clients)
      var server = try TLSConfiguration.server(showing: .good)
      (server.leastVersion, server.greatestVersion) = (servers, servers)
      let talk = try Conversation(client: client, server: server)
      talk.shakeHands()
      #expect(talk.clientError?.cause == .protocolVersion)
      #expect(talk.serverError?.cause == .protocolVersion)
      #expect(
        talk.clientError?.description
          == "localhost speaks no version of TLS that is allowed here")
    }
  }

  @Test("A configuration that allows no version at all fails as the handshake begins")
  func noVersion() throws {
    var configuration = try TLSConfiguration.trustingClient()
    configuration.leastVersion = .v1_3
    configuration.greatestVersion = .v1_2
    let engine = try TLSEngine(.shared(for: configuration), peerName: "localhost")
    #expect(throws: TLSError(.protocolVersion, peerName: "localhost")) { try engine.handshake() }
  }

  @Test("A client with no cipher in common is told, and the server says why")
  func cipher() throws {
    let server = try server()
    // A hello of TLS 1.2 with one cipher, TLS_RSA_WITH_AES_128_CBC_SHA: the server's key is no RSA.
    let hello: [UInt8] =
      [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x00, 0x2F, 1, 0]
    let message: [UInt8] = [1, 0, 0, UInt8(hello.count)] + hello
    server.receive([0x16, 0x03, 0x01, 0, UInt8(message.count)] + message)
    let expected = TLSError(.noSharedCipher)
    #expect(throws: expected) { try server.handshake() }
    #expect(expected.description == "the peer and this side have no cipher in common")
    // RFC 5246 7.2: a fatal alert, handshake_failure.
    #expect(server.sendAll().suffix(2) == [2, 40])
  }

  @Test(
    "A peer's alert is told in its words",
    arguments: [
      (40, "handshake failure"), (48, "unknown CA"), (112, "unrecognized name"),
      (116, "certificate required"),
      (200, "alert 200"),
    ])
  func alerts(number: UInt8, words: String) throws {
    let client = try client()
    client.receive([0x15, 0x03, 0x03, 0, 2, 2, number])
    let failure = error { try client.handshake() }
    #expect(failure?.cause == .peerRefused(alert: words))
    #expect(failure?.description == "localhost refused the TLS conversation: \(words)")
  }

  @Test("A peer that closes in place of a hello has ended in the handshake")
  func closeNotify() throws {
    let client = try client()
    client.receive([0x15, 0x03, 0x03, 0, 2, 1, 0])
    #expect(throws: TLSError(.endedInHandshake, peerName: "localhost")) { try client.handshake() }
  }
}
