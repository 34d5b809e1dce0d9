/// The server without its sockets, its clock and its store: the hub, the clients and what goes
/// between them. Pure but for the sockets it is given, so that all of it can be simulated.

import ChatHub
package import ChatModel
package import Dialects
package import Loop
package import Stores

/// Where bytes become requests, and effects become bytes.
///
/// Told what happens and at what time. After each call the caller sees to it that ``wake(at:)`` is
/// called at ``nextWake``; at the end of the turn it calls ``flush(at:)``, then takes what
/// ``takeBatch()`` and ``takePageRequests()`` give to the store, and sees to what
/// ``takeSearchJobs()``, ``takePasswordJobs()`` and ``takeErrands()`` give. Nothing calls back.
package struct Exchange {
  /// Where messages are kept.
  package enum Keeping {
    /// In memory, by the exchange itself, within ``Limits/memory``.
    case inMemory
    /// In a store that the caller has, with this promise.
    case inStore(Durability)
  }

  /// What an exchange is made of; a simulation decides even what is random.
  package struct Parts {
    package var limits = Limits()
    /// Most connections at once; only how many may be nameless follows from it.
    package var capacity = 1_024
    package var keeping = Keeping.inMemory
    /// What tokens are signed with.
    package var tokenKey: [UInt8] = []
    /// Draws the numbers of new people.
    package var seed: UInt64 = 0
    /// The rooms that the store has, each with the newest number in it.
    package var known: [RoomName: Int64] = [:]
    /// Rooms of which it has nothing any more but the newest number that was given in them.
    package var former: [RoomName: Int64] = [:]
    /// The facts that it has.
    package var facts: [Fact] = []
    /// Makes the one who registers with it the owner, while there is none.
    package var ownerCode: String?
    /// The clock on the wall: for tokens, for messages in memory, for what ends by itself.
    package var wallClock: () -> Moment = { .now }
    /// The code of an invitation: 128 bits that nobody can guess.
    package var makeCode: () -> String = { InvitationCode.random() }
    /// One sentence that people are told when they log in by name; nil: none.
    package var welcome: String?
    /// The web page.
    package var pages = WebPages()
    /// By which names it may be called over HTTP, and which pages may ask.
    package var web = WebSettings()
    /// One line for the operator.
    package var log: (String) -> Void = { _ in }

    package init() {}
  }

  let limits: Limits
  let capacity: Int
  /// By which names it is called over HTTP.
  let web: WebSettings
  let pages: WebPages
  let httpClock = HTTPClock()
  let wallClock: () -> Moment
  let welcome: String?
  let log: (String) -> Void
  let tokens: Tokens
  let surroundings: Surroundings
  /// What is true of a message that is answered.
  let durability: Durability
  /// The time of the call under way.
  var now = Duration.zero { didSet { httpClock.pass(to: now, wallClock) } }

  var hub: Hub
  var connections = ConnectionTable()
  var keeper = Keeper()
  /// Messages, where no store has them.
  package internal(set) var history: MemoryHistory?
  var pagesWanted: [PageRequest] = []
  var searchesWanted: [SearchJob] = []
  var errandsWanted: [ErrandJob] = []
  /// Messages and changes that were kept so far.
  var keptCount: Int64 = 0
  var passwords = PasswordQueue()
  var failures: FailureRates
  /// What was to be kept last could not be.
  var isStoreFailing = false
  /// When the store's failing was told to the operator for the last time.
  var unkeptReportedAt: Duration?
  var unreadReportedAt: Duration?
  /// Nothing is asked of it any more.
  var isStopping = false

  package internal(set) var roomNumbers = RoomNumbers()
  var turnBytes = TurnBytes()
  var scratch: [UInt8] = []
  let pieces = PieceBuffer()
  /// Connections whose requests are to be taken once what is under way is done.
  var ready: [ClientConnection] = []
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
  var alarms = Alarms()
  /// Draws how long each who is sent away stays away.
  var generator: SplitMix

  package init(_ parts: Parts) {
    limits = parts.limits
    capacity = parts.capacity
    web = parts.web
    pages = parts.pages
    wallClock = parts.wallClock
    welcome = parts.welcome
    log = parts.log
    tokens = Tokens(key: parts.tokenKey)
    generator = SplitMix(state: ~parts.seed)
    failures = FailureRates(perMinute: parts.limits.failedLoginsPerMinute)
    surroundings = Surroundings(
      moment: parts.wallClock, makeCode: parts.makeCode, hashOfCode: InvitationCode.hash)
    hub = Hub(
      limits: parts.limits.hub, seed: parts.seed, known: parts.known,
      former: parts.former,
      registry: Registry(parts.facts), ownerCode: parts.ownerCode, surroundings: surroundings)
    switch parts.keeping {
    case .inMemory:
      history = MemoryHistory(limits: parts.limits.memory)
      durability = .received
    case .inStore(let promise):
      durability = promise
    }
  }

  // MARK: What happens

  /// Somebody connected.
  package mutating func accepted(
    _ socket: any PeerSocket, from origin: Origin, at now: Duration
  ) -> ClientConnection {
    self.now = now
    let connection = admit(socket, from: origin)
    settle()
    return connection
  }

  /// One read.
  package mutating func received(
    _ bytes: UnsafeRawBufferPointer, from connection: ClientConnection, at now: Duration
  ) {
    self.now = now
    switch connection.stage {
    case .open:
      connection.dialect.received(bytes, at: now)
      takeRequests(of: connection)
      settle()
    case .finished, .ending, .closed: break  // what comes after the end is not read
    }
  }

  /// The peer sent its end of stream, or the connection broke.
  package mutating func ended(
    _ connection: ClientConnection, _ reason: SocketEnd, at now: Duration
  ) {
    self.now = now
    switch connection.stage {
    case .open:
      connection.stage = .finished
      connection.isPeerFinished = true
      // A link that broke inside a line has cut what was meant; a raw client's reads are whole.
      if reason == .finished || connection.dialect.form == .raw { connection.dialect.ended() }
      takeRequests(of: connection)
      if case .broken = reason { close(connection) }
    case .ending:
      connection.isPeerFinished = true
      if reason != .finished || connection.isEndSent { close(connection) }
    case .finished, .closed: break
    }
    settle()
  }

  /// What ``PeerSocket/startWrite(_:)`` was given has gone, or never will.
  package mutating func wrote(
    _ connection: ClientConnection, _ failure: SocketEnd?, at now: Duration
  ) {
    self.now = now
    guard connection.stage != .closed else { return }
    if failure != nil {
      close(connection)
    } else {
      connection.outbox.sent(connection.outbox.bytesUnderWay)
      // Whoever goes on reading gets an answer whole, however long it takes.
      if connection.stage == .ending, connection.dialect.form == .silent, !isStopping {
        connection.lingerUntil = now + limits.answerLingerMax
      }
      markDirty(connection)
    }
    settle()
  }

  /// When ``wake(at:)`` wants to be called; nil while nothing waits for the clock.
  package var nextWake: Duration? {
    // Each turn asks. It says mutating to be asked in place: the compiler gives any other getter of
    // a variable in a class a copy of all this.
    mutating get {
      let never = Duration.seconds(Int64.max)
      let next = min(alarms.first ?? never, deadlines.first ?? never, hub.nextWake ?? never)
      return next < never ? next : nil
    }
  }

  /// The time that ``nextWake`` named has come. Too early a call does nothing.
  package mutating func wake(at now: Duration) {
    self.now = now
    lookAtDeadlines()
    if let wake = hub.nextWake, wake <= now { perform(hub.wake(at: now)) }
    for alarm in alarms.takeDue(at: now) {
      switch alarm {
      case .pacing: pacingTick()
      case .probes: lookAtProbes()
      case .unacknowledged: lookAtUnacknowledged()
      case .nameless: makeRoomForNameless()
      case .farewells: closeTheServed()
      }
    }
    settle()
  }

  /// The end of a turn, or of a part of a long one: everybody is written to.
  package mutating func flush(at now: Duration) {
    self.now = now
    repeat {
      writeToDirty()
      settle()
    } while !dirty.isEmpty
    if roomNumbers.isSweepDue {
      let hub = hub
      roomNumbers.sweep { hub.has($0) }
    }
  }

  // MARK: Stopping

  /// Takes no request any more; what is with the keeper is still answered.
  package mutating func stopTaking() {
    isStopping = true
    passwords.waiting = []
  }

  /// What makes the one who registers with it the owner; nil where there is one, or no code.
  package var ownerCode: String? { hub.registry.hasOwner ? nil : hub.ownerCode }

  /// Whether messages or facts are with the keeper.
  package var isKeeping: Bool { keeper.isBusy }

  /// Tells everybody, and ends every connection: each is closed when the peer's kernel has all that
  /// was written to it, at the latest ``Limits/stopLingerMax`` from now. Until ``isEmpty`` holds
  /// the caller goes on as before.
  package mutating func endAll(at now: Duration) {
    self.now = now
    // An empty one: nobody is told who leaves now.
    hub = Hub(limits: limits.hub, surroundings: surroundings)
    for connection in connections.all {
      end(connection, .shutdown)
      let latest = now + limits.stopLingerMax
      connection.lingerUntil = min(connection.lingerUntil ?? latest, latest)
      setDeadline(of: connection)
    }
    writeToDirty()
    closeTheServed()
  }

  /// Whether nobody is connected.
  package var isEmpty: Bool { connections.count == 0 }

  /// Closes whoever has everything up to the end of the stream. With bytes still on the way a close
  /// may become a reset, which takes them back: the peer goes on asking while we leave.
  private mutating func closeTheServed() {
    for connection in connections.all where connection.isEndSent {
      if connection.socket.peerSigns?.isOutstanding != true { close(connection) }
    }
    if !isEmpty { alarms.set(.farewells, at: now + limits.farewellTick) }
  }
}

/// Times at which something is to be looked at, one a kind. The earliest that was set counts.
struct Alarms {
  enum Alarm: Int, CaseIterable { case pacing, probes, unacknowledged, nameless, farewells }

  private var times: [Duration?] = Alarm.allCases.map { _ in nil }
  private(set) var first: Duration?

  func isSet(_ alarm: Alarm) -> Bool { times[alarm.rawValue] != nil }

  mutating func set(_ alarm: Alarm, at time: Duration) {
    times[alarm.rawValue] = min(times[alarm.rawValue] ?? time, time)
    first = min(first ?? time, time)
  }

  /// Those whose time has come; they are set no more.
  mutating func takeDue(at now: Duration) -> [Alarm] {
    guard let earliest = first, earliest <= now else { return [] }
    let due = Alarm.allCases.filter { times[$0.rawValue].map { $0 <= now } ?? false }
    for alarm in due { times[alarm.rawValue] = nil }
    first = times.compactMap { $0 }.min()
    return due
  }
}
