/// A real server on a loop thread of its own, for tests over sockets. Asserts nothing.

import ChatServer
import Glibc
import Loop
import Stores
import TestSupport
import Testing

/// Where a server of a test keeps its messages.
enum Keeping: String, CaseIterable, CustomTestStringConvertible {
  case memory, disk

  var testDescription: String { rawValue }
}

extension Limits {
  /// Nobody is too fast, and who does not read is behind after some hundred kilobytes.
  static var tight: Limits {
    var limits = Limits()
    limits.liftRates()
    limits.outboxBytesMax = 65_536
    limits.unsentBytesMax = 65_536
    return limits
  }
}

/// Serves on free ports until ``stop()``: of 127.0.0.1, unless a test changes that.
final class RunningServer: Sendable {
  let server: Server
  let logged: Guarded<[String]>
  private let ended: Gate
  private let isStopping = Guarded(false)
  /// What the server's own data directory lies in; gone with this.
  private let directory: TemporaryDirectory?
  /// The server's own data directory, if it has one.
  var data: DataDirectory? { directory.map { DataDirectory($0.path + "/data") } }

  /// What finds messages on the disk; a server in memory looks through all.
  private let search: SearchIndex?

  /// Of the addresses that have one.
  let ports: [UInt16]
  var port: UInt16 { ports[0] }

  /// Starts one with limits that a test may change first; with `namespace` inside that.
  init(
    _ keeping: Keeping = .memory, in namespace: NetworkNamespace? = nil,
    _ change: (inout Configuration) throws -> Void = { _ in }
  ) async throws {
    let logged = Guarded<[String]>([])
    var configuration = Configuration(log: { line in logged.withLock { $0.append(line) } })
    configuration.listen = [ListenAddress(loopback(port: 0))]
    configuration.ownerCode = "the-code"
    var directory: TemporaryDirectory?
    var search: SearchIndex?
    if keeping == .disk {
      let made = try TemporaryDirectory()
      let store = try SQLiteStore(in: DataDirectory(made.path + "/data"))
      configuration.store = store
      search = try SearchIndex(behind: store)
      configuration.search = search
      directory = made
    }
    try change(&configuration)
    let loop = EventLoop()
    let server = Server(configuration: configuration, loop: loop)
    let ended = Gate()
    startThread {
      do { try namespace?.enter() } catch { preconditionFailure("\(error)") }
      loop.run()
      ended.open()
    }
    self.server = server
    self.logged = logged
    self.ended = ended
    self.directory = directory
    self.search = search
    ports = try await server.start().compactMap(\.address?.port)
  }

  /// Returns when everything that was answered before the call can be found.
  func catchUpSearch() async throws { try await search?.catchUp() }

  /// Has it begin to end, whatever the process's shared threads are busy with.
  func beginToStop() {
    isStopping.withLock { $0 = true }
    Task(executorPreference: server.loop) { await self.server.stop() }
  }

  /// Ends it and waits until its thread has closed everything.
  func stop() async {
    // An actor whose loop has ended answers nobody.
    if !isStopping.withLock({ $0 }) { await server.stop() }
    await ended.wait()
  }
}

func loopback(port: UInt16) -> SocketAddress {
  guard let address = SocketAddress(host: "127.0.0.1", port: port) else {
    preconditionFailure("127.0.0.1 is an address")
  }
  return address
}

/// Opened once; whoever waits goes on.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Guarded(State())

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
