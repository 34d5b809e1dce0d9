/// Looks at a secured pair that fetch from the kernel what its event was to tell: none is lost.

import Foundation
import SocketStreams
import TestSupport
import Testing

/// A server of streams on a connection, which ends a conversation without closing its socket:
/// nothing but the close-notify tells of that end.
private func serverStreams(on connection: Connection) throws -> Streams {
  let certificates = try Certificates.made()
  var read: Unmanaged<CFReadStream>?
  var write: Unmanaged<CFWriteStream>?
  CFStreamCreatePairWithSocket(nil, connection.descriptor, &read, &write)
  let server = Streams(read!.takeRetainedValue(), write!.takeRetainedValue())
  let identity = try StreamIdentity(
    certificateChain: Data(certificates.chain(.good)), privateKey: Data(certificates.key(.good)))
  let settings = NSDictionary(dictionary: [
    kCFStreamSSLIsServer as String: true, kCFStreamSSLCertificates as String: [identity],
  ])
  try check(server.output.setProperty(settings, forKey: sslSettings), "settings")
  return server
}

/// A secured client and its server, both on this thread's loop.
private struct SecuredPair {
  let client: Streams
  let server: Streams
  let connection: Connection

  init(_ route: DeliveryRoute) throws {
    let listener = try Listener()
    client = try Streams.secured(listener.port, nil, route)
    connection = try listener.accept()
    server = try serverStreams(on: connection)
    server.schedule()
    server.open()
    try client.waitForSpace()
    try server.waitForSpace()
  }

  /// Says this, and waits until it has reached the client's socket.
  func say(_ text: String, thenEnds: Bool = false) throws {
    if !text.isEmpty { try check(server.output.put(text) == text.utf8.count, "write") }
    if thenEnds { server.close() }
    try check(waitFor(client.input.nativeHandle, POLLIN, 5), "nothing came")
  }
}

@Suite(.timeLimit(.minutes(20))) struct SecureLookTests {
  @Test(
    "lines 16, 37: bytes that a poll fetched are told by an event all the same",
    arguments: DeliveryRoute.allCases)
  func polledBytes(route: DeliveryRoute) async throws {
    try await onThread {
      let pair = try SecuredPair(route)
      try pair.say("hello\n")
      try check(wait { pair.client.input.hasBytesAvailable }, "no bytes")
      try check(run { pair.client.recorder.has("in bytes") }, "\(pair.client.recorder.events)")
      try check(pair.client.input.takeText() == "hello\n", "read")
      pair.client.close()
      pair.server.close()
    }
  }

  @Test(
    "lines 24, 37: an end that a poll fetched is told by an event all the same",
    arguments: DeliveryRoute.allCases)
  func polledEnd(route: DeliveryRoute) async throws {
    try await onThread {
      let pair = try SecuredPair(route)
      try pair.say("", thenEnds: true)
      try check(wait { pair.client.input.hasBytesAvailable }, "an end counts as bytes")
      try check(run { pair.client.recorder.has("in end") }, "\(pair.client.recorder.events)")
      pair.client.close()
    }
  }

  @Test(
    "lines 17, 24, 37: an end that was fetched when the stream looked for more bytes is told",
    arguments: DeliveryRoute.allCases)
  func endAfterFullRead(route: DeliveryRoute) async throws {
    try await onThread {
      let pair = try SecuredPair(route)
      var problem: (any Error)?
      pair.client.recorder.handler = { stream, event in
        guard event == .hasBytesAvailable, let input = stream as? InputStream else { return }
        // A read that fills its room makes the stream look for more after the delegate's turn.
        guard input.take(6).result == 6 else { return }
        do { try pair.say("", thenEnds: true) } catch { problem = error }
      }
      defer { pair.client.recorder.handler = nil }
      try pair.say("hello\n")
      try check(run { pair.client.recorder.has("in end") }, "\(pair.client.recorder.events)")
      if let problem { throw problem }
      pair.client.close()
    }
  }

  @Test("line 37: last words arrive though the server's tickets come after close()")
  func lateTickets() async throws {
    try await onThread {
      let listener = try Listener()
      let client = try Streams.secured(listener.port)
      let connection = try listener.accept()
      let server = try serverStreams(on: connection)
      server.open()
      try check(run { client.recorder.has("out open") }, "no opening")
      // The server answers the hello and is not looked at again until the client has gone.
      let isAnswered = wait {
        _ = server.input.hasBytesAvailable
        return waitFor(client.input.nativeHandle, POLLIN, 0)
      }
      try check(isAnswered, "no answer to the hello")
      var sent = 0
      client.recorder.handler = { _, event in
        guard event == .hasSpaceAvailable, sent == 0 else { return }
        let piece = String(repeating: "x", count: 65_536)
        while sent < 8 << 20, client.output.hasSpaceAvailable { sent += client.output.put(piece) }
        client.close()
      }
      defer { client.recorder.handler = nil }
      try check(run { sent > 0 }, "no space")
      server.schedule()
      var heard = 0
      let isWhole = run(10) {
        while server.input.hasBytesAvailable {
          let count = server.input.take().result
          if count <= 0 { break }
          heard += count
        }
        return server.recorder.has("in end") || server.recorder.has("in error")
      }
      try check(isWhole && heard == sent, "\(heard) of \(sent): \(server.recorder.events)")
      try check(!server.recorder.has("in error"), "\(server.input.streamError as Any)")
      server.close()
    }
  }
}
