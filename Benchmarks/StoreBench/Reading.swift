/// Measures pages of a great room, and how long retention holds up those who speak.

import ChatModel
import Stores

/// Pages of 50 from anywhere in a room of 1,000,000.
func pageBenchmark(_ directory: String) async throws -> [Figure] {
  let store = try await fresh("pages", in: directory)
  let count = 1_000_000
  for start in stride(from: 0, to: count, by: 10_000) {
    _ = try await store.append(drafts(10_000, people: 1_000, key: start))
  }
  var figures: [Figure] = []
  for isBusy in [false, true] {
    let writing = Task {
      while isBusy, !Task.isCancelled { _ = try await store.append(drafts(64, people: 10)) }
    }
    var times = Times()
    for _ in 0..<3_000 {
      let cursor = Int64.random(in: 1...Int64(count))
      let page = try await times.measure {
        try await store.page(of: .lobby, .before(cursor), .everything, limit: 50)
      }
      precondition(page.messages.count == min(50, Int(cursor) - 1), "a page is short")
    }
    writing.cancel()
    _ = await writing.result
    figures.append(
      Figure(
        what: "a page of 50 of 1,000,000\(isBusy ? ", while others write" : "")",
        found: "p50 \(times.median.words), p99 \(times.quantile(0.99).words)",
        bar: "p99 3 ms", isMet: times.quantile(0.99) < .milliseconds(3)))
  }
  await store.close()
  return figures
}

/// How long one message takes while half a million are removed.
func expiryBenchmark(_ directory: String) async throws -> [Figure] {
  let store = try SQLiteStore(in: DataDirectory(directory + "/pages"))
  let one = drafts(1, people: 1)
  var quiet = Times()
  for _ in 0..<1_000 { _ = try await quiet.measure { try await store.append(one) } }
  let start = ContinuousClock.now
  let expiry = Task { try await store.expire(Retention(messagesPerRoomMax: 500_000)) }
  let isOver = Task {
    let removed = try await expiry.value
    return (removed, start.duration(to: .now))
  }
  let writing = Task {
    var times = Times()
    while !Task.isCancelled { _ = try await times.measure { try await store.append(one) } }
    return times
  }
  let (removed, time) = try await isOver.value
  writing.cancel()
  let busy = try await writing.value
  await store.close()
  let worst = busy.quantile(0.99)
  return [
    Figure(
      what: "one message while \(removed) are removed in \(time.words)",
      found: "p50 \(busy.median.words), p99 \(worst.words), longest \(busy.quantile(1).words);"
        + " at rest p50 \(quiet.median.words), p99 \(quiet.quantile(0.99).words)",
      bar: "p99 50 ms", isMet: worst < .milliseconds(50))
  ]
}
