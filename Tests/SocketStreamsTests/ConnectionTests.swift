/// How a `SocketConnection` comes to be, writes, and ends: by itself, by the peer, by cancellation.

import Foundation
import SocketStreams
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ConnectionTests {
  // MARK: Connecting

  @Test("a refused connection is the system's error")
  func refused() async throws {
    let port = try BoundPort()
    let failure = await error {
      _ = try await SocketConnection.connect(toHost: "127.0.0.1", port: port.number)
    }
    #expect((failure as? POSIXError)?.code == .ECONNREFUSED)
  }

  @Test("an unknown host is an error of the look-up")
  func unknownHost() async throws {
    let failure = await error {
      _ = try await SocketConnection.connect(toHost: "no.such.host.invalid", port: 9)
    }
    #expect((failure as NSError?)?.domain == kCFErrorDomainCFNetwork as String)
  }

  @Test("a connection that does not come to be is given up in time, and the error says so")
  func connectTimeout() async throws {
    let full = try FullListener()
    let failure = await error {
      _ = try await SocketConnection.connect(
        toHost: "127.0.0.1", port: full.port, timeout: .milliseconds(200))
    }
    #expect(
      failure as? SocketConnectionError
        == .timedOut(.connecting, limit: .milliseconds(200)))
    #expect(failure?.localizedDescription == "The connecting took over 0.2 seconds.")
  }

  @Test("a service on a file is reached by its path, and a missing one is the system's error")
  func path() async throws {
    let listener = try PathListener()
    let connection = try await SocketConnection.connect(toUnixSocketAt: listener.path)
    let peer = try listener.accept()
    try await connection.write("hello")
    #expect(try await onThread { try peer.receive() } == Array("hello".utf8))
    let failure = await error {
      _ = try await SocketConnection.connect(toUnixSocketAt: listener.path + ".x")
    }
    #expect((failure as? POSIXError)?.code == .ENOENT)
  }

  @Test("what cannot be had is refused, not left out")
  func refusedOptions() async throws {
    let proxy = SocketConnection.Proxy(host: "localhost")
    let failure = await error {
      _ = try await SocketConnection.connect(
        toUnixSocketAt: "/tmp/any", options: .init(proxy: proxy))
    }
    #expect(failure as? SocketConnectionError == .refused("a proxy at localhost:1080"))
    for port in [-1, 0, 65_536] {
      let failure = await error {
        _ = try await SocketConnection.connect(toHost: "localhost", port: port)
      }
      #expect(
        failure as? SocketConnectionError == .refused("a port \(port): ports are 1 to 65535"))
    }
    let other = await error {
      _ = try await SocketConnection.open(InputStream(data: Data()), OutputStream(toMemory: ()))
    }
    #expect(other is SocketConnectionError)
  }

  @Test("TLS shows its version and certificates, and a stranger's certificate is an error")
  func secure() async throws {
    let server = try SecureServer()
    let root = try Data(Certificates.made().root())
    let connection = try await SocketConnection.connect(
      toHost: "localhost", port: server.port, options: .init(security: .tls(roots: root)))
    #expect(connection.tlsVersion == "TLSv1.3")
    #expect(connection.peerCertificates.isEmpty == false)
    try await connection.write("hello\n")
    try server.hears("hello")
    try server.type("good day\n")
    #expect(try await connection.lines.taken(1) == ["good day"])
    connection.close()

    let failure = await error {
      _ = try await SocketConnection.connect(
        toHost: "localhost", port: server.port, options: .init(security: .tls))
    }
    #expect((failure as NSError?)?.domain == NSStreamSocketSSLErrorDomain)
  }

  // MARK: Writing

  @Test("what several tasks write goes out whole, call by call")
  func severalWriters() async throws {
    let (connection, peer) = try await connected()
    let size = 300_000
    async let received = onThread { try peer.receive(exactly: 8 * size) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          try await connection.write([UInt8](repeating: UInt8(number), count: size))
        }
      }
      try await group.waitForAll()
    }
    let all = try await received
    for number in 0..<8 {
      let part = all[(number * size)..<((number + 1) * size)]
      #expect(Set(part).count == 1, "part \(number) is mixed")
    }
  }

  @Test("a write to a lost peer is the system's error")
  func lostPeer() async throws {
    let (connection, peer) = try await connected()
    peer.reset()
    let failure = await error {
      while true { try await connection.write("anybody?") }
    }
    let code = (failure as? POSIXError)?.code
    #expect(code == .EPIPE || code == .ECONNRESET)
  }

  @Test("writing nothing is done at once")
  func writesNothing() async throws {
    let (here, there) = try await SocketConnection.pair(bufferSize: 1)
    try await here.write("x")
    try await here.write("")
    #expect(try await there.lines.taken(0) == [])
    there.close()
  }

  // MARK: Ending

  @Test("close() ends loops, refuses writes, and tells the peer")
  func close() async throws {
    let (connection, peer) = try await connected()
    async let lines = connection.lines.taken()
    connection.close()
    connection.close()
    #expect(try await lines == [])
    let failure = await error { try await connection.write("hello") }
    #expect(failure as? SocketConnectionError == .closed)
    #expect(try await onThread { try peer.receive() } == [])
    #expect(connection.nativeHandle == nil)
  }

  @Test("the last copy's end closes the connection")
  func dropped() async throws {
    let peer = try await {
      let (connection, peer) = try await connected()
      #expect(connection.nativeHandle != nil)
      return peer
    }()
    #expect(try await onThread { try peer.receive() } == [])
  }

  // MARK: Cancellation

  @Test("cancelling a task that connects ends the connecting")
  func cancelConnecting() async throws {
    let full = try FullListener()
    let port = full.port
    let task = Task { try await SocketConnection.connect(toHost: "127.0.0.1", port: port) }
    task.cancel()
    let failure = await error { _ = try await task.value }
    #expect(failure is CancellationError)
  }

  @Test("cancelling a task that reads closes the connection")
  func cancelReading() async throws {
    let (connection, peer) = try await connected()
    let task = Task { try await connection.lines.taken() }
    try peer.send("one\n")
    task.cancel()
    let failure = await error { _ = try await task.value }
    #expect(failure is CancellationError)
    // A reset where the line had not been read, else an end.
    let isEnded = try await onThread { (try? peer.receive())?.isEmpty ?? true }
    #expect(isEnded)
    #expect(await error { try await connection.write("x") } as? SocketConnectionError == .closed)
  }

  @Test("cancelling a task that writes closes the connection, and ends the others")
  func cancelWriting() async throws {
    let (connection, peer) = try await connected()
    // Made before the waiting begins: the thread sanitizer takes its time over it.
    let bytes = [UInt8](repeating: 1, count: 50_000_000)
    let writing = Task { try await connection.write(bytes) }
    try await waits { peer.isReadable }
    let waiting = Task { try await connection.write("after it") }
    let reading = Task { try await connection.lines.taken() }
    writing.cancel()
    #expect(await error { try await writing.value } is CancellationError)
    #expect(await error { try await waiting.value } as? SocketConnectionError == .closed)
    #expect(try await reading.value == [])
  }

  @Test("a cancelled task's calls fail before they do anything")
  func cancelledBefore() async throws {
    let (connection, peer) = try await connected()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await connection.write("hello")
    }
    #expect(await error { try await task.value } is CancellationError)
    #expect(try await onThread { try peer.receive() } == [])
  }
}

extension Connection {
  var isReadable: Bool { waitFor(descriptor, POLLIN, 0) }
}
