/// How fast the people of one address do one thing. Knows not which, and no clock.

/// A bucket for each address that has done it lately, and for no other: the table is swept when it
/// has doubled.
struct AddressRates {
  private var buckets: [String: TokenBucket] = [:]
  private var sweepAt = 1_024

  var count: Int { buckets.count }

  /// Takes the price of one, or gives how long it is until there is enough for it.
  mutating func pay(_ address: String, perMinute: Double, at now: Duration) -> Duration? {
    var bucket = buckets[address] ?? TokenBucket(burst: perMinute, at: now)
    if let paidAt = bucket.take(perSecond: perMinute / 60, burst: perMinute, at: now) {
      return paidAt - now
    }
    buckets[address] = bucket
    if buckets.count > sweepAt { sweep(perMinute, at: now) }
    return nil
  }

  private mutating func sweep(_ perMinute: Double, at now: Duration) {
    buckets = buckets.filter { _, bucket in
      !bucket.isFull(perSecond: perMinute / 60, burst: perMinute, at: now)
    }
    sweepAt = max(1_024, 2 * buckets.count)
  }
}
