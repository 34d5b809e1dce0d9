/// The one door to work on passwords: who may have it done, how much at once, and who has guessed
/// too often. Hashes nothing itself.

package import ChatHub
import ChatModel

/// Work that somebody does elsewhere; to be answered by ``Exchange/hashed(_:_:at:)``.
package struct PasswordJob: Sendable {
  package let work: PasswordWork
  let connection: ConnectionID
  let origin: Origin
}

/// Work on passwords that waits, or is being done.
struct PasswordQueue {
  var waiting: [PasswordJob] = []
  var underWay = 0
}

extension Exchange {
  /// Has work done for a connection, or says why not.
  mutating func hash(_ work: PasswordWork, for id: ConnectionID) {
    guard let connection = connections[id] else { return }
    if let refusal = hindrance(of: connection.origin) {
      return perform(hub.hashed(id, .refused(refusal), at: now))
    }
    passwords.waiting.append(PasswordJob(work: work, connection: id, origin: connection.origin))
  }

  private func hindrance(of origin: Origin) -> Refusal? {
    guard origin.isPrivate else { return .passwordNotPrivate }
    if let later = failures.retryTime(of: origin, at: now) {
      return .rateLimited(retryAfter: later - now)
    }
    return passwords.waiting.count < limits.passwordsWaitingMax ? nil : .busy
  }

  /// The work that may be done now.
  package mutating func takePasswordJobs() -> [PasswordJob] {
    var jobs: [PasswordJob] = []
    while passwords.underWay < limits.passwordsAtOnceMax, !passwords.waiting.isEmpty {
      let job = passwords.waiting.removeFirst()
      guard connections[job.connection]?.isLive == true else { continue }
      passwords.underWay += 1
      jobs.append(job)
    }
    return jobs
  }

  /// Whether somebody is at work on a password.
  package var isHashing: Bool { passwords.underWay > 0 }

  package mutating func hashed(
    _ job: PasswordJob, _ outcome: PasswordOutcome, at now: Duration
  ) {
    self.now = now
    passwords.underWay -= 1
    let effects = hub.hashed(job.connection, outcome, at: now)
    let isGuess = effects.contains { effect in
      if case .answer(_, _, .refused(.badCode)) = effect { true } else { false }
    }
    // Also of who has gone meanwhile.
    if outcome == .wrong || isGuess { failures.count(job.origin, at: now) }
    perform(effects)
    settle()
  }
}

/// How often each place was wrong, so that nobody guesses for long.
struct FailureRates {
  /// Nil lifts the rate.
  let perMinute: Double?
  private var buckets: [Origin: TokenBucket] = [:]
  private var sweepAt = 1_024

  init(perMinute: Double?) { self.perMinute = perMinute }

  /// When it may try again; nil: now.
  func retryTime(of origin: Origin, at now: Duration) -> Duration? {
    guard let perMinute else { return nil }
    return buckets[origin]?.nextTime(perSecond: perMinute / 60, burst: perMinute, at: now)
  }

  mutating func count(_ origin: Origin, at now: Duration) {
    guard let perMinute else { return }
    _ = buckets[origin, default: TokenBucket(burst: perMinute, at: now)]
      .take(perSecond: perMinute / 60, burst: perMinute, at: now)
    guard buckets.count >= sweepAt else { return }
    // Those who may try again are forgotten: they have the rest of a burst for it.
    buckets = buckets.filter { retryTime(of: $0.key, at: now) != nil }
    sweepAt = max(1_024, 2 * buckets.count)
  }
}
