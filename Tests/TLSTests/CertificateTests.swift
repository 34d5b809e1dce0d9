/// Each bad certificate has an error of its own and one sentence for a person.

import TLS
import Testing
import TestSupport

struct BadCertificate: Sendable, CustomTestStringConvertible {
  var kind: Certificates.Kind
  var cause: TLSError.Cause
  var sentence: String
  /// What the other side hears: the words of RFC 8446, 6.2.
  var alert: String
  var testDescription: String { kind.rawValue }
}

private let badCertificates: [BadCertificate] = [
  BadCertificate(
    kind: .expired, cause: .certificateExpired(on: "2020-01-31", issuer: nil),
    sentence: "the certificate of localhost expired on 2020-01-31", alert: "certificate expired"),
  BadCertificate(
    kind: .expiredIntermediate,
    cause: .certificateExpired(on: "2020-01-31", issuer: "Old Intermediate"),
    sentence: """
      the certificate of "Old Intermediate", which vouches for localhost, expired on 2020-01-31
      """,
    alert: "certificate expired"),
  BadCertificate(
    kind: .notYetValid, cause: .certificateNotYetValid(before: "2090-03-01", issuer: nil),
    sentence: "the certificate of localhost is not valid before 2090-03-01",
    alert: "bad certificate"),
  BadCertificate(
    kind: .wrongHost,
    cause: .wrongHost(expected: "localhost", named: ["other.test", "192.0.2.1"]),
    sentence: "the certificate that localhost shows is for other.test, 192.0.2.1, not for it",
    alert: "bad certificate"),
  BadCertificate(
    kind: .selfSigned, cause: .selfSigned,
    sentence: "the certificate of localhost is signed by itself and not trusted here",
    alert: "unknown CA"),
  BadCertificate(
    kind: .unknownAuthority, cause: .unknownAuthority(issuer: "Unknown Root"),
    sentence: """
      the certificate of localhost leads to "Unknown Root", an authority not trusted here
      """,
    alert: "unknown CA"),
  BadCertificate(
    kind: .unknownAuthorityAlone, cause: .unknownAuthority(issuer: "Unknown Root"),
    sentence: """
      the certificate of localhost leads to "Unknown Root", an authority not trusted here
      """,
    alert: "unknown CA"),
  BadCertificate(
    kind: .missingIntermediate,
    cause: .brokenChain(reason: "the certificate of \"Beck Test Intermediate\" was not sent"),
    sentence: """
      the certificate chain of localhost is broken: \
      the certificate of "Beck Test Intermediate" was not sent
      """,
    alert: "unknown CA"),
  BadCertificate(
    kind: .wrongSignature,
    cause: .brokenChain(
      reason: "\"Beck Test Intermediate\" has not signed what is said to be from it"),
    sentence: """
      the certificate chain of localhost is broken: \
      "Beck Test Intermediate" has not signed what is said to be from it
      """,
    alert: "decrypt error"),
  BadCertificate(
    kind: .notAuthority, cause: .brokenChain(reason: "\"localhost\" is no authority"),
    sentence: "the certificate chain of localhost is broken: \"localhost\" is no authority",
    alert: "unknown CA"),
  BadCertificate(
    kind: .pathTooLong,
    cause: .brokenChain(
      reason: "\"Narrow Authority\" may not have so many authorities below it"),
    sentence: """
      the certificate chain of localhost is broken: \
      "Narrow Authority" may not have so many authorities below it
      """,
    alert: "unknown CA"),
  BadCertificate(
    kind: .client, cause: .certificateRejected(reason: "unsuitable certificate purpose"),
    sentence: "the certificate of localhost is not accepted: unsuitable certificate purpose",
    alert: "unsupported certificate"),
]

