/// The input stream: its event, its reads, and the end of the peer's bytes.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct ReadingTests {
  @Test(
    "line 16: hasBytesAvailable is sent once per readiness and not again before a read",
    arguments: DeliveryRoute.allCases)
  func once(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      try peer.send("one")
      try check(run { streams.recorder.has("in bytes") }, "no event")
      try peer.send("two")
      run(0.1)
      try check(streams.recorder.count("in bytes") == 1, "\(streams.recorder.events)")
    }
  }

  @Test(
    "line 17: bytes left bring a new event on the next pass, a drained stream waits for new ones",
    arguments: DeliveryRoute.allCases)
  func partly(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      try peer.send("onetwo")
      try check(run { streams.recorder.has("in bytes") }, "no event")
      try check(streams.input.takeText(3) == "one", "wrong bytes")
      try check(run { streams.recorder.count("in bytes") == 2 }, "no event for what is left")
      try check(streams.input.takeText() == "two", "wrong bytes")
      run(0.05)
      try check(streams.recorder.count("in bytes") == 2, "an event for nothing")
      try peer.send("three")
      try check(run { streams.recorder.count("in bytes") == 3 }, "no event for new bytes")
    }
  }

  @Test(
    "line 17: what reads leave is told sixteen times in a pass, the rest in later ones",
    arguments: DeliveryRoute.allCases)
  func samePass(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      streams.recorder.handler = { _, event in
        if event == .hasBytesAvailable { _ = streams.input.take(1) }
      }
      try peer.send([UInt8](repeating: 7, count: 40))
      try check(waitFor(streams.input.nativeHandle, POLLIN, 5), "no data")
      while !streams.recorder.has("in bytes") {
        try check(RunLoop.current.run(mode: .default, before: .distantFuture), "false")
      }
      try check(streams.recorder.count("in bytes") == 16, "\(streams.recorder.events.count)")
      try check(run { streams.recorder.count("in bytes") == 40 }, "the rest was not told")
    }
  }

  @Test(
    "line 17: five pieces, each sent after the last was read, all arrive (pitfall 3)",
    arguments: DeliveryRoute.allCases)
  func pieces(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      var text = ""
      streams.recorder.handler = { stream, event in
        guard event == .hasBytesAvailable else { return }
        while streams.input.hasBytesAvailable { text += streams.input.takeText() }
      }
      for piece in 1...5 {
        try peer.send("\(piece)")
        try check(run { text.count == piece }, "piece \(piece) is missing")
      }
      try check(text == "12345", text)
    }
  }

  @Test("line 18: read() gives what there is, and blocks only when there is nothing")
  func blocks() async throws {
    try await withConnection(.preferred) { streams, peer in
      try peer.send("abc")
      try check(streams.input.takeText(2) == "ab", "more than asked for")
      try check(streams.input.takeText(100) == "c", "waited for more")
      let late = Companion {
        _ = poll(nil, 0, 50)
        try peer.send("late")
      }
      try check(streams.input.takeText(100) == "late", "a blocking read")
      try late.join()
      try check(streams.recorder.count("in bytes") == 0, "an event inside a call")
    }
  }

  @Test("line 18: an empty read gives 0 and changes nothing")
  func emptyRead() async throws {
    try await withConnection(.preferred) { streams, peer in
      try check(streams.input.take(0).result == 0, "result")
      try check(streams.input.streamStatus == .open, "status")
      try peer.send("x")
      try check(run { streams.recorder.has("in bytes") }, "no event")
    }
  }

  @Test("lines 19, 23: without a loop or a delegate polling sees opening, bytes and the end")
  func polling() async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, .preferred)
      streams.input.delegate = nil
      streams.input.open()
      let peer = try listener.accept()
      try check(wait { streams.input.streamStatus == .open }, "opening")
      try check(!streams.input.hasBytesAvailable, "bytes of nobody")
      try peer.send("x")
      try check(wait { streams.input.hasBytesAvailable }, "bytes")
      try check(streams.input.hasBytesAvailable, "a poll took them")
      try check(streams.input.takeText() == "x", "read")
      try check(!streams.input.hasBytesAvailable, "bytes of nobody")
      peer.sendEnd()
      try check(wait { streams.input.hasBytesAvailable }, "the end is not seen")
      try check(streams.input.take().result == 0, "read at the end")
      try check(!streams.input.hasBytesAvailable && streams.input.streamStatus == .atEnd, "after")
      try check(streams.input.take().result == 0, "read after the end")
    }
  }

  @Test("line 23: polling sees a failed connection")
  func pollingFailure() async throws {
    try await onThread {
      let closed = try BoundPort()
      let streams = Streams(port: closed.number, .preferred)
      streams.input.open()
      try check(
        wait { streams.input.streamError != nil || streams.input.hasBytesAvailable }, "hangs")
      try check(streams.input.streamStatus == .error, "status")
    }
  }

  @Test("line 22: read() in opening waits for the opening, and no callback runs meanwhile")
  func readInOpening() async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, .preferred)
      streams.schedule()
      streams.open()
      let peer = try listener.accept()
      try peer.send("x")
      try check(streams.input.takeText() == "x", "read")
      try check(streams.recorder.events.isEmpty, "\(streams.recorder.events)")
      try check(run { streams.recorder.has("in open") }, "the opening was lost")
      streams.close()

      let closed = try BoundPort()
      let refused = Streams(port: closed.number, .preferred)
      refused.open()
      try check(refused.input.take().result == -1, "read of a refused connection")
    }
  }

  @Test(
    "line 24: a bare end is hasBytesAvailable, read() == 0, one endEncountered (pitfall 1)",
    arguments: DeliveryRoute.allCases)
  func end(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      peer.close()
      try check(run { streams.recorder.has("in bytes") }, "the end does not show by itself")
      try check(streams.input.take().result == 0, "read")
      try check(!streams.input.hasBytesAvailable, "has bytes after the end")
      try check(run { streams.recorder.has("in end") }, "no end event")
      run(0.05)
      try check(streams.recorder.count("in end") == 1, "twice")
      try check(streams.recorder.count("in bytes") == 1, "\(streams.recorder.events)")
      try check(streams.input.take().result == 0 && streams.input.streamStatus == .atEnd, "after")
    }
  }

  @Test("line 24: an idle stream hears of a dead peer within 200 ms (pitfall 2)")
  func deadPeer() async throws {
    var waits: [Duration] = []
    // The best of five, because the other tests load the machine meanwhile.
    while waits.count < 5, waits.last ?? .seconds(1) >= .milliseconds(200) {
      waits.append(
        try await onThread {
          let (streams, peer) = try Streams.connected(.preferred, try Listener())
          peer.close()
          return ContinuousClock().measure { run { streams.recorder.has("in bytes") } }
        })
    }
    #expect(waits.last ?? .seconds(1) < .milliseconds(200), "\(waits)")
  }

  @Test(
    "line 24: a delegate that does not read the bare end is told the end nevertheless",
    arguments: DeliveryRoute.allCases)
  func unreadEnd(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      peer.sendEnd()
      try check(run { streams.recorder.has("in end") }, "\(streams.recorder.events)")
      try check(streams.recorder.events.suffix(2) == ["in bytes", "in end"], "order")
      try check(streams.input.streamStatus == .atEnd, "status")
      try check(streams.input.take().result == 0, "read")
    }
  }

  @Test("line 24: unread bytes before an end hold the end back", arguments: DeliveryRoute.allCases)
  func heldEnd(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      try peer.send("x")
      peer.sendEnd()
      try check(run { streams.recorder.has("in bytes") }, "no event")
      run(0.05)
      try check(!streams.recorder.has("in end"), "the end overtook a byte")
      try check(streams.input.takeText() == "x", "read")
      try check(run { streams.recorder.has("in end") }, "no end")
    }
  }

  @Test(
    "line 24: a megabyte and the end: all bytes first (pitfall 19)",
    arguments: DeliveryRoute.allCases)
  func allBytesFirst(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      let sent = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      var received: [UInt8] = []
      streams.recorder.handler = { _, event in
        if event == .hasBytesAvailable { received += streams.input.take(8_192).bytes }
      }
      let sender = Companion {
        try peer.send(sent)
        peer.close()
      }
      try check(run(20) { streams.recorder.has("in end") }, "no end")
      try sender.join()
      try check(received == sent, "\(received.count) bytes, or others")
    }
  }

  @Test(
    "line 25: the peer's end leaves the output stream as it is (pitfall 6)",
    arguments: DeliveryRoute.allCases)
  func outputGoesOn(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      peer.sendEnd()
      try check(run { streams.recorder.has("in end") }, "no end")
      try check(streams.output.streamStatus == .open, "status")
      try check(streams.output.put("still here") == 10, "write")
      try check(try peer.receive() == Array("still here".utf8), "bytes")
      run(0.05)
      try check(!streams.recorder.has("out end") && !streams.recorder.has("out error"), "told")
    }
  }
}
