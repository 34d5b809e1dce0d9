/// What searches find, in which order, and what they never show.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct SearchTests {
  static let texts = [
    "The quick brown fox", "Straße nach Köln", "İyi günler", "Привет, мир", "καλημέρα κόσμε",
    "مرحبا بالعالم", "नमस्ते दुनिया", "สวัสดีชาวโลก", "我爱北京天安门", "東京タワーに行く", "안녕하세요 세계",
    "well done 👍🏽", "brown the fox, quick", "don't stop", "DROP TABLE entries; --", "C'est l'été",
  ]

  static let table: [(String, [Int])] = [
    ("fox", [12, 0]), ("FOX quick", [12, 0]), ("\"quick brown\"", [0]), ("\"brown quick\"", []),
    ("fo", []), ("fo*", [12, 0]), ("strasse", [1]), ("STRAßE", [1]), ("koln", [1]), ("iyi", [2]),
    ("IYI gun*", [2]), ("мир", [3]), ("ПРИВЕТ", [3]), ("καλημερα", [4]), ("ΚΌΣΜΕ", [4]),
    ("مَرحبا", [5]), ("दुनिया", [6]), ("ชาว", [7]), ("โลก", [7]), ("ลก", [7]), ("北京", [8]),
    ("天安门", [8]), ("安", [8]), ("门", [8]), ("北天", []), ("タワー", [9]), ("ﾀﾜｰ", [9]), ("行く", [9]),
    ("하세", [10]), ("세계", [10]), ("👍", [11]), ("👎", []), ("don't", [13]), ("\"don t\"", [13]),
    ("drop", [14]), ("'; DROP TABLE entries; --", [14]), ("fox OR мир", []), ("fox NOT quick", []),
    ("words:fox", []), ("NEAR(fox quick)", []), ("^the", [12, 0]), ("{words}: fox", []),
    ("fox\" OR \"мир", []), ("-fox", [12, 0]), ("(fox", [12, 0]), ("\u{E000}1", []), ("été", [15]),
    ("the \"brown fox\" qu*", [0]), ("\u{0}fox", [12, 0]), ("fox + quick", [12, 0]),
  ]

  @Test func wordsOfAnyScriptAreFoundAndSyntaxIsText() async throws {
    try await TemporaryDirectory().withIndex { store, index in
      _ = try await store.append(Self.texts.map { draft($0) })
      for (query, wanted) in Self.table {
        let found = try await index.texts(query)
        #expect(found == wanted.map { Self.texts[$0] }, "\(query)")
      }
    }
  }

  @Test func aRoomANameAndTimesNarrowASearch() async throws {
    let clock = HandClock(1_000)
    try await TemporaryDirectory().withIndex(clock: clock) { store, index in
      for number in 0..<8 {
        clock.set(1_000 + Int64(number) * 10)
        let room = number.isMultiple(of: 2) ? lobby : tea
        let name = number < 4 ? "ann" : "bob"
        _ = try await store.append([draft("word \(number)", in: room, as: name)])
      }
      #expect(try await index.texts("word", room: tea) == [7, 5, 3, 1].map { "word \($0)" })
      #expect(try await index.texts("word", from: "bob") == [7, 6, 5, 4].map { "word \($0)" })
      #expect(try await index.texts("word", room: lobby, from: "ann") == ["word 2", "word 0"])
      #expect(try await index.texts("word", since: 1_050) == ["word 7", "word 6", "word 5"])
      #expect(try await index.texts("word", until: 1_020) == ["word 1", "word 0"])
      #expect(
        try await index.texts("word", room: lobby, since: 1_001, until: 1_041)
          == ["word 4", "word 2"])
      #expect(try await index.texts("word", since: 1_071) == [])
      #expect(try await index.texts("word", until: 1_000) == [])
      #expect(try await index.texts("word", since: 1_050, until: 1_020) == [])
      #expect(try await index.texts("word", room: room("nowhere")) == [])
      #expect(try await index.texts("word", from: "nobody") == [])
    }
  }

  @Test func timesHoldAlsoWhereTheClockWasSetBack() async throws {
    let clock = HandClock(0)
    try await TemporaryDirectory().withIndex(clock: clock) { store, index in
      // Several spans of entries, with times that go to and fro.
      for number in 0..<40 {
        clock.set(Int64(number * 7 % 40) * 1_000)
        _ = try await store.append((0..<100).map { _ in draft("at \(clock.now().milliseconds)") })
        try await index.catchUp()
      }
      for (since, until) in [(0, 1), (5_000, 9_000), (38_000, 99_000), (17_000, 17_001)] {
        let found = try await index.texts("at", since: Int64(since), until: Int64(until))
        let moments = (0..<40).map { $0 * 1_000 }.filter { (since..<until).contains($0) }
        #expect(found.count == moments.count * 100)
        #expect(Set(found) == Set(moments.map { "at \($0)" }))
      }
    }
  }

  @Test func aWalkByCursorIsStableWhileMessagesComeIn() async throws {
    try await TemporaryDirectory().withIndex { store, index in
      _ = try await store.append(drafts(1...95).map { draft("word " + $0.words) })
      try await index.catchUp()
      var found: [String] = []
      var cursor: String?
      var pages = 0
      repeat {
        let page = try await index.find(
          SearchQuery("word", seeing: everywhere, cursor: cursor, limit: 10))
        found += page.messages.map(\.draft.words)
        cursor = page.cursor
        pages += 1
        _ = try await store.append([draft("word later", in: pages.isMultiple(of: 2) ? tea : lobby)])
        try await index.catchUp()
      } while cursor != nil
      #expect(found == (1...95).reversed().map { "word \($0)" })
      #expect(pages == 10)
    }
  }

  @Test func theNewestComesFirstOverAllRooms() async throws {
    let place = try TemporaryDirectory()
    let clock = HandClock()
    let rooms = (0..<5).map { room("room-\($0)") }
    try await place.withStore(clock: clock) { store in
      for number in 0..<500 {
        clock.advance(hours: 1)
        _ = try await store.append([draft("word \(number)", in: rooms[number * number % 5])])
      }
    }
    // All of it at once, as after a loss of the index.
    let found = try await place.withIndex(clock: clock) { store, index in
      for number in 500..<600 {
        clock.advance(hours: 1)
        _ = try await store.append([draft("word \(number)", in: rooms[number % 5])])
      }
      return try await index.texts("word", limit: 33)
    }
    #expect(found == (0..<600).reversed().map { "word \($0)" })
  }

  @Test func aSearchWithoutPatienceGoesOnByItsCursor() async throws {
    try await TemporaryDirectory().withIndex(patience: .zero) { store, index in
      let rooms = (0..<20).map { room("room-\($0)") }
      // More than are told apart within the index.
      let others = (0..<20).map { room("other-\($0)") }
      _ = try await store.append((0..<1_000).map { draft("word \($0)", in: rooms[$0 % 20]) })
      try await index.catchUp()
      let sight = Sight(hidden: Set(rooms.prefix(3) + others), made: [])
      let query = try SearchQuery("word", seeing: sight, limit: 100)
      let page = try await index.find(query)
      #expect(page.messages.count < 100 && page.cursor != nil)
      let all = try await index.texts("word", seeing: sight)
      #expect(all.count == 850 && Set(all).count == 850)
    }
  }

  @Test func withoutAskingItIsFoundInAWhile() async throws {
    try await TemporaryDirectory().withIndex { store, index in
      _ = try await store.append([draft("hello")])
      let query = try SearchQuery("hello", seeing: everywhere)
      let start = ContinuousClock.now
      while try await index.find(query).messages.isEmpty {
        try #require(start.duration(to: .now) < .seconds(30))
        await Task.yield()
      }
      #expect(index.problem == nil)
    }
  }
}
