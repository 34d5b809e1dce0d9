/// Counts descriptors, in child processes where no other test opens any.

import Foundation
import SocketStreams
import Testing

func openDescriptors() -> Int {
  (0..<4_096).count { fcntl($0, F_GETFD) != -1 }
}

/// The count once it has been the same for a while: what began before ends by itself.
func settledDescriptors() throws -> Int {
  var last = openDescriptors()
  var since = Date()
  let isSettled = wait {
    let now = openDescriptors()
    if now != last { (last, since) = (now, Date()) }
    return Date().timeIntervalSince(since) > 0.1
  }
  try check(isSettled, "the number of descriptors goes on changing")
  return last
}

/// Connections' threads end after their streams; the count is waited for.
func settles(at count: Int) -> Bool {
  wait { openDescriptors() == count }
}

private func cycle(_ route: DeliveryRoute, _ listener: Listener, _ round: Int) throws {
  let streams = Streams(port: listener.port, route)
  streams.schedule()
  streams.open()
  // Every second pair is closed in the middle of its opening.
  if round.isMultiple(of: 2) {
    let peer = try listener.accept()
    try check(run { streams.recorder.has("in open") }, "round \(round): not open")
    streams.close()
    peer.close()
  } else {
    streams.close()
    while waitFor(listener.descriptor, POLLIN, 0) { try listener.accept().close() }
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) struct DescriptorTests {
  @Test("lines 30, 31: 1,000 pairs opened and closed leave no descriptor")
  func thousandPairs() async {
    await #expect(processExitsWith: .success) {
      for route in DeliveryRoute.allCases {
        try await onThread {
          let listener = try Listener()
          // The first pair starts what the process keeps.
          try cycle(route, listener, 0)
          let before = try settledDescriptors()
          for round in 0..<500 { try cycle(route, listener, round) }
          while waitFor(listener.descriptor, POLLIN, 0.1) { try listener.accept().close() }
          try check(settles(at: before), "\(openDescriptors()) descriptors, before \(before)")
        }
      }
    }
  }

  @Test("lines 30, 31, 32: refused, abandoned and dropped pairs leave no descriptor")
  func otherEnds() async {
    await #expect(processExitsWith: .success) {
      try await onThread {
        let listener = try Listener()
        try cycle(.preferred, listener, 0)
        let full = try FullListener()
        let closed = try BoundPort()
        let before = try settledDescriptors()
        for _ in 0..<20 {
          let refused = Streams(port: closed.number, .preferred)
          refused.schedule()
          refused.open()
          try check(run { refused.recorder.events.count == 2 }, "not refused")
          let abandoned = Streams(port: full.port, .preferred)
          abandoned.open()
          abandoned.close()
          Streams(port: full.port, .preferred).open()
        }
        try check(settles(at: before), "\(openDescriptors()) descriptors, before \(before)")
      }
    }
  }

  @Test("line 29: streams closed under a waiting loop leave no descriptor")
  func closedElsewhere() async {
    await #expect(processExitsWith: .success) {
      for route in DeliveryRoute.allCases {
        try await onThread {
          let listener = try Listener()
          try cycle(route, listener, 0)
          let box = LoopBox()
          let gate = LoopBox()
          let loop = Companion {
            let keeper = keepAlive()
            defer { keeper.remove(from: .current, forMode: .default) }
            box.set(RunLoop.current)
            try check(run(20) { gate.value != nil }, "no end")
          }
          try check(wait { box.value != nil }, "no loop")
          let before = try settledDescriptors()
          for _ in 0..<50 {
            let streams = Streams(port: listener.port, route)
            for stream in [streams.input as Stream, streams.output] {
              stream.schedule(in: box.value!, forMode: .default)
              stream.open()
            }
            let peer = try listener.accept()
            try check(wait { streams.output.streamStatus == .open }, "not open")
            try peer.send("x")
            streams.close()
          }
          try check(settles(at: before), "\(openDescriptors()) descriptors, before \(before)")
          gate.set(RunLoop.current)
          try loop.join()
        }
      }
    }
  }

  @Test("line 34: the default SIGPIPE would end this process, and does not")
  func sigpipe() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      try await onThread {
        let listener = try Listener()
        let (streams, peer) = try Streams.connected(.preferred, listener)
        peer.close()
        try check(wait { streams.output.put("x") == -1 }, "writes go on")
        try check(streams.output.put("x") == -1, "writes again")
      }
    }
  }

  @Test("idle scheduled streams use no processor time", arguments: [true, false])
  func idle(isPort: Bool) async {
    if isPort {
      await #expect(processExitsWith: .success) { try await idleTicks(.port) }
    } else {
      await #expect(processExitsWith: .success) { try await idleTicks(.thread) }
    }
  }
}

private func idleTicks(_ route: DeliveryRoute) async throws {
  try await onThread {
    let listener = try Listener()
    var kept: [(Streams, Connection)] = []
    for _ in 0..<20 { kept.append(try Streams.connected(route, listener)) }
    let ticks = { () -> Int in
      var now = tms()
      times(&now)
      return now.tms_utime + now.tms_stime
    }
    run(0.2)
    // A loop that is busy is busy in every half second; a busy machine only in some.
    let spent = (0..<5).lazy.map { _ in
      let before = ticks()
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.5))
      return ticks() - before
    }
    try check(spent.contains { $0 <= 1 }, "more than a clock tick in every half second")
    try check(kept.allSatisfy { $0.0.recorder.events.count == 3 }, "unasked events")
  }
}
