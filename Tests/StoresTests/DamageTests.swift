/// Rows that nobody of ours would write: pages go on around them, and the check tells of them.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Stores

@Suite struct DamageTests {
  /// What is put into a column of message 5 of ten, and words of the check.
  private static let table: [(String, String, String)] = [
    ("at", "'noon'", "its time is no number"), ("at", "1.5", "its time is no number"),
    ("at", "NULL", "its time is no number"), ("at", "x'00'", "its time is no number"),
    ("person", "0", "its person"), ("person", "'ann'", "its person"),
    ("person", "NULL", "its person"), ("name", "NULL", "its name is no text"),
    ("name", "7", "its name is no text"), ("name", "x'616E6E'", "its name is no text"),
    ("name", "''", "its name cannot be one"), ("name", "' ann'", "its name has blanks"),
    ("name", "'a:b'", "its name cannot be one"), ("name", "'msg'", "its name cannot be one"),
    ("name", "char(97, 10, 98)", "its name cannot be one"),
    ("name", "hex(zeroblob(50))", "its name cannot be one"),
    ("name", "CAST(x'61FF62' AS TEXT)", "its name is no text"),
    ("text", "NULL", "its text is none"), ("text", "''", "its text has 0 bytes"),
    ("text", "5", "its text is none"), ("text", "2.5", "its text is none"),
    ("text", "x'6869'", "its text is none"), ("text", "hex(zeroblob(2049))", "its text has 4098"),
    ("text", "hex(zeroblob(2000000))", "its text has 4000000"),
    ("text", "CAST(x'C0AF' AS TEXT)", "its text is none"),
    ("text", "CAST(x'EDA080' AS TEXT)", "its text is none"),
    ("text", "CAST(x'F4908080' AS TEXT)", "its text is none"),
    ("text", "CAST(x'6869E2' AS TEXT)", "its text is none"),
    ("key", "''", "its key is none"), ("key", "1", "its key is none"),
    ("key", "x'6B'", "its key is none"), ("key", "hex(zeroblob(33))", "its key is none"),
    ("key", "CAST(x'FF' AS TEXT)", "its key is none"),
    ("reply_to", "'x'", "what it answers is no number"),
    ("reply_to", "1.5", "what it answers is no number"),
    ("kind", "NULL", "its kind is none"), ("kind", "'x'", "its kind is none"),
    ("kind", "0.5", "its kind is none"), ("kind", "5", "its kind is none"),
    ("kind", "-1", "its kind is none"), ("kind", "1", "its text was taken away and is there"),
    ("kind", "2", "what it changes is no number"), ("kind", "3", "its text was taken away"),
    ("edited", "'noon'", "its new time is no number"), ("edited", "1.5", "its new time is no"),
    ("text = '', kind", "1, edited = 7", "it has a new time, and no new text"),
    ("about = 5, kind", "2", "what it changes is no number before its own"),
    ("about = 0, kind", "2", "what it changes is no number before its own"),
    ("about = 'x', kind", "2", "what it changes is no number before its own"),
    ("text = hex(zeroblob(129)), kind", "4", "its topic has 258 bytes"),
  ]

