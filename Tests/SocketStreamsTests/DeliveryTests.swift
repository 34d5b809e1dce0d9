/// Where and when events reach a delegate: threads, modes, schedules, delegates that come and go.

import CoreFoundation
import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct DeliveryTests {
  @Test(
    "line 10: events come on the scheduled loop's thread and never inside a call",
    arguments: DeliveryRoute.allCases)
  func thread(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      streams.schedule()
      streams.open()
      let peer = try listener.accept()
      try peer.send("x")
      try check(wait { streams.input.streamStatus == .open }, "not open")
      try check(streams.output.put("hello") == 5, "write")
      try check(
        streams.input.hasBytesAvailable || waitFor(streams.input.nativeHandle, POLLIN, 5), "no data"
      )
      try check(streams.input.take(1).result == 1, "read")
      try check(streams.recorder.events.isEmpty, "inside a call: \(streams.recorder.events)")
      try check(
        run { streams.recorder.has("out space") && streams.recorder.has("in open") }, "no events")
      try check(streams.recorder.threads == [UInt(pthread_self())], "another thread")
      streams.close()
    }
  }

  @Test(
    "line 10: a read before the pending hasBytesAvailable takes that event back",
    arguments: DeliveryRoute.allCases)
  func takenBack(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      try peer.send("x")
      try check(waitFor(streams.input.nativeHandle, POLLIN, 5), "no data")
      try check(streams.input.takeText() == "x", "read")
      run(0.05)
      try check(!streams.recorder.has("in bytes"), "a stale event")
    }
  }

  @Test(
    "line 14: a stream removed in openCompleted keeps the error that waits for where it goes next",
    arguments: DeliveryRoute.allCases)
  func removedInOpening(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let made = makeSocketStreams(host: "127.0.0.1", port: UInt16(listener.port), route: route)
      let streams = Streams(made.input!, made.output!)
      streams.open()
      let peer = try listener.accept()
      try check(wait { streams.input.nativeHandle >= 0 }, "no connection")
      // Not seen by its status, so that the opening is told.
      streams.schedule()
      peer.reset()
      try check(waitFor(streams.input.nativeHandle, POLLIN, 5), "no reset")
      try check(streams.input.take().result == -1, "read")
      streams.recorder.handler = { stream, event in
        if event == .openCompleted { stream.remove(from: .current, forMode: .default) }
      }
      run { streams.recorder.events.count == 2 }
      run(0.05)
      try check(streams.recorder.events == ["in open", "out open"], "\(streams.recorder.events)")
      streams.schedule()
      let isTold = run { streams.recorder.has("in error") && streams.recorder.has("out error") }
      try check(isTold, "\(streams.recorder.events)")
      streams.recorder.handler = nil
      streams.close()
    }
  }

  @Test(
    "line 11: run(mode:before:) returns true after an event (pitfall 23)",
    arguments: DeliveryRoute.allCases)
  func returnsTrue(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      try peer.send("x")
      while !streams.recorder.has("in bytes") {
        try check(RunLoop.current.run(mode: .default, before: .distantFuture), "false")
      }
    }
  }

  @Test(
    "line 11: run() lasts while streams are scheduled and ends when others close them (pitfall 25)",
    arguments: DeliveryRoute.allCases)
  func runEnds(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let shared = SharedStreams()
      let loop = Companion {
        let streams = Streams(port: listener.port, route)
        streams.schedule()
        streams.open()
        shared.set(streams)
        RunLoop.current.run()
      }
      let peer = try listener.accept()
      try check(wait { shared.isSet }, "no streams")
      try check(!wait(0.05) { loop.hasEnded }, "run() ended early")
      withExtendedLifetime(peer) { shared.close() }
      try loop.join()
    }
  }

  @Test(
    "line 12: a stream in .default is silent in another mode, and catches up (pitfall 12)",
    arguments: DeliveryRoute.allCases)
  func otherMode(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      let mode = RunLoop.Mode("tracking")
      let keeper = keepAlive(mode)
      defer { keeper.remove(from: .current, forMode: mode) }
      try peer.send("x")
      run(0.1, mode: mode)
      try check(!streams.recorder.has("in bytes"), "spoke in another mode")
      try check(run { streams.recorder.has("in bytes") }, "did not catch up")
    }
  }

  @Test(
    "line 12: .common delivers in every common mode (pitfall 12)", arguments: DeliveryRoute.allCases
  )
  func commonModes(route: DeliveryRoute) async throws {
    try await onThread {
      let mode = RunLoop.Mode("beck.tracking")
      // Bit cast because Swift on Linux does not bridge NSString to the mode's CFString.
      CFRunLoopAddCommonMode(
        CFRunLoopGetCurrent(),
        unsafeBitCast(NSString(string: mode.rawValue), to: CFRunLoopMode.self))
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      streams.schedule(.common)
      streams.open()
      let peer = try listener.accept()
      try check(run(mode: mode) { streams.recorder.has("out space") }, "silent in the added mode")
      try peer.send("x")
      try check(run(mode: mode) { streams.recorder.has("in bytes") }, "silent in the added mode")
      _ = streams.input.take()
      try peer.send("y")
      try check(run { streams.recorder.count("in bytes") == 2 }, "silent in .default")
      streams.close()
    }
  }

  @Test(
    "line 13: scheduled in two modes of a loop, each event comes once",
    arguments: DeliveryRoute.allCases)
  func twoModes(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      let other = RunLoop.Mode("other")
      streams.schedule()
      streams.schedule(other)
      streams.open()
      let peer = try listener.accept()
      try check(
        run(mode: other) { streams.recorder.events.count >= 3 }, "\(streams.recorder.events)")
      run(0.05)
      try check(streams.recorder.events.count == 3, "\(streams.recorder.events)")
      try peer.send("x")
      try check(run { streams.recorder.has("in bytes") }, "silent")
      run(0.05, mode: other)
      try check(streams.recorder.count("in bytes") == 1, "twice")
      streams.close()
    }
  }

  @Test(
    "lines 14, 15: remove() silences, schedule() tells what waits but no opening again",
    arguments: DeliveryRoute.allCases)
  func reschedule(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      streams.input.remove(from: .current, forMode: .default)
      streams.input.remove(from: .current, forMode: .common)
      try peer.send("x")
      run(0.05)
      try check(!streams.recorder.has("in bytes"), "spoke though removed")
      streams.input.schedule(in: .current, forMode: .default)
      try check(run { streams.recorder.has("in bytes") }, "silent though scheduled")
      try check(streams.recorder.count("in open") == 1, "opened twice")
    }
  }

  @Test(
    "line 15: scheduled between open() and its completion, the opening is told",
    arguments: DeliveryRoute.allCases)
  func lateSchedule(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      streams.open()
      let peer = try listener.accept()
      try peer.send("x")
      streams.schedule()
      try check(
        run { streams.recorder.has("in bytes") && streams.recorder.has("out open") }, "no events")
      try check(
        streams.recorder.has("in open"),
        "\(streams.recorder.events)")
      streams.close()
    }
  }

  @Test(
    "line 33: without a delegate a stream is its own and silent; readiness waits for a late one",
    arguments: DeliveryRoute.allCases)
  func ownDelegate(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      streams.input.delegate = nil
      try check(streams.input.delegate === streams.input, "not its own delegate")
      streams.schedule()
      streams.open()
      let peer = try listener.accept()
      try peer.send("x")
      try check(run { streams.recorder.has("out space") }, "no output events")
      run(0.05)
      try check(!streams.recorder.events.contains { $0.hasPrefix("in") }, "told somebody")
      streams.input.delegate = streams.recorder
      try check(run { streams.recorder.has("in bytes") }, "readiness was lost")
      try check(!streams.recorder.has("in open"), "the opening was replayed")
      streams.close()
    }
  }

  @Test(
    "line 32: a delegate that is gone hears nothing and harms nothing (pitfall 7)",
    arguments: DeliveryRoute.allCases)
  func delegateGone(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      var brief: Recorder? = Recorder()
      streams.input.delegate = brief
      brief = nil
      try peer.send("x")
      run(0.05)
      try check(brief == nil && streams.input.delegate === streams.input, "kept alive")
    }
  }

  @Test(
    "line 11: a loop that is scheduled from another thread delivers there",
    arguments: DeliveryRoute.allCases)
  func otherThreadsLoop(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let shared = SharedStreams()
      let box = LoopBox()
      let loop = Companion {
        let keeper = keepAlive()
        defer { keeper.remove(from: .current, forMode: .default) }
        box.set(RunLoop.current)
        try check(run { shared.isSet && shared.has("out space") }, "no events")
        try check(shared.threads == [UInt(pthread_self())], "another thread")
        shared.close()
      }
      try check(wait { box.value != nil }, "no loop")
      let streams = Streams(port: listener.port, route)
      shared.set(streams)
      for stream in [streams.input as Stream, streams.output] {
        stream.schedule(in: box.value!, forMode: .default)
        stream.open()
      }
      try loop.join()
    }
  }
}
