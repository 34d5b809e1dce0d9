/// Handshakes between two engines: versions, names and every chop.

import TLS
import Testing
import TestSupport

@Suite("Handshakes")
struct HandshakeTests {
  @Test(
    "Both versions are spoken, and each side knows which one",
    arguments: [(TLSVersion.v1_2, "TLSv1.2"), (.v1_3, "TLSv1.3")])
  func versions(version: TLSVersion, name: String) throws {
    let talk = try Conversation(version: version)
    #expect(talk.client.version == nil)
    talk.shakeHands()
    #expect(talk.client.isEstablished && talk.server.isEstablished)
    #expect(talk.client.version == name && talk.server.version == name)
    #expect(try talk.client.handshake())
    #expect(try talk.say(Array("hello".utf8), from: talk.client, to: talk.server) == "hello".bytes)
    #expect(try talk.say(Array("ho".utf8), from: talk.server, to: talk.client) == "ho".bytes)
  }

  @Test("Without a wish the newest version is spoken")
  func newest() throws {
    let talk = try Conversation(client: .trustingClient(), server: .server(showing: .good))
    talk.shakeHands()
    #expect(talk.server.version == "TLSv1.3")
  }

  @Test(
    "Every chop: handshake, words and end come through in pieces of any size",
    arguments: TLSVersion.allCases, [1, 2, 3, 5, 7, 64, 1_000])
  func chops(version: TLSVersion, pieceMax: Int) throws {
    let talk = try Conversation(version: version)
    talk.pieceMax = pieceMax
    talk.shakeHands()
    #expect(talk.client.isEstablished && talk.server.isEstablished)
    let words = (0..<6_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(try talk.say(words, from: talk.client, to: talk.server) == words)
    #expect(try talk.say(words, from: talk.server, to: talk.client) == words)
    talk.client.finish()
    talk.carry()
    #expect(try talk.server.read().result == .ended)
  }

  @Test("Before the handshake is done nothing is read and nothing taken")
  func before() throws {
    let talk = try Conversation()
    #expect(try talk.client.handshake() == false)
    #expect(try talk.client.write("early") == 0)
    #expect(try talk.client.read().result == .needsMore)
    #expect(!talk.client.isReadable)
    #expect(talk.client.bytesToSend > 0)
    #expect(talk.client.peerCertificates.isEmpty)
  }

  @Test(
    "A name is matched in all its spellings",
    arguments: [
      "localhost", "LOCALHOST", "localhost.", "one.wild.test", "127.0.0.1", "::1", "[::1]",
      "::1%lo", "0:0:0:0:0:0:0:1",
    ])
  func names(name: String) throws {
    let talk = try Conversation(peerName: name)
    talk.shakeHands()
    #expect(talk.clientError == nil)
    #expect(talk.client.isEstablished)
  }

  @Test(
    "A name that no certificate can bear is refused before anything is sent",
    arguments: [
      "", ".", "b\u{FC}cher.example", "two words", "a\0b", String(repeating: "a", count: 256),
    ])
  func impossibleNames(name: String) throws {
    #expect(throws: TLSError(.other(reason: "no certificate can bear this name"), peerName: name)) {
      try Conversation(peerName: name)
    }
  }

  @Test("A host's name is sent as SNI without its last dot, an address is not sent")
  func serverName() throws {
    for (name, isSent) in [("chat.example.", true), ("192.0.2.7", false), ("[2001:db8::7]", false)]
    {
      let talk = try Conversation(peerName: name)
      _ = try talk.client.handshake()
      let hello = talk.client.sendAll()
      let spelled = Array(name.utf8.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })
      #expect(hello.contains(spelled) == false)
      #expect(hello.contains("chat.example".bytes) == isSent)
    }
  }

  @Test("Who shows what: a client sees the server's whole chain, a server sees nobody")
  func peers() throws {
    let talk = try Conversation()
    talk.shakeHands()
    #expect(talk.client.peerCertificates.count == 2)
    #expect(talk.client.peerCertificates.allSatisfy { $0.first == 0x30 })
    #expect(talk.server.peerCertificates.isEmpty)
  }

  @Test("Equal configurations share a context")
  func shared() throws {
    let one = try TLSConfiguration.trustingClient()
    var other = try TLSConfiguration.trustingClient()
    #expect(try TLSContext.shared(for: one) === TLSContext.shared(for: other))
    other.checksName = false
    #expect(try TLSContext.shared(for: one) !== TLSContext.shared(for: other))
  }

  @Test("Contexts that have not been asked for lately are let go")
  func forgotten() throws {
    weak var first: TLSContext?
    var configuration = try TLSConfiguration.trustingClient()
    // Means nothing for a client: no other test asks for the same.
    configuration.clientCertificates = .required
    first = try TLSContext.shared(for: configuration)
    let identity = try TLSIdentity.made(.good)
    for checksName in [true, false] {
      for validatesChain in [true, false] {
        for leastVersion in TLSVersion.allCases {
          var other = try TLSConfiguration.trustingClient()
          other.identity = identity
          other.checksName = checksName
          other.validatesChain = validatesChain
          other.leastVersion = leastVersion
          _ = try TLSContext.shared(for: other)
        }
      }
    }
    #expect(first == nil)
  }

  @Test("One context serves conversations on several threads at once")
  func threads() async throws {
    _ = try Certificates.made()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5 {
            let talk = try Conversation()
            talk.shakeHands()
            let heard = try talk.say("hi".bytes, from: talk.client, to: talk.server)
            guard heard == "hi".bytes else { return false }
          }
          return true
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
