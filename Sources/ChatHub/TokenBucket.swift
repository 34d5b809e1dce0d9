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
    if now > filledAt {
      tokens = min(burst, tokens + (now - filledAt) / .seconds(1) * perSecond)
      filledAt = now
    }
    tokens -= 1
    return tokens < 0 ? filledAt + .seconds(-tokens / perSecond) : nil
  }

  /// When a token can be taken without debt; nil: now.
  package func nextTime(perSecond: Double, burst: Double, at now: Duration) -> Duration? {
    let gained = max(.zero, now - filledAt) / .seconds(1) * perSecond
    let tokens = min(burst, tokens + gained)
    return tokens < 1 ? now + .seconds((1 - tokens) / perSecond) : nil
  }
}
