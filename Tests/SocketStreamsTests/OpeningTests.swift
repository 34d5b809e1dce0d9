/// The pair before, during and just after its opening.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct OpeningTests {
  @Test("line 1: both factories give streams that are not open, and only those asked for")
  func factories() throws {
    var input: InputStream?
    var output: OutputStream?
    Stream.getStreamsToHost(
      withName: "no.such.host.invalid", port: 9, inputStream: &input, outputStream: &output)
    #expect(input?.streamStatus == .notOpen)
    #expect(output?.streamStatus == .notOpen)

    var onlyOutput: OutputStream?
    Stream.getStreamsToHost(
      withName: "127.0.0.1", port: 9, inputStream: nil, outputStream: &onlyOutput)
    #expect(onlyOutput != nil)
    Stream.getStreamsToHost(withName: "127.0.0.1", port: 9, inputStream: nil, outputStream: nil)

    var read: Unmanaged<CFReadStream>?
    var write: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      kCFAllocatorDefault, "localhost" as CFString, 9, &read, &write)
    let taken: InputStream? = read?.takeRetainedValue()
    #expect(taken?.streamStatus == .notOpen)
    #expect(write?.takeRetainedValue().streamStatus == .notOpen)
  }

  private final class Holder {
    var input: InputStream!
    var output: OutputStream?

    func make(port: Int) {
      Stream.getStreamsToHost(
        withName: "localhost", port: port, inputStream: &self.input, outputStream: &output)
    }
  }

  @Test("line 1: out parameters take properties, also implicitly unwrapped ones (pitfall 21)")
  func outParameters() {
    let holder = Holder()
    holder.make(port: 9)
    #expect(holder.input.streamStatus == .notOpen)
    #expect(holder.output != nil)
  }

  @Test("line 1: nothing touches the network before open()")
  func lazy() throws {
    let listener = try Listener()
    let streams = Streams(port: listener.port, .preferred)
    #expect(!waitFor(listener.descriptor, POLLIN, 0.05))
    #expect(streams.input.streamStatus == .notOpen)
  }

  @Test("line 2: a stream that is not open moves nothing, has no error, and close() is nothing")
  func notOpen() throws {
    let listener = try Listener()
    let streams = Streams(port: listener.port, .preferred)
    #expect(streams.input.take().result == -1)
    #expect(streams.output.put("x") == -1)
    #expect(!streams.input.hasBytesAvailable)
    #expect(!streams.output.hasSpaceAvailable)
    #expect(streams.input.streamError == nil)
    #expect(streams.input.nativeHandle == -1)
    streams.close()
    #expect(streams.input.streamStatus == .notOpen)
    streams.input.open()
    #expect(wait { streams.input.streamStatus == .open })
  }

  @Test("line 3: open() returns at once in opening, whatever the host does (pitfall 14)")
  func openReturns() throws {
    let full = try FullListener()
    for (host, port) in [("127.0.0.1", full.port), ("no.such.host.invalid", 9)] {
      // The quickest of a few: a machine that is busy with other tests may pause any one of them,
      // while an open() that waited for the host would be slow each time.
      let quickest = (0..<10).map { _ in
        let streams = Streams(port: port, host: host, .preferred)
        defer { streams.close() }
        let taken = ContinuousClock().measure { streams.open() }
        #expect(streams.input.streamStatus == .opening || streams.input.streamStatus == .error)
        return taken
      }.min()!
      #expect(quickest < .milliseconds(50))
    }
  }

  @Test("line 3: a second open() is ignored, and so is one after close()")
  func openAgain() throws {
    let listener = try Listener()
    let streams = Streams(port: listener.port, .preferred)
    streams.open()
    streams.open()
    _ = try listener.accept()
    #expect(!waitFor(listener.descriptor, POLLIN, 0.05))
    #expect(wait { streams.input.streamStatus == .open })
    streams.close()
    streams.open()
    #expect(streams.input.streamStatus == .closed)
    #expect(!waitFor(listener.descriptor, POLLIN, 0.05))
  }

  @Test(
    "line 4: one connect serves both halves; the second may open later",
    arguments: DeliveryRoute.allCases)
  func joins(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      let recorder = streams.recorder
      streams.schedule()
      streams.input.open()
      let peer = try listener.accept()
      try check(run { recorder.has("in open") }, "no open")
      run(0.05)
      try check(recorder.events == ["in open"], "\(recorder.events)")
      streams.output.open()
      try check(streams.output.streamStatus == .open, "joined, but is not open")
      try check(run { recorder.has("out open") }, "\(recorder.events)")
      try check(!waitFor(listener.descriptor, POLLIN, 0.05), "a second connection")
      withExtendedLifetime(peer) { streams.close() }
    }
  }

  @Test("line 5: an IPv6 literal, an IPv4 literal and a name connect")
  func literals() throws {
    for (host, isIPv6) in [("::1", true), ("127.0.0.1", false), ("localhost", false)] {
      let listener = try Listener(ipv6: isIPv6)
      let streams = Streams(port: listener.port, host: host, .preferred)
      streams.open()
      #expect(wait { streams.input.streamStatus == .open }, "\(host)")
    }
  }

  @Test(
    "lines 6, 7: each half hears once that it opened, the input first, data only afterwards",
    arguments: DeliveryRoute.allCases)
  func opens(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      streams.schedule()
      streams.output.open()
      streams.input.open()
      let peer = try listener.accept()
      try peer.send("early")
      let recorder = streams.recorder
      try check(run { recorder.has("in bytes") && recorder.has("out space") }, "no data events")
      try check(recorder.events.first == "in open", "\(recorder.events)")
      for side in [["in open", "in bytes"], ["out open", "out space"]] {
        try check(recorder.events.filter(side.contains) == side, "\(recorder.events)")
      }
      streams.close()
    }
  }

  @Test(
    "line 6: the input stream is told first though the output stream was scheduled first",
    arguments: DeliveryRoute.allCases)
  func inputFirst(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, route)
      streams.open()
      let peer = try listener.accept()
      // The handle shows the connection, and unlike the status tells nobody of the opening.
      try check(wait { streams.input.nativeHandle >= 0 }, "no connection")
      streams.output.schedule(in: .current, forMode: .default)
      streams.input.schedule(in: .current, forMode: .default)
      try check(run { streams.recorder.has("out open") }, "\(streams.recorder.events)")
      try check(streams.recorder.events.first == "in open", "\(streams.recorder.events)")
      withExtendedLifetime(peer) { streams.close() }
    }
  }
}
