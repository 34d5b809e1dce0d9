/// What operators want done that needs the store or the sockets: handed out, and back to the hub.

package import ChatHub
import ChatModel
import Dialects
import Stores

/// Work for an operator that somebody does elsewhere; to be answered by
/// ``Exchange/finished(_:_:at:)``, also where the connection has gone meanwhile.
package struct ErrandJob: Sendable {
  package let errand: Errand
  let connection: ConnectionID
}

extension Exchange {
  /// The work that is to be done.
  package mutating func takeErrands() -> [ErrandJob] {
    defer { errandsWanted = [] }
    return errandsWanted
  }

  /// Has it done. What is in memory is done when this returns.
  mutating func want(_ errand: Errand, for id: ConnectionID) {
    let job = ErrandJob(errand: surveyed(errand), connection: id)
    guard history != nil else { return errandsWanted.append(job) }
    let outcome: ErrandOutcome
    switch job.errand {
    case .survey(let status): outcome = .surveyed(status)
    case .walk(let person, let row, let limit):
      outcome = ErrandOutcome(history?.rows(of: person, after: row, limit: limit))
    case .clear(let room): outcome = .cleared(history?.remove(room) ?? 0)
    }
    perform(hub.finished(id, errand, outcome, at: now))
  }

  /// What became of it.
  package mutating func finished(
    _ job: ErrandJob, _ outcome: ErrandOutcome, at now: Duration
  ) {
    self.now = now
    perform(hub.finished(job.connection, job.errand, outcome, at: now))
    settle()
  }

  /// With what the exchange knows of how the server is doing.
  private func surveyed(_ errand: Errand) -> Errand {
    guard case .survey(var status) = errand else { return errand }
    for connection in connections.all where connection.isLive {
      if connection.origin == .operator {
        status.connections.operators += 1
        continue
      }
      if connection.isNamed {
        status.connections.named += 1
      } else {
        status.connections.nameless += 1
      }
      switch connection.dialect.form {
      // Whoever follows a room as text or as lines of JSON came by HTTP all the same.
      case _ where connection.dialect.isFollowing: status.connections.http += 1
      case .line, .raw: status.connections.plain += 1
      case .json: status.connections.json += 1
      case .frame: status.connections.webSocket += 1
      case .event, .silent: status.connections.http += 1
      }
    }
    status.kept = keptCount
    status.waiting = keeper.count
    return .survey(status)
  }
}

extension ErrandOutcome {
  /// What a walk found; nothing where nobody keeps anything.
  init(_ found: PersonRows?) {
    self = .walked(
      (found?.rows ?? []).map { Said(room: $0.room, seq: $0.seq) }, next: found?.next)
  }
}