  /// A history whose message 5 has this in a column, as a program that knows no STRICT could leave.
  private func damaged(_ column: String, _ value: String) async throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...10)) }
    try place.loosen()
    try place.alter("UPDATE messages SET \(column) = \(value) WHERE id & 255 = 5")
    try place.tighten()
    return place
  }

  @Test(arguments: table.indices)
  func aRowThatCannotBeReadIsAGapAndToldByTheCheck(index: Int) async throws {
    let (column, value, words) = Self.table[index]
    let place = try await damaged(column, value)
    try await place.withStore { store in
      let walk = try await store.everything(of: lobby, limit: 500)
      #expect(walk.messages.map(\.seq) == [1, 2, 3, 4, 6, 7, 8, 9, 10])
      #expect(walk.gaps == [5...5])
      let kept = try await store.append(drafts(11...11))
      #expect(kept.map(\.seq) == [11])
    }
    let problems = try place.problems()
    #expect(
      problems.contains { $0.hasPrefix("message 5 of room 'lobby' cannot be read: \(words)") },
      "\(problems)")
    // The way out: what can be read is exported, and what cannot is told.
    let export = try HistoryExport(place.data)
    var lines = 0
    while let bytes = try export.next() { lines += bytes.count { $0 == 0x0A } }
    #expect(lines == 12)
    #expect(export.losses == ["message 5 of room 'lobby' cannot be read"])
  }

  @Test func pagesGoOnAroundDamageInEitherDirection() async throws {
    let place = try await damaged("text", "NULL")
    try await place.withStore { store in
      let table: [(Stretch, Int, [Int64], Bool, ClosedRange<Int64>?)] = [
        (.after(0), 3, [1, 2, 3], true, nil), (.after(0), 4, [1, 2, 3, 4], true, nil),
        (.after(0), 500, [1, 2, 3, 4], true, nil), (.after(3), 9, [4], true, nil),
        (.after(4), 2, [6, 7], true, 5...5), (.after(4), 9, [6, 7, 8, 9, 10], false, 5...5),
        (.after(5), 1, [6], true, nil), (.before(nil), 5, [6, 7, 8, 9, 10], true, nil),
        (.before(nil), 9, [6, 7, 8, 9, 10], true, nil), (.before(6), 2, [3, 4], true, 5...5),
        (.before(6), 9, [1, 2, 3, 4], false, 5...5), (.before(5), 9, [1, 2, 3, 4], false, nil),
      ]
      for (stretch, limit, seqs, more, gap) in table {
        let page = try await store.page(of: lobby, stretch, .everything, limit: limit)
        #expect(page.seqs == seqs, "\(stretch), \(limit)")
        #expect(page.more == more && page.gap == gap, "\(stretch), \(limit)")
      }
      // Behind retention's gap, damage below what is left is part of it.
      _ = try await store.expire(Retention(messagesPerRoomMax: 6))
      let front = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(front.seqs == [6, 7, 8, 9, 10] && front.gap == 1...5 && !front.more)
      let back = try await store.page(of: lobby, .before(6), .everything, limit: 9)
      #expect(back.messages.isEmpty && back.gap == 1...5 && !back.more)
    }
  }

  @Test func damageAtEitherEndOfWhatIsLeftIsTold() async throws {
    let place = try await damaged("text", "NULL")
    try await place.withStore { store in
      _ = try await store.expire(Retention(messagesPerRoomMax: 6))
    }
    try place.loosen()
    try place.alter("UPDATE messages SET text = 7 WHERE id & 255 = 10")
    try place.tighten()
    try await place.withStore { store in
      let last = try await store.page(of: lobby, .after(8), .everything, limit: 9)
      #expect(last.seqs == [9] && last.more && last.gap == nil)
      let end = try await store.page(of: lobby, .after(9), .everything, limit: 9)
      #expect(end.messages.isEmpty && !end.more && end.gap == 10...10)
      let newest = try await store.page(of: lobby, .before(nil), .everything, limit: 4)
      #expect(newest.seqs == [6, 7, 8, 9] && newest.more && newest.gap == 10...10)
      let rest = try await store.page(of: lobby, .before(6), .everything, limit: 4)
      #expect(rest.messages.isEmpty && !rest.more && rest.gap == 1...5)
    }
  }

  private static let insertion = "INSERT INTO messages (\(MessageRow.messageColumns)) VALUES "

  /// What is done to a history, and what the check says.
  private static let losses: [(String, [String])] = [
    (
      "DELETE FROM messages WHERE id & 255 = 5",
      ["message 5 of room 'lobby' is missing", "room 'lobby' has 9 messages, not 10"]
    ),
    (
      "DELETE FROM messages WHERE id & 255 > 8",
      ["messages 9 to 10 of room 'lobby' are missing", "room 'lobby' has 8 messages, not 10"]
    ),
    // Nobody can tell these from numbers that were never given.
    ("DELETE FROM messages WHERE id & 255 BETWEEN 3 AND 5; UPDATE rooms SET kept = 7", []),
    ("UPDATE rooms SET kept = -1", ["room 'lobby' has 10 messages, not -1"]),
    (
      "UPDATE rooms SET name = 'two words'",
      ["room number 1 has a name that cannot be one"]
    ),
    ("UPDATE rooms SET name = 'LOBBY'", ["room number 1 has a name that cannot be one"]),
    (
      "UPDATE rooms SET id = 9000000",
      [
        "room 'lobby' has wrong numbers", "messages from row 1099511627777 on belong to no room",
      ]
    ),
    (
      insertion + "(3 << 40 | 7, 1, 1, 'ann', 'hi', NULL, NULL)",
      ["messages from row \(3 << 40 | 7) on belong to no room"]
    ),
    (
      insertion + "(1 << 40, 1, 1, 'ann', 'hi', NULL, NULL);"
        + "UPDATE rooms SET kept = 11",
      ["message 0 of room 'lobby' cannot be read: its number is \(1 << 40)"]
    ),
    (
      insertion + "(-5, 1, 1, 'ann', 'hi', NULL, NULL)",
      ["messages from row -5 on belong to no room"]
    ),
    ("UPDATE rooms SET seq = 9", ["message 10 of room 'lobby' is beyond its newest, 9"]),
  ]

  @Test(arguments: losses.indices)
  func theCheckSaysWhatIsWrongAndWhere(index: Int) async throws {
    let (sql, words) = Self.losses[index]
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...10)) }
    #expect(try place.problems() == [])
    try place.alter(sql)
    let problems = try place.problems()
    #expect(problems == words, "\(sql)")
  }

  @Test func aKeyThatIsThereTwiceIsToldByTheCheck() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append([draft("a", key: "k"), draft("b", key: "l")])
    }
    // Behind the index's back.
    try place.alter(
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'keys';"
        + "PRAGMA writable_schema = RESET")
    try place.alter(
      "UPDATE messages SET key = 'k'", "CREATE INDEX keys ON messages (person, key)")
    try place.alter(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
        + "'CREATE UNIQUE INDEX keys ON messages (person, key) WHERE key IS NOT NULL' "
        + "WHERE name = 'keys'; PRAGMA writable_schema = RESET")
    let problems = try place.problems()
    #expect(problems.contains("SQLite finds: non-unique entry in index keys"), "\(problems)")
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func noiseAnywhereInTheFileIsASentenceAndNeverACrash(seed: UInt64) async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append((1...600).map { draft("text \($0)", key: "key \($0)") })
    }
    let sound = try #require(try place.contents()["history.db"])
    var random = Seeded(seed)
    for _ in 0..<amount("BECK_SOAK_NOISE", otherwise: 12) {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let start = Int.random(in: 100..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...64, using: &random))
        for at in start..<end { bytes[at] = UInt8.random(in: .min ... .max, using: &random) }
      }
      try bytes.write(to: URL(fileURLWithPath: place.data.historyPath))
      for ending in ["-wal", "-shm"] { unlink(place.data.historyPath + ending) }
      var sentences: [String] = []
      do {
        sentences += try place.problems()
        try await place.withStore { store in
          for stretch in [Stretch.before(nil), .after(0), .after(300)] {
            _ = try await store.page(of: lobby, stretch, .everything, limit: 500)
          }
          _ = try await store.rooms()
          _ = try await store.append([draft("new"), draft("text 5", key: "key 5")])
          _ = try await store.expire(Retention(messagesPerRoomMax: 100))
        }
      } catch let error as StoreError {
        sentences.append(error.sentence)
      }
      #expect(sentences.allSatisfy { !$0.isEmpty })
    }
  }
}

/// A generator whose numbers hang on its seed alone (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension TemporaryDirectory {
  /// Lets any column hold anything.
  fileprivate func loosen() throws {
    try alter(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(replace(replace(sql,"
        + "' STRICT', ''), ' NOT NULL', ''), ' INTEGER', ' ') WHERE name = 'messages'")
    try alter(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(replace(sql,"
        + "'id  PRIMARY', 'id INTEGER PRIMARY'), ' TEXT', ' ') WHERE name = 'messages'")
  }

  /// Has the tables look as they were made.
  fileprivate func tighten() throws {
    let model = try Database.inMemory()
    for step in Schema.current.steps { try model.run(step) }
    let statement = try model.prepare("SELECT sql FROM sqlite_schema WHERE name = 'messages'")
    #expect(try statement.step())
    let sql = statement.strictText(0) ?? ""
    try alter(
      "PRAGMA writable_schema = ON;"
        + "UPDATE sqlite_schema SET sql = '\(sql)' WHERE name = 'messages'")
  }
}
