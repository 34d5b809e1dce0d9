/// What the server does by the clock: dialects' timers, probes of dead holders, dead links.

import ChatHub
import ChatModel
import Dialects
import Loop

extension Server {
  // MARK: Deadlines

  /// Makes sure that the clock looks at the connection when it wants to be looked at.
  func setDeadline(of connection: ClientConnection) {
    guard connection.stage != .closed, let next = connection.nextDeadline else { return }
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
      if let next = connection.nextDeadline, next <= now { deadlinePassed(connection, at: now) }
      setDeadline(of: connection)
    }
    startDeadlineTimer()
  }

  private func deadlinePassed(_ connection: ClientConnection, at now: Duration) {
    if let linger = connection.lingerUntil, linger <= now { return close(connection) }
    if let later = connection.readLater, later <= now { connection.readLater = nil }
    if connection.takesRequests, let deadline = connection.dialect.deadline, deadline <= now {
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
  }

  func startProbe(of id: ConnectionID) {
    guard let connection = connections[id], probes[id] == nil else { return }
    connection.socket.setKeepAlive(limits.holderKeepAlive)
    probes[id] = Probe(startedAt: loop.now)
    if !probeTimer.isRunning { startProbeTimer(after: .milliseconds(5)) }
  }

  private func startProbeTimer(after delay: Duration) {
    probeTimer.start(after: delay, onLoop { $0.lookAtProbes() })
  }

  private func lookAtProbes() {
    for (id, probe) in probes {
      let age = loop.now - probe.startedAt
      let peer = connections[id]?.socket.acknowledgements
      let answered = peer.map { $0.lastAge < age }
      // A kernel that does not say speaks for the holder, and so does a holder that is gone
      // already.
      if answered ?? true {
        decide(id, isAlive: true)
      } else if age >= limits.holderProbe {
        // A peer that does not read is asked more and more rarely; its last answer then counts.
        decide(id, isAlive: peer.map { !$0.isUnanswered } ?? true)
      }
    }
    if !probes.isEmpty { startProbeTimer(after: limits.holderProbeTick) }
  }

  private func decide(_ id: ConnectionID, isAlive: Bool) {
    probes[id] = nil
    connections[id]?.socket.setKeepAlive(limits.keepAlive)
    perform(hub.probed(id, isAlive: isAlive, at: loop.now))
  }

  // MARK: Dead links

  /// From now until its bytes are acknowledged the connection is looked at by the clock.
  func noteUnacknowledged(_ connection: ClientConnection) {
    guard !connection.isUnacknowledged else { return }
    connection.isUnacknowledged = true
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
      connection.isUnacknowledged = false
      guard let state = connection.socket.acknowledgements, state.isOutstanding else { continue }
      if state.lastAge >= limits.unacknowledgedMax {
        close(connection)
      } else {
        noteUnacknowledged(connection)
      }
    }
    if !unacknowledged.isEmpty { startUnacknowledgedTimer() }
  }
}
