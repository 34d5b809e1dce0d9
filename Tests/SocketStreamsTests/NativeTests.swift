/// Streams around a socket that somebody else made: `CFStreamCreatePairWithSocket`.

import Foundation
import SocketStreams
import Testing

private func streams(around socket: Int32) -> Streams {
  var read: Unmanaged<CFReadStream>?
  var write: Unmanaged<CFWriteStream>?
  CFStreamCreatePairWithSocket(kCFAllocatorDefault, socket, &read, &write)
  return Streams(read!.takeRetainedValue(), write!.takeRetainedValue())
}

private func socketPair() throws -> (Int32, Connection) {
  var numbers: [Int32] = [-1, -1]
  try check(
    socketpair(AF_UNIX, streamSocket, 0, &numbers) == 0, "socketpair: \(errno)")
  return (numbers[0], Connection(numbers[1]))
}

private let shouldClose = Stream.PropertyKey(
  rawValue: kCFStreamPropertyShouldCloseNativeSocket as String)

@Suite(.timeLimit(.minutes(20))) struct NativeTests {
  @Test("line 35: a native pair opens without a connect and carries bytes both ways")
  func opens() async throws {
    try await onThread {
      let (socket, peer) = try socketPair()
      let streams = streams(around: socket)
      try check(streams.input.streamStatus == .notOpen, "open from the start")
      streams.schedule()
      streams.open()
      try check(streams.input.streamStatus == .open, "not open at once")
      try check(run { streams.recorder.has("out space") }, "events: \(streams.recorder.events)")
      try check(streams.recorder.events.first == "in open", "order: \(streams.recorder.events)")
      try check(streams.output.put("out") == 3, "write")
      try check(try peer.receive() == Array("out".utf8), "what the peer got")
      try peer.send("in")
      try check(run { streams.recorder.has("in bytes") }, "no bytes")
      try check(streams.input.takeText() == "in", "read")
      streams.close()
      _ = Glibc.close(socket)
    }
  }

  @Test("line 35: both closes leave the descriptor open and usable (pitfall 24)")
  func staysOpen() async throws {
    try await onThread {
      let (socket, peer) = try socketPair()
      let flags = fcntl(socket, F_GETFL)
      let streams = streams(around: socket)
      streams.schedule()
      streams.open()
      try check(run { streams.recorder.has("out space") }, "not open")
      streams.close()
      try check(fcntl(socket, F_GETFL) == flags, "its flags changed")
      try check(send(socket, "x", 1, 0) == 1, "the socket is not usable any more")
      try check(try peer.receive() == [120], "what the peer got")
      _ = Glibc.close(socket)
    }
  }

  @Test(
    "line 35: ShouldCloseNativeSocket closes it after both halves, whichever half it is set on",
    arguments: [true, false])
  func closes(onInput: Bool) async throws {
    try await onThread {
      let (socket, peer) = try socketPair()
      let streams = streams(around: socket)
      let half: Stream = onInput ? streams.input : streams.output
      try check(half.setProperty(NSNumber(value: true), forKey: shouldClose), "refused")
      streams.open()
      streams.output.close()
      try check(peer.isSilent(), "closed with the first half")
      streams.input.close()
      try check(try peer.receive().isEmpty, "not closed with the second half")
    }
  }

  @Test(
    "line 35: ShouldCloseNativeSocket takes nil back to the default, and can save a host pair's")
  func defaults() async throws {
    try await onThread {
      let (socket, peer) = try socketPair()
      let native = streams(around: socket)
      try check(native.input.property(forKey: shouldClose) as? Bool == false, "native default")
      try check(native.input.setProperty(true, forKey: shouldClose), "true")
      try check(native.output.property(forKey: shouldClose) as? Bool == true, "the pair's")
      try check(native.input.setProperty(nil as AnyObject?, forKey: shouldClose), "nil")
      native.open()
      native.close()
      try check(peer.isSilent(), "closed by default")
      _ = Glibc.close(socket)

      try connected { streams, peer in
        try check(streams.input.property(forKey: shouldClose) as? Bool == true, "host default")
        try check(streams.output.setProperty(false, forKey: shouldClose), "false")
        let saved = streams.output.nativeHandle
        streams.close()
        try check(peer.isSilent(), "the saved socket was closed")
        _ = Glibc.close(saved)
        try check(try peer.receive().isEmpty, "no end")
      }
    }
  }

  @Test("line 35: the handle is known before open(), and a number that is no socket fails at it")
  func notASocket() async throws {
    try await onThread {
      for number in [-1, open("/dev/null", O_RDONLY)] {
        let streams = streams(around: number)
        try check(streams.input.nativeHandle == number, "handle")
        streams.schedule()
        streams.open()
        try check(
          run { streams.recorder.has("in error") && streams.recorder.has("out error") },
          "no errors: \(streams.recorder.events)")
        let code = (streams.input.streamError as? POSIXError)?.code
        try check(code == (number < 0 ? .EBADF : .ENOTSOCK), "\(String(describing: code))")
        streams.close()
        if number >= 0 { _ = Glibc.close(number) }
      }
    }
  }

  @Test("line 35: a half that was closed unopened and one that is dropped keep nothing alive")
  func dropped() async throws {
    try await onThread {
      let (socket, peer) = try socketPair()
      var read: Unmanaged<CFReadStream>?
      CFStreamCreatePairWithSocket(nil, socket, &read, nil)
      var input: InputStream? = read!.takeRetainedValue()
      read = nil
      try check(input!.setProperty(true, forKey: shouldClose), "refused")
      input!.open()
      input = nil
      try check(try peer.receive().isEmpty, "the dropped half's socket is still open")
    }
  }

  private func connected(_ body: (Streams, Connection) throws -> Void) throws {
    let listener = try Listener()
    let (streams, peer) = try Streams.connected(.preferred, listener)
    try body(streams, peer)
  }
}
