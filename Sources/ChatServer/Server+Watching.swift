/// What the server does by the clock: dialects' timers, probes of dead holders, dead links.

import ChatHub
import ChatModel
import Dialects
import Loop

extension Server {
  // MARK: Deadlines

  /// Makes sure that the clock looks at the connection when it wants to be looked at.
  func setDeadline(of connection: ClientConnection) {
    guard connection.stage != .closed, let next = connection.nextDeadline(limits) else { return }
    if let set = connection.deadlineSet, set <= next { return }
    connection.deadlineSet = next
    deadlines.add(Deadlines.Entry(at: next, connection: connection.id))
    if deadlines.first == next { startDeadlineTimer() }
  }

  private func startDeadlineTimer() {
    guard let first = deadlines.first else { return }
    deadlineTimer.start(after: first - loop.now, onLoop { $0.deadlinesPassed() })
  }

  private func deadlinesPassed() {
    let now = loop.now
    while let entry = deadlines.takeDue(at: now) {
      guard let connection = connections[entry.connection], connection.deadlineSet == entry.at
      else { continue }
      connection.deadlineSet = nil
      if let next = connection.nextDeadline(limits), next <= now { deadlinePassed(connection, at: now) }
      setDeadline(of: connection)
    }
    startDeadlineTimer()
  }

  private func deadlinePassed(_ connection: ClientConnection, at now: Duration) {
    if let linger = connection.lingerUntil, linger <= now { return close(connection) }
    if let later = connection.readLater, later <= now { connection.readLater = nil }
    if let later = connection.catchUpLater, later <= now {
      connection.catchUpLater = nil
      markDirty(connection)
    }
    if connection.takesRequests(limits), let deadline = connection.dialect.deadline, deadline <= now {
      connection.dialect.deadlinePassed(at: now)
    }
    takeRequests(of: connection)
  }

  func setHubTimer() {
    guard let wake = hub.nextWake else { return }
    guard !hubTimer.isRunning else { return }  // the hub's times only move later while one is set
    hubTimer.start(after: wake - loop.now, onLoop { $0.perform($0.hub.wake(at: $0.loop.now)) })
  }

  // MARK: Dead holders

  /// A holder of a name that another connection wants, asked by the kernel whether it is still
  /// there.
  struct Probe {
    var startedAt: Duration
    /// When it was heard last, as ``PeerSigns`` tells it. Nil if the kernel does not say.
    var heardAt: Duration?
  }

  func startProbe(of id: ConnectionID) {
    guard let connection = connections[id], probes[id] == nil else { return }
    probes[id] = Probe(startedAt: loop.now, heardAt: connection.socket.peerSigns?.heardAt)
    connection.socket.setKeepAlive(limits.holderKeepAlive)
    if !probeTimer.isRunning { startProbeTimer(after: .milliseconds(5)) }
  }

  private func startProbeTimer(after delay: Duration) {
    probeTimer.start(after: delay, onLoop { $0.lookAtProbes() })
  }

  private func lookAtProbes() {
    for (id, probe) in probes {
      if let isAlive = isAlive(id, probe) { decide(id, isAlive: isAlive) }
    }
    if !probes.isEmpty { startProbeTimer(after: limits.holderProbeTick) }
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
    return loop.now - probe.startedAt >= limits.holderProbe ? false : nil
  }

  private func decide(_ id: ConnectionID, isAlive: Bool) {
    probes[id] = nil
    connections[id]?.socket.setKeepAlive(limits.keepAlive)
    perform(hub.probed(id, isAlive: isAlive, at: loop.now))
  }

  // MARK: Dead links

  /// From now until its bytes are acknowledged the connection is looked at by the clock.
  func noteUnacknowledged(_ connection: ClientConnection) {
    guard connection.unacknowledgedSince == nil else { return }
    connection.unacknowledgedSince = loop.now
    unacknowledged.append(connection.id)
    if !unacknowledgedTimer.isRunning { startUnacknowledgedTimer() }
  }

  private func startUnacknowledgedTimer() {
    unacknowledgedTimer.start(
      after: limits.unacknowledgedTick, onLoop { $0.lookAtUnacknowledged() })
  }

  private func lookAtUnacknowledged() {
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
      if min(signs.heardAgo, loop.now - since) >= limits.unacknowledgedMax {
        close(connection)
      } else {
        unacknowledged.append(id)
      }
    }
    if !unacknowledged.isEmpty { startUnacknowledgedTimer() }
  }
}
