/// What is found of messages that were changed, and what is left of the words that they had.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct SearchChangeTests {
  @Test(arguments: Keeper.allCases)
  func aMessageIsFoundByTheWordsThatItHasNow(keeper: Keeper) async throws {
    try await keeper.withSearch { searched in
      try await searched.append(draft("red apple"), draft("green pear"), draft("blue plum"))
      #expect(try await searched.texts("apple") == ["red apple"])
      try await searched.append(edit(1, "yellow lemon"))
      #expect(try await searched.texts("apple") == [])
      let found = try await searched.walk("lemon").messages
      #expect(found.map(\.seq) == [1] && found.first?.edited != nil)
      // It keeps its place among the others.
      try await searched.append(edit(1, "yellow plum"))
      #expect(try await searched.texts("lemon") == [])
      #expect(try await searched.texts("plum") == ["blue plum", "yellow plum"])
      try await searched.append(deletion(1))
      #expect(try await searched.texts("yellow") == [])
      #expect(try await searched.texts("plum") == ["blue plum"])
    }
  }

  @Test(arguments: Keeper.allCases)
  func changesAndTopicsAreNotFoundThemselves(keeper: Keeper) async throws {
    try await keeper.withSearch { searched in
      try await searched.append(draft("apple"), topic("about plums"), edit(1, "plums"))
      #expect(try await searched.walk("plums").messages.map(\.seq) == [1])
      try await searched.append(draft("more plums"), topic("plums, plums"), deletion(1))
      #expect(try await searched.walk("plums").messages.map(\.seq) == [4])
    }
  }

  @Test func anIndexThatFollowedChangesFindsWhatOneMadeAnewFinds() async throws {
    let place = try TemporaryDirectory()
    // No two messages are of one moment, so that there is one order over all rooms.
    let clock = HandClock()
    let words = (0..<12).map { "word\($0)" }
    let rooms = [lobby, tea]
    var memory = MemoryHistory()
    var random = SystemRandomNumberGenerator()
    let found = { (index: SearchIndex) in
      var found: [[Int64]] = []
      for word in words {
        let texts = try await index.texts(word)
        found.append(texts.compactMap { Int64($0.split(separator: " ")[0]) })
      }
      return found
    }
    let live = try await place.withIndex(clock: clock) { store, index in
      for number in 0..<600 {
        let room = rooms[Int.random(in: 0...1, using: &random)]
        let text = "\(number) \(words.randomElement(using: &random) ?? "")"
        let about = Int64.random(in: 1...max(1, Int64(number) / 2), using: &random)
        let change =
          switch Int.random(in: 0..<10, using: &random) {
          case 0..<6: draft(text, in: room)
          case 6..<8: edit(about, text, in: room)
          case 8: deletion(about, in: room)
          case _: topic(text, in: room)
          }
        clock.advance(hours: 1)
        _ = try await store.append([change])
        _ = memory.append(change, at: clock.now())
        if number.isMultiple(of: 7) { try await index.catchUp() }
      }
      return try await found(index)
    }
    let wanted = try words.map { word in
      try memory.find(SearchQuery(word, seeing: everywhere, limit: 100)).messages
        .compactMap { Int64($0.draft.words.split(separator: " ")[0]) }
    }
    #expect(live == wanted && live.contains { $0.count > 5 })
    unlink(place.data.searchPath)
    let anew = try await place.withIndex(clock: clock) { _, index in try await found(index) }
    #expect(anew == live)
    #expect(try place.problems() == [])
  }

  @Test func whatWasReplacedOrTakenAwayIsNotInTheFile() async throws {
    let place = try TemporaryDirectory()
    try await place.withIndex { store, index in
      _ = try await store.append([draft("an unspeakable thing"), draft("an ineffable thing")])
      _ = try await store.append((0..<200).map { draft("word \($0)") })
      #expect(try await index.texts("thing").count == 2)
      #expect(try place.searchBytes().range(of: Data("speakable".utf8)) != nil)
      _ = try await store.append([edit(1, "a harmless thing"), deletion(2)])
      #expect(try await index.texts("thing") == ["a harmless thing"])
    }
    let bytes = try place.searchBytes()
    #expect(bytes.range(of: Data("speakable".utf8)) == nil)
    #expect(bytes.range(of: Data("effable".utf8)) == nil)
    #expect(bytes.range(of: Data("harmless".utf8)) != nil)
  }

  @Test func aRoomThatIsRemovedIsNeitherFoundNorInTheFile() async throws {
    let place = try TemporaryDirectory()
    try await place.withIndex { store, index in
      _ = try await store.append((0..<700).map { draft("unspeakable \($0)", in: tea) })
      _ = try await store.append([draft("harmless")])
      #expect(try await index.texts("unspeakable").count == 700)
      _ = try await store.remove(tea)
      #expect(try await index.texts("unspeakable") == [])
      _ = try await store.append([draft("unspeakable again", in: tea)])
      #expect(try await index.texts("unspeakable") == ["unspeakable again"])
      _ = try await store.remove(tea)
      try await index.catchUp()
    }
    let bytes = try place.searchBytes()
    #expect(bytes.range(of: Data("speakable".utf8)) == nil)
    #expect(bytes.range(of: Data("harmless".utf8)) != nil)
  }

  @Test func aChangeOfWhatRetentionRemovedChangesNothing() async throws {
    try await TemporaryDirectory().withIndex { store, index in
      _ = try await store.append([draft("apple one"), draft("apple two"), edit(1, "apple three")])
      _ = try await store.expire(Retention(messagesPerRoomMax: 2))
      #expect(try await index.texts("apple") == ["apple two"])
      _ = try await store.expire(Retention(messagesPerRoomMax: 1))
      #expect(try await index.texts("apple") == [])
    }
  }

  @Test func whatWasImportedIsFoundAlsoBeforeWhatTheIndexHad() async throws {
    let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await one.withStore { _ = try await $0.append(drafts(1...5).map { $0.saying("apple") }) }
    let export = try HistoryExport(one.data, room: nil, now: { Moment(milliseconds: 0) })
    var bytes: [[UInt8]] = []
    while let some = try export.next() { bytes.append(some) }
    // The same room, and numbers behind those of the export.
    try await other.withIndex { store, index in
      _ = try await store.append(drafts(1...9))
      _ = try await store.append([draft("late apple")])
      _ = try await store.expire(Retention(messagesPerRoomMax: 1))
      #expect(try await index.texts("apple") == ["late apple"])
    }
    var rest = bytes[...]
    let done = try HistoryImport.run(into: other.data, read: { rest.popFirst() })
    #expect(done.added == 5)
    let texts = try await other.withIndex { _, index in try await index.texts("apple") }
    #expect(texts.count == 6 && Set(texts) == ["late apple", "apple"])
  }
}

extension Draft {
  fileprivate func saying(_ text: String) -> Draft {
    var draft = self
    if let text = MessageText(text) { draft.content = .text(text) }
    return draft
  }
}
