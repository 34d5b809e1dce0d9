/// What becomes of the index when its process is killed, its file is damaged, or messages go.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Stores

@Suite struct SearchFileTests {
  private static let rounds = amount("BECK_SOAK_KILLS", otherwise: 4)

  @Test func afterKill9EveryMessageIsFoundOnce() async throws {
    let place = try TemporaryDirectory()
    var random = SystemRandomNumberGenerator()
    for round in 0..<Self.rounds {
      let driver = try Driver(place.data)
      try #require(driver.greeting == "open")
      #expect(try driver.ask("search") == "searching")
      try driver.process.type("flood \(round * 1_000_000) \([1, 64, 256][round % 3])\n")
      for _ in 0..<Int.random(in: 1...15, using: &random) {
        _ = try #require(try driver.process.output.line())
      }
      // Somewhere within the work on what is behind.
      _ = poll(nil, 0, Int32.random(in: 0...8, using: &random))
      driver.process.send(SIGKILL)
      #expect(try driver.process.ending().status == -SIGKILL)
      try await place.withIndex { store, index in
        let all = try await store.everything(of: lobby, limit: 500).messages
        let found = try await index.texts("text")
        #expect(found == all.reversed().map(\.draft.words))
      }
    }
  }

  @Test func afterKill9AMessageIsFoundByItsNewestWordsAlone() async throws {
    let place = try TemporaryDirectory()
    var random = SystemRandomNumberGenerator()
    for round in 0..<Self.rounds {
      let driver = try Driver(place.data)
      try #require(driver.greeting == "open")
      #expect(try driver.ask("search") == "searching")
      try driver.process.type("change \(round * 1_000_000) \([1, 4, 16][round % 3])\n")
      for _ in 0..<Int.random(in: 1...15, using: &random) {
        _ = try #require(try driver.process.output.line())
      }
      _ = poll(nil, 0, Int32.random(in: 0...8, using: &random))
      driver.process.send(SIGKILL)
      #expect(try driver.process.ending().status == -SIGKILL)
      try await place.withIndex { store, index in
        let messages = try await store.everything(of: lobby, limit: 500).messages
          .filter { $0.draft.content.isMessage }.map(\.draft.words)
        #expect(try await index.texts("edit") == [messages[0]])
        let number = try #require(messages[0].split(separator: " ").last)
        #expect(try await index.texts(String(number)) == [messages[0]])
        #expect(try await index.texts("message").count == messages.count - 1)
      }
    }
  }

  /// What may have become of the file, and what is to come of it.
  enum Loss: String, CaseIterable, Sendable {
    case absent, empty, noise, foreign, newer, older, cut, tableMissing, shardMissing
    case otherHistory, ahead
  }

  @Test(arguments: Loss.allCases)
  func whatIsNoIndexOfThisHistoryIsMadeAnew(loss: Loss) async throws {
    let place = try TemporaryDirectory()
    try await place.withIndex { store, index in
      _ = try await store.append((0..<300).map { draft("word \($0)") })
      #expect(try await index.texts("word").count == 300)
    }
    try lose(place, loss)
    try await place.withIndex { store, index in
      #expect(try await index.texts("word").count == 300)
      _ = try await store.append([draft("word more")])
      #expect(try await index.texts("more") == ["word more"])
      #expect(index.problem == nil)
    }
    #expect(try place.problems() == [])
  }

  private func lose(_ place: TemporaryDirectory, _ loss: Loss) throws {
    let path = place.data.searchPath
    let url = URL(fileURLWithPath: path)
    let alter = { (sql: String) in try Database(path, .writing).run(sql) }
    switch loss {
    case .absent: unlink(path)
    case .empty: try Data().write(to: url)
    case .noise: try Data((0..<50_000).map { _ in UInt8.random(in: 0...255) }).write(to: url)
    case .foreign:
      unlink(path)
      try FileManager.default.copyItem(atPath: place.data.historyPath, toPath: path)
    case .newer: try alter("PRAGMA user_version = \(SearchFile.version + 1)")
    case .older: try alter("PRAGMA user_version = \(SearchFile.version - 1)")
    case .cut: truncate(path, 8_192)
    case .tableMissing: try alter("DROP TABLE spans")
    case .shardMissing: try alter("DROP TABLE words0")
    case .otherHistory: try alter("UPDATE rooms SET at = at - 1")
    case .ahead: try alter("UPDATE rooms SET seq = seq + 1")
    }
  }

  @Test func damageThatIsMetLaterHasTheIndexMadeAnew() async throws {
    let place = try TemporaryDirectory()
    try await place.withIndex { store, index in
      _ = try await store.append((0..<3_000).map { draft("word \($0)") })
      #expect(try await index.texts("word").count == 3_000)
    }
    // The tables are there, but what is in them is noise.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: place.data.searchPath))
    let size = try file.seekToEnd()
    for page in 12..<(size / 4_096) {
      try file.seek(toOffset: page * 4_096)
      try file.write(contentsOf: Data(repeating: 0x5A, count: 4_096))
    }
    try file.close()
    try await place.withIndex { store, index in
      _ = try await store.append([draft("word more")])
      let start = ContinuousClock.now
      var found: [String]?
      while found == nil || found?.count != 3_001 {
        try #require(start.duration(to: .now) < .seconds(60))
        // It is refused in a sentence while it is made anew.
        do {
          found = try await index.texts("word")
        } catch let error as StoreError {
          #expect(error.sentence.hasPrefix("the index of searches "), "\(error)")
        }
      }
    }
    #expect(try place.problems() == [])
  }

