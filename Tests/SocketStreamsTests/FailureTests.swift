/// Connections that never come to be, and those that the peer resets.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct FailureTests {
  @Test(
    "lines 8, 9: a refused port is one errorOccurred on each half, ECONNREFUSED (pitfall 15)",
    arguments: DeliveryRoute.allCases)
  func refused(route: DeliveryRoute) async throws {
    try await onThread {
      let closed = try BoundPort()
      let streams = Streams(port: closed.number, route)
      streams.schedule()
      streams.open()
      run { streams.recorder.events.count >= 2 }
      run(0.05)
      try check(
        streams.recorder.events.sorted() == ["in error", "out error"], "\(streams.recorder.events)")
      for stream in [streams.input as Stream, streams.output] {
        try check(stream.streamStatus == .error, "status")
        try check((stream.streamError as? POSIXError)?.code == .ECONNREFUSED, "not a POSIXError")
        let error = stream.streamError as NSError?
        try check(
          error?.domain == NSPOSIXErrorDomain && error?.code == 111, "\(String(describing: error))")
      }
    }
  }

  @Test("lines 8, 9: an unknown host fails both halves, never hangs (pitfalls 13, 18)")
  func unknownHost() async throws {
    try await onThread {
      for host in ["no.such.host.invalid", "127.0.0.1 ", ""] {
        let streams = Streams(port: 80, host: host, .preferred)
        streams.schedule()
        streams.open()
        try check(run(30) { streams.recorder.events.count == 2 }, "\(host): no error")
        try check(
          streams.recorder.events.sorted() == ["in error", "out error"],
          "\(streams.recorder.events)")
        let error = streams.input.streamError as NSError?
        try check(error?.domain == kCFErrorDomainCFNetwork as String && error?.code == 2, "\(host)")
        try check(error?.userInfo[kCFGetAddrInfoFailureKey as String] is Int, "no resolver code")
      }
    }
  }

  @Test("line 8: a half opened after the failure fails by itself")
  func lateHalf() async throws {
    try await onThread {
      let closed = try BoundPort()
      let streams = Streams(port: closed.number, .preferred)
      streams.schedule()
      streams.input.open()
      try check(run { streams.recorder.has("in error") }, "no error")
      streams.output.open()
      try check(run { streams.recorder.has("out error") }, "no error on the other half")
      try check(streams.recorder.events == ["in error", "out error"], "\(streams.recorder.events)")
    }
  }

  @Test(
    "line 26: a reset is one error on each half, and nothing after it",
    arguments: DeliveryRoute.allCases)
  func reset(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      let before = streams.recorder.events.count
      peer.reset()
      try check(run { streams.recorder.events.count >= before + 2 }, "no events")
      run(0.1)
      let after = streams.recorder.events[before...].sorted()
      try check(after == ["in error", "out error"], "\(after)")
      try check(streams.input.streamStatus == .error, "status")
      try check((streams.input.streamError as? POSIXError)?.code == .ECONNRESET, "code")
      try check(streams.input.take().result == -1 && streams.output.put("x") == -1, "results")
      try check(!streams.input.hasBytesAvailable && !streams.output.hasSpaceAvailable, "has…")
    }
  }

  @Test(
    "line 26: an output stream alone, which has nothing to write, is told of a reset",
    arguments: DeliveryRoute.allCases)
  func resetOfIdleOutput(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      streams.input.remove(from: .current, forMode: .default)
      run(0.02)
      peer.reset()
      try check(run { streams.recorder.has("out error") }, "\(streams.recorder.events)")
    }
  }

  @Test(
    "line 26: bytes received before a reset are read first, then an error by event or by read",
    arguments: DeliveryRoute.allCases, [true, false])
  func resetAfterBytes(route: DeliveryRoute, readsOn: Bool) async throws {
    try await withConnection(route) { streams, peer in
      try peer.send("last words")
      try check(waitFor(streams.input.nativeHandle, POLLIN, 5), "bytes did not come")
      peer.reset()
      try check(run { streams.recorder.has("in bytes") }, "\(streams.recorder.events)")
      try check(!streams.recorder.has("in error"), "the error came before the bytes")
      try check(streams.input.takeText(4) == "last", "first bytes")
      try check(streams.input.takeText() == " words", "last bytes")
      if readsOn {
        try check(streams.input.take().result == -1, "the error reads like an end")
        try check(streams.input.streamStatus == .error, "status")
      }
      try check(
        run { streams.recorder.has("in error") && streams.recorder.has("out error") },
        "\(streams.recorder.events)")
      try check(streams.input.take().result == -1, "read after the error")
    }
  }

  @Test("line 26: unscheduled, a read finds the reset and fails both halves")
  func resetUnscheduled() async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, .preferred)
      streams.open()
      let peer = try listener.accept()
      try check(wait { streams.input.streamStatus == .open }, "not open")
      peer.reset()
      try check(wait { streams.input.hasBytesAvailable }, "a poll does not see the reset")
      try check(streams.input.take().result == -1, "read")
      try check(streams.input.streamStatus == .error, "input status")
      try check(streams.output.streamStatus == .error, "output status")
    }
  }

  @Test(
    "line 27: an error may follow an end; after an error nothing follows",
    arguments: DeliveryRoute.allCases)
  func errorAfterEnd(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      peer.close()
      try check(run { streams.recorder.has("in end") }, "no end")
      // The peer's kernel answers the first write with a reset.
      _ = streams.output.put("anybody there?")
      try check(
        run { streams.recorder.has("in error") && streams.recorder.has("out error") },
        "\(streams.recorder.events)")
      run(0.05)
      try check(
        streams.recorder.events.suffix(2).sorted() == ["in error", "out error"],
        "\(streams.recorder.events)")
      try check(streams.recorder.count("in end") == 1, "two ends")
    }
  }

  @Test("line 28: an error stays an error after close()")
  func sticky() async throws {
    try await onThread {
      let closed = try BoundPort()
      let streams = Streams(port: closed.number, .preferred)
      streams.open()
      try check(wait { streams.output.streamStatus == .error }, "no error")
      streams.close()
      streams.close()
      for stream in [streams.input as Stream, streams.output] {
        try check(stream.streamStatus == .error && stream.streamError != nil, "forgotten")
      }
    }
  }

  @Test(
    "line 34: a write to a lost peer is -1, raises no SIGPIPE, keeps its disposition (pitfall 16)"
  )
  func noSignal() async throws {
    try await onThread {
      var before = sigaction()
      sigaction(SIGPIPE, nil, &before)
      try check(before.__sigaction_handler.sa_handler == nil, "the test needs the default action")
      let listener = try Listener()
      let (streams, peer) = try Streams.connected(.preferred, listener)
      peer.close()
      try check(wait { streams.output.put("x") == -1 }, "writes go on")
      let code = (streams.output.streamError as? POSIXError)?.code
      try check(code == .EPIPE || code == .ECONNRESET, "\(String(describing: code))")
      var after = sigaction()
      sigaction(SIGPIPE, nil, &after)
      try check(after.__sigaction_handler.sa_handler == nil, "the disposition changed")
    }
  }
}

extension Stream {
  /// The socket's descriptor, from the native-handle property; -1 without one.
  var nativeHandle: Int32 {
    let key = Stream.PropertyKey(rawValue: kCFStreamPropertySocketNativeHandle as String)
    guard let data = property(forKey: key) as? Data, data.count == 4 else { return -1 }
    return data.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
  }
}
