/// Events on a dispatch queue: `CFReadStreamSetDispatchQueue`, `CFWriteStreamSetDispatchQueue`.

import Dispatch
import Foundation
import SocketStreams
import Testing

/// Streams whose events come on a queue. All that touches them and their recorder runs there.
private final class QueueStreams: @unchecked Sendable {
  // @unchecked because the streams and the recorder are used on the queue only.
  let queue = DispatchQueue(label: "streams' events")
  let streams: Streams
  private let key = DispatchSpecificKey<Bool>()

  init(_ streams: Streams) {
    self.streams = streams
    queue.setSpecific(key: key, value: true)
    let (recorder, key) = (streams.recorder, key)
    recorder.handler = { [weak recorder] _, _ in
      if DispatchQueue.getSpecific(key: key) != true { recorder?.events.append("elsewhere") }
    }
  }

  deinit { streams.recorder.handler = nil }

  func deliver() {
    CFReadStreamSetDispatchQueue(streams.input, queue)
    CFWriteStreamSetDispatchQueue(streams.output, queue)
  }

  func stop() {
    CFReadStreamSetDispatchQueue(streams.input, nil)
    CFWriteStreamSetDispatchQueue(streams.output, nil)
  }

  func on<Value: Sendable>(_ body: (Streams) throws -> Value) rethrows -> Value {
    try queue.sync { try body(streams) }
  }

  func heard(_ event: String, _ times: Int = 1) -> Bool {
    wait { on { $0.recorder.count(event) >= times } }
  }

  func events() -> [String] { on { $0.recorder.events } }
}

@Suite(.timeLimit(.minutes(20))) struct QueueTests {
  private func withQueue(_ body: (QueueStreams, Connection) throws -> Void) throws {
    let listener = try Listener()
    let streams = QueueStreams(Streams(port: listener.port, .preferred))
    streams.deliver()
    streams.streams.open()
    let peer = try listener.accept()
    try check(streams.heard("in open") && streams.heard("out space"), "\(streams.events())")
    try body(streams, peer)
    streams.streams.close()
    try check(!streams.events().contains("elsewhere"), "an event off the queue")
  }

  @Test("lines 10, 38: all events come on the queue, input opened first, without any run loop")
  func conversation() async throws {
    try await onThread {
      try withQueue { streams, peer in
        let opened = streams.events().filter { $0.hasSuffix("open") }
        try check(opened == ["in open", "out open"], "\(opened)")
        try peer.send("ab")
        try check(streams.heard("in bytes"), "no bytes")
        try check(streams.on { $0.input.takeText(1) } == "a", "read")
        try check(streams.heard("in bytes", 2), "what was left was not told")
        try check(streams.on { $0.input.takeText(1) } == "b", "read")
        try check(streams.on { $0.output.put("hello") } == 5, "write")
        try check(streams.heard("out space", 2), "no space told after a write")
        try check(try peer.receive() == Array("hello".utf8), "what the peer got")
        peer.close()
        try check(streams.heard("in end"), "no end: \(streams.events())")
      }
    }
  }

  @Test("line 38: a queue replaces the run loops, and a run loop the queue")
  func replaces() async throws {
    try await onThread {
      let listener = try Listener()
      let streams = QueueStreams(Streams(port: listener.port, .preferred))
      streams.streams.schedule()
      streams.deliver()
      try check(
        !RunLoop.current.run(mode: .default, before: .distantFuture), "still on the run loop")
      streams.streams.open()
      let peer = try listener.accept()
      try check(streams.heard("out space"), "no events on the queue")
      try check(!streams.events().contains("elsewhere"), "an event off the queue")
      streams.streams.schedule()
      streams.streams.recorder.handler = nil
      try peer.send("x")
      try check(run { streams.streams.recorder.has("in bytes") }, "no events on the run loop")
      streams.streams.close()
    }
  }

  @Test("line 38: nil stops delivery; a queue set again hears what waits")
  func stops() async throws {
    try await onThread {
      try withQueue { streams, peer in
        streams.stop()
        streams.queue.sync {}
        let before = streams.events()
        try peer.send("x")
        try check(waitFor(streams.streams.input.nativeHandle, POLLIN, 5), "nothing sent")
        try check(!wait(0.05) { streams.events() != before }, "an event without a queue")
        streams.deliver()
        try check(streams.heard("in bytes"), "what waited was not told")
      }
    }
  }

  @Test("line 38: nothing arrives after close() and a barrier on the queue")
  func closing() async throws {
    try await onThread {
      for _ in 0..<50 {
        try withQueue { streams, peer in
          try peer.send("x")
          streams.streams.close()
          let before = streams.events()
          try check(!wait(0.002) { streams.events() != before }, "an event after the barrier")
        }
      }
    }
  }

  @Test("line 38: a refused connection fails both halves on the queue")
  func refused() async throws {
    try await onThread {
      let closed = try BoundPort()
      let streams = QueueStreams(Streams(port: closed.number, .preferred))
      streams.deliver()
      streams.streams.open()
      try check(streams.heard("in error") && streams.heard("out error"), "no errors")
      try check(streams.events() == ["in error", "out error"], "\(streams.events())")
      streams.streams.close()
    }
  }

  @Test("line 38: the delegate may close and drop the streams in its callback on the queue")
  func dropsInside() async throws {
    try await onThread {
      let listener = try Listener()
      let shared = SharedStreams()
      let queue = DispatchQueue(label: "streams' events")
      let streams = Streams(port: listener.port, .preferred)
      streams.recorder.handler = { _, event in
        if event == .hasBytesAvailable { shared.drop() }
      }
      CFReadStreamSetDispatchQueue(streams.input, queue)
      shared.set(streams)
      streams.input.open()
      let peer = try listener.accept()
      try peer.send("x")
      try check(wait { shared.isDropped }, "no bytes")
      queue.sync {}
      streams.recorder.handler = nil
    }
  }
}
