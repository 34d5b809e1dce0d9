/// That a history in memory finds what an index finds, a bounded piece at a time.

import ChatModel
import Testing

@testable import Stores

@Suite struct MemorySearchTests {
  /// What is found in pages of this size, and how many there were.
  private func walk(
    _ history: MemoryHistory, _ query: (String?) throws -> SearchQuery
  ) throws -> (messages: [Message], pages: Int) {
    var messages: [Message] = []
    var cursor: String?
    var pages = 0
    repeat {
      let page = try history.find(query(cursor))
      messages += page.messages
      cursor = page.cursor
      pages += 1
    } while cursor != nil
    return (messages, pages)
  }

  @Test func itFindsWhatAnIndexFinds() async throws {
    let clock = HandClock(1_000)
    var history = MemoryHistory()
    let talk = RoomName.conversation(of: ann, and: bob)
    let rooms = [lobby, tea, room("den"), talk, .audit]
    let texts = SearchTests.texts
    let drafts = (0..<300).map { number in
      draft(
        "\(texts[number % texts.count]) \(number % 7)", in: rooms[number * number % 7 % 5],
        as: number.isMultiple(of: 4) ? "bob" : "ann")
    }
    try await TemporaryDirectory().withIndex(clock: clock) { store, index in
      for draft in drafts {
        clock.set(clock.now().milliseconds + 10)
        _ = history.append([draft], at: clock.now())
        _ = try await store.append([draft])
      }
      try await index.catchUp()
      let sights = [
        everywhere, Sight(hidden: [room("den")], made: []), Sight(hidden: [lobby], made: [talk]),
        Sight(hidden: [tea], made: [.audit]),
      ]
      let words = SearchTests.table.map(\.0) + ["fox 3", "\"fox 3\"", "\"fox 3", "3", "0 quick"]
      for (number, words) in words.enumerated() {
        for limit in [7, 100] {
          let query = { (cursor: String?) in
            try SearchQuery(
              words, seeing: sights[number % 4], room: number % 5 == 4 ? lobby : nil,
              from: number % 6 == 5 ? "Bob" : nil,
              since: number % 7 == 6 ? Moment(milliseconds: 1_900) : nil,
              until: number % 3 == 2 ? Moment(milliseconds: 3_205) : nil, cursor: cursor,
              limit: limit)
          }
          let found = try walk(history, query)
          var wanted: [Message] = []
          var cursor: String?
          repeat {
            let page = try await index.find(query(cursor))
            wanted += page.messages
            cursor = page.cursor
          } while cursor != nil
          #expect(found.messages == wanted, "\(words), \(limit)")
          #expect(found.pages == max(1, (wanted.count + limit - 1) / limit), "\(words), \(limit)")
        }
      }
    }
  }

  @Test func aWalkByCursorIsStableWhileMessagesComeAndGo() throws {
    var limits = MemoryHistory.Limits()
    limits.messagesPerRoomMax = 2_000
    var history = MemoryHistory(limits: limits)
    let moment = Moment(milliseconds: 5)
    for batch in 0..<20 {
      _ = history.append(
        (0..<100).map { draft("word \(batch * 100 + $0)", in: $0 < 50 ? lobby : tea) }, at: moment)
    }
    var found: [String] = []
    var cursor: String?
    repeat {
      let page = try history.find(
        SearchQuery("word", seeing: everywhere, cursor: cursor, limit: 100))
      found += page.messages.map(\.draft.words)
      cursor = page.cursor
      // The oldest go, and what is known of their order is swept out now and then.
      _ = history.append((0..<200).map { draft("word later \($0)") }, at: moment)
    } while cursor != nil
    let all = (0..<2_000).reversed().map { "word \($0)" }
    let isAllThere = found.prefix(700) == all.prefix(700)
    let isOnce = Set(found).count == found.count && Set(found).isSubset(of: all)
    #expect(isAllThere && isOnce)
    // Those of the other room stay.
    let others = all.filter { Int($0.dropFirst(5)).map { $0 % 100 >= 50 } ?? false }
    let isKept = Set(found).isSuperset(of: others)
    #expect(isKept && found.count < 2_000)
  }

  @Test func aPageLooksAtABoundedPart() throws {
    var history = MemoryHistory()
    let long = String(repeating: "Lorem ipsum ", count: 300)
    _ = history.append(
      [draft("needle")] + (0..<200).map { draft("\(long)\($0)") },
      at: Moment(milliseconds: 1))
    let first = try history.find(SearchQuery("needle", seeing: everywhere))
    #expect(first.messages.isEmpty && first.cursor != nil)
    let query = { try SearchQuery("needle", seeing: everywhere, cursor: $0) }
    let (messages, pages) = try walk(history, query)
    #expect(messages.map(\.seq) == [1])
    let least = 200 * long.utf8.count / MemoryHistory.searchCostMax
    #expect((least...(2 * least + 2)).contains(pages), "\(pages)")
    // What is not asked for costs next to nothing.
    let elsewhere = try history.find(SearchQuery("needle", seeing: everywhere, room: tea))
    #expect(elsewhere == SearchPage(messages: [], cursor: nil))
  }

  @Test func aCursorOfAnotherHistoryIsRefused() throws {
    var one = MemoryHistory()
    var other = MemoryHistory()
    _ = one.append(drafts(1...9), at: Moment(milliseconds: 10))
    _ = other.append(drafts(1...9), at: Moment(milliseconds: 11))
    let cursor = try one.find(SearchQuery("3*", seeing: everywhere, limit: 1)).cursor
    #expect(cursor == nil)
    _ = one.append(drafts(3...3), at: Moment(milliseconds: 10))
    let second = try one.find(SearchQuery("3*", seeing: everywhere, limit: 1)).cursor
    try #require(second != nil)
    let query = try SearchQuery("3*", seeing: everywhere, cursor: second, limit: 1)
    #expect(try one.find(query).messages.map(\.seq) == [3])
    #expect(throws: StoreError.cursorIsGone) { try other.find(query) }
    #expect(try MemoryHistory().find(SearchQuery("3", seeing: everywhere)).messages.isEmpty)
  }
}
