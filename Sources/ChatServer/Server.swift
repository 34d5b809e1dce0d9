/// The chat server: one actor on one loop. Where sockets, dialects and the hub meet.

import ChatHub
import ChatModel
import Dialects
import Glibc
package import Loop
import Stores

/// One server. Made with a loop, started with ``start()``, which is run by whoever runs the loop.
package actor Server {
  package let configuration: Configuration
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  var hub: Hub
  /// Where messages are kept; nil: in ``memory``.
  let store: (any MessageStore)?
  var memory: MemoryHistory
  var keeper = Keeper()
  let tokens: Tokens
  var storeReportedAt: Duration?
  /// ``stop()`` waits for messages that are with the store.
  private(set) var isStopping = false
  var connections = ConnectionTable()
  var turnBytes = TurnBytes()
  var scratch: [UInt8] = []

  /// Connections to write to at the end of the turn.
  var dirty: [ClientConnection] = []
  /// Those being written to now.
  var writing: [ClientConnection] = []
  /// Raw clients that were written to within a tick, or wait for one.
  var paced: [ClientConnection] = []
  /// By number, so that none is kept in memory after its close.
  var unacknowledged: [ConnectionID] = []
  var probes: [ConnectionID: Probe] = [:]
  var nameless = NamelessQueue()
  var connectionsByHost: [String: Int] = [:]
  var deadlines = Deadlines()

  let deadlineTimer: LoopTimer
  let hubTimer: LoopTimer
  let pacingTimer: LoopTimer
  let probeTimer: LoopTimer
  let unacknowledgedTimer: LoopTimer
  let namelessTimer: LoopTimer
  let pieces = PieceBuffer()

  private var listeners: [Listener] = []
  private var signals: [LoopSignal] = []
  private var shortageReportedAt: Duration?

  package init(configuration: Configuration, loop: EventLoop) {
    self.configuration = configuration
    self.loop = loop
    store = configuration.store
    memory = MemoryHistory(limits: configuration.limits.memory)
    tokens = Tokens(key: configuration.tokenKey)
    hub = Hub(limits: configuration.limits.hub, seed: UInt64.random(in: .min ... .max))
    deadlineTimer = LoopTimer(loop: loop)
    hubTimer = LoopTimer(loop: loop)
    pacingTimer = LoopTimer(loop: loop)
    probeTimer = LoopTimer(loop: loop)
    unacknowledgedTimer = LoopTimer(loop: loop)
    namelessTimer = LoopTimer(loop: loop)
  }

  var limits: Limits { configuration.limits }

  /// A callback for what lives on the loop: called on its thread, which is the actor's.
  nonisolated func onLoop(_ body: @escaping @Sendable (isolated Server) -> Void) -> () -> Void {
    { [unowned self] in assumeIsolated(body) }
  }

  /// Runs what waits for the store. All of it is on the loop's thread, also what resumes it, which
  /// would go through the process's shared threads first.
  func run(_ body: @escaping @Sendable (isolated Server) async -> Void) {
    Task(executorPreference: loop) { await body(self) }
  }

  /// Listens everywhere it was told to, or throws and listens nowhere; ``stop()`` is due then, too.
  /// Gives the real places.
  package func start() async throws -> [ListenPlace] {
    if let store {
      let known = try await store.rooms().map {
        RoomState(name: $0.name, members: 0, seq: $0.seq)
      }
      hub = Hub(
        limits: limits.hub, seed: UInt64.random(in: .min ... .max), known: known)
    }
    return try listen()
  }

  private func listen() throws(LoopError) -> [ListenPlace] {
    loop.socketsMax = configuration.capacity
    loop.onFlush = onLoop { $0.flush() }
    do throws(LoopError) {
      for address in configuration.listen {
        guard let listener = try listen(address) else { continue }
        listeners.append(listener)
      }
    } catch {
      for listener in listeners { listener.close() }
      listeners = []
      throw error
    }
    return listeners.map(\.place)
  }

  /// Ends on this signal as on ``stop()``.
  package func stop(on signal: Int32) {
    signals.append(
      LoopSignal(loop: loop, number: signal, onLoop { $0.stop() }))
  }

  /// Tells everybody, writes what the kernel takes at once, closes everything and ends the loop.
  package func stop() {
    guard !isStopping else { return }
    isStopping = true
    for listener in listeners { listener.close() }
    for signal in signals { signal.close() }
    // What is with the store is answered first.
    if !keeper.isBusy { finishStopping() }
  }

  func finishStopping() {
    hub = Hub(limits: limits.hub)  // an empty one: nobody is told who leaves now
    for connection in connections.all {
      tell(connection, .closing(.shutdown))
      connection.pacing = .free
      write(connection)
      close(connection)
    }
    loop.onFlush = nil
    let timers = [
      deadlineTimer, hubTimer, pacingTimer, probeTimer, unacknowledgedTimer, namelessTimer,
    ]
    for timer in timers { timer.close() }
    guard let store else { return loop.stop() }
    run { server in
      await store.close()
      server.loop.stop()
    }
  }

  /// Nil where an address that is only wished for cannot be had.
  private func listen(_ address: ListenAddress) throws(LoopError) -> Listener? {
    do throws(LoopError) {
      return try Listener(
        loop: loop, place: address.place,
        onAccept: { [unowned self] socket, peer in
          // nonisolated(unsafe) because: the loop's thread is the actor's, so nothing crosses over.
          nonisolated(unsafe) let socket = socket
          assumeIsolated { $0.accepted(socket, from: peer) }
        },
        onShortage: onLoop { $0.reportShortage() })
    } catch {
      // Only the address may be absent; somebody else on it would get who joins at `localhost`.
      let isAbsent = error.errno == EADDRNOTAVAIL || error.errno == EAFNOSUPPORT
      guard isAbsent, !address.isRequired else { throw error }
      return nil
    }
  }

  /// Once a minute at most: a shortage comes and goes with every connection.
  private func reportShortage() {
    if let last = shortageReportedAt, loop.now - last < .seconds(60) { return }
    shortageReportedAt = loop.now
    configuration.log("no descriptor left for a new connection; accepting waits until one is free")
  }
}
