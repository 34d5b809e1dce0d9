/// Who one side is: reading chains and keys, and clients that show theirs.

import TLS
import Testing
import TestSupport

@Suite("Identities")
struct IdentityTests {
  private func server(_ asks: TLSConfiguration.ClientCertificates) throws -> TLSConfiguration {
    var configuration = try TLSConfiguration.server(showing: .good)
    configuration.clientCertificates = asks
    configuration.extraRoots = try Certificates.made().root()
    configuration.trustsSystem = false
    return configuration
  }

  private func talk(
    _ asks: TLSConfiguration.ClientCertificates, showing kind: Certificates.Kind?,
    _ version: TLSVersion
  ) throws -> Conversation {
    var client = try TLSConfiguration.trustingClient()
    (client.leastVersion, client.greatestVersion) = (version, version)
    if let kind { client.identity = try .made(kind) }
    let talk = try Conversation(client: client, server: server(asks))
    talk.shakeHands()
    return talk
  }

  @Test("A client that is asked shows its chain", arguments: TLSVersion.allCases)
  func client(version: TLSVersion) throws {
    for asks in [TLSConfiguration.ClientCertificates.asked, .required] {
      let talk = try talk(asks, showing: .client, version)
      #expect(talk.client.isEstablished && talk.server.isEstablished)
      #expect(talk.server.peerCertificates.count == 2)
      #expect(try talk.say("hi".bytes, from: talk.client, to: talk.server) == "hi".bytes)
    }
    #expect(try talk(.notAsked, showing: .client, version).server.peerCertificates.isEmpty)
  }

  @Test("A client that has nothing to show may come where it is only asked")
  func nothingToShow() throws {
    let talk = try talk(.asked, showing: nil, .v1_3)
    #expect(talk.server.isEstablished)
    #expect(talk.server.peerCertificates.isEmpty)
  }

  @Test(
    "Where one is required it may not, and both sides say so",
    arguments: [(TLSVersion.v1_2, "handshake failure"), (.v1_3, "certificate required")])
  func required(version: TLSVersion, alert: String) throws {
    let talk = try talk(.required, showing: nil, version)
    #expect(talk.serverError?.cause == .certificateMissing)
    #expect(
      talk.serverError?.description == "the peer shows no certificate, and one is required")
    let clientError = talk.clientError ?? error { try talk.client.read() }
    #expect(clientError?.cause == .peerRefused(alert: alert))
  }

  @Test("A bad client's certificate is refused with the same words as a server's")
  func badClient() throws {
    let stranger = try talk(.asked, showing: .unknownClient, .v1_3)
    #expect(stranger.serverError?.cause == .unknownAuthority(issuer: "Unknown Root"))
    #expect(error { try stranger.client.read() }?.cause == .peerRefused(alert: "unknown CA"))
    let server = try talk(.asked, showing: .good, .v1_3)
    #expect(
      server.serverError?.cause
        == .certificateRejected(reason: "unsuitable certificate purpose"))
  }

  @Test("PKCS #12 gives the same identity as PEM, its chain in order")
  func pkcs12() throws {
    let certificates = try Certificates.made()
    let file = try Certificates.bytes(certificates.pkcs12Path)
    #expect(try TLSIdentity(pkcs12: file, password: "secret") == .made(.good))
    #expect(throws: TLSError(.identityUnusable(reason: "the password is wrong"))) {
      try TLSIdentity(pkcs12: file, password: "wrong")
    }
    #expect(throws: TLSError(.identityUnusable(reason: "this is no PKCS #12 file"))) {
      try TLSIdentity(pkcs12: Array(file.dropLast(file.count / 2)), password: "secret")
    }
  }

  @Test("A key under a password is read with it, and nobody is asked at the terminal")
  func encryptedKey() throws {
    let certificates = try Certificates.made()
    let chain = try certificates.chain(.good)
    let key = try Certificates.bytes(certificates.encryptedKeyPath)
    #expect(try TLSIdentity(pem: chain, key: key, password: "secret") == .made(.good))
    for password in [nil, "", "wrong", String(repeating: "long", count: 5_000)] as [String?] {
      let failure = error { try TLSIdentity(pem: chain, key: key, password: password) }
      #expect(
        failure?.description == """
          the own certificate cannot be used: there is no private key in PEM to read, \
          or its password is missing or wrong
          """)
    }
  }

  @Test("What is no chain, no key, or not a pair is refused")
  func unusable() throws {
    let certificates = try Certificates.made()
    let chain = try certificates.chain(.good)
    let key = try certificates.key(.good)
    let broken = chain.map { $0 == UInt8(ascii: "M") ? UInt8(ascii: "N") : $0 }
    for bad in [[], key, Array("hello".utf8), Array(chain.dropLast(60)), broken] {
      let failure = error { try TLSIdentity(pem: bad, key: key) }
      #expect(
        failure?.cause == .identityUnusable(reason: "there is no certificate in PEM to read"))
    }
    #expect(error { try TLSIdentity(pem: chain, key: chain) } != nil)
    let stranger = try certificates.key(.client)
    #expect(
      error { try TLSIdentity(pem: chain, key: stranger) }?.cause
        == .identityUnusable(reason: "the key does not belong to the first certificate"))
  }

  @Test("A server without an identity is none")
  func serverWithout() throws {
    let failure = error { try TLSContext(TLSConfiguration(role: .server)) }
    #expect(
      failure?.description
        == "the own certificate cannot be used: a server needs a certificate and its key")
  }

  @Test("Roots that cannot be read are an error, not a silence")
  func roots() throws {
    for bad in [[], Array("no certificate".utf8)] as [[UInt8]] {
      var configuration = TLSConfiguration()
      configuration.extraRoots = bad
      #expect(
        error { try TLSContext(configuration) }?.description
          == "the certificates to trust cannot be used: there is no certificate in PEM to read")
    }
  }
}
