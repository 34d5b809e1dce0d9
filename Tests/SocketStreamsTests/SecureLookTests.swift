/// Looks at a secured pair that fetch from the kernel what its event was to tell: none is lost.

import Foundation
import SocketStreams
import TestSupport
import Testing

/// A secured client, and a server of streams too, which ends a conversation without closing its
/// socket: nothing but the close-notify tells of that end.
private struct SecuredPair {
  let client: Streams
  let server: Streams
  let connection: Connection

  init(_ route: DeliveryRoute) throws {
    let certificates = try Certificates.made()
    let listener = try Listener()
    client = try Streams.secured(listener.port, nil, route)
    let accepted = try listener.accept()
    connection = accepted
    var read: Unmanaged<CFReadStream>?
    var write: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocket(nil, accepted.descriptor, &read, &write)
    server = Streams(read!.takeRetainedValue(), write!.takeRetainedValue())
    let identity = try StreamIdentity(
      certificateChain: Data(certificates.chain(.good)), privateKey: Data(certificates.key(.good)))
    let settings = NSDictionary(dictionary: [
      kCFStreamSSLIsServer as String: true, kCFStreamSSLCertificates as String: [identity],
    ])
    try check(server.output.setProperty(settings, forKey: sslSettings), "settings")
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

@Suite(.timeLimit(.minutes(1))) struct SecureLookTests {
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
}
