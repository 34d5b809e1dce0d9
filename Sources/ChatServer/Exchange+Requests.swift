/// From a connection's bytes to the hub, and from the hub's effects to what is done.

import ChatHub
import ChatModel
import Dialects
import Stores

extension Exchange {
  // MARK: Coming

  mutating func admit(_ socket: any PeerSocket, from origin: Origin) -> ClientConnection {
    socket.setKeepAlive(limits.keepAlive)
    if let most = limits.unsentBytesMax { socket.limitUnsent(toBytes: most) }
    let connection = connections.add { id in
      ClientConnection(
        id: id, socket: socket, origin: origin, dialect: Dialect(web, clock: httpClock))
    }
    if connection.isOperator { return connection }
    nameless.add(NamelessQueue.Entry(id: connection.id, since: now))
    if let host = origin.countedHost {
      connectionsByHost[host, default: 0] += 1
      if let most = limits.connectionsPerAddressMax, connectionsByHost[host, default: 0] > most {
        end(connection, .tooManyFromAddress(limit: most))
        return connection
      }
    }
    makeRoomForNameless()
    return connection
  }

  /// Ends the oldest of too many without a name, except who has only just come: its login may be on
  /// the way, or wait here unread behind many others.
  mutating func makeRoomForNameless() {
    let isNameless = { [connections] (id: ConnectionID) in
      connections[id].map { !$0.isNamed && $0.isLive } ?? false
    }
    while nameless.count > max(1, capacity / limits.namelessShare),
      let oldest = nameless.oldest(where: isNameless), let connection = connections[oldest.id]
    {
      let graceEnd = oldest.since + limits.namelessGrace
      guard graceEnd <= now else {
        alarms.set(.nameless, at: graceEnd)
        break
      }
      end(connection, .crowded)
    }
    nameless.tidy(where: isNameless)
  }

  // MARK: Requests

  /// Lists a connection to have its requests taken when what is under way is done.
  mutating func markReady(_ connection: ClientConnection) {
    guard !connection.isReady else { return }
    connection.isReady = true
    ready.append(connection)
  }

  /// Takes the requests of all who are listed. The last thing of every call.
  mutating func settle() {
    while !ready.isEmpty {
      let batch = ready
      ready.removeAll(keepingCapacity: true)
      for connection in batch {
        connection.isReady = false
        takeRequests(of: connection)
      }
    }
  }

  /// Carries out what a connection has asked, as far as it may be carried out now.
  mutating func takeRequests(of connection: ClientConnection) {
    guard !isStopping else { return }
    if connection.answersUnderWay == 0, connection.isLive, let held = connection.held {
      connection.held = nil
      carryOut(held, of: connection)
    }
    var taken = 0
    while connection.takesRequests(limits), let heard = connection.dialect.next() {
      if connection.answersUnderWay > 0, !heard.isSend || connection.isRecording {
        connection.held = heard
        break
      }
      carryOut(heard, of: connection)
      taken += 1
      if taken.isMultiple(of: limits.commandsBetweenFlushesMax) { writeToDirty() }
    }
    let takesMore = connection.takesRequests(limits)
    connection.isHeldBack = false  // or is again, in setDeadline
    if connection.stage == .finished, takesMore, connection.answersUnderWay == 0,
      connection.lags.isEmpty || !connection.dialect.isFollowing
    {
      end(connection, nil)
    }
    if connection.stage == .open {
      if takesMore {
        connection.socket.resumeReading()
      } else {
        connection.socket.pauseReading()
      }
    }
    setDeadline(of: connection)
  }

  private mutating func carryOut(_ heard: Heard, of connection: ClientConnection) {
    switch heard {
    case .request(.resume(let token, let manner), let asked):
      resume(connection, token, manner, asked)
    case .request(.operate(let operation), let asked) where connection.isOperator:
      perform(hub.operate(operation, asked, from: connection.id, at: now))
    case .request(let request, let asked):
      let effects = hub.handle(
        request, asked, from: connection.id, of: connection.countedHost, at: now)
      if connection.answersUnderWay > 0, case .answer(_, _, .refused(let why))? = effects.first {
        refuse(why, Ticket(connection: connection.id, request: asked))
      } else {
        perform(effects)
      }
    case .answer(let answer, let asked): self.answer(connection, asked, answer)
    case .help: tell(connection, .help)
    case .farewell(let bytes):
      write(bytes, to: connection)
      end(connection, nil)
    case .write(let bytes): write(bytes, to: connection)
    case .web(let request): carryOut(request, of: connection)
    case .tooManyMistakes(let limit): end(connection, .tooManyMistakes(limit: limit))
    case .close: close(connection)
    }
  }

