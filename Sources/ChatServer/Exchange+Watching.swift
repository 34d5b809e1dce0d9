/// What is done by the clock: dialects' timers, probes of dead holders, dead links.

import ChatHub
import ChatModel
import Dialects
import Loop

extension Exchange {
  // MARK: Deadlines

  /// Makes sure that the clock looks at the connection when it wants to be looked at; where it is
  /// held back, it is looked at when it has read.
  mutating func setDeadline(of connection: ClientConnection) {
    if connection.isFull(limits) { connection.isHeldBack = true }
    guard connection.stage != .closed, let next = connection.nextDeadline(limits) else { return }
    if let set = connection.deadlineSet, set <= next { return }
    connection.deadlineSet = next
    deadlines.add(Deadlines.Entry(at: next, connection: connection.id))
  }

  mutating func lookAtDeadlines() {
    while let entry = deadlines.takeDue(at: now) {
      guard let connection = connections[entry.connection], connection.deadlineSet == entry.at
      else { continue }
      connection.deadlineSet = nil
      if let next = connection.nextDeadline(limits), next <= now { deadlinePassed(connection) }
      setDeadline(of: connection)
    }
  }

  private mutating func deadlinePassed(_ connection: ClientConnection) {
    if let linger = connection.lingerUntil, linger <= now { return close(connection) }
    if let later = connection.readLater, later <= now { connection.readLater = nil }
    if let later = connection.catchUpLater, later <= now {
      connection.catchUpLater = nil
      markDirty(connection)
    }
    if connection.isLive, connection.dialect.form == .event,
      connection.wroteAt + limits.eventSilence <= now
    {
      fillSilence(of: connection)
    }
    if connection.takesRequests(limits), let deadline = connection.dialect.deadline,
      deadline <= now
    {
      connection.dialect.deadlinePassed(at: now)
    }
    takeRequests(of: connection)
  }

  /// A comment, so that nobody in between takes the connection for a dead one (the HTML standard,
  /// 9.2.7). Whoever has something to read needs none.
  private mutating func fillSilence(of connection: ClientConnection) {
    connection.wroteAt = now
    guard connection.outbox.isEmpty else { return }
    queue(Slice(SharedBytes(Array(":\n\n".utf8)), unit: .event), for: connection)
  }

  // MARK: Dead holders

  /// A holder of a name that another connection wants, asked by the kernel whether it is still
  /// there.
  struct Probe {
    var startedAt: Duration
    /// When it was heard last, as ``PeerSigns`` tells it. Nil if the kernel does not say.
    var heardAt: Duration?
  }

  mutating func startProbe(of id: ConnectionID) {
    guard let connection = connections[id], probes[id] == nil else { return }
    probes[id] = Probe(startedAt: now, heardAt: connection.socket.peerSigns?.heardAt)
    connection.socket.setKeepAlive(limits.holderKeepAlive)
    alarms.set(.probes, at: now + .milliseconds(5))
  }

  mutating func lookAtProbes() {
    // In the same order whenever the same happens: a simulation replays it.
    for (id, probe) in probes.sorted(by: { $0.key.slot < $1.key.slot }) {
      if let isAlive = isAlive(id, probe) { decide(id, isAlive: isAlive) }
    }
    if !probes.isEmpty { alarms.set(.probes, at: now + limits.holderProbeTick) }
  }

  /// Nil while it cannot be said. Whoever cannot be asked is taken to be alive: a name is refused
  /// rather than taken away from somebody who merely does not speak or read.
  private func isAlive(_ id: ConnectionID, _ probe: Probe) -> Bool? {
    // Gone already; or on this machine, whose kernel knows of every end by itself.
    guard let connection = connections[id], !connection.isOnThisMachine else { return true }
    guard let signs = connection.socket.peerSigns, let heardAt = probe.heardAt else { return true }
    if signs.heardAt > heardAt + PeerSigns.precision { return true }
    // Nothing will be asked in time, and all that was asked before has had its answer.
    if signs.isOutstanding, !signs.isUnanswered { return true }
    return now - probe.startedAt >= limits.holderProbe ? false : nil
  }

  private mutating func decide(_ id: ConnectionID, isAlive: Bool) {
    probes[id] = nil
    connections[id]?.socket.setKeepAlive(limits.keepAlive)
    perform(hub.probed(id, isAlive: isAlive, at: now))
  }

  // MARK: Dead links

  /// From now until its bytes are acknowledged the connection is looked at by the clock.
  mutating func noteUnacknowledged(_ connection: ClientConnection) {
    guard connection.unacknowledgedSince == nil else { return }
    connection.unacknowledgedSince = now
    unacknowledged.append(connection.id)
    if !alarms.isSet(.unacknowledged) {
      alarms.set(.unacknowledged, at: now + limits.unacknowledgedTick)
    }
  }

  mutating func lookAtUnacknowledged() {
    let batch = unacknowledged
    unacknowledged = []
    for id in batch {
      guard let connection = connections[id] else { continue }
      guard let since = connection.unacknowledgedSince,
        let signs = connection.socket.peerSigns, signs.isOutstanding
      else {
        connection.unacknowledgedSince = nil
        continue
      }
      // Both, since a peer that was silent for long may have been written to only just now.
      if min(signs.heardAgo, now - since) >= limits.unacknowledgedMax {
        close(connection)
      } else {
        unacknowledged.append(id)
      }
    }
    if !unacknowledged.isEmpty {
      alarms.set(.unacknowledged, at: now + limits.unacknowledgedTick)
    }
  }
}
