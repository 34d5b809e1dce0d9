/// close(), deallocation, and what they leave behind; from the loop's thread and from others.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct ClosingTests {
  @Test(
    "line 29: after close() no event comes, not even one that waited",
    arguments: DeliveryRoute.allCases)
  func silent(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      try peer.send("x")
      try check(waitFor(streams.input.nativeHandle, POLLIN, 5), "no data")
      streams.close()
      streams.close()
      let before = streams.recorder.events
      run(0.05)
      try check(streams.recorder.events == before, "\(streams.recorder.events)")
      try check(streams.input.streamStatus == .closed, "input status")
      try check(streams.output.streamStatus == .closed, "output status")
      try check(streams.input.take().result == -1 && streams.output.put("x") == -1, "results")
    }
  }

  @Test(
    "line 29: close() inside the delegate ends the batch under way",
    arguments: DeliveryRoute.allCases)
  func insideDelegate(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      streams.recorder.handler = { _, _ in streams.close() }
      defer { streams.recorder.handler = nil }
      streams.schedule()
      streams.open()
      let peer = try listener.accept()
      try peer.send("x")
      try check(run { !streams.recorder.events.isEmpty }, "no event")
      run(0.05)
      try check(streams.recorder.events == ["in open"], "\(streams.recorder.events)")
      // A reset, not an end, because a byte was left unread.
      try check(waitFor(peer.descriptor, POLLIN, 5), "the socket is open")
    }
  }

  @Test("line 29: close() from another thread ends a blocked read and a blocked write with -1")
  func unblocks() async throws {
    try await withConnection(.preferred) { streams, _ in
      _ = try streams.output.fill()
      let reader = Companion { try check(streams.input.take().result == -1, "read") }
      let writer = Companion {
        let piece = [UInt8](repeating: 7, count: 65_536)
        try check(streams.output.write(piece, maxLength: piece.count) == -1, "write")
      }
      try check(!wait(0.05) { reader.hasEnded || writer.hasEnded }, "did not block")
      try check(wait { streams.input.streamStatus == .reading }, "not reading")
      try check(wait { streams.output.streamStatus == .writing }, "not writing")
      streams.close()
      try reader.join()
      try writer.join()
      try check(streams.input.streamStatus == .closed, "status")
    }
  }

  @Test(
    "line 29: two threads close the same streams while data flow (pitfalls 9, 11)",
    arguments: DeliveryRoute.allCases)
  func twoThreads(route: DeliveryRoute) async throws {
    for _ in 0..<20 {
      try await onThread {
        let listener = try Listener()
        let shared = SharedStreams()
        let loop = Companion {
          let streams = Streams(port: listener.port, route)
          streams.recorder.handler = { _, event in
            if event == .hasBytesAvailable { _ = streams.input.take(10) }
            if event == .hasSpaceAvailable { _ = streams.output.put("out") }
          }
          streams.schedule()
          streams.open()
          shared.set(streams)
          RunLoop.current.run()
          streams.recorder.handler = nil
        }
        let peer = try listener.accept()
        try check(wait { shared.isSet }, "no streams")
        try peer.send([UInt8](repeating: 1, count: 2_000))
        let closers = (0..<2).map { _ in Companion { shared.close() } }
        for closer in closers { try closer.join() }
        try loop.join()
      }
    }
  }

  @Test("line 30: closing one half leaves the other working, and the peer hears nothing")
  func oneHalf() async throws {
    try await withConnection(.preferred) { streams, peer in
      streams.output.close()
      try check(peer.isSilent(), "an end at the peer")
      try peer.send("x")
      try check(run { streams.recorder.has("in bytes") }, "no event")
      try check(streams.input.takeText() == "x", "read")
      streams.input.close()
      try check(try peer.receive().isEmpty, "no end at the peer")
    }
  }

  @Test("line 30: closing the input stream leaves the output stream working")
  func otherHalf() async throws {
    try await withConnection(.preferred) { streams, peer in
      streams.input.close()
      try check(peer.isSilent(), "an end at the peer")
      try check(streams.output.put("x") == 1, "write")
      try check(try peer.receive() == [120], "what the peer got")
      try check(run { streams.recorder.count("out space") == 2 }, "no space told")
      streams.output.close()
      try check(try peer.receive().isEmpty, "no end at the peer")
    }
  }

  @Test("line 31: close() in opening abandons the connect, and no event comes")
  func closeInOpening() async throws {
    try await onThread {
      let full = try FullListener()
      let streams = Streams(port: full.port, .preferred)
      streams.schedule()
      streams.open()
      run(0.05)
      try check(streams.input.streamStatus == .opening, "the queue was not full")
      streams.close()
      try check(streams.input.streamStatus == .closed, "status")
      run(0.05)
      try check(streams.recorder.events.isEmpty, "\(streams.recorder.events)")
    }
  }

  @Test("line 31: close() in opening from another thread ends a read that waits for the opening")
  func closeUnderRead() async throws {
    try await onThread {
      let full = try FullListener()
      let streams = Streams(port: full.port, .preferred)
      streams.open()
      let input = SharedStreams()
      input.set(streams)
      let closer = Companion {
        _ = poll(nil, 0, 50)
        input.close()
      }
      try check(streams.input.take().result == -1, "read")
      try closer.join()
    }
  }

  @Test(
    "line 32: dropping the last references inside the delegate is a close (pitfalls 8, 10)",
    arguments: DeliveryRoute.allCases)
  func droppedInside(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let recorder = Recorder()
      var streams: Streams? = Streams(port: listener.port, route)
      streams?.input.delegate = recorder
      streams?.output.delegate = recorder
      streams?.schedule()
      streams?.open()
      recorder.handler = { _, event in
        if event == .hasBytesAvailable { streams = nil }
      }
      weak let input = streams?.input
      let peer = try listener.accept()
      try peer.send("x")
      try check(run { recorder.has("in bytes") }, "no event")
      try check(streams == nil && input == nil, "somebody keeps the stream")
      // A reset, not an end, where a byte was left unread: either shows that the socket is gone.
      try check(waitFor(peer.descriptor, POLLIN, 5), "the socket is open")
      try check(
        !RunLoop.current.run(mode: .default, before: .distantFuture), "a source is left behind")
    }
  }

  @Test(
    "line 32: the last reference may go on another thread, while events flow",
    arguments: DeliveryRoute.allCases)
  func droppedElsewhere(route: DeliveryRoute) async throws {
    for _ in 0..<20 {
      try await onThread {
        let listener = try Listener()
        let shared = SharedStreams()
        let box = LoopBox()
        let loop = Companion {
          let keeper = keepAlive()
          defer { keeper.remove(from: .current, forMode: .default) }
          box.set(RunLoop.current)
          try check(run { shared.isDropped }, "never dropped")
        }
        try check(wait { box.value != nil }, "no loop")
        let peer = try {
          let streams = Streams(port: listener.port, route)
          for stream in [streams.input as Stream, streams.output] {
            stream.schedule(in: box.value!, forMode: .default)
            stream.open()
          }
          return try listener.accept()
        }()
        try peer.send("x")
        try check(waitFor(peer.descriptor, POLLIN, 5), "the socket is open")
        shared.drop()
        try loop.join()
      }
    }
  }

  @Test("line 32: dropping scheduled streams empties the loop", arguments: DeliveryRoute.allCases)
  func dropped(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      var streams: Streams? = Streams(port: listener.port, route)
      streams?.schedule()
      streams?.open()
      let peer = try listener.accept()
      try check(run { streams!.recorder.has("out space") }, "no events")
      streams = nil
      try check(try peer.receive().isEmpty, "no end at the peer")
      try check(
        !RunLoop.current.run(mode: .default, before: .distantFuture), "a source is left behind")
    }
  }
}
