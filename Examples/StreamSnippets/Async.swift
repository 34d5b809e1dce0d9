/// Connections in `async` code, as the guide and the reference pages show them.

import SocketStreams

/// Says one line and gives the line that answers it.
func ask(_ question: String, host: String, port: Int) async throws -> String? {
  let connection = try await SocketConnection.connect(toHost: host, port: port)
  defer { connection.close() }
  try await connection.write(question + "\n")
  for try await line in connection.lines { return line }
  return nil
}

/// TLS, ten seconds for connecting, and a peer that has to say something each minute.
func connectSecurely(to host: String, port: Int) async throws -> SocketConnection {
  try await SocketConnection.connect(
    toHost: host, port: port,
    options: .init(security: .tls, readTimeout: .seconds(60)), timeout: .seconds(10))
}

/// Reads in one task while another writes; whoever ends first ends both.
func converse(
  on connection: SocketConnection, saying lines: some AsyncSequence<String, Never> & Sendable,
  hearing: @escaping @Sendable (String) -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      for try await line in connection.lines { hearing(line) }
    }
    group.addTask {
      for await line in lines { try await connection.write(line + "\n") }
    }
    try await group.next()
    group.cancelAll()
  }
}

/// An answering service on any connection, which a test may run in memory.
func shout(on connection: SocketConnection) async throws {
  for try await line in connection.lines {
    try await connection.write(line.uppercased() + "\n")
  }
}

/// Streams of the classic kind, with whatever properties they need, become a connection.
func connect(through proxyPort: Int, to host: String, port: Int) async throws -> SocketConnection {
  var input: InputStream!
  var output: OutputStream!
  Stream.getStreamsToHost(
    withName: host, port: port, inputStream: &input, outputStream: &output)
  guard useProxy(input, port: proxyPort) else { throw POSIXError(.EINVAL) }
  return try await SocketConnection.open(input, output)
}
