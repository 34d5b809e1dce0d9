/// How fast each of many does one thing. Knows not which, and no clock.

/// A bucket for each who has done it lately, and for no other: the table is swept when it has
/// doubled.
struct Rates<Key: Hashable> {
  private var buckets: [Key: TokenBucket] = [:]
  private var sweepAt = 1_024

  var count: Int { buckets.count }

  /// Takes the price of one, or gives how long it is until there is enough for it.
  mutating func pay(
    _ key: Key, perSecond: Double, burst: Double, at now: Duration
  ) -> Duration? {
    var bucket = buckets[key] ?? TokenBucket(burst: burst, at: now)
    if let paidAt = bucket.take(perSecond: perSecond, burst: burst, at: now) {
      return paidAt - now
    }
    buckets[key] = bucket
    if buckets.count > sweepAt { sweep(perSecond, burst, at: now) }
    return nil
  }

  /// The same of a rate a minute, all of which may come at once.
  mutating func pay(_ key: Key, perMinute: Double, at now: Duration) -> Duration? {
    pay(key, perSecond: perMinute / 60, burst: perMinute, at: now)
  }

  private mutating func sweep(_ perSecond: Double, _ burst: Double, at now: Duration) {
    buckets = buckets.filter { _, bucket in
      !bucket.isFull(perSecond: perSecond, burst: burst, at: now)
    }
    sweepAt = max(1_024, 2 * buckets.count)
  }
}
