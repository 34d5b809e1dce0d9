/// How long to stay away from a server after each failure in a row. Waits for nothing itself.

/// Full jitter: a random time up to a bound that doubles. Those who lose a server at the same
/// moment do not come back at the same moment.
struct Backoff {
  private var bound = ClientLimits.backoffFirst

  mutating func reset() { bound = ClientLimits.backoffFirst }

  /// What the next wait is: at least so long, and a random part of the bound besides.
  mutating func next(
    atLeast least: Duration = .zero, using generator: inout any RandomNumberGenerator
  ) -> Duration {
    let part = Double.random(in: 0...1, using: &generator)
    defer { bound = min(ClientLimits.backoffMax, bound * 2) }
    return least + bound * part
  }
}
