/// Listening, accepting at capacity, reading, gathered writes and closing, over loopback.

import Glibc
import Loop
import Testing

/// Keeps what sockets tell. On the loop's thread; tests look through `Guarded`.
private final class Recorder: SocketHandler {
  let received = Guarded<[UInt8]>([])
  let end = Guarded<SocketEnd?>(nil)
  let echoes: StreamSocket?

  init(echoing socket: StreamSocket? = nil) { echoes = socket }

  func received(_ bytes: UnsafeRawBufferPointer) {
    received.withLock { $0 += bytes }
    guard let echoes, let base = bytes.baseAddress else { return }
    let pieces = [
      Piece(base: base, count: bytes.count / 2),
      Piece(base: base + bytes.count / 2, count: bytes.count - bytes.count / 2),
    ]
    pieces.withUnsafeBufferPointer { _ = echoes.tryWrite($0) }
  }

  func ended(_ reason: SocketEnd) {
    end.withLock { $0 = reason }
    echoes?.close()
  }

  func wrote(_ failure: SocketEnd?) {}
}

/// A listener on a loop whose sockets echo.
private actor Echo {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  let accepted = Guarded(0)

  init(socketsMax: Int = .max) {
    let loop = EventLoop()
    loop.socketsMax = socketsMax
    self.loop = loop
    startThread { loop.run() }
  }

  func listen() throws -> UInt16 {
    guard let any = SocketAddress("127.0.0.1:0") else { return 0 }
    let accepted = accepted
    let listener = try Listener(
      loop: loop, place: .tcp(any),
      onAccept: { socket, _ in
        accepted.withLock { $0 += 1 }
        socket.start(Recorder(echoing: socket))
      })
    return listener.place.address?.port ?? 0
  }

  func open() -> Int { loop.socketsOpen }
  func stop() { loop.stop() }
}

private func dial(_ port: UInt16) -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let result = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  return result == 0 ? descriptor : -1
}

/// The echo of `text`, or what came of it in that time.
private func echo(_ text: String, on descriptor: Int32, patience: Int32 = 10_000) -> String {
  let bytes = Array(text.utf8)
  send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  var got: [UInt8] = []
  var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while got.count < bytes.count, poll(&wanted, 1, patience) > 0 {
    var part = [UInt8](repeating: 0, count: bytes.count)
    let count = recv(descriptor, &part, part.count, 0)
    guard count > 0 else { break }
    got += part[..<count]
  }
  return String(decoding: got, as: UTF8.self)
}

@Suite struct SocketTests {
  @Test func gatheredPiecesArriveAsOneStream() async throws {
    let server = Echo()
    let descriptor = dial(try await server.listen())
    #expect(echo("abcdefg", on: descriptor) == "abcdefg")
    close(descriptor)
    await server.stop()
  }

  @Test func atCapacityAcceptingWaitsAndNobodyIsDropped() async throws {
    let server = Echo(socketsMax: 2)
    let port = try await server.listen()
    let first = dial(port)
    let second = dial(port)
    let third = dial(port)  // in the kernel's queue
    #expect(echo("1", on: first) == "1")
    #expect(echo("2", on: second) == "2")
    #expect(echo("3", on: third, patience: 50) == "")
    #expect(await server.open() == 2)
    close(first)
    var wanted = pollfd(fd: third, events: Int16(POLLIN), revents: 0)
    #expect(poll(&wanted, 1, 10_000) == 1, "the waiting one is served when there is room")
    #expect(echo("", on: third) == "")
    close(second)
    close(third)
    await server.stop()
  }

  @Test func anAddressInUseIsOneSentence() async throws {
    let server = Echo()
    let port = try await server.listen()
    let loop = EventLoop()
    let error = #expect(throws: LoopError.self) {
      _ = try Listener(
        loop: loop, place: ListenPlace("127.0.0.1:\(port)")!, onAccept: { _, _ in })
    }
    #expect(error?.errno == EADDRINUSE)
    #expect(error?.description == "cannot listen on 127.0.0.1:\(port): Address already in use")
    startThread { loop.run() }
    await server.stop()
  }

  @Test func thousandsThatCloseAtOnceAreAllLetGo() async throws {
    let server = Echo()
    let port = try await server.listen()
    let descriptors = (0..<300).map { _ in dial(port) }
    #expect(echo("x", on: descriptors[299]) == "x")
    for descriptor in descriptors.dropLast() { close(descriptor) }
    // Each echo is at least one turn of the loop; 256 are closed a turn.
    var turns = 0
    while await server.open() > 1, turns < 10_000 {
      #expect(echo("y", on: descriptors[299]) == "y")
      turns += 1
    }
    #expect(await server.open() == 1)
    close(descriptors[299])
    await server.stop()
  }
}
