/// Measures how fast messages are kept, in batches and one by one.

import ChatModel
import Stores

/// Rows a second at batches of 256, each on the disk before the next.
func batchBenchmark(_ directory: String) async throws -> [Figure] {
  var figures: [Figure] = []
  for (what, people, isKeyed) in [
    ("no keys", 10, false), ("keys of 10 people", 10, true), ("keys of 1,000 people", 1_000, true),
  ] {
    let store = try await fresh("batches", in: directory)
    let plain = drafts(256, people: Int64(people))
    var times = Times()
    for batch in 0..<2_000 {
      let batch = isKeyed ? drafts(256, people: Int64(people), key: batch * 256) : plain
      _ = try await times.measure { try await store.append(batch) }
    }
    await store.close()
    let rate = 256 * 2_000 / (times.total / .seconds(1))
    figures.append(
      Figure(
        what: "batches of 256, \(what)",
        found: "\(Int(rate)) rows/s, a batch p50 \(times.median.words),"
          + " p99 \(times.quantile(0.99).words)",
        bar: "150,000 without keys", isMet: isKeyed || rate >= 150_000))
  }
  return figures
}

/// One message a transaction, beside a bare row a commit, in turns.
func commitBenchmark(_ directory: String) async throws -> [Figure] {
  let store = try await fresh("single", in: directory)
  let floor = Floor(in: directory + "/single")
  let one = drafts(1, people: 1)
  // Until both logs have their full length: a file that grows costs every fsync more.
  for _ in 0..<2_500 {
    floor.commit(text)
    _ = try await store.append(one)
  }
  var ratios: [Double] = []
  var last = (Duration.zero, Duration.zero, Duration.zero)
  for _ in 0..<9 {
    var bare = Times()
    var kept = Times()
    var way = Times()
    for _ in 0..<300 {
      await bare.measure { floor.commit(text) }
      _ = try await kept.measure { try await store.append(one) }
      _ = try await way.measure {
        try await store.page(of: .lobby, .after(.max), .everything, limit: 1)
      }
    }
    // The lower quartile: whatever else runs on the machine only adds.
    ratios.append(kept.quantile(0.25) / bare.quantile(0.25))
    last = (kept.quantile(0.25), bare.quantile(0.25), way.quantile(0.25))
  }
  await store.close()
  let ratio = ratios.sorted()[ratios.count / 2]
  return [
    Figure(
      what: "one message a transaction",
      found: "\(ratio.formatted) times a bare commit (\(last.0.words) and \(last.1.words);"
        + " to a thread and back alone \(last.2.words))",
      bar: "1.2 times", isMet: ratio <= 1.2)
  ]
}

extension Double {
  /// Two places.
  var formatted: String { "\((self * 100).rounded() / 100)" }
}
