/// Streams whose SOCKS settings a client has made: what it sees, and what goes over the wire.

import Foundation
import SocketStreams
import Testing

private let key = Stream.PropertyKey.socksProxyConfigurationKey

/// Settings as clients of Apple's streams spell them.
private func settings(_ port: Int, _ more: [String: Any] = [:]) -> NSDictionary {
  let own: [String: Any] = [
    kCFStreamPropertySOCKSProxyHost as String: "127.0.0.1",
    kCFStreamPropertySOCKSProxyPort as String: port,
  ]
  return own.merging(more) { $1 } as NSDictionary
}

/// Opens streams through the proxy, and speaks with who listens.
private func converse(_ listener: Listener, host: String, _ settings: NSDictionary) throws {
  let streams = Streams(port: listener.port, host: host, .preferred)
  try check(streams.output.setProperty(settings, forKey: key), "the settings are not taken")
  streams.schedule()
  streams.open()
  let peer = try listener.accept()
  let recorder = streams.recorder
  try check(run { recorder.has("in open") && recorder.has("out space") }, "\(recorder.events)")
  try check(streams.output.put("question") == 8, "write")
  try check(try peer.receive(exactly: 8) == Array("question".utf8), "garbled on its way there")
  try peer.send("answer")
  try check(run { recorder.has("in bytes") }, "\(recorder.events)")
  try check(streams.input.takeText() == "answer", "garbled on its way back")
  peer.close()
  try check(run { recorder.has("in end") }, "no end: \(recorder.events)")
  try check(recorder.count("in open") == 1 && recorder.count("out open") == 1, "openings")
  streams.close()
}

/// Streams through a proxy that is the test itself, opened; and the proxy's connection.
private func throughFake(
  _ more: [String: Any] = [:], schedule: Bool = true
) throws -> (Streams, Connection) {
  let listener = try Listener()
  let streams = Streams(port: 80, host: "192.0.2.1", .preferred)
  try check(streams.input.setProperty(settings(listener.port, more), forKey: key), "settings")
  if schedule { streams.schedule() }
  streams.open()
  return (streams, try listener.accept())
}

