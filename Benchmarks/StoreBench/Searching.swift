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
  private let people = (1...1_001).map { PersonID(rawValue: Int64($0) &* 0x1E37_79B9_7F4A_7C15) }
  private let names = (1...1_001).map { number in
    guard let name = try? UserName("person \(number)") else {
      preconditionFailure("the benchmark's own name is fine")
    }
    return name
  }

  func room(_ number: Int) -> RoomName { rooms[number] }
  func name(_ number: Int) -> UserName { names[number] }
  /// Of the first person with all others.
  var conversations: Set<RoomName> {
    Set(people.dropFirst().map { RoomName.conversation(of: people[0], and: $0) })
  }

  /// Ten words a message; some rooms and people say much, others little. Of a hundred
  /// messages `privately` are said in conversations with one of ten people.
  func drafts(
    _ count: Int, _ random: inout some RandomNumberGenerator, privately: Int = 0
  ) -> [Draft] {
    (0..<count).map { _ in
      let text = (0..<10).map { _ in words[Self.rank(&random)] }.joined(separator: " ")
      guard let text = MessageText(text) else { preconditionFailure("the text is short") }
      let room = rooms[Int(100 * pow(Double.random(in: 0..<1, using: &random)))]
      let person = Int(1_000 * pow(Double.random(in: 0..<1, using: &random)))
      guard Int.random(in: 0..<100, using: &random) < privately else {
        return Draft(room: room, person: people[person], from: names[person], text: text)
      }
      let other = Int.random(in: 0..<10, using: &random)
      let conversation = RoomName.conversation(
        of: people[other], and: people[other == person ? 1_000 : person])
      return Draft(room: conversation, person: people[person], from: names[person], text: text)
    }
  }

  /// Small numbers are met more often.
  private func pow(_ number: Double) -> Double { number * number }
}

/// A search as somebody makes it who may read all rooms but some, and no conversation.
private func query(
  _ words: String, in room: RoomName? = nil, from name: UserName? = nil,
  hidden: Set<RoomName> = [], made: Set<RoomName> = [], cursor: String? = nil
) throws -> SearchQuery {
  try SearchQuery(
    Search(words, from: name, cursor: cursor), in: room, seeing: Sight(hidden: hidden, made: made))
}

/// What is searched for, a query for each number.
private func shapes(_ babble: Babble) -> [(String, (Int) throws -> SearchQuery)] {
  let word = { (rank: Int) in Babble.word(rank) }
  let one: Set = [babble.room(3)]
  let many = Set((0..<90).map { babble.room($0) })
  let few = Set((0..<10).map { babble.room($0) })
  return [
    ("a frequent word", { try query(word($0 % 100), hidden: one) }),
    ("a rare word", { try query(word(10_000 + $0 % 10_000), hidden: one) }),
    ("a word of no message", { try query("nothing\($0)", hidden: one) }),
    (
      "two frequent words",
      { try query("\(word($0 % 50)) \(word(50 + $0 % 49))", hidden: one) }
    ),
    ("two words, one rare", { try query("\(word($0 % 50)) \(word(5_000 + $0))", hidden: one) }),
    ("two middling words", { try query("\(word(200 + $0)) \(word(700 + $0))", hidden: one) }),
    ("a phrase", { try query("\"\(word($0 % 100)) \(word($0 % 70))\"", hidden: one) }),
    ("the beginning of a word", { try query("\(word($0 % 400))*", hidden: one) }),
    ("a frequent word in a room", { try query(word($0 % 100), in: babble.room(4 + $0 % 96)) }),
    ("a frequent word under a name", { try query(word($0 % 100), from: babble.name($0)) }),
    (
      "a rare room and a rare name",
      {
        try query(word(0), in: babble.room(90 + $0 % 10), from: babble.name(990 - $0 % 100))
      }
    ),
    ("ten rooms of a hundred hidden", { try query(word($0 % 1_000), hidden: few) }),
    ("ninety rooms of a hundred hidden", { try query(word($0 % 1_000), hidden: many) }),
    (
      "1,000 conversations seen, a frequent word",
      { try query(word($0 % 100), hidden: one, made: babble.conversations) }
    ),
    (
      "1,000 conversations seen, a rare word",
      { try query(word(10_000 + $0 % 10_000), hidden: one, made: babble.conversations) }
    ),
    (
      "1,000 conversations alone, two middling words",
      {
        try query(
          "\(word(100 + $0)) \(word(300 + $0))", hidden: Set((0..<100).map { babble.room($0) }),
          made: babble.conversations)
      }
    ),
  ]
}

/// Searches of a history of 1,000,000, and how long its index takes.
func searchBenchmark(_ directory: String) async throws -> [Figure] {
  let store = try await fresh("search", in: directory)
  var random = SystemRandomNumberGenerator()
  let babble = Babble()
  for _ in 0..<500 { _ = try await store.append(babble.drafts(2_000, &random, privately: 30)) }
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
    ("10,000 in Chinese", { ($0.room, $0.content) = (.lobby, .text(han)) }),
    ("10,000 that fold to the longest", { ($0.room, $0.content) = (.lobby, .text(long)) }),
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
        let query = try query("nothing", cursor: cursor)
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
    if let mark = MessageText("mark\(batch)") { drafts[999].content = .text(mark) }
    _ = try await store.append(drafts)
    next = next.advanced(by: .milliseconds(100))
    if batch.isMultiple(of: 10) {
      let start = clock.now
      let query = try query("mark\(batch)")
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
