/// The chat server: one actor on one loop. Where sockets, the clock and the store meet the
/// exchange; decides nothing about the chat.

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

  var exchange: Exchange
  private let hasher = PasswordHasher()
  private let timer: LoopTimer
  /// When the timer fires; nil: not at all.
  private var timerSet: Duration?
  private let expiryTimer: LoopTimer
  /// What is under way to remove what is not to be kept any longer.
  private var expiring: Task<Void, Never>?
  /// The last time it failed, and that was reported.
  private var expiryFails = false
  private(set) var listeners: [Listener] = []
  /// For whoever runs the server.
  var control: Listener?
  /// What is under way for operators.
  var errands: [Int: Task<Void, Never>] = [:]
  var errandsBegun = 0
  /// When it was made, just before it began to listen.
  let since = Moment.now
  private var signals: [LoopSignal] = []
  /// The next batch is taken when the loop has polled so often.
  private var batchDue = 0
  private var shortageReportedAt: Duration?
  private(set) var stopping = Stopping.no

  enum Stopping {
    case no
    /// Messages that are with the store are answered first.
    case waiting
    /// Everybody fetches what was written to them.
    case ending
    case done
  }

  package init(configuration: Configuration, loop: EventLoop) {
    self.configuration = configuration
    self.loop = loop
    timer = LoopTimer(loop: loop)
    expiryTimer = LoopTimer(loop: loop)
    exchange = Exchange(configuration.parts([], []))
  }

  /// A callback for what lives on the loop: called on its thread, which is the actor's.
  nonisolated func onLoop(
    _ body: @escaping @Sendable (isolated Server) -> Void
  ) -> () -> Void {
    { [unowned self] in assumeIsolated(body) }
  }

  // MARK: Beginning and end

  /// Listens everywhere it was told to, or throws and listens nowhere; ``stop()`` is due then, too.
  /// Gives the real places: none where it was stopped meanwhile.
  package func start() async throws -> [ListenPlace] {
    guard stopping == .no else { return [] }
    if let store = configuration.store {
      let rooms: [StoredRoom]
      let facts: [Fact]
      do {
        rooms = try await store.rooms()
        facts = try await store.facts()
      } catch {
        if stopping != .no { return [] }  // the store was closed in between
        throw error
      }
      guard stopping == .no else { return [] }
      exchange = Exchange(configuration.parts(rooms, facts))
    }
    let places = try listen()
    listenToOperators()
    expire(after: configuration.limits.expiryDelay)
    return places
  }

  /// What makes the one who registers with it the owner; nil where there is an owner.
  package var ownerCode: String? { exchange.ownerCode }

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

  /// Answers what is with the store, tells everybody, lets them fetch it for a moment, closes
  /// everything and ends the loop.
  package func stop() {
    guard stopping == .no else { return }
    stopping = .waiting
    for listener in listeners { listener.close() }
    control?.close()
    for errand in errands.values { errand.cancel() }
    for signal in signals { signal.close() }
    expiryTimer.close()
    expiring?.cancel()
    exchange.stopTaking()
    settle()
  }

  private func finishStopping() {
    stopping = .done
    loop.onFlush = nil
    timer.close()
    guard let store = configuration.store else { return loop.stop() }
    run { server in
      await server.expiring?.value
      for errand in server.errands.values { await errand.value }
      await server.configuration.search?.close()
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
  func reportShortage() {
    if let last = shortageReportedAt, loop.now - last < .seconds(60) { return }
    shortageReportedAt = loop.now
    configuration.log("no descriptor left for a new connection; accepting waits until one is free")
  }

  // MARK: Sockets

  /// Without an address the peer came by a path, and is on this machine.
  private func accepted(_ socket: StreamSocket, from peer: SocketAddress?) {
    let origin = peer.map { $0.isLoopback ? Origin.loopback($0.host) : .network($0.host) }
    accepted(socket, from: origin ?? .path)
  }

  func accepted(_ socket: StreamSocket, from origin: Origin) {
    let connection = exchange.accepted(socket, from: origin, at: loop.now)
    socket.start(ClientHandler(connection, of: self))
    settle()
  }

  func received(_ bytes: UnsafeRawBufferPointer, from connection: ClientConnection) {
    exchange.received(bytes, from: connection, at: loop.now)
    settle()
  }

  func ended(_ connection: ClientConnection, _ reason: SocketEnd) {
    exchange.ended(connection, reason, at: loop.now)
    settle()
  }

  func wrote(_ connection: ClientConnection, _ failure: SocketEnd?) {
    exchange.wrote(connection, failure, at: loop.now)
    settle()
  }

  // MARK: The clock and the store

  /// The end of a turn, or of a part of a long one. The store is asked here, so that one batch
  /// serves all who spoke in a turn.
  private func flush() {
    exchange.flush(at: loop.now)
    if let store = configuration.store {
      if loop.polls >= batchDue {
        if let batch = exchange.takeBatch() { keep(batch, in: store) }
      } else if exchange.isKeeping {
        loop.turnAgain()
      }
      for request in exchange.takePageRequests() { read(request, from: store) }
      for job in exchange.takeSearchJobs() { search(job) }
    }
    for job in exchange.takePasswordJobs() { hash(job) }
    for job in exchange.takeErrands() { carryOut(job) }
    settle()
  }

  /// Sees to the clock, and to the end, after each call of the exchange.
  func settle() {
    if stopping == .waiting, !exchange.isKeeping {
      stopping = .ending
      exchange.endAll(at: loop.now)
    }
    if stopping == .ending, exchange.isEmpty, !exchange.isHashing { finishStopping() }
    setTimer()
  }

  private func setTimer() {
    let next = exchange.nextWake
    guard next != timerSet else { return }
    timerSet = next
    guard let next else { return timer.stop() }
    timer.start(
      after: next - loop.now,
      onLoop { server in
        server.timerSet = nil
        server.exchange.wake(at: server.loop.now)
        server.settle()
      })
  }

  /// Runs what waits for the store. All of it is on the loop's thread, also what resumes it, which
  /// would go through the process's shared threads first.
  @discardableResult
  func run(
    _ body: @escaping @Sendable (isolated Server) async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: loop) { await body(self) }
  }

  /// Group commit: what comes in meanwhile is the next batch.
  private func keep(_ batch: [Entry], in store: any MessageStore) {
    run { server in
      let result: Result<[Kept], StoreError>
      do throws(StoreError) {
        result = .success(try await store.append(batch))
      } catch {
        result = .failure(error)
      }
      // Those who were just answered may have more to say: it is read first, and one batch serves
      // them with the others. Of two batches in turns each would be written to everybody.
      server.batchDue = server.loop.polls + 2
      server.exchange.kept(result, at: server.loop.now)
      server.settle()
    }
  }

  private func expire(after delay: Duration) {
    guard configuration.expire != nil, stopping == .no else { return }
    expiryTimer.start(after: delay, onLoop { $0.expire() })
  }

  /// Removes what is not to be kept any longer. Where that fails one line says so, until it works
  /// again; nothing is lost by it.
  private func expire() {
    guard let expire = configuration.expire else { return }
    expiring = run { server in
      do throws(StoreError) {
        _ = try await expire()
        server.expiryFails = false
      } catch {
        if !server.expiryFails {
          server.configuration.log("\(error); old messages stay until it works again")
        }
        server.expiryFails = true
      }
      server.expiring = nil
      server.expire(after: server.configuration.limits.expiryPause)
    }
  }

  private func hash(_ job: PasswordJob) {
    run { server in
      let outcome = await server.hasher.outcome(of: job.work)
      server.exchange.hashed(job, outcome, at: server.loop.now)
      server.settle()
    }
  }

  private func search(_ job: SearchJob) {
    run { server in
      let result: Result<SearchPage, StoreError>
      do throws(StoreError) {
        guard let search = server.configuration.search else {
          throw .failed("messages cannot be searched here: there is no index")
        }
        result = .success(try await search.find(job.query))
      } catch {
        result = .failure(error)
      }
      server.exchange.found(result, for: job, at: server.loop.now)
      server.settle()
    }
  }

  private func read(_ request: PageRequest, from store: any MessageStore) {
    run { server in
      let result: Result<HistoryPage, StoreError>
      do throws(StoreError) {
        result = .success(
          try await store.page(
            of: request.room, request.stretch, request.reading, limit: request.limit))
      } catch {
        result = .failure(error)
      }
      server.exchange.received(result, for: request, at: server.loop.now)
      server.settle()
    }
  }
}

extension Configuration {
  /// What an exchange needs of it.
  fileprivate func parts(_ rooms: [StoredRoom], _ facts: [Fact]) -> Exchange.Parts {
    var parts = Exchange.Parts()
    parts.limits = limits
    parts.capacity = capacity
    parts.keeping = store.map { .inStore($0.durability) } ?? .inMemory
    parts.tokenKey = tokenKey
    parts.seed = UInt64.random(in: .min ... .max)
    let described = Set(
      facts.compactMap { fact in
        switch fact {
        case .room(let room, _), .topic(let room, _), .partners(let room, _): room
        case _: nil
        }
      })
    // Of a room that was removed the store has its newest number alone.
    for room in rooms {
      if room.oldest == nil, !described.contains(room.name), !room.name.isMade {
        parts.former[room.name] = room.seq
      } else {
        parts.known[room.name] = room.seq
      }
    }
    parts.welcome = welcome
    parts.pages = .embedded()
    parts.web = WebSettings(names: publicNames + Configuration.hostNames, origins: allowedOrigins)
    parts.facts = facts
    parts.ownerCode = ownerCode
    parts.log = log
    return parts
  }
}
