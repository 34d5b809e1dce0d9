/// The output stream: its event and its writes.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct WritingTests {
  @Test(
    "line 20: hasSpaceAvailable comes once after the opening and then after each write",
    arguments: DeliveryRoute.allCases)
  func space(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      run(0.05)
      try check(streams.recorder.count("out space") == 1, "repeated without a write")
      try check(streams.output.put("a") == 1, "write")
      try check(run { streams.recorder.count("out space") == 2 }, "no event after a write")
      run(0.05)
      try check(streams.recorder.count("out space") == 2, "\(streams.recorder.events)")
    }
  }

  @Test(
    "line 20: space after a delegate's write is told at the end of the same pass",
    arguments: DeliveryRoute.allCases)
  func samePass(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      streams.recorder.handler = { _, event in
        if event == .hasBytesAvailable { _ = streams.output.put(streams.input.takeText()) }
      }
      try peer.send("echo")
      while !streams.recorder.has("in bytes") {
        try check(RunLoop.current.run(mode: .default, before: .distantFuture), "false")
      }
      try check(streams.recorder.count("out space") == 2, "\(streams.recorder.events)")
      try check(try peer.receive() == Array("echo".utf8), "bytes")
    }
  }

  @Test(
    "line 21: a client that ignored the event can write later (pitfall 4)",
    arguments: DeliveryRoute.allCases)
  func ignored(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      run(0.1)
      try check(streams.output.put("later") == 5, "write")
      try check(try peer.receive() == Array("later".utf8), "bytes")
      try check(run { streams.recorder.count("out space") == 2 }, "the event did not come back")
    }
  }

  @Test(
    "lines 20, 21: a full socket has no space until the peer reads (pitfall 5)",
    arguments: DeliveryRoute.allCases)
  func full(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      let sent = try streams.output.fill()
      try check(!streams.output.hasSpaceAvailable, "space")
      let told = streams.recorder.count("out space")
      run(0.05)
      try check(streams.recorder.count("out space") == told, "told of space that is not there")
      let blocked = Companion {
        let piece = [UInt8](repeating: 7, count: 65_536)
        try check(streams.output.write(piece, maxLength: piece.count) > 0, "blocked write")
      }
      try check(!wait(0.05) { blocked.hasEnded }, "a write into a full socket returned")
      var received = try peer.receive(exactly: sent).count
      try blocked.join()
      received += try peer.receive().count
      try check(received > sent, "the blocked write's bytes")
      try check(run { streams.recorder.count("out space") > told }, "no event after the peer read")
      while !peer.isSilent() { _ = try peer.receive() }
    }
  }

  @Test(
    "line 21: ten megabytes through events arrive intact (pitfall 5)",
    arguments: DeliveryRoute.allCases)
  func tenMegabytes(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      let total = 10_000_000
      let bytes = [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
        for index in 0..<total {
          buffer[index] = UInt8(truncatingIfNeeded: index &* 7 &+ index >> 9)
        }
        count = total
      }
      let reader = Companion {
        try check(try peer.receive(exactly: total) == bytes, "other bytes")
      }
      var sent = 0
      func more() {
        guard sent < total else { return }
        sent += bytes[sent...].withUnsafeBufferPointer {
          max(0, streams.output.write($0.baseAddress!, maxLength: min($0.count, 50_000)))
        }
      }
      streams.recorder.handler = { _, event in
        if event == .hasSpaceAvailable { more() }
      }
      more()
      try check(run(20) { sent == total }, "stuck at \(sent)")
      try reader.join(within: 20)
    }
  }

  @Test(
    "line 21: an empty write gives 0 and is no end (pitfall 6)", arguments: DeliveryRoute.allCases)
  func emptyWrite(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      try check(streams.output.write([1], maxLength: 0) == 0, "result")
      run(0.05)
      try check(streams.output.streamStatus == .open, "status")
      try check(!streams.recorder.has("out end"), "an end")
      try check(streams.output.put("x") == 1, "write")
    }
  }

  @Test("line 22: write() in opening waits for the opening, and fails with it")
  func writeInOpening() async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, .preferred)
      streams.schedule()
      streams.open()
      try check(streams.output.put("iam:me\n") == 7, "write")
      try check(streams.recorder.events.isEmpty, "\(streams.recorder.events)")
      let peer = try listener.accept()
      try check(try peer.receive() == Array("iam:me\n".utf8), "bytes")
      streams.close()

      let closed = try BoundPort()
      let refused = Streams(port: closed.number, .preferred)
      refused.open()
      try check(refused.output.put("x") == -1, "write to a refused connection")
    }
  }

  @Test("line 36: host, port, handle, service type; unknown keys are nil and false (pitfall 20)")
  func properties() async throws {
    try await withConnection(.preferred) { streams, peer in
      func key(_ name: CFString) -> Stream.PropertyKey { .init(rawValue: name as String) }
      let host = streams.input.property(forKey: key(kCFStreamPropertySocketRemoteHostName))
      try check(host as? String == "127.0.0.1", "host")
      let port = streams.output.property(forKey: key(kCFStreamPropertySocketRemotePortNumber))
      try check((port as? NSNumber)?.intValue ?? 0 > 0, "port")
      try check(streams.output.nativeHandle == streams.input.nativeHandle, "handle")
      let voice = StreamNetworkServiceTypeValue.voice.rawValue
      try check(streams.input.setProperty(voice, forKey: .networkServiceType), "service type")
      let kept = streams.output.property(forKey: .networkServiceType)
      try check(kept as? String == voice, "the pair's service type")
      let none = StreamSocketSecurityLevel.none
      try check(streams.input.setProperty(none, forKey: .socketSecurityLevelKey), "none")
      try check(streams.input.setProperty(none.rawValue, forKey: .socketSecurityLevelKey), "none")
      let unknown = Stream.PropertyKey(rawValue: "unknown")
      try check(!streams.input.setProperty("x", forKey: unknown), "unknown set")
      try check(streams.input.property(forKey: unknown) == nil, "unknown get")
    }
  }
}