  @Test func aCursorOfAnIndexThatIsGoneIsRefused() async throws {
    let place = try TemporaryDirectory()
    let cursor = try await place.withIndex { store, index in
      _ = try await store.append((0..<9).map { draft("word \($0)") })
      try await index.catchUp()
      return try await index.find(SearchQuery("word", seeing: everywhere, limit: 5)).cursor
    }
    try #require(cursor != nil)
    unlink(place.data.searchPath)
    try await place.withIndex { _, index in
      let query = try SearchQuery("word", seeing: everywhere, cursor: cursor)
      await #expect {
        try await index.find(query)
      } throws: { "\($0)".contains("made anew meanwhile") }
    }
  }

  @Test func whatRetentionRemovesIsNeitherFoundNorInTheFile() async throws {
    let place = try TemporaryDirectory()
    try await place.withIndex { store, index in
      _ = try await store.append(
        [draft("an unspeakable secret")] + (0..<2_000).map { draft("word \($0)") }
          + [draft("a word elsewhere", in: tea)])
      #expect(try await index.texts("unspeakable").count == 1)
      #expect(try place.searchBytes().range(of: Data("speakable".utf8)) != nil)
      _ = try await store.expire(Retention(messagesPerRoomMax: 500))
      #expect(try await index.texts("unspeakable") == [])
      #expect(try await index.texts("word").count == 501)
    }
    let bytes = try place.searchBytes()
    #expect(bytes.range(of: Data("speakable".utf8)) == nil)
    #expect(bytes.range(of: Data("elsewhere".utf8)) != nil)
  }

  @Test func whatIsGoneIsPassedOverBeforeTheIndexKnows() async throws {
    let place = try TemporaryDirectory()
    try await place.withIndex { store, index in
      _ = try await store.append((0..<100).map { draft("word \($0)") })
      try await index.catchUp()
      // By another way than the store's, which would tell the index.
      try Database(place.data.historyPath, .writing).run(
        """
        DELETE FROM messages WHERE id = (1 << 40) + 50;
        UPDATE messages SET text = 'changed' WHERE id = (1 << 40) + 60;
        UPDATE messages SET text = 'still a word' WHERE id = (1 << 40) + 70
        """)
      let texts = try await index.texts("word", limit: 9)
      #expect(texts.count == 98 && texts.contains("still a word") && !texts.contains("changed"))
    }
  }

  @Test func oneMessageCanBeIndexedAgain() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append((1...5).map { draft("word \($0)") })
      let writer = try SearchWriter(place.data)
      while try writer.step(at: .now) == .more {}
      try Database(place.data.historyPath, .writing).run(
        """
        UPDATE messages SET text = 'other words' WHERE id = (1 << 40) + 2;
        DELETE FROM messages WHERE id = (1 << 40) + 3
        """)
      for seq: Int64 in 1...7 { try writer.reindex(RowNumber(room: 1, seq: seq), at: .now) }
      let reader = SearchReader(place.data)
      let find = { (query: String) in
        try reader.find(SearchQuery(query, seeing: everywhere)).messages.map(\.seq)
      }
      #expect(try find("word") == [5, 4, 1])
      #expect(try find("other") == [2])
    }
  }

  @Test func aBatchTakesInWhatBecameOfFormerMessages() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append((1...3).map { draft("word \($0)") })
      let writer = try SearchWriter(place.data)
      while try writer.step(at: .now) == .more {}
      try Database(place.data.historyPath, .writing).run(
        "UPDATE messages SET text = 'other words' WHERE id = (1 << 40) + 1")
      let changed = RowNumber(room: 1, seq: 1)
      var batch = HistoryTail.Batch()
      batch.changed = [
        (changed, try writer.history.entry(changed)), (RowNumber(room: 1, seq: 2), nil),
        (RowNumber(room: 1, seq: 9), nil),
      ]
      try writer.tables().index(batch, at: .now)
      // Once more, as after a crash.
      try writer.tables().index(batch, at: .now)
      let reader = SearchReader(place.data)
      let find = { (query: String) in
        try reader.find(SearchQuery(query, seeing: everywhere)).messages.map(\.seq)
      }
      #expect(try find("word") == [3])
      #expect(try find("other") == [1])
    }
  }

  @Test func aShardThatIsEmptyIsDropped() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append((1...50).map { draft("early \($0)") })
      let writer = try SearchWriter(place.data, sweepDelay: .zero)
      while try writer.step(at: .now) == .more {}
      // As if many had come and gone.
      try writer.tables().database.run("UPDATE build SET next = \(1 << SearchFile.shardBits)")
      _ = try await store.append((1...50).map { draft("late \($0)") })
      _ = try await store.expire(Retention(messagesPerRoomMax: 50))
      writer.lookedThrough = 0
      while try writer.step(at: .now) == .more {}
      let database = try writer.tables().database
      #expect(try database.number("SELECT min(id) FROM shards") == 1)
      let left = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'words0%'"
      #expect(try database.number(left) == 0)
      let page = try SearchReader(place.data).find(SearchQuery("late", seeing: everywhere))
      #expect(page.messages.count == 20 && page.cursor != nil)
    }
  }

  @Test func aWholeIndexIsMadeAnewWhereNoServerHasIt() async throws {
    let place = try TemporaryDirectory()
    #expect(throws: StoreError.self) { try SearchRebuild.run(place.data) }
    try await place.withIndex { store, index in
      _ = try await store.append((0..<12_000).map { draft("word \($0)") })
      #expect {
        try SearchRebuild.run(place.data)
      } throws: { "\($0)".contains("is in use by another beck") }
    }
    var told: [Int] = []
    let count = try SearchRebuild.run(
      place.data,
      progress: { done, all in
        told.append(done)
        #expect(all == 12_000)
      })
    #expect(count == 12_000 && told.last == 12_000 && told.count > 1 && told == told.sorted())
    let texts = try await place.withIndex { _, index in try await index.texts("word") }
    #expect(texts.count == 12_000)
  }
}
