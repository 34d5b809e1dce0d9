/// What goes wrong with TLS: bad certificates, peers that speak something else, cut conversations.

import Foundation
import SocketStreams
import TestSupport
import Testing

struct BadCertificate: Sendable, CustomTestStringConvertible {
  let kind: Certificates.Kind
  /// Secure Transport's.
  let code: Int
  /// A part of the error's sentence.
  let words: String

  var testDescription: String { kind.rawValue }

  static let all = [
    BadCertificate(kind: .expired, code: -9814, words: "expired on 2020"),
    BadCertificate(kind: .notYetValid, code: -9815, words: "not valid before 2090"),
    BadCertificate(kind: .wrongHost, code: -9843, words: "is for other.test"),
    BadCertificate(kind: .selfSigned, code: -9812, words: "signed by itself"),
    BadCertificate(kind: .unknownAuthority, code: -9812, words: "authority not trusted"),
    BadCertificate(kind: .missingIntermediate, code: -9807, words: "chain"),
    BadCertificate(kind: .wrongSignature, code: -9807, words: "chain"),
    BadCertificate(kind: .notAuthority, code: -9807, words: "chain"),
  ]
}

/// Waits for the failure of both halves, and says what it was.
private func failure(of streams: Streams) throws -> NSError {
  try check(
    run { streams.recorder.has("in error") && streams.recorder.has("out error") },
    "no errors: \(streams.recorder.events)")
  run(0.02)
  for half in ["in", "out"] {
    try check(streams.recorder.count("\(half) error") == 1, "\(streams.recorder.events)")
    try check(!streams.recorder.has("\(half) end"), "\(streams.recorder.events)")
  }
  try check(streams.input.streamStatus == .error, "status")
  try check(streams.output.put("secret") == -1, "write after the failure")
  return try #require(streams.input.streamError as NSError?)
}

@Suite(.timeLimit(.minutes(20))) struct SecureFailureTests {
  @Test(
    "line 37: a bad certificate is an error that names its cause, on both halves (pitfall 17)",
    arguments: BadCertificate.all)
  func badCertificate(bad: BadCertificate) async throws {
    try await onThread {
      let server = try SecureServer(bad.kind)
      let streams = try Streams.secured(server.port)
      let error = try failure(of: streams)
      try check(error.domain == NSStreamSocketSSLErrorDomain, error.domain)
      try check(error.code == bad.code, "\(error.code): \(error.localizedDescription)")
      try check(error.localizedDescription.contains(bad.words), error.localizedDescription)
      try check(!streams.recorder.has("out space"), "space before the failure")
      streams.close()
    }
  }

  @Test("line 37: PeerName names another, NSNull none; without chain validation all is taken")
  func loosened() async throws {
    try await onThread {
      let server = try SecureServer(.wrongHost)
      for name: Any in ["other.test", NSNull()] {
        let settings = try trusting([kCFStreamSSLPeerName as String: name])
        let streams = try Streams.secured(server.port, settings)
        try streams.waitForSpace()
        streams.close()
      }
      // Neither its authority is trusted here nor its name the right one.
      let settings = NSDictionary(dictionary: [
        kCFStreamSSLValidatesCertificateChain as String: kCFBooleanFalse!
      ])
      let streams = try Streams.secured(server.port, settings)
      try streams.waitForSpace()
      streams.close()
    }
  }

  @Test("line 37: an IP address is matched with the certificate's addresses")
  func addresses() async throws {
    try await onThread {
      let server = try SecureServer()
      let streams = try Streams.secured(server.port, host: "127.0.0.1")
      try streams.waitForSpace()
      streams.close()
      let other = try SecureServer(.wrongHost)
      let failed = try Streams.secured(other.port, host: "127.0.0.1")
      try check(try failure(of: failed).code == -9843, "the wrong error")
      failed.close()
    }
  }

  @Test("line 37: a server with nothing newer than TLS 1.1 is an error that says so")
  func oldVersion() async throws {
    try await onThread {
      let server = try SecureServer(.good, ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
      let streams = try Streams.secured(server.port)
      let error = try failure(of: streams)
      try check(error.code == -9836, "\(error)")
      try check(error.localizedDescription.contains("version"), error.localizedDescription)
      streams.close()
    }
  }

  @Test(
    "line 37: a peer that speaks something else is an error with words",
    arguments: [
      ("220 mail.example ready\r\n", "plain text"), ("HTTP/1.1 400 Bad Request\r\n\r\n", "plain"),
      ("\u{1}\u{2}\u{0}\u{3}\u{7}\u{0}\u{0}\u{0}", "not TLS"),
    ])
  func somethingElse(greeting: String, words: String) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = try Streams.secured(listener.port)
      let peer = try listener.accept()
      try peer.send(greeting)
      let error = try failure(of: streams)
      try check(error.domain == NSStreamSocketSSLErrorDomain, error.domain)
      try check(error.code == -9800, "\(error.code)")
      try check(error.localizedDescription.contains(words), error.localizedDescription)
      streams.close()
    }
  }

  @Test("line 37: a peer that closes or resets in the handshake is an error")
  func goneInHandshake() async throws {
    try await onThread {
      for isReset in [false, true] {
        let listener = try Listener()
        let streams = try Streams.secured(listener.port)
        let peer = try listener.accept()
        _ = try peer.receive(1)
        if isReset { peer.reset() } else { peer.sendEnd() }
        let error = try failure(of: streams)
        if !isReset { try check(error.code == -9806, "\(error)") }
        streams.close()
      }
    }
  }

  @Test("line 37: an end without close-notify is an error, after the plaintext before it")
  func truncation() async throws {
    try await onThread {
      let server = try SecureServer()
      let streams = try Streams.secured(server.port)
      try streams.waitForSpace()
      try server.type("some of it\n")
      try check(run { streams.recorder.has("in bytes") }, "no bytes: \(streams.recorder.events)")
      server.child.send(SIGKILL)
      run(0.05)
      try check(try streams.read(until: "\n") == "some of it\n", "the plaintext before")
      try check(try failure(of: streams).code == -9816, "the wrong error")
      streams.close()
    }
  }

  @Test("lines 24, 37: a close-notify is an end, and the output stream stays as it is")
  func goodEnd() async throws {
    try await onThread {
      let server = try SecureServer(.good, ["-www"])
      let streams = try Streams.secured(server.port)
      try streams.waitForSpace()
      try check(streams.output.put("GET / HTTP/1.0\r\n\r\n") == 18, "write")
      try check(try streams.read(until: "</HTML>\r\n\r\n").hasPrefix("HTTP/1.0 200"), "the page")
      try check(run { streams.recorder.has("in end") }, "\(streams.recorder.events)")
      try check(streams.input.take().result == 0, "read at the end")
      try check(streams.input.streamStatus == .atEnd, "status")
      try check(streams.recorder.count("in end") == 1, "\(streams.recorder.events)")
      streams.close()
    }
  }

  @Test("lines 29, 31: close() in the handshake, and a blocked read that it ends")
  func closedInHandshake() async throws {
    try await onThread {
      let listener = try Listener()
      let streams = try Streams.secured(listener.port)
      let peer = try listener.accept()
      let reader = Companion { try check(streams.input.take().result == -1, "the waiting read") }
      try check(!wait(0.05) { reader.hasEnded }, "read() did not wait")
      streams.close()
      try reader.join()
      run(0.02)
      try check(!streams.recorder.has("in error"), "\(streams.recorder.events)")
      _ = peer
    }
  }
}
