/// What every store promises of pages, over each of them.

import ChatModel
import Testing

@testable import Stores

@Suite struct PageTests {
  /// Of a room of ten messages: what is asked for, what comes, whether there is more.
  private static let table: [(Stretch, Int, ClosedRange<Int64>?, Bool)] = [
    (.before(nil), 500, 1...10, false), (.before(nil), 10, 1...10, false),
    (.before(nil), 9, 2...10, true), (.before(nil), 1, 10...10, true),
    (.before(11), 3, 8...10, true), (.before(10), 3, 7...9, true), (.before(4), 3, 1...3, false),
    (.before(4), 2, 2...3, true), (.before(2), 5, 1...1, false), (.before(1), 5, nil, false),
    (.before(0), 5, nil, false), (.before(-1), 5, nil, false), (.before(.min), 5, nil, false),
    (.before(.max), 2, 9...10, true), (.before(1 << 40), 2, 9...10, true),
    (.after(0), 500, 1...10, false), (.after(0), 10, 1...10, false), (.after(0), 9, 1...9, true),
    (.after(7), 2, 8...9, true), (.after(7), 3, 8...10, false), (.after(9), 1, 10...10, false),
    (.after(10), 5, nil, false), (.after(11), 5, nil, false), (.after(.max), 5, nil, false),
    (.after(1 << 40), 5, nil, false), (.after(-1), 1, 1...1, true), (.after(.min), 1, 1...1, true),
  ]

  @Test(arguments: Keeper.allCases)
  func aPageIsWhatWasAskedFor(keeper: Keeper) async throws {
    try await keeper.with { store in
      _ = try await store.append(drafts(1...10) + drafts(11...20, in: tea))
      for (stretch, limit, wanted, more) in Self.table {
        let page = try await store.page(of: lobby, stretch, .everything, limit: limit)
        #expect(page.seqs == wanted.map { Array($0) } ?? [], "\(stretch), \(limit)")
        #expect(page.more == more, "\(stretch), \(limit)")
        #expect(page.gap == nil && page.room == lobby, "\(stretch), \(limit)")
      }
    }
  }

  @Test(arguments: Keeper.allCases)
  func aRoomWithoutMessagesGivesAnEmptyPage(keeper: Keeper) async throws {
    try await keeper.with { store in
      _ = try await store.append(drafts(1...3))
      for stretch in [Stretch.before(nil), .before(5), .after(0), .after(5)] {
        let page = try await store.page(of: tea, stretch, .everything, limit: 5)
        #expect(page == HistoryPage(room: tea, messages: [], more: false))
      }
      #expect(try await store.rooms().map(\.name) == [lobby])
    }
  }

  @Test(arguments: Keeper.allCases, [1, 7, 500])
  func pagesOneAfterAnotherGiveEverythingOnce(keeper: Keeper, limit: Int) async throws {
    try await keeper.with { store in
      for start in stride(from: 1, to: 601, by: 100) {
        _ = try await store.append(drafts(start...start + 99) + [draft("x", in: tea)])
      }
      let forward = try await store.everything(of: lobby, limit: limit)
      #expect(forward.messages.map(\.seq) == Array(1...600))
      #expect(forward.gaps.isEmpty)
      var backward: [Int64] = []
      var cursor: Int64?
      while true {
        let page = try await store.page(of: lobby, .before(cursor), .everything, limit: limit)
        backward = page.seqs + backward
        cursor = page.seqs.first
        if !page.more { break }
      }
      #expect(backward == Array(1...600))
    }
  }

  @Test(arguments: Keeper.allCases)
  func roomsAreListedByName(keeper: Keeper) async throws {
    try await keeper.with { store in
      let names = ["zoo", "a", "b.c", "b-c", "0", "_", "lobby"]
      _ = try await store.append(names.map { draft("x", in: room($0)) })
      #expect(try await store.rooms().map(\.name.string) == names.sorted())
    }
  }
}
