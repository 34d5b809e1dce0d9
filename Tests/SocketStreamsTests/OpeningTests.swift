/// The pair before, during and just after its opening.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(1))) struct OpeningTests {
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

  @Test("line 2: a stream that is not open moves nothing, has no error, and close() is nothing")
  func notOpen() throws {
    let listener = try Listener()
    let streams = Streams(port: listener.port, .preferred)
    #expect(streams.input.take().result == -1)
    #expect(streams.output.put("x") == -1)
    #expect(!streams.input.hasBytesAvailable)
    #expect(!streams.output.hasSpaceAvailable)
    #expect(streams.input.streamError == nil)
    streams.close()
    #expect(streams.input.streamStatus == .notOpen)
    streams.input.open()
    #expect(wait { streams.input.streamStatus == .open })
  }

  @Test(
    "lines 6, 7: each half hears once that it opened, the input first",
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
      try check(run { recorder.has("in bytes") && recorder.has("out space") }, "\(recorder.events)")
      try check(recorder.events.first == "in open", "\(recorder.events)")
      try check(recorder.count("in open") == 1 && recorder.count("out open") == 1, "twice")
      let data = recorder.events.filter { $0 != "in open" && $0 != "out open" }
      try check(Set(data) == ["in bytes", "out space"] && data.count == 2, "\(recorder.events)")
      streams.close()
    }
  }

  @Test(
    "line 16: hasBytesAvailable is sent once per readiness and not again before a read",
    arguments: DeliveryRoute.allCases)
  func once(route: DeliveryRoute) async throws {
    try await onThread {
      let listener = try Listener()
      let (streams, peer) = try Streams.connected(route, listener)
      try peer.send("one")
      try check(run { streams.recorder.has("in bytes") }, "no event")
      try peer.send("two")
      run(0.1)
      try check(streams.recorder.count("in bytes") == 1, "\(streams.recorder.events)")
      try check(streams.input.takeText(2) == "on", "wrong bytes")
      try check(run { streams.recorder.count("in bytes") == 2 }, "partly read, no event")
      try check(streams.input.takeText() == "etwo", "wrong bytes")
      try check(streams.output.put("back") == 4, "write")
      try check(try peer.receive() == Array("back".utf8), "peer got something else")
      try check(run { streams.recorder.count("out space") == 2 }, "no space event")
      streams.close()
      try check(streams.input.streamStatus == .closed, "not closed")
      try check(try peer.receive().isEmpty, "no end at the peer")
    }
  }
}