@Suite(.timeLimit(.minutes(20))) struct SOCKSStreamTests {
  @Test("line 36: through SOCKS 5, by an address and by a name")
  func version5() async throws {
    let proxy = try RealProxy.microsocks()
    try await onThread { [port = Int(proxy.port)] in
      for host in ["127.0.0.1", "localhost"] {
        try converse(try Listener(), host: host, settings(port))
      }
    }
    try proxy.stop()
  }

  @Test("line 36: with user and password")
  func password() async throws {
    let proxy = try RealProxy.microsocks(user: "ann", password: "secret")
    try await onThread { [port = Int(proxy.port)] in
      try converse(
        try Listener(), host: "127.0.0.1",
        settings(
          port,
          [
            kCFStreamPropertySOCKSUser as String: "ann",
            kCFStreamPropertySOCKSPassword as String: "secret",
          ]))
    }
    try proxy.stop()
  }

  @Test("line 36: through SOCKS 4 and 4a")
  func version4() async throws {
    let proxy = try RealProxy.perl()
    try await onThread { [port = Int(proxy.port)] in
      for host in ["127.0.0.1", "localhost"] {
        try converse(
          try Listener(), host: host,
          settings(
            port,
            [
              kCFStreamPropertySOCKSVersion as String: kCFStreamSocketSOCKSVersion4,
              kCFStreamPropertySOCKSUser as String: "ann",
            ]))
      }
    }
    try proxy.stop()
  }

  @Test("nothing of the client's goes to the proxy before it has connected")
  func opensLate() async throws {
    try await onThread {
      let (streams, proxy) = try throughFake()
      // It blocks until the streams are open.
      let output = SharedStreams()
      output.set(streams)
      let writer = Companion { try check(output.put("mine") == 4, "the write failed") }
      try check(try proxy.receive(exactly: 3) == [5, 1, 0], "another greeting")
      try check(proxy.isSilent(for: 0.1), "it speaks out of turn")
      try proxy.send([5, 0])
      _ = try proxy.receive(exactly: 10)
      try check(proxy.isSilent(for: 0.1), "it speaks out of turn")
      try check(!writer.hasEnded, "the write went nowhere")
      try check(streams.input.streamStatus == .opening, "open too early")
      try check(!streams.output.hasSpaceAvailable && !streams.input.hasBytesAvailable, "has…")
      try check(streams.recorder.events.isEmpty, "\(streams.recorder.events)")
      // The reply, and the destination's first word in the same packet.
      try proxy.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Array("welcome".utf8))
      try check(try proxy.receive(exactly: 4) == Array("mine".utf8), "the write was lost")
      try writer.join()
      try check(run { streams.recorder.has("in bytes") }, "\(streams.recorder.events)")
      try check(streams.input.takeText() == "welcome", "bytes were lost")
      streams.close()
    }
  }

  @Test("lines 8, 9: a proxy's refusal is one error on each half, with the proxy's reason")
  func refused() async throws {
    try await onThread {
      let (streams, proxy) = try throughFake()
      try proxy.send([5, 0, 5, 4, 0, 1])
      try check(run { streams.recorder.events.count == 2 }, "\(streams.recorder.events)")
      run(0.05)
      try check(
        streams.recorder.events.sorted() == ["in error", "out error"], "\(streams.recorder.events)")
      let error = try #require(streams.input.streamError as NSError?)
      try check(error.domain == NSStreamSOCKSErrorDomain, "\(error)")
      try check(error.localizedDescription.contains("192.0.2.1:80: the host is unreachable"), "")
      var numbers = CFWriteStreamGetError(streams.output)
      try check(numbers.domain == CFIndex(kCFStreamErrorDomainSOCKS), "\(numbers)")
      let subdomain = CFSocketStreamSOCKSGetErrorSubdomain(&numbers)
      try check(Int(subdomain) == kCFStreamErrorSOCKS5SubDomainResponse, "\(numbers)")
      try check(CFSocketStreamSOCKSGetError(&numbers) == 4, "\(numbers)")
    }
  }

  @Test("a proxy that hangs is given up after the time that the settings give")
  func hangs() async throws {
    try await onThread {
      let (streams, proxy) = try throughFake([kSocketStreamsSOCKSTimeout as String: 0.2])
      try check(run { streams.recorder.events.count == 2 }, "\(streams.recorder.events)")
      let error = try #require(streams.input.streamError as NSError?)
      try check(error.domain == NSStreamSOCKSErrorDomain && error.code == 101, "\(error)")
      withExtendedLifetime(proxy) {}
    }
  }

  @Test("line 31: close() in the talk with the proxy ends it, and no event comes")
  func closes() async throws {
    try await onThread {
      let (streams, proxy) = try throughFake()
      _ = try proxy.receive(exactly: 3)
      streams.close()
      try check(try proxy.receive().isEmpty, "the connection goes on")
      run(0.05)
      try check(streams.recorder.events.isEmpty, "\(streams.recorder.events)")
    }
  }

  @Test("line 36: the remote host stays the destination; settings are given back as they were set")
  func properties() async throws {
    try await onThread {
      let (streams, proxy) = try throughFake(schedule: false)
      let name = Stream.PropertyKey(rawValue: kCFStreamPropertySocketRemoteHostName as String)
      try check(streams.input.property(forKey: name) as? String == "192.0.2.1", "another host")
      let back = streams.output.property(forKey: key) as? NSDictionary
      try check(
        back?[kCFStreamPropertySOCKSProxyHost as String] as? String == "127.0.0.1",
        "\(String(describing: back))")
      try check(!streams.input.setProperty(settings(1), forKey: key), "changed while it connects")
      streams.close()
      withExtendedLifetime(proxy) {}
    }
  }

  @Test("line 36: settings taken back connect without a proxy; wrong ones are refused")
  func takenBack() async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, .preferred)
      try check(streams.input.setProperty(settings(1), forKey: key), "settings")
      for wrong: NSDictionary in [
        [:], settings(70_000), settings(1, [kCFStreamPropertySOCKSVersion as String: "6"]),
        ["SOCKSPort": 1080],
      ] {
        try check(!streams.input.setProperty(wrong, forKey: key), "\(wrong)")
      }
      let nothing: NSDictionary? = nil
      try check(streams.output.setProperty(nothing, forKey: key), "not taken back")
      streams.open()
      _ = try listener.accept()
      try check(wait { streams.input.streamStatus == .open }, "not open")
      streams.close()
    }
  }
}
