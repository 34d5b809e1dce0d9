/// A rate with a burst. Knows no clock: time is passed in.

/// Holds up to `burst` tokens and gains `perSecond` of them a second.
package struct TokenBucket {
  private var tokens: Double
  private var filledAt: Duration

  package init(burst: Double, at now: Duration) {
    tokens = burst
    filledAt = now
  }

  /// Takes one token, into debt if need be. Gives the time at which the debt is paid, nil if there
  /// is none.
  package mutating func take(perSecond: Double, burst: Double, at now: Duration) -> Duration? {
    fill(perSecond, burst, at: now)
    tokens -= 1
    return tokens < 0 ? filledAt + .seconds(-tokens / perSecond) : nil
  }

  /// When a token can be taken without debt; nil: now.
  package func nextTime(perSecond: Double, burst: Double, at now: Duration) -> Duration? {
    var bucket = self
    bucket.fill(perSecond, burst, at: now)
    return bucket.tokens < 1 ? now + .seconds((1 - bucket.tokens) / perSecond) : nil
  }

  /// Whether it is as if nothing had ever been taken.
  func isFull(perSecond: Double, burst: Double, at now: Duration) -> Bool {
    var bucket = self
    bucket.fill(perSecond, burst, at: now)
    return bucket.tokens >= burst
  }

  private mutating func fill(_ perSecond: Double, _ burst: Double, at now: Duration) {
    guard now > filledAt else { return }
    tokens = min(burst, tokens + (now - filledAt) / .seconds(1) * perSecond)
    filledAt = now
  }
}
