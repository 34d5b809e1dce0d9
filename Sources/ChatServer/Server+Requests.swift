/// From a connection's bytes to the hub, and from the hub's effects to what is done.

import ChatHub
import ChatModel
import Dialects
import Loop
import Stores

extension Server {
  /// Without an address the peer came by a path, and is on this machine.
  func accepted(_ socket: StreamSocket, from peer: SocketAddress?) {
    let host = peer.flatMap { $0.isLoopback ? nil : $0.host }
    socket.setKeepAlive(limits.keepAlive)
    let connection = connections.add { id in
      ClientConnection(id: id, socket: socket, countedHost: host, server: self)
    }
    nameless.add(NamelessQueue.Entry(id: connection.id, since: loop.now))
    socket.start(connection)
    if let host {
      connectionsByHost[host, default: 0] += 1
      if let most = limits.connectionsPerAddressMax, connectionsByHost[host, default: 0] > most {
        return end(connection, .tooManyFromAddress(limit: most))
      }
    }
    makeRoomForNameless()
  }

  /// Ends the oldest of too many without a name, except who has only just come: its login may be on
  /// the way, or wait here unread behind many others.
  private func makeRoomForNameless() {
    let isNameless = { (id: ConnectionID) in
      self.connections[id].map { !$0.isNamed && $0.isLive } ?? false
    }
    while nameless.count > max(1, configuration.capacity / limits.namelessShare),
      let oldest = nameless.oldest(where: isNameless), let connection = connections[oldest.id]
    {
      let graceLeft = oldest.since + limits.namelessGrace - loop.now
      guard graceLeft <= .zero else {
        if !namelessTimer.isRunning {
          namelessTimer.start(after: graceLeft, onLoop { $0.makeRoomForNameless() })
        }
        break
      }
      end(connection, .crowded)
    }
    nameless.tidy(where: isNameless)
  }

  func received(_ bytes: UnsafeRawBufferPointer, from connection: ClientConnection) {
    switch connection.stage {
    case .open:
      connection.dialect.received(bytes, at: loop.now)
      takeRequests(of: connection)
    case .finished, .ending, .closed: break  // what comes after the end is not read
    }
  }

  func ended(_ connection: ClientConnection, _ reason: SocketEnd) {
    switch connection.stage {
    case .open:
      connection.stage = .finished
      connection.isPeerFinished = true
      connection.dialect.ended()
      takeRequests(of: connection)
      if case .broken = reason { close(connection) }
    case .ending:
      connection.isPeerFinished = true
      if reason != .finished || connection.isEndSent { close(connection) }
    case .finished, .closed: break
    }
  }

  /// Carries out what a connection has asked, as far as it may be carried out now.
  func takeRequests(of connection: ClientConnection) {
    var taken = 0
    while connection.takesRequests(limits), let heard = connection.dialect.next() {
      if connection.draftsUnderWay > 0, !heard.isSend {
        connection.held = heard
        break
      }
      carryOut(heard, of: connection)
      taken += 1
      if taken.isMultiple(of: limits.commandsBetweenFlushesMax) { flush() }
    }
    let takesMore = connection.takesRequests(limits)
    connection.isHeldBack = connection.outbox.bytes > limits.outboxBytesMax
    if connection.stage == .finished, takesMore, connection.draftsUnderWay == 0 {
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

  func carryOut(_ heard: Heard, of connection: ClientConnection) {
    switch heard {
    case .request(.resume(let token, let manner), let asked):
      resume(connection, token, manner, asked)
    case .request(let request, let asked):
      perform(hub.handle(request, asked, from: connection.id, at: loop.now))
    case .answer(let answer, let asked): self.answer(connection, asked, answer)
    case .help: tell(connection, .help)
    case .farewell(let bytes):
      queue(Slice(SharedBytes(bytes), 0..<bytes.count, lines: 1), for: connection)
      end(connection, nil)
    case .tooManyMistakes(let limit): end(connection, .tooManyMistakes(limit: limit))
    case .close: close(connection)
    }
  }

  private func resume(
    _ connection: ClientConnection, _ token: String, _ manner: Manner, _ asked: RequestID?
  ) {
    guard let holder = tokens.holder(of: token, at: .now) else {
      return answer(connection, asked, .refused(.badToken))
    }
    perform(
      hub.resume(
        holder.person, as: holder.name, manner, from: connection.id, asked, at: loop.now))
  }

  func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .answer(let id, let asked, let answer):
        if let connection = connections[id] { self.answer(connection, asked, answer) }
      case .tell(let id, let event):
        if let connection = connections[id] { tell(connection, event) }
      case .tellAll(let ids, let event): tellAll(ids, event)
      case .publish(let ids, let message): publish(ids, message)
      case .named(let id, let person, let name): named(id, person, name)
      case .answerLogin(let id, let asked, let person, let name):
        guard let connection = connections[id] else { continue }
        let token = tokens.token(for: person, name, at: .now)
        answer(connection, asked, .loggedIn(name, token: token))
      case .keep(let draft, let ticket): keep(draft, ticket)
      case .fetch(let id, let asked, let room, let stretch, let limit):
        fetch(room, stretch, limit: limit, for: id, asked)
      case .replay(let id, let room, let beginning): replay(room, to: id, beginning)
      case .forget(let id, let room): connections[id]?.behind[room] = nil
      case .wait(let id): connections[id]?.isWaiting = true
      case .proceed(let id):
        guard let connection = connections[id] else { continue }
        connection.isWaiting = false
        takeRequests(of: connection)
      case .probe(let id): startProbe(of: id)
      case .readLater(let id, let time): connections[id]?.readLater = time
      case .close(let id, let reason):
        if let connection = connections[id] { end(connection, reason) }
      }
    }
    setHubTimer()
  }

  private func named(_ id: ConnectionID, _ person: PersonID, _ name: UserName) {
    guard let connection = connections[id] else { return }
    connection.dialect.loggedIn(as: name)
    if !connection.isNamed { nameless.removedOne() }
    connection.person = person
  }

  // MARK: Ending

  /// Lets what waits for it go out, then closes; the peer is told the reason if there is one.
  func end(_ connection: ClientConnection, _ reason: ClosingReason?) {
    guard connection.isLive else { return }
    if let reason { tell(connection, .closing(reason)) }
    connection.stage = .ending
    forget(connection)
    connection.lingerUntil = loop.now + limits.lingerMax
    // Bytes that nobody reads would turn the close into a reset, and the last words would be lost.
    if !connection.isPeerFinished { connection.socket.resumeReading() }
    markDirty(connection)
    setDeadline(of: connection)
  }

  /// Everything that was queued is out: the end of stream follows.
  func drained(_ connection: ClientConnection) {
    guard connection.stage == .ending, !connection.isEndSent else { return }
    connection.isEndSent = true
    if connection.isPeerFinished { close(connection) } else { connection.socket.finishWriting() }
  }

  /// Closes now.
  func close(_ connection: ClientConnection) {
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
  private func forget(_ connection: ClientConnection) {
    if !connection.isNamed { nameless.removedOne() }
    connection.behind = [:]
    perform(hub.disconnected(connection.id, at: loop.now))
  }
}

extension Heard {
  /// Whether it may be carried out while messages before it are with the store.
  fileprivate var isSend: Bool {
    if case .request(.send, _) = self { true } else { false }
  }
}