@Suite("Certificates")
struct CertificateTests {
  @Test(
    "A bad certificate ends the handshake on both sides, and the client says why",
    arguments: badCertificates, TLSVersion.allCases)
  func bad(certificate: BadCertificate, version: TLSVersion) throws {
    let talk = try Conversation(showing: certificate.kind, version: version)
    talk.shakeHands()
    #expect(talk.clientError?.cause == certificate.cause)
    #expect(talk.clientError?.description == certificate.sentence)
    #expect(!talk.client.isEstablished)
    // Under TLS 1.3 the server was done before the client looked.
    let serverError = talk.serverError ?? error { try talk.server.read() }
    #expect(serverError?.cause == .peerRefused(alert: certificate.alert))
    #expect(
      serverError?.description == "the peer refused the TLS conversation: \(certificate.alert)")
  }

  @Test("A stranger's names are shown short, and without what would disturb a terminal")
  func disguised() throws {
    let talk = try Conversation(showing: .disguised)
    talk.shakeHands()
    let name = "Evil?[31m?" + String(repeating: "0", count: 49) + "1"
    #expect(talk.clientError?.cause == .unknownAuthority(issuer: name))
    let many = try Conversation(showing: .manyNames)
    many.shakeHands()
    #expect(
      many.clientError?.description == """
        the certificate that localhost shows is for \
        a.test, b.test, c.test, d.test, e.test, ..., not for it
        """)
  }

  @Test("A failure is thrown at every call from then on")
  func again() throws {
    let talk = try Conversation(showing: .expired)
    talk.shakeHands()
    let first = try #require(talk.clientError)
    #expect(throws: first) { try talk.client.handshake() }
    #expect(throws: first) { try talk.client.read() }
    #expect(throws: first) { try talk.client.write("x") }
    #expect(talk.client.isReadable)
    talk.client.finish()
    #expect(talk.client.bytesToSend == 0)
  }

  @Test("Who does not validate the chain accepts any, as long as the name is right")
  func unvalidated() throws {
    for kind in [Certificates.Kind.expired, .selfSigned, .unknownAuthority, .wrongSignature] {
      let talk = try Conversation(showing: kind) { $0.validatesChain = false }
      talk.shakeHands()
      #expect(talk.client.isEstablished, "\(kind)")
    }
    let talk = try Conversation(showing: .wrongHost) { $0.validatesChain = false }
    talk.shakeHands()
    #expect(
      talk.clientError?.cause
        == .wrongHost(expected: "localhost", named: ["other.test", "192.0.2.1"]))
  }

  @Test("Who does not check the name accepts any, as long as the chain is good")
  func unnamed() throws {
    let talk = try Conversation(showing: .wrongHost) { $0.checksName = false }
    talk.shakeHands()
    #expect(talk.client.isEstablished)
    let nameless = try Conversation(showing: .wrongHost, peerName: nil)
    nameless.shakeHands()
    #expect(nameless.client.isEstablished)
    let expired = try Conversation(showing: .expired) { $0.checksName = false }
    expired.shakeHands()
    #expect(expired.clientError?.cause == .certificateExpired(on: "2020-01-31", issuer: nil))
  }

  @Test("Who checks nothing accepts everything")
  func unchecked() throws {
    let talk = try Conversation(showing: .wrongHost) {
      $0.checksName = false
      $0.validatesChain = false
      $0.extraRoots = nil
    }
    talk.shakeHands()
    #expect(talk.client.isEstablished)
  }

  @Test(
    "A name beside those of the certificate is a wrong one",
    arguments: ["wild.test", "a.b.wild.test", "127.0.0.2", "::2", "localhost.test", "2130706433"])
  func otherNames(name: String) throws {
    for validates in [true, false] {
      let talk = try Conversation(peerName: name) { $0.validatesChain = validates }
      talk.shakeHands()
      #expect(
        talk.clientError?.cause
          == .wrongHost(
            expected: name, named: ["localhost", "*.wild.test", "127.0.0.1", "0:0:0:0:0:0:0:1"]))
    }
  }

  @Test("RFC 6125 6.4.4: without names for hosts the common name counts")
  func commonName() throws {
    let talk = try Conversation(showing: .commonName)
    talk.shakeHands()
    #expect(talk.client.isEstablished)
    let other = try Conversation(showing: .commonName, peerName: "other.test")
    other.shakeHands()
    #expect(other.clientError?.cause == .wrongHost(expected: "other.test", named: ["localhost"]))
  }

  @Test("A single certificate is trusted where it is named, self-signed or not")
  func pinned() throws {
    for kind in [Certificates.Kind.selfSigned, .unknownAuthorityAlone] {
      let own = try Certificates.made().chain(kind)
      let talk = try Conversation(showing: kind) { $0.extraRoots = own }
      talk.shakeHands()
      #expect(talk.clientError == nil)
      #expect(talk.client.isEstablished)
    }
  }

  @Test("The system's own store trusts none of these")
  func system() throws {
    let talk = try Conversation {
      $0.extraRoots = nil
      $0.trustsSystem = true
    }
    talk.shakeHands()
    #expect(talk.clientError?.cause == .unknownAuthority(issuer: "Beck Test Root"))
  }
}

/// The engine's error that `body` throws, if it does.
func error(_ body: () throws -> some Any) -> TLSError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? TLSError
  }
}
