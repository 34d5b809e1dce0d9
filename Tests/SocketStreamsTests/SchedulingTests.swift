/// Streams that are scheduled late, in several modes or on several loops.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct SchedulingTests {
  @Test(
    "line 15: an opening that was seen by polling is not told again",
    arguments: DeliveryRoute.allCases)
  func polledOpening(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      streams.open()
      let peer = try listener.accept()
      try check(wait { streams.input.streamStatus == .open }, "not open")
      try check(wait { streams.output.hasSpaceAvailable }, "no space")
      try peer.send("x")
      streams.schedule()
      try check(
        run { streams.recorder.has("in bytes") && streams.recorder.has("out space") }, "no events")
      run(0.05)
      try check(
        streams.recorder.events.sorted() == ["in bytes", "out space"], "\(streams.recorder.events)")
      streams.close()
    }
  }

  @Test(
    "line 14: removed from one of .default and .common, a stream goes on in the other",
    arguments: DeliveryRoute.allCases, [RunLoop.Mode.default, .common])
  func oneOfTwo(route: DeliveryRoute, removed: RunLoop.Mode) async throws {
    try await withConnection(route) { streams, peer in
      streams.input.schedule(in: .current, forMode: .common)
      streams.input.remove(from: .current, forMode: removed)
      try peer.send("x")
      try check(run { streams.recorder.has("in bytes") }, "silent")
      streams.input.remove(from: .current, forMode: removed == .default ? .common : .default)
      try check(streams.input.takeText() == "x", "read")
      try peer.send("y")
      run(0.05)
      try check(streams.recorder.count("in bytes") == 1, "spoke though removed")
    }
  }

  @Test(
    "line 13: on the loops of two threads, each event comes once, where a loop runs",
    arguments: DeliveryRoute.allCases)
  func twoLoops(route: DeliveryRoute) async throws {
    try await onThread {
      let (streams, peer) = try Streams.connected(route, try Listener())
      let heard = Heard()
      streams.input.delegate = heard
      let other = LoopBox()
      let loop = Companion {
        let keeper = keepAlive()
        defer { keeper.remove(from: .current, forMode: .default) }
        other.set(RunLoop.current)
        try check(run { heard.threads.count == 3 }, "\(heard.threads.count) events")
      }
      try check(wait { other.value != nil }, "no loop")
      streams.input.schedule(in: other.value!, forMode: .default)
      // Only the other loop runs.
      for count in 1...3 {
        try peer.send("x")
        try check(wait { heard.threads.count == count }, "silent")
        try check(streams.input.takeText() == "x", "read")
      }
      try loop.join()
      let here = UInt(pthread_self())
      run(0.05)
      try check(heard.threads.count == 3 && !heard.threads.contains(here), "told twice")
      // Only this loop runs.
      try peer.send("x")
      try check(run { heard.threads.last == here }, "silent")
      try check(heard.threads.count == 4, "told twice")
      streams.close()
    }
  }
}

/// Notes on which threads a stream is heard.
private final class Heard: StreamDelegate, @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  private let lock = NSLock()
  private var noted: [UInt] = []

  var threads: [UInt] { lock.withLock { noted } }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    lock.withLock { noted.append(UInt(pthread_self())) }
  }
}
