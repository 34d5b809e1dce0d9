/// One client: its socket, its dialect, what waits for it. Decides nothing about the chat.

import ChatHub
import ChatModel
import Dialects
import Loop

/// Belongs to the server's actor; libuv's callbacks enter it here.
final class ClientConnection: SocketHandler {
  /// Where a connection is in its life.
  enum Stage {
    /// Requests are taken and events are told.
    case open
    /// The peer has finished: what it sent is still carried out, then it is ended.
    case finished
    /// The hub has forgotten it; what waits for it goes out, then it is closed.
    case ending
    case closed
  }

  let id: ConnectionID
  let socket: StreamSocket
  /// The peer's address where it counts against the limit for one address.
  let countedHost: String?

  var stage = Stage.open
  var dialect = Dialect()
  var outbox = Outbox()
  /// Whether it bears a name.
  var isNamed = false
  /// The peer sent its end of stream.
  var isPeerFinished = false
  /// We sent ours.
  var isEndSent = false

  /// The hub is deciding about its last request.
  var isWaiting = false
  /// It speaks too fast: nothing is taken from it before then.
  var readLater: Duration?
  /// It is closed then, whatever waits for it.
  var lingerUntil: Duration?
  /// The earliest time at which ``Deadlines`` will name this connection.
  var deadlineSet: Duration?

  /// Listed to be written to at the end of the turn.
  var isDirty = false
  /// A raw client was sent a line less than a tick ago.
  var pacing = Pacing.free
  /// Since when it is listed as having bytes that the peer's kernel may not have acknowledged.
  var unacknowledgedSince: Duration?

  enum Pacing {
    case free
    /// Written to since the last tick: the next tick comes too early.
    case fresh
    /// The next tick may write.
    case due
  }

  private unowned let server: Server

  init(id: ConnectionID, socket: StreamSocket, countedHost: String?, server: Server) {
    self.id = id
    self.socket = socket
    self.countedHost = countedHost
    self.server = server
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    // nonisolated(unsafe) because: the loop's thread is the actor's, so nothing crosses over.
    nonisolated(unsafe) let (connection, bytes) = (self, bytes)
    server.assumeIsolated { $0.received(bytes, from: connection) }
  }

  func ended(_ reason: SocketEnd) {
    // nonisolated(unsafe) because: as above.
    nonisolated(unsafe) let connection = self
    server.assumeIsolated { $0.ended(connection, reason) }
  }

  func wrote(_ failure: SocketEnd?) {
    // nonisolated(unsafe) because: as above.
    nonisolated(unsafe) let connection = self
    server.assumeIsolated { $0.wrote(connection, failure) }
  }

  /// Whether the hub knows it.
  var isLive: Bool {
    switch stage {
    case .open, .finished: true
    case .ending, .closed: false
    }
  }

  /// Whether the peer is on this machine.
  var isOnThisMachine: Bool { countedHost == nil }

  /// Whether it is sent one line a tick.
  var isPaced: Bool { dialect.form == .raw }

  /// Whether a request of it may be carried out now.
  var takesRequests: Bool {
    isLive && !isWaiting && readLater == nil
  }

  /// When it wants to be looked at next.
  var nextDeadline: Duration? {
    // A dialect's timer waits while its requests do.
    var next = takesRequests ? dialect.deadline : nil
    if let readLater { next = min(next ?? readLater, readLater) }
    if let lingerUntil { next = min(next ?? lingerUntil, lingerUntil) }
    return next
  }
}
