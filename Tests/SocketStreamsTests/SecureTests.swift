/// TLS conversations of streams with a real server: how they are asked for, and their events.

import Foundation
import SocketStreams
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SecureTests {
  @Test(
    "line 37: a secured pair talks both ways, and its space is told after the handshake",
    arguments: DeliveryRoute.allCases)
  func conversation(route: DeliveryRoute) async throws {
    try await onThread {
      let server = try SecureServer()
      let streams = try Streams.secured(server.port, nil, route)
      try streams.waitForSpace()
      try check(
        streams.recorder.events == ["in open", "out open", "out space"],
        "\(streams.recorder.events)")
      try check(streams.output.put("hello\n") == 6, "write")
      try server.hears("hello")
      try server.type("good day\n")
      try check(run { streams.recorder.has("in bytes") }, "no bytes")
      try check(streams.input.takeText() == "good day\n", "read")
      streams.close()
    }
  }

  @Test("line 37: the level is a string, a struct or a box, on either half, before or after open")
  func spellings() async throws {
    let negotiated = StreamSocketSecurityLevel.negotiatedSSL
    try await onThread {
      let server = try SecureServer()
      for onInput in [true, false] {
        for isOpen in [true, false] {
          for spelling in 0..<4 {
            let streams = Streams(port: server.port, host: "localhost", .preferred)
            let half: Stream = onInput ? streams.input : streams.output
            try check(half.setProperty(trusting(), forKey: sslSettings), "settings")
            streams.schedule()
            if isOpen { streams.open() }
            let isTaken =
              switch spelling {
              case 0: half.setProperty(negotiated, forKey: .socketSecurityLevelKey)
              case 1: half.setProperty(negotiated.rawValue, forKey: .socketSecurityLevelKey)
              case 2: half.setProperty(negotiated as AnyObject, forKey: .socketSecurityLevelKey)
              case _:
                half.setProperty(
                  StreamSocketSecurityLevel.tlSv1.rawValue, forKey: .socketSecurityLevelKey)
              }
            try check(isTaken, "refused")
            streams.open()
            try streams.waitForSpace()
            let version = streams.output.property(
              forKey: .init(rawValue: kSocketStreamsSSLProtocolVersion as String))
            try check(version as? String == "TLSv1.3", "\(String(describing: version))")
            streams.close()
          }
        }
      }
    }
  }

  @Test("line 37: what cannot be had is refused, and nothing goes out in clear instead")
  func refused() async throws {
    try await onThread {
      let streams = Streams(port: 9, host: "localhost", .preferred)
      func isTaken(_ value: Any?, _ key: Stream.PropertyKey = sslSettings) -> Bool {
        streams.input.setProperty(value, forKey: key)
      }
      try check(!isTaken(StreamSocketSecurityLevel.ssLv2, .socketSecurityLevelKey), "SSL 2")
      try check(!isTaken(StreamSocketSecurityLevel.ssLv3.rawValue, .socketSecurityLevelKey), "3")
      try check(!isTaken("kCFStreamSocketSecurityLevelSSLv3", .socketSecurityLevelKey), "3")
      try check(!isTaken("nonsense", .socketSecurityLevelKey), "nonsense")
      try check(!isTaken([kCFStreamSSLPeerName as String: 7]), "a number for a name")
      try check(!isTaken([kCFStreamSSLValidatesCertificateChain as String: "x"]), "a text")
      try check(!isTaken([kCFStreamSSLIsServer as String: true]), "a server without certificate")
      try check(!isTaken([kCFStreamSSLCertificates as String: ["x"]]), "no identity")
      try check(!isTaken([kSocketStreamsSSLAnchorCertificates as String: "no PEM"]), "no PEM")
      let level = streams.input.property(forKey: .socketSecurityLevelKey)
      try check(level as? String == StreamSocketSecurityLevel.none.rawValue, "level")

      var input: InputStream?
      var output: OutputStream?
      Stream.getBoundStreams(withBufferSize: 1, inputStream: &input, outputStream: &output)
      try check(
        !input!.setProperty(
          StreamSocketSecurityLevel.negotiatedSSL, forKey: .socketSecurityLevelKey), "bound")
    }
  }

  @Test("line 37: a secured pair cannot be opened up again, and takes the same settings twice")
  func once() async throws {
    try await onThread {
      let server = try SecureServer()
      let streams = try Streams.secured(server.port)
      try streams.waitForSpace()
      let none = StreamSocketSecurityLevel.none
      try check(!streams.input.setProperty(none, forKey: .socketSecurityLevelKey), "none")
      try check(streams.output.setProperty(trusting(), forKey: sslSettings), "the same again")
      try check(
        !streams.output.setProperty(
          trusting([kCFStreamSSLPeerName as String: "other"]), forKey: sslSettings), "others")
      streams.close()
    }
  }

  @Test("line 37: TLS 1.2 is spoken with a server that has no newer", arguments: ["1_2", "1_3"])
  func versions(version: String) async throws {
    try await onThread {
      let server = try SecureServer(.good, ["-tls\(version)"])
      let streams = try Streams.secured(server.port)
      try streams.waitForSpace()
      let key = Stream.PropertyKey(rawValue: kSocketStreamsSSLProtocolVersion as String)
      let seen = streams.input.property(forKey: key) as? String
      try check(seen == "TLSv\(version.replacingOccurrences(of: "_", with: "."))", "\(seen ?? "")")
      let certificates = streams.input.property(
        forKey: .init(rawValue: kCFStreamPropertySSLPeerCertificates as String))
      let leaf = (certificates as? NSArray)?.firstObject as? Data
      try check(leaf?.range(of: Data("localhost".utf8)) != nil, "the server's certificate")
      streams.close()
    }
  }

  @Test("lines 22, 37: without a run loop write() waits for the handshake, read() for plaintext")
  func blocking() async throws {
    try await onThread {
      let server = try SecureServer()
      let streams = Streams(port: server.port, host: "localhost", .preferred)
      try check(streams.output.setProperty(trusting(), forKey: sslSettings), "settings")
      streams.open()
      try check(streams.output.put("first\n") == 6, "write in opening")
      try server.hears("first")
      try server.type("second\n")
      try check(streams.input.takeText() == "second\n", "read")
      try check(!streams.input.hasBytesAvailable, "bytes left")
      try check(streams.output.hasSpaceAvailable, "no space")
      streams.close()
    }
  }

  @Test("lines 23, 37: polling alone brings the handshake about and sees bytes and the end")
  func polling() async throws {
    try await onThread {
      let server = try SecureServer(.good, ["-www"])
      let streams = Streams(port: server.port, host: "localhost", .preferred)
      try check(streams.output.setProperty(trusting(), forKey: sslSettings), "settings")
      streams.open()
      try check(wait { streams.output.hasSpaceAvailable }, "no handshake")
      try check(streams.output.put("GET / HTTP/1.0\r\n\r\n") == 18, "write")
      var page = ""
      var result = 1
      while result > 0 {
        try check(wait { streams.input.hasBytesAvailable }, "neither bytes nor an end")
        let taken = streams.input.take()
        page += String(decoding: taken.bytes, as: UTF8.self)
        result = taken.result
      }
      try check(result == 0, "\(String(describing: streams.input.streamError))")
      try check(page.hasPrefix("HTTP/1.0 200") && page.contains("</HTML>"), page)
      try check(streams.input.streamStatus == .atEnd, "status")
      streams.close()
    }
  }

  @Test("lines 16, 17, 37: plaintext that a read left, and that lies in the engine, is told again")
  func partialReads() async throws {
    try await onThread {
      let server = try SecureServer()
      let streams = try Streams.secured(server.port)
      try streams.waitForSpace()
      try server.type("abcdef\n")
      try check(run { streams.recorder.has("in bytes") }, "no bytes")
      run(0.05)
      try check(streams.recorder.count("in bytes") == 1, "told twice before a read")
      for (index, letter) in "abcdef\n".enumerated() {
        try check(run { streams.recorder.count("in bytes") == index + 1 }, "not told: \(letter)")
        try check(streams.input.takeText(1) == String(letter), "read")
      }
      run(0.05)
      try check(streams.recorder.count("in bytes") == 7, "told of nothing")
      streams.close()
    }
  }

  @Test("line 37: a client certificate is shown to a server that asks for one")
  func clientCertificate() async throws {
    try await onThread {
      let certificates = try Certificates.made()
      let server = try SecureServer(
        .good, ["-Verify", "2", "-verify_return_error", "-CAfile", certificates.rootPath])
      let identity = try StreamIdentity(
        certificateChain: Data(certificates.chain(.client)),
        privateKey: Data(certificates.key(.client)))
      let settings = try trusting([kCFStreamSSLCertificates as String: [identity]])
      let streams = try Streams.secured(server.port, settings)
      try streams.waitForSpace()
      try check(streams.output.put("hello\n") == 6, "write")
      try server.hears("hello")
      streams.close()

      let anonymous = try Streams.secured(server.port)
      try check(run { anonymous.recorder.has("in error") }, "no error without a certificate")
      anonymous.close()
    }
  }

  @Test("line 37: an identity that cannot be used is an error that says why")
  func badIdentity() throws {
    let certificates = try Certificates.made()
    let failure = #expect(throws: NSError.self) {
      try StreamIdentity(
        certificateChain: Data(certificates.chain(.good)),
        privateKey: Data(certificates.key(.client)))
    }
    #expect(failure?.domain == NSStreamSocketSSLErrorDomain)
    #expect(failure?.localizedDescription.contains("the key does not belong") == true)
    let other = #expect(throws: NSError.self) {
      try StreamIdentity(
        pkcs12: Data(Certificates.bytes(certificates.pkcs12Path)), password: "wrong")
    }
    #expect(other?.localizedDescription.contains("password") == true)
  }

  @Test("lines 35, 37: a native pair may be the server's side; its client is openssl s_client")
  func serving() async throws {
    try await onThread {
      let certificates = try Certificates.made()
      let listener = try Listener()
      let client = try ChildProcess(
        running: [
          "openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(listener.port)", "-servername",
          "localhost", "-CAfile", certificates.rootPath, "-verify_return_error",
        ], input: .pipe)
      let peer = try listener.accept()
      var read: Unmanaged<CFReadStream>?
      var write: Unmanaged<CFWriteStream>?
      CFStreamCreatePairWithSocket(nil, peer.descriptor, &read, &write)
      let streams = Streams(read!.takeRetainedValue(), write!.takeRetainedValue())
      let identity = try StreamIdentity(
        pkcs12: Data(Certificates.bytes(certificates.pkcs12Path)), password: "secret")
      let settings = NSDictionary(dictionary: [
        kCFStreamSSLIsServer as String: true, kCFStreamSSLCertificates as String: [identity],
      ])
      try check(streams.output.setProperty(settings, forKey: sslSettings), "settings")
      streams.schedule()
      streams.open()
      try streams.waitForSpace()
      try check(streams.output.put("welcome\n") == 8, "write")
      try client.output.read(until: "welcome")
      try client.type("thanks\n")
      try check(try streams.read(until: "\n") == "thanks\n", "read")
      streams.close()
    }
  }

  @Test("line 37: a conversation that began in clear is secured in its middle (STARTTLS)")
  func startTLS() async throws {
    try await onThread {
      let server = try SecureServer()
      let listener = try Listener()
      let (streams, peer) = try Streams.connected(.preferred, listener)
      try check(streams.output.put("STARTTLS\r\n") == 10, "write")
      try check(try peer.receive(exactly: 10) == Array("STARTTLS\r\n".utf8), "in clear")
      try peer.send("220 go ahead\r\n")
      try check(try streams.read(until: "\r\n") == "220 go ahead\r\n", "answer")
      let relay = try Relay(peer, to: server.port)
      let before = streams.recorder.count("out space")
      let settings = try trusting([kCFStreamSSLPeerName as String: "localhost"])
      try check(streams.input.setProperty(settings, forKey: sslSettings), "settings")
      try check(run { streams.recorder.count("out space") > before }, "no space afterwards")
      try check(streams.output.put("secret\n") == 7, "write")
      try server.hears("secret")
      let told = streams.recorder.count("in bytes")
      try server.type("as well\n")
      try check(run { streams.recorder.count("in bytes") > told }, "no bytes")
      try check(try streams.read(until: "\n") == "as well\n", "read")
      streams.close()
      try relay.join()
    }
  }

  @Test("line 37: SIGPIPE, close-notify and last words: what was written before close() arrives")
  func lastWords() async throws {
    try await onThread {
      let server = try SecureServer()
      let streams = try Streams.secured(server.port)
      try streams.waitForSpace()
      // More than the kernel takes at once, written as a scheduled stream writes.
      let text = String(repeating: "0123456789abcde\n", count: 65_536)
      let bytes = Array(text.utf8)
      var sent = 0
      let isSent = run(20) {
        while sent < bytes.count, streams.output.hasSpaceAvailable {
          sent += bytes[sent...].withUnsafeBufferPointer {
            streams.output.write($0.baseAddress!, maxLength: $0.count)
          }
        }
        return sent == bytes.count
      }
      try check(isSent, "stuck at \(sent)")
      try check(streams.output.put("the last line\n") == 14, "write")
      streams.close()
      try server.hears("the last line")
    }
  }
}
