/// Streams bound to each other in memory: `Stream.getBoundStreams`, `CFStreamCreateBoundPair`.

import Foundation
import SocketStreams
import Testing

private func boundStreams(_ capacity: Int) -> Streams {
  var input: InputStream?
  var output: OutputStream?
  Stream.getBoundStreams(
    withBufferSize: capacity, inputStream: &input, outputStream: &output)
  return Streams(input!, output!)
}

private func openBoundStreams(_ capacity: Int) throws -> Streams {
  let streams = boundStreams(capacity)
  streams.schedule()
  streams.open()
  try check(
    run { streams.recorder.has("in open") && streams.recorder.has("out space") },
    "no opening: \(streams.recorder.events)")
  return streams
}

@Suite(.timeLimit(.minutes(20))) struct BoundTests {
  @Test("line 39: bound streams open at once, each for itself, and tell it")
  func opening() async throws {
    try await onThread {
      let streams = boundStreams(8)
      streams.schedule()
      try check(streams.input.streamStatus == .notOpen, "open from the start")
      streams.output.open()
      try check(streams.output.streamStatus == .open, "not open at once")
      try check(run { streams.recorder.events == ["out open", "out space"] }, "events")
      streams.input.open()
      try check(run { streams.recorder.has("in open") }, "the input stream did not open")
      streams.close()
    }
  }

  @Test("line 39: the buffer holds exactly its size; then there is no space, and none is told")
  func capacity() async throws {
    try await onThread {
      let streams = try openBoundStreams(10)
      try check(streams.output.put("0123456789abc") == 10, "the size")
      try check(!streams.output.hasSpaceAvailable, "space in a full buffer")
      run(0.05)
      try check(streams.recorder.count("out space") == 1, "told of space in a full buffer")
      try check(streams.input.takeText(4) == "0123", "read")
      try check(streams.output.hasSpaceAvailable, "no space after a read")
      try check(run { streams.recorder.count("out space") == 2 }, "space not told")
      try check(streams.output.put("xyz!more") == 4, "the space that a read made")
      try check(streams.input.takeText() == "456789xyz!", "order around the edge")
      streams.close()
    }
  }

  @Test("line 39: a buffer of no bytes holds one", arguments: [0, -1])
  func leastCapacity(size: Int) async throws {
    try await onThread {
      let streams = boundStreams(size)
      streams.open()
      try check(streams.output.hasSpaceAvailable, "no space")
      try check(streams.output.put("ab") == 1, "write")
      try check(streams.input.takeText() == "a", "read")
      streams.close()
    }
  }

  @Test("line 39: write() into a full buffer waits for a read on another thread")
  func blockingWrite() async throws {
    try await onThread {
      let streams = boundStreams(4)
      streams.open()
      try check(streams.output.put("full") == 4, "filling")
      let writer = Companion { try check(streams.output.put("more") == 4, "the waiting write") }
      try check(!wait(0.05) { writer.hasEnded }, "write() did not wait")
      try check(streams.input.takeText() == "full", "read")
      try writer.join()
      try check(streams.input.takeText() == "more", "read")
      streams.close()
    }
  }

  @Test("line 39: read() from an empty buffer waits for a write on another thread")
  func blockingRead() async throws {
    try await onThread {
      let streams = boundStreams(4)
      streams.open()
      let reader = Companion { try check(streams.input.takeText() == "hey", "the waiting read") }
      try check(!wait(0.05) { reader.hasEnded }, "read() did not wait")
      try check(streams.output.put("hey") == 3, "write")
      try reader.join()
      streams.close()
    }
  }

  @Test("line 39: output.close() leaves the rest readable, then the end (pitfall 22)")
  func outputCloses() async throws {
    try await onThread {
      let streams = try openBoundStreams(1_000)
      try check(streams.output.put("the rest") == 8, "write")
      streams.output.close()
      try check(run { streams.recorder.has("in bytes") }, "the rest was not told")
      try check(streams.input.takeText(3) == "the", "part")
      try check(run { streams.recorder.count("in bytes") == 2 }, "what was left was not told")
      try check(streams.input.takeText() == " rest", "rest")
      try check(run { streams.recorder.has("in end") }, "no end")
      try check(streams.input.take().result == 0, "read at the end")
      try check(streams.input.streamStatus == .atEnd, "status")
      try check(streams.recorder.count("in end") == 1, "ends: \(streams.recorder.events)")
      streams.close()
    }
  }

  @Test("line 39: input.close() fails the output stream with EPIPE, also while a write waits")
  func inputCloses() async throws {
    try await onThread {
      for isWaiting in [false, true] {
        let streams = boundStreams(4)
        streams.open()
        if isWaiting { try check(streams.output.put("full") == 4, "filling") }
        let writer = Companion {
          if isWaiting { try check(streams.output.put("x") == -1, "the waiting write") }
        }
        if isWaiting { try check(!wait(0.05) { writer.hasEnded }, "write() did not wait") }
        streams.input.close()
        try writer.join()
        try check(streams.output.put("x") == -1, "write without a reader")
        try check(streams.output.streamStatus == .error, "status")
        try check((streams.output.streamError as? POSIXError)?.code == .EPIPE, "error")
        streams.close()
      }
    }
  }

  @Test("line 39: a scheduled output stream with a full buffer is told that its reader closed")
  func readerGoes() async throws {
    try await onThread {
      let streams = try openBoundStreams(4)
      try check(streams.output.put("full") == 4, "filling")
      streams.input.close()
      try check(run { streams.recorder.has("out error") }, "no error")
      try check(!streams.recorder.has("in error"), "the closed half heard of it")
      streams.close()
    }
  }

  @Test("lines 16, 17, 20 hold between bound streams: 1 MB through a buffer of 1,000 bytes")
  func megabyte() async throws {
    try await onThread {
      let streams = boundStreams(1_000)
      let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
      var sent = 0
      var received: [UInt8] = []
      streams.recorder.handler = { stream, event in
        switch (stream, event) {
        case (let output as OutputStream, .hasSpaceAvailable) where sent < bytes.count:
          sent += bytes[sent...].withUnsafeBufferPointer {
            output.write($0.baseAddress!, maxLength: $0.count)
          }
          if sent == bytes.count { output.close() }
        case (let input as InputStream, .hasBytesAvailable): received += input.take(300).bytes
        default: break
        }
      }
      streams.schedule()
      streams.open()
      try check(run(30) { streams.recorder.has("in end") }, "stuck at \(received.count)")
      try check(received == bytes, "\(received.count) bytes, not what was sent")
      streams.recorder.handler = nil
      streams.close()
    }
  }

  @Test("line 39: CFStreamCreateBoundPair makes the same; one half alone has no other side")
  func otherSpelling() async throws {
    var read: Unmanaged<CFReadStream>?
    var write: Unmanaged<CFWriteStream>?
    CFStreamCreateBoundPair(kCFAllocatorDefault, &read, &write, 16)
    let (input, output) = (read!.takeRetainedValue(), write!.takeRetainedValue())
    input.open()
    output.open()
    #expect(output.put("both") == 4)
    #expect(input.takeText() == "both")
    output.close()
    #expect(input.take().result == 0)
    input.close()

    var alone: InputStream?
    Stream.getBoundStreams(withBufferSize: 16, inputStream: &alone, outputStream: nil)
    alone!.open()
    #expect(alone!.take().result == 0)
    alone!.close()
  }

  @Test("line 32: dropping the output stream ends the input stream")
  func dropping() async throws {
    try await onThread {
      var input: InputStream?
      var output: OutputStream?
      Stream.getBoundStreams(withBufferSize: 16, inputStream: &input, outputStream: &output)
      input!.open()
      output!.open()
      try check(output!.put("last") == 4, "write")
      output = nil
      try check(input!.takeText() == "last", "the rest")
      try check(input!.take().result == 0, "the end")
      input!.close()
    }
  }
}
