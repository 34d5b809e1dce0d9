/// Stores and drafts to measure with, and times in order. Measures nothing.

import ChatModel
import Glibc
import Stores

/// 64 bytes.
let text: StaticString = "sixty-four bytes are a usual text, as the messages of a chat go."

/// One result and what it should be.
struct Figure {
  let what: String
  let found: String
  let bar: String
  let isMet: Bool

  var line: String { "\(isMet ? "met   " : "MISSED") \(what): \(found) (bar: \(bar))" }
}

/// The times that something took.
struct Times {
  private var times: [Duration] = []

  init() {}

  mutating func measure<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let start = ContinuousClock.now
    let result = try await body()
    times.append(start.duration(to: .now))
    return result
  }

  mutating func add(_ time: Duration) { times.append(time) }

  /// The time that this part of all took at most.
  func quantile(_ part: Double) -> Duration {
    let sorted = times.sorted()
    return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
  }

  var median: Duration { quantile(0.5) }
  var total: Duration { times.reduce(.zero, +) }
}

extension Duration {
  /// `1.234 ms`
  var words: String {
    let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    let thousandths = "\(1_000 + microseconds % 1_000)".dropFirst()
    return "\(microseconds / 1_000).\(thousandths) ms"
  }
}

/// A store of its own in a place below `directory`.
func fresh(_ name: String, in directory: String) async throws -> SQLiteStore {
  let place = DataDirectory(directory + "/" + name)
  for path in [place.historyPath, place.searchPath] {
    for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
  }
  return try SQLiteStore(in: place)
}

/// `count` drafts by people who take turns; with keys from `key` on where one is given.
func drafts(_ count: Int, people: Int64, key: Int? = nil) -> [Draft] {
  guard let text = MessageText("\(text)"), let from = try? UserName("somebody") else {
    preconditionFailure("the benchmark's own values are fine")
  }
  return (0..<count).map { index in
    // Spread as people's random numbers are.
    let person = (Int64(index) % people + 1) &* 0x1E37_79B9_7F4A_7C15
    return Draft(
      room: .lobby, person: PersonID(rawValue: person), from: from, text: text,
      key: key.flatMap { MessageKey("key-\($0 + index)") })
  }
}
