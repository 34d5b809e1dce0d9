/// The limits of a `SocketConnection`: what it stores, how long it waits, how many there may be.
/// And that nothing of it is left.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct ConnectionLimitTests {
  @Test("what the peer sends while nobody reads stays in the kernel, to the last byte")
  func readsOnlyWhenAsked() async throws {
    let (connection, peer) = try await connected()
    let total = 50_000_000
    let handle = try #require(connection.nativeHandle)
    let sent = try await onThread { try peer.sendWhatFits(atMost: total) }
    #expect(sent < total, "the kernel took everything")
    var waiting: Int32 = 0
    #expect(ioctl(handle, UInt(FIONREAD), &waiting) == 0)
    #expect(Int(waiting) + peer.bytesOnTheWay == sent, "somebody has read")

    async let rest: Void = onThread {
      try peer.send([UInt8](repeating: 7, count: total - sent))
      peer.close()
    }
    var received = 0
    for try await chunk in connection.chunks { received += chunk.count }
    try await rest
    #expect(received == total)
  }

  @Test("a write waits for the peer, and ends when the peer has room for all")
  func writesWait() async {
    // In a process of its own, as every test here that counts on tasks being run soon: others hold
    // up the few threads that run them.
    await #expect(processExitsWith: .success) {
      let (connection, peer) = try await connected()
      let total = 50_000_000
      let isDone = Flag()
      let writing = Task {
        try await connection.write([UInt8](repeating: 9, count: total))
        isDone.set()
      }
      try await waits { peer.isReadable }
      try check(!isDone.isSet, "the write did not wait")
      let received = try await onThread { try peer.receive(exactly: total) }
      try check(received.count == total, "bytes")
      try await writing.value
      try check(isDone.isSet, "the write goes on")
    }
  }

  @Test("a read without bytes is given up in time, and a later one gets what comes")
  func readTimeout() async throws {
    let (connection, peer) = try await connected(.init(readTimeout: .milliseconds(100)))
    let failure = await error { _ = try await connection.lines.taken() }
    #expect(
      failure as? SocketConnectionError == .timedOut(.reading, limit: .milliseconds(100)))
    try peer.send("late\n")
    #expect(try await connection.lines.taken(1) == ["late"])
  }

  @Test("each read has the whole time, however long the one before it took")
  func readTimeoutBeginsAnew() async throws {
    let limit = Duration.milliseconds(200)
    let (connection, peer) = try await connected(.init(readTimeout: limit))
    let chunks = connection.chunks.makeAsyncIterator()
    for round in 0..<3 {
      let late = SocketConnectionError.timedOut(.reading, limit: limit)
      async let sent: Void = onThread {
        _ = poll(nil, 0, 100)
        try peer.send("x")
      }
      // On a busy machine the byte may come late.
      while await error(of: { _ = try await chunks.next() }) as? SocketConnectionError == late {}
      try await sent
      let begin = ContinuousClock.now
      let failure = await error { _ = try await chunks.next() }
      #expect(failure as? SocketConnectionError == late)
      #expect(.now - begin >= limit, "round \(round)")
    }
  }

  @Test("a write that nobody takes is given up in time, and the connection with it")
  func writeTimeout() async throws {
    let (here, there) = try await SocketConnection.pair(
      bufferSize: 10, options: .init(writeTimeout: .milliseconds(100)))
    async let lines = here.lines.taken()
    let failure = await error { try await here.write("more than ten bytes") }
    #expect(
      failure as? SocketConnectionError == .timedOut(.writing, limit: .milliseconds(100)))
    #expect(try await lines == [])
    #expect(try await there.lines.taken() == ["more than "])
    #expect(await error { try await here.write("x") } as? SocketConnectionError == .closed)
  }

  @Test("a hundred connections at once each get their own answer")
  func hundred() async {
    await #expect(processExitsWith: .success) {
      let listener = try Listener()
      let count = 100
      async let served: Void = onThread {
        // All are accepted before any is answered.
        let peers = try (0..<count).map { _ in try listener.accept() }
        for peer in peers {
          let line = try peer.receive()
          try peer.send(line)
          peer.sendEnd()
        }
      }
      let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<count {
          group.addTask {
            let connection = try await SocketConnection.connect(
              toHost: "127.0.0.1", port: listener.port)
            try await connection.write("this is \(number)\n")
            return try await connection.lines.taken() == ["this is \(number)"]
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try check(answers == Array(repeating: true, count: count), "\(answers)")
      try await served
    }
  }

  @Test("connecting, reading and writing that are cancelled leave no descriptor")
  func noDescriptor() async {
    await #expect(processExitsWith: .success) {
      let full = try FullListener()
      let listener = try Listener()
      try await cancelEverything(listener, full.port)
      let before = try await onThread { try settledDescriptors() }
      for _ in 0..<50 { try await cancelEverything(listener, full.port) }
      try check(
        try await onThread { settles(at: before) },
        "\(openDescriptors()) descriptors, before \(before)")
    }
  }
}

/// One connection cancelled in each of its waits.
private func cancelEverything(_ listener: Listener, _ fullPort: Int) async throws {
  let connecting = Task { try await SocketConnection.connect(toHost: "127.0.0.1", port: fullPort) }
  let reading = Task {
    try await SocketConnection.connect(toHost: "127.0.0.1", port: listener.port).lines.taken()
  }
  let writing = Task {
    try await SocketConnection.connect(toHost: "127.0.0.1", port: listener.port)
      .write([UInt8](repeating: 0, count: 20_000_000))
  }
  let peers = try await onThread { [try listener.accept(), try listener.accept()] }
  for task in [connecting.cancel, reading.cancel, writing.cancel] { task() }
  _ = await connecting.result
  _ = await reading.result
  _ = await writing.result
  withExtendedLifetime(peers) {}
}

private final class Flag: @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  private let lock = NSLock()
  private var value = false

  func set() { lock.withLock { value = true } }
  var isSet: Bool { lock.withLock { value } }
}
