/// What the tests of `SocketConnection` share: a peer to connect to, and sequences taken whole.

import Foundation
import SocketStreams

/// Connected over loopback: the connection, and its far end as a plain socket.
func connected(
  _ options: SocketConnection.Options = .init()
) async throws -> (SocketConnection, Connection) {
  let listener = try Listener()
  let connection = try await SocketConnection.connect(
    toHost: "127.0.0.1", port: listener.port, options: options)
  return (connection, try await onThread { try listener.accept() })
}

extension AsyncSequence {
  /// The first so many elements, or all where there are fewer.
  func taken(_ count: Int = .max) async throws -> [Element] {
    var all: [Element] = []
    var left = count
    guard left > 0 else { return [] }
    for try await element in self {
      all.append(element)
      left -= 1
      if left == 0 { break }
    }
    return all
  }
}

/// The error of a call that must fail.
func error(of body: () async throws -> Void) async -> (any Error)? {
  do {
    try await body()
    return nil
  } catch {
    return error
  }
}

/// Waits for `condition` without holding a thread of the tasks' pool.
func waits(_ seconds: Double = 60, until condition: @escaping @Sendable () -> Bool) async throws {
  let isMet = try await onThread { wait(seconds, until: condition) }
  try check(isMet, "waited in vain")
}

extension Connection {
  /// Sends until the kernel takes no byte for a while; how many bytes went.
  func sendWhatFits(atMost limit: Int) throws -> Int {
    let piece = [UInt8](repeating: 7, count: 65_536)
    var sent = 0
    var refusals = 0
    while refusals < 8, sent < limit {
      let size = min(piece.count, limit - sent)
      let count = Glibc.send(descriptor, piece, size, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      if count > 0 {
        sent += count
        refusals = 0
      } else {
        try check(errno == EAGAIN, "send: errno \(errno)")
        refusals += 1
        _ = poll(nil, 0, 20)
      }
    }
    return sent
  }

  /// The bytes that were sent and that the other side's kernel does not have yet.
  var bytesOnTheWay: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : -1
  }
}