  private mutating func write(_ bytes: [UInt8], to connection: ClientConnection) {
    guard !bytes.isEmpty else { return }
    queue(Slice(SharedBytes(bytes), unit: .whole), for: connection)
  }

  private mutating func resume(
    _ connection: ClientConnection, _ token: String, _ manner: Manner, _ asked: RequestID?
  ) {
    guard let holder = tokens.holder(of: token, at: wallClock()) else {
      return answer(connection, asked, .refused(.badToken))
    }
    connection.isWelcomed = true  // by the login that the token is of
    perform(
      hub.resume(
        holder.person, as: holder.name, epoch: holder.epoch, manner, from: connection.id, asked,
        of: connection.countedHost, at: now))
  }

  // MARK: Effects

  /// Carries the hub's effects out, in order. None of them lets a further request in before all
  /// are done.
  mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .answer(let id, let asked, let answer):
        if let connection = connections[id] { self.answer(connection, asked, answer) }
      case .tell(let id, let event):
        if let connection = connections[id] { tell(connection, event) }
      case .tellAll(let ids, let event): tellAll(ids, event)
      case .publish(let ids, let message, let place): publish(ids, message, in: place)
      case .named(let id, let person, let name): named(id, person, name)
      case .answerLogin(let id, let asked, let person, let name):
        answerLogin(id, asked, person, name)
      case .answerToken(let id, let asked, let person, let name, let days):
        answerToken(id, asked, person, name, days: days)
      case .unnamed(let id): unnamed(id)
      case .keep(let draft, let ticket): keep(draft, ticket)
      case .record(let record, let ticket): self.record(record, ticket)
      case .hash(let id, let work): hash(work, for: id)
      case .fetch(let id, let asked, let room, let stretch, let limit):
        fetch(room, stretch, limit: limit, for: id, asked)
      case .replay(let id, let room, let beginning): replay(room, to: id, beginning)
      case .search(let id, let asked, let search, let room, let sight):
        self.search(search, in: room, sight, for: id, asked)
      case .errand(let id, let errand): want(errand, for: id)
      case .forget(let id, let room): connections[id]?.lags.end(room)
      case .withdraw(let id, let room): withdraw(room, from: id)
      case .withdrawAnswers(let person, let room, let inChat):
        withdrawAnswers(of: person, in: room, inChat: inChat)
      case .wait(let id): connections[id]?.isWaiting = true
      case .proceed(let id):
        guard let connection = connections[id] else { continue }
        connection.isWaiting = false
        markReady(connection)
      case .probe(let id): startProbe(of: id)
      case .readLater(let id, let time): connections[id]?.readLater = time
      case .close(let id, let reason):
        if let connection = connections[id] { end(connection, reason) }
      case .closeNetwork(let network, let reason): closeAll(of: network, reason)
      }
    }
    for case .answerLogin(let id, _, _, _) in effects { tellWelcome(id) }
  }

  /// Once, behind everything that a login brings.
  private mutating func tellWelcome(_ id: ConnectionID) {
    guard let welcome, let connection = connections[id], !connection.isWelcomed else { return }
    connection.isWelcomed = true
    tell(connection, .notice(welcome))
  }

  private mutating func named(_ id: ConnectionID, _ person: PersonID, _ name: UserName) {
    guard let connection = connections[id] else { return }
    connection.dialect.loggedIn(as: name)
    if !connection.isNamed { nameless.removedOne() }
    // What somebody else has missed is not for this one.
    if connection.person != person { connection.lags = Lags() }
    connection.person = person
  }

  private mutating func unnamed(_ id: ConnectionID) {
    guard let connection = connections[id], connection.isNamed else { return }
    connection.dialect.loggedOut()
    connection.lags = Lags()
    connection.person = nil
    nameless.add(NamelessQueue.Entry(id: id, since: now))
    makeRoomForNameless()
  }

  private mutating func answerLogin(
    _ id: ConnectionID, _ asked: RequestID?, _ person: PersonID, _ name: UserName
  ) {
    guard let connection = connections[id] else { return }
    let token = tokens.token(for: holder(person, name), at: wallClock())
    answer(connection, asked, .loggedIn(name, token: token, isGuest: hub.isGuest(person)))
  }

  private mutating func answerToken(
    _ id: ConnectionID, _ asked: RequestID?, _ person: PersonID, _ name: UserName, days: Int
  ) {
    guard let connection = connections[id] else { return }
    let seconds = Int64(days) * 86_400
    let moment = wallClock()
    let token = tokens.token(for: holder(person, name), at: moment, seconds: seconds)
    let report = Report.token(name, token, until: Tokens.end(of: seconds, from: moment))
    answer(connection, asked, .report(report))
  }

  /// Whom a token is for that is made now: what may still be put back makes none void.
  private func holder(_ person: PersonID, _ name: UserName) -> Tokens.Holder {
    Tokens.Holder(person: person, name: name, epoch: hub.registry.keptEpoch(of: person))
  }

  // MARK: Ending

  /// Lets what waits for it go out, then closes; the peer is told the reason if there is one.
  mutating func end(
    _ connection: ClientConnection, _ reason: ClosingReason?, saysNothing: Bool = false
  ) {
    guard connection.isLive else { return }
    let isSilenced = reason?.isExpulsion == true && skipWords(of: connection)
    if !saysNothing, !isSilenced {
      if let reason { tell(connection, .closing(reason, retryAfter: retryAfter(reason))) }
      if let farewell = connection.dialect.farewell(reason) { write(farewell, to: connection) }
    }
    connection.stage = .ending
    forget(connection)
    let isAnswer = reason == nil && connection.dialect.form == .silent
    connection.lingerUntil = now + (isAnswer ? limits.answerLingerMax : limits.lingerMax)
    // Bytes that nobody reads would turn the close into a reset, and the last words would be lost.
    if !connection.isPeerFinished { connection.socket.resumeReading() }
    markDirty(connection)
    setDeadline(of: connection)
  }

  /// All lose the server at once; they are not to come back at once.
  private mutating func retryAfter(_ reason: ClosingReason) -> Duration? {
    switch reason {
    case .shutdown: .milliseconds(Int.random(in: limits.awayMilliseconds, using: &generator))
    case .quit, .silent, .loggedOut, .kicked, .putOut, .banned, .accountEnded, .crowded,
      .tooManyFromAddress, .tooManyMistakes:
      nil
    }
  }

  /// Everything that was queued is out: the end of stream follows.
  mutating func drained(_ connection: ClientConnection) {
    guard connection.stage == .ending, !connection.isEndSent else { return }
    connection.isEndSent = true
    if connection.isPeerFinished { close(connection) } else { connection.socket.finishWriting() }
  }

  /// Closes now.
  mutating func close(_ connection: ClientConnection) {
    guard connection.stage != .closed else { return }
    let wasLive = connection.isLive
    connection.stage = .closed
    if wasLive { forget(connection) }
    connection.socket.close()
    connections.remove(connection.id)
    probes[connection.id] = nil
    guard let host = connection.countedHost else { return }
    connectionsByHost[host, default: 1] -= 1
    if connectionsByHost[host] == 0 { connectionsByHost[host] = nil }
  }

  /// The hub and the count of the nameless let go of it.
  private mutating func forget(_ connection: ClientConnection) {
    if !connection.isNamed, !connection.isOperator { nameless.removedOne() }
    connection.lags = Lags()
    perform(hub.disconnected(connection.id, hasFinished: connection.isPeerFinished, at: now))
  }
}

extension ClosingReason {
  fileprivate var isExpulsion: Bool {
    switch self {
    case .kicked, .putOut, .banned, .accountEnded: true
    case _: false
    }
  }
}

extension Heard {
  /// Whether it may be carried out while messages before it are with the keeper.
  fileprivate var isSend: Bool {
    switch self {
    case .request(.send, _), .request(.edit, _), .request(.delete, _): true
    case _: false
    }
  }
}
