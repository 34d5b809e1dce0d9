/// Where libuv's callbacks of one connection enter the server. Decides nothing.

import Loop

/// Lives as long as its socket is open; called on the loop's thread, which is the actor's.
final class ClientHandler: SocketHandler {
  private let connection: ClientConnection
  private unowned let server: Server

  init(_ connection: ClientConnection, of server: Server) {
    self.connection = connection
    self.server = server
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    // nonisolated(unsafe) because: the loop's thread is the actor's, so nothing crosses over.
    nonisolated(unsafe) let (connection, bytes) = (connection, bytes)
    server.assumeIsolated { $0.received(bytes, from: connection) }
  }

  func ended(_ reason: SocketEnd) {
    // nonisolated(unsafe) because: as above.
    nonisolated(unsafe) let connection = connection
    server.assumeIsolated { $0.ended(connection, reason) }
  }

  func wrote(_ failure: SocketEnd?) {
    // nonisolated(unsafe) because: as above.
    nonisolated(unsafe) let connection = connection
    server.assumeIsolated { $0.wrote(connection, failure) }
  }
}
