/// TLS between two pairs of streams in one process: what the events must not lose when a client
/// polls, closes one half, or leaves one half out.

import Foundation
import SocketStreams
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SecurePairTests {
  @Test("lines 19, 37: a client that only polled for bytes of a secured stream is told of them")
  func polledBytes() async throws {
    try await onThread {
      let (client, server) = try Streams.securedPair()
      try check(server.output.put("hello") == 5, "write")
      try check(client.recorder.count("in bytes") == 0, "told early")
      try check(wait { client.input.hasBytesAvailable }, "nothing arrived")
      try check(run { client.recorder.has("in bytes") }, "the poll has swallowed the event")
      try check(client.input.takeText() == "hello", "read")
      for streams in [client, server] { streams.close() }
    }
  }

  @Test("lines 20, 37: a server that only polled for space in the handshake is told of it")
  func polledSpace() async throws {
    try await onThread {
      let (client, server) = try Streams.securablePair()
      server.output.schedule(in: .current, forMode: .default)
      server.output.open()
      try check(run { server.recorder.has("out open") }, "not open")
      client.open()
      let isDone = wait {
        _ = client.output.hasSpaceAvailable
        return server.output.hasSpaceAvailable
      }
      try check(isDone, "no handshake")
      try check(run { server.recorder.has("out space") }, "the poll has swallowed the event")
      for streams in [client, server] { streams.close() }
    }
  }

  @Test("lines 20, 37: a write that brought the handshake about is followed by the next space")
  func writtenInHandshake() async throws {
    try await onThread {
      let (client, server) = try Streams.securablePair()
      let other = Companion {
        client.open()
        try check(client.input.takeText() == "hello", "read")
      }
      server.output.schedule(in: .current, forMode: .default)
      server.output.open()
      try check(run { server.recorder.has("out open") }, "not open")
      try check(server.output.put("hello") == 5, "write")
      try check(run { server.recorder.has("out space") }, "the write has swallowed the event")
      try other.join()
      for streams in [client, server] { streams.close() }
    }
  }

  @Test("lines 17, 37: what a read that nobody asked for left in the engine is told")
  func readUnasked() async throws {
    try await onThread {
      let (client, server) = try Streams.securedPair()
      try check(server.output.put("hello") == 5, "write")
      try check(client.input.takeText(1) == "h", "read")
      try check(run { client.recorder.has("in bytes") }, "the rest was not told")
      try check(client.input.takeText() == "ello", "read")
      for streams in [client, server] { streams.close() }
    }
  }

  @Test("lines 24, 37: a close-notify behind the last bytes is told though the connection stays")
  func bareCloseNotify() async throws {
    try await onThread {
      let (client, server) = try Streams.securedPair()
      let kept = dup(server.output.nativeHandle)
      defer { _ = Glibc.close(kept) }
      try check(server.output.put("the end") == 7, "write")
      client.recorder.handler = { stream, event in
        guard event == .hasBytesAvailable else { return }
        // A read that was filled, and then the end: before the pass looks for more.
        _ = client.input.take(7)
        server.close()
      }
      try check(run { client.recorder.has("in end") }, "no end: \(client.recorder.events)")
      client.recorder.handler = nil
      client.close()
    }
  }

  @Test("lines 35, 37: the rest of a secured write goes to no file that got the socket's number")
  func numberUsedAnew() async throws {
    try await onThread {
      let (client, server) = try Streams.securedPair()
      let closes = Stream.PropertyKey(rawValue: kCFStreamPropertyShouldCloseNativeSocket as String)
      try check(server.input.setProperty(false, forKey: closes), "property")
      let number = server.output.nativeHandle
      let sent = try server.fillOutput()
      var others: [Int32] = [0, 0]
      try check(socketpair(AF_UNIX, streamSocket, 0, &others) == 0, "socketpair")
      defer { for end in [number, others[0], others[1]] { _ = Glibc.close(end) } }
      server.close()
      // As if a client had closed its socket, and something else had got the number.
      try check(dup2(others[0], number) == number, "dup2")
      var received = 0
      var result = 1
      while result > 0 {
        result = client.input.take().result
        received += max(0, result)
      }
      try check(received == sent && result == 0, "\(received) of \(sent), then \(result)")
      try check(!waitFor(others[1], POLLIN, 0), "bytes went astray")
      client.close()
    }
  }

  @Test("line 37: what was written before close() waits for a peer that takes nothing for a while")
  func patience() async throws {
    try await onThread {
      let (client, server) = try Streams.securedPair()
      let sent = try server.fillOutput()
      server.close()
      // Longer than two of the sender's waits, which are a second each.
      wait(2.5) { false }
      var received = 0
      var result = 1
      while result > 0 {
        result = client.input.take().result
        received += max(0, result)
      }
      try check(received == sent && result == 0, "\(received) of \(sent), then \(result)")
      client.close()
    }
  }

  @Test("line 37: what was written before close() reaches a peer that says much before it reads")
  func talkativePeer() async throws {
    try await onThread {
      let (client, server) = try Streams.securedPair()
      let sent = try client.fillOutput()
      client.close()
      // More than lies between the two when nobody takes it.
      var left = 500_000
      let piece = [UInt8](repeating: 7, count: left)
      while left > 0 {
        let count = server.output.write(piece, maxLength: left)
        try check(count > 0, "\(left) bytes were not taken")
        left -= count
      }
      var received = 0
      var result = 1
      while result > 0 {
        result = server.input.take().result
        received += max(0, result)
      }
      try check(received == sent && result == 0, "\(received) of \(sent), then \(result)")
      server.close()
    }
  }

  @Test("line 37: what was written before close() arrives though the peer speaks up after it")
  func lastWordsBeforeTickets() async throws {
    try await onThread {
      let listener = try Listener()
      let near = socket(AF_INET, streamSocket, 0)
      let address = loopback(port: listener.port)
      let isConnected = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(near, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      try check(isConnected, "connect: errno \(errno)")
      let peer = try listener.accept()
      let (client, server) = try Streams.securablePair(ends: [near, dup(peer.descriptor)])
      for streams in [client, server] { streams.open() }
      let isReady = wait {
        // The client last: the server has not heard the end of the handshake, so that its tickets
        // come after the client's close.
        _ = server.output.hasSpaceAvailable
        return client.output.hasSpaceAvailable
      }
      try check(isReady, "no handshake")
      let bytes = [UInt8](repeating: 7, count: 60_000)
      var sent = 0
      while sent < 1_000_000, client.output.hasSpaceAvailable {
        sent += client.output.write(bytes, maxLength: bytes.count)
      }
      client.close()
      var received = 0
      var result = 1
      while result > 0 {
        result = server.input.take().result
        received += max(0, result)
      }
      try check(received == sent && result == 0, "\(received) of \(sent), then \(result)")
      server.close()
    }
  }

  @Test(
    "lines 30, 37: what a secured stream has taken arrives, whatever becomes of that stream",
    arguments: ["closed", "removed"])
  func halfEnded(fate: String) async throws {
    try await onThread {
      let (client, server) = try Streams.securedPair()
      // Whatever the handshake left to do is done.
      run(0.05)
      let sent = try server.fillOutput()
      switch fate {
      case "closed": server.output.close()
      case _: server.output.remove(from: .current, forMode: .default)
      }
      var received = 0
      run {
        if client.input.hasBytesAvailable { received += client.input.take().bytes.count }
        return received == sent
      }
      try check(received == sent, "\(received) of \(sent) bytes arrived")
      // The other way goes on.
      try check(client.output.put("answer") == 6, "write")
      try check(run { server.recorder.has("in bytes") }, "no bytes")
      try check(server.input.takeText() == "answer", "read")
      for streams in [client, server] { streams.close() }
    }
  }
}

extension Streams {
  /// Two pairs around one connection, which they close; TLS is asked for and nothing opened.
  static func securablePair(
    ends given: [Int32]? = nil
  ) throws -> (client: Streams, server: Streams) {
    var ends: [Int32] = given ?? [0, 0]
    if given == nil {
      try check(socketpair(AF_UNIX, streamSocket, 0, &ends) == 0, "socketpair")
    }
    let made = ends.map { end in
      var read: Unmanaged<CFReadStream>?
      var write: Unmanaged<CFWriteStream>?
      CFStreamCreatePairWithSocket(nil, end, &read, &write)
      let streams = Streams(read!.takeRetainedValue(), write!.takeRetainedValue())
      let closes = Stream.PropertyKey(rawValue: kCFStreamPropertyShouldCloseNativeSocket as String)
      streams.input.setProperty(true, forKey: closes)
      return streams
    }
    let (client, server) = (made[0], made[1])
    let certificates = try Certificates.made()
    let identity = try StreamIdentity(
      pkcs12: Data(Certificates.bytes(certificates.pkcs12Path)), password: "secret")
    let settings = NSDictionary(dictionary: [
      kCFStreamSSLIsServer as String: true, kCFStreamSSLCertificates as String: [identity],
    ])
    try check(server.input.setProperty(settings, forKey: sslSettings), "server's settings")
    try check(
      client.input.setProperty(
        trusting([kCFStreamSSLPeerName as String: "localhost"]), forKey: sslSettings),
      "client's settings")
    return (client, server)
  }

  /// Scheduled and opened, the handshake done.
  static func securedPair() throws -> (client: Streams, server: Streams) {
    let (client, server) = try securablePair()
    for streams in [client, server] {
      streams.schedule()
      streams.open()
    }
    for streams in [client, server] { try streams.waitForSpace() }
    return (client, server)
  }

  /// Writes more than the socket takes, so that a part waits in the engine; how much was written.
  func fillOutput() throws -> Int {
    var few: Int32 = 8192
    setsockopt(
      output.nativeHandle, SOL_SOCKET, SO_SNDBUF, &few, socklen_t(MemoryLayout<Int32>.size))
    let piece = [UInt8](repeating: 7, count: 65_536)
    var sent = 0
    while output.hasSpaceAvailable {
      let count = output.write(piece, maxLength: piece.count)
      try check(count > 0, "write")
      sent += count
    }
    return sent
  }
}
