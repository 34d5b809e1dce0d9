/// Measures searches of 1,000,000 messages, how far the index is behind, and what it costs those
/// who write.

import ChatModel
import Stores

/// Words as often as those of a language: the n-th is said about one n-th as often as the first.
struct Babble {
  static let count = 20_000
  private static let sums: [Double] = {
    var sum = 0.0
    return (1...count).map { rank in
      sum += 1 / Double(rank)
      return sum
    }
  }()

  static func word(_ rank: Int) -> String {
    let letters = Array("etaoinshrdlucmfw")
    var number = rank + 16
    var word = ""
    while number > 0 {
      word.append(letters[number % 16])
      number /= 16
    }
    return word
  }

  static func rank(_ random: inout some RandomNumberGenerator) -> Int {
    let wanted = Double.random(in: 0..<sums[count - 1], using: &random)
    var low = 0
    var high = count - 1
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private let words = (0..<count).map { Self.word($0) }
  private let rooms = (0..<100).map { RoomName("room-\($0)") ?? .lobby }
  private let people = (1...1_000).map { PersonID(rawValue: Int64($0) &* 0x1E37_79B9_7F4A_7C15) }

  func room(_ number: Int) -> RoomName { rooms[number] }
  func person(_ number: Int) -> PersonID { people[number] }

  /// Ten words a message; some rooms and people say much, others little.
  func drafts(_ count: Int, _ random: inout some RandomNumberGenerator) -> [Draft] {
    guard let from = try? UserName("somebody") else {
      preconditionFailure("the benchmark's own name is fine")
    }
    return (0..<count).map { _ in
      let text = (0..<10).map { _ in words[Self.rank(&random)] }.joined(separator: " ")
      guard let text = MessageText(text) else { preconditionFailure("the text is short") }
      let room = Int(100 * pow(Double.random(in: 0..<1, using: &random)))
      let person = Int(1_000 * pow(Double.random(in: 0..<1, using: &random)))
      return Draft(room: rooms[room], person: people[person], from: from, text: text)
    }
  }

  /// Small numbers are met more often.
  private func pow(_ number: Double) -> Double { number * number }
}

/// What is searched for, a query for each number.
private func shapes(_ babble: Babble) -> [(String, (Int) throws -> SearchQuery)] {
  let all = SearchScope.all(except: [babble.room(3)])
  return [
    ("a frequent word", { try SearchQuery(Babble.word($0 % 100), seeing: all) }),
    ("a rare word", { try SearchQuery(Babble.word(10_000 + $0 % 10_000), seeing: all) }),
    ("a word of no message", { try SearchQuery("nothing\($0)", seeing: all) }),
    (
      "two frequent words",
      { try SearchQuery("\(Babble.word($0 % 50)) \(Babble.word(50 + $0 % 49))", seeing: all) }
    ),
    (
      "two words, one rare",
      { try SearchQuery("\(Babble.word($0 % 50)) \(Babble.word(5_000 + $0))", seeing: all) }
    ),
    (
      "two middling words",
      { try SearchQuery("\(Babble.word(200 + $0)) \(Babble.word(700 + $0))", seeing: all) }
    ),
    (
      "a phrase",
      { try SearchQuery("\"\(Babble.word($0 % 100)) \(Babble.word($0 % 70))\"", seeing: all) }
    ),
    ("the beginning of a word", { try SearchQuery("\(Babble.word($0 % 400))*", seeing: all) }),
    (
      "a frequent word in a room",
      { try SearchQuery(Babble.word($0 % 100), seeing: all, room: babble.room(4 + $0 % 96)) }
    ),
    (
      "a frequent word of a person",
      { try SearchQuery(Babble.word($0 % 100), seeing: all, person: babble.person($0)) }
    ),
    (
      "a rare room and a rare person",
      {
        try SearchQuery(
          Babble.word(0), seeing: all, room: babble.room(90 + $0 % 10),
          person: babble.person(990 - $0 % 100))
      }
    ),
    (
      "one room of a hundred seen",
      { try SearchQuery(Babble.word($0 % 100), seeing: .only([babble.room($0 % 100)])) }
    ),
    (
      "ninety rooms of a hundred hidden",
      {
        let hidden = SearchScope.open(except: Set((0..<90).map { babble.room($0) }), made: [])
        return try SearchQuery(Babble.word($0 % 1_000), seeing: hidden)
      }
    ),
    (
      "ninety small rooms seen",
      {
        let seen = SearchScope.only(Set((10..<100).map { babble.room($0) }))
        return try SearchQuery(Babble.word($0 % 1_000), seeing: seen)
      }
    ),
  ]
}

/// Searches of a history of 1,000,000, and how long its index takes.
func searchBenchmark(_ directory: String) async throws -> [Figure] {
  let store = try await fresh("search", in: directory)
  var random = SystemRandomNumberGenerator()
  let babble = Babble()
  for _ in 0..<500 { _ = try await store.append(babble.drafts(2_000, &random)) }
  let start = ContinuousClock.now
  let index = try SearchIndex(behind: store)
  try await index.catchUp()
  let rate = 1_000_000 / (start.duration(to: .now) / .seconds(1))
  var figures = [
    Figure(
      what: "1,000,000 messages are indexed in \(start.duration(to: .now).words)",
      found: "\(Int(rate)) messages/s", bar: "20,000", isMet: rate >= 20_000)
  ]
  for (what, query) in shapes(babble) {
    var times = Times()
    var found = 0
    for number in 0..<300 {
      let query = try query(number)
      found += try await times.measure { try await index.find(query) }.messages.count
    }
    let p99 = times.quantile(0.99)
    figures.append(
      Figure(
        what: "search for \(what), \(found / 300) found",
        found: "p50 \(times.median.words), p99 \(p99.words)", bar: "p99 20 ms",
        isMet: p99 < .milliseconds(20)))
  }
  await index.close()
  await store.close()
  return figures
}

/// A page of a search of messages in memory, for words that are in none.
func memoryBenchmark(_ directory: String) async throws -> [Figure] {
  var random = SystemRandomNumberGenerator()
  let babble = Babble()
  // The second is one character that folds to eighteen.
  guard let han = MessageText(String(repeating: "我爱北京天安门。", count: 8)),
    let long = MessageText(String(repeating: "\u{FDFA}", count: 1_365))
  else { return [] }
  let shapes: [(String, (inout Draft) -> Void)] = [
    ("10,000 of one room", { $0.room = .lobby }), ("100,000 of 100 rooms", { _ in }),
    ("10,000 in Chinese", { ($0.room, $0.text) = (.lobby, han) }),
    ("10,000 that fold to the longest", { ($0.room, $0.text) = (.lobby, long) }),
  ]
  var figures: [Figure] = []
  for (index, (what, change)) in shapes.enumerated() {
    var history = MemoryHistory()
    for _ in 0..<(index == 1 ? 100 : 10) {
      var drafts = babble.drafts(1_000, &random)
      for index in drafts.indices { change(&drafts[index]) }
      _ = history.append(drafts, at: Moment(milliseconds: 1))
    }
    var times = Times()
    for _ in 0..<5 {
      var cursor: String?
      repeat {
        let query = try SearchQuery("nothing", seeing: .all(except: []), cursor: cursor)
        cursor = try await times.measure { try history.find(query).cursor }
      } while cursor != nil
    }
    figures.append(
      Figure(
        what: "a page of a search in memory, \(what), the longest \(times.quantile(1).words), p50",
        found: times.median.words, bar: "50 ms", isMet: times.median < .milliseconds(50)))
  }
  return figures
}

/// How far the index is behind at 10,000 messages a second, and what it costs a writer in haste.
func lagBenchmark(_ directory: String) async throws -> [Figure] {
  let store = try await fresh("lag", in: directory)
  let index = try SearchIndex(behind: store)
  var random = SystemRandomNumberGenerator()
  let babble = Babble()
  let clock = ContinuousClock()
  var next = clock.now
  var worst = Duration.zero
  for batch in 0..<100 {
    var drafts = babble.drafts(1_000, &random)
    if let mark = MessageText("mark\(batch)") { drafts[999].text = mark }
    _ = try await store.append(drafts)
    next = next.advanced(by: .milliseconds(100))
    if batch.isMultiple(of: 10) {
      let start = clock.now
      let query = try SearchQuery("mark\(batch)", seeing: .all(except: []))
      // One that falls further and further behind would not come to an end.
      while start.duration(to: clock.now) < .seconds(20),
        try await index.find(query).messages.isEmpty
      {
        if clock.now > next {
          _ = try await store.append(babble.drafts(1_000, &random))
          next = next.advanced(by: .milliseconds(100))
        }
        try await Task.sleep(for: .milliseconds(10))
      }
      worst = max(worst, start.duration(to: clock.now))
      if worst >= .seconds(20) { break }
    }
    try await Task.sleep(until: next, clock: clock)
  }
  await index.close()
  await store.close()
  return [
    Figure(
      what: "the index behind 10,000 messages/s", found: worst.words, bar: "5 s",
      isMet: worst < .seconds(5))
  ]
}

/// Batches of 256 with an index behind the store and without one, in turns: 10,000 messages a
/// second, which is the load that is meant, and as many as the disk takes.
func costBenchmark(_ directory: String) async throws -> [Figure] {
  var random = SystemRandomNumberGenerator()
  let babble = Babble()
  let batches = (0..<100).map { _ in babble.drafts(256, &random) }
  let run = { (isIndexed: Bool, count: Int, gap: Duration?) in
    let store = try await fresh("cost", in: directory)
    // In haste there is more than it can come to the end of: the index is at work all the time.
    if gap == nil { for batch in 0..<60 { _ = try await store.append(batches[batch % 100]) } }
    let index = isIndexed ? try SearchIndex(behind: store) : nil
    var times = Times()
    var next = ContinuousClock.now
    for batch in 0..<count {
      _ = try await times.measure { try await store.append(batches[batch % 100]) }
      guard let gap else { continue }
      next = next.advanced(by: gap)
      try await Task.sleep(until: next, clock: .continuous)
    }
    await index?.close()
    await store.close()
    return times
  }
  var figures: [Figure] = []
  let loads: [(String, Int, Int, Duration?)] = [
    ("10,000 messages/s", 7, 120, .microseconds(25_600)), ("all that the disk takes", 5, 200, nil),
  ]
  for (what, rounds, count, gap) in loads {
    var pairs: [(with: Times, without: Times)] = []
    for round in 0..<rounds {
      // Who is first takes turns as well.
      let first = try await run(round.isMultiple(of: 2), count, gap)
      let second = try await run(!round.isMultiple(of: 2), count, gap)
      pairs.append(round.isMultiple(of: 2) ? (first, second) : (second, first))
    }
    let ratios = pairs.map { $0.with.total / $0.without.total }
    let ratio = ratios.sorted()[rounds / 2]
    let median = { (times: [Duration]) in times.sorted()[rounds / 2].words }
    figures.append(
      Figure(
        what: "batches of 256, \(what), with an index behind them",
        found: "\(ratio.formatted) times as long (\(ratios.map(\.formatted))); a batch p50"
          + " \(median(pairs.map(\.with.median))) for \(median(pairs.map(\.without.median))), p99"
          + " \(median(pairs.map { $0.with.quantile(0.99) })) for"
          + " \(median(pairs.map { $0.without.quantile(0.99) }))",
        bar: "1.1 times", isMet: ratio <= 1.1))
  }
  return figures
}
