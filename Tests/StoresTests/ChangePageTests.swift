/// Pages among changes: what is left out, what is gone and what is further, in either reading.

import ChatModel
import Testing

@testable import Stores

@Suite struct ChangePageTests {
  /// 4 is left out, since 5 changes the same message.
  private static let rows: [Draft] = [
    draft("1"), topic("2"), draft("3"), edit(1, "4"), edit(1, "5"), deletion(3), draft("7"),
    topic("8"), topic("9"),
  ]

  private static let table: [(Stretch, Reading, Int, [Int64], Bool)] = [
    (.after(0), .everything, 9, [1, 2, 3, 5, 6, 7, 8, 9], false),
    (.after(0), .everything, 3, [1, 2, 3], true), (.after(3), .everything, 1, [5], true),
    (.after(4), .everything, 1, [5], true), (.after(8), .everything, 1, [9], false),
    (.before(nil), .everything, 8, [1, 2, 3, 5, 6, 7, 8, 9], false),
    (.before(nil), .everything, 7, [2, 3, 5, 6, 7, 8, 9], true),
    (.before(5), .everything, 2, [2, 3], true), (.before(4), .everything, 3, [1, 2, 3], false),
    (.after(0), .messages, 3, [1, 3, 7], false), (.after(0), .messages, 2, [1, 3], true),
    (.after(1), .messages, 1, [3], true), (.after(3), .messages, 1, [7], false),
    (.after(4), .messages, 9, [7], false), (.after(7), .messages, 9, [], false),
    (.before(nil), .messages, 3, [1, 3, 7], false), (.before(nil), .messages, 1, [7], true),
    (.before(7), .messages, 1, [3], true), (.before(3), .messages, 1, [1], false),
    (.before(2), .messages, 9, [1], false), (.before(1), .messages, 9, [], false),
  ]

  @Test(arguments: Keeper.allCases)
  func aPageIsWhatWasAskedForInEitherReading(keeper: Keeper) async throws {
    try await keeper.with { store in
      _ = try await store.append(Self.rows)
      for (stretch, reading, limit, seqs, more) in Self.table {
        let page = try await store.page(of: lobby, stretch, reading, limit: limit)
        #expect(page.seqs == seqs, "\(stretch), \(reading), \(limit)")
        #expect(page.more == more && page.gap == nil, "\(stretch), \(reading), \(limit)")
      }
    }
  }

  /// Of the same rows, when only 6 to 9 are left.
  private static let rest: [(Stretch, Reading, Int, [Int64], Bool, ClosedRange<Int64>?)] = [
    (.after(0), .everything, 9, [6, 7, 8, 9], false, 1...5),
    (.after(0), .messages, 9, [7], false, 1...5), (.after(5), .messages, 9, [7], false, nil),
    (.after(4), .messages, 1, [7], false, 5...5), (.after(7), .messages, 9, [], false, nil),
    (.before(nil), .everything, 3, [7, 8, 9], true, nil),
    (.before(nil), .everything, 4, [6, 7, 8, 9], false, 1...5),
    (.before(nil), .messages, 1, [7], false, 1...5), (.before(7), .messages, 9, [], false, 1...5),
    (.before(6), .messages, 9, [], false, 1...5), (.before(3), .messages, 9, [], false, 1...2),
    (.before(6), .everything, 9, [], false, 1...5),
  ]

  @Test func whatIsGoneIsAGapInEitherReading() async throws {
    var limits = MemoryHistory.Limits()
    limits.messagesPerRoomMax = 4
    let memory = MemoryStore(limits: limits)
    _ = await memory.append(Self.rows.map { .message($0) })
    try await check(memory)
    try await TemporaryDirectory().withStore { store in
      _ = try await store.append(Self.rows)
      #expect(try await store.expire(Retention(messagesPerRoomMax: 4)) == 4)
      try await check(store)
    }
  }

  private func check(_ store: some MessageStore) async throws {
    for (stretch, reading, limit, seqs, more, gap) in Self.rest {
      let page = try await store.page(of: lobby, stretch, reading, limit: limit)
      #expect(page.seqs == seqs, "\(stretch), \(reading), \(limit)")
      #expect(page.more == more && page.gap == gap, "\(stretch), \(reading), \(limit)")
    }
  }

  /// Whatever is said, changed and forgotten, both stores tell the same of it.
  @Test(arguments: [1, 2, 3, 4])
  func bothStoresAgree(seed: UInt64) async throws {
    var random = Seeded(seed)
    var limits = MemoryHistory.Limits()
    limits.messagesPerRoomMax = 12
    let clock = HandClock()
    let memory = MemoryStore(limits: limits, now: clock.now)
    let place = try TemporaryDirectory()
    try await place.withStore(clock: clock) { store in
      for step in 1...150 {
        clock.advance(hours: 1)
        let said = someDraft(step, &random)
        let kept = try await store.append([said])
        #expect(await memory.append([.message(said)]) == kept, "step \(step): \(said)")
        _ = try await store.expire(Retention(messagesPerRoomMax: 12))
        guard step.isMultiple(of: 5) else { continue }
        for reading in [Reading.messages, .everything] {
          for cursor in Int64(0)...Int64(step + 1) where cursor + 20 > step || cursor < 3 {
            for stretch in [Stretch.before(cursor), .after(cursor), .before(nil)] {
              let limit = Int.random(in: 1...7, using: &random)
              let one = try await store.page(of: lobby, stretch, reading, limit: limit)
              let other = await memory.page(of: lobby, stretch, reading, limit: limit)
              #expect(one == other, "step \(step): \(stretch), \(reading), \(limit)")
            }
          }
        }
        let mine = try await store.rows(of: ann, after: 0, limit: 500)
        #expect(await memory.rows(of: ann, after: 0, limit: 500) == mine)
      }
    }
    #expect(try place.problems() == [])
  }

  private func someDraft(_ step: Int, _ random: inout Seeded) -> Draft {
    let person = Bool.random(using: &random) ? ann : bob
    let key = Int.random(in: 0...4, using: &random) == 0 ? "k\(step / 3)" : nil
    let seq = Int64(max(1, step - Int.random(in: 1...16, using: &random)))
    var draft =
      switch Int.random(in: 0...9, using: &random) {
      case 0...3: draft("text \(step)", by: person, key: key)
      case 4...7: edit(seq, "edit \(step)", by: person, key: key)
      case 8: deletion(seq, by: person, key: key)
      case _: topic(Bool.random(using: &random) ? "topic \(step)" : nil, by: person, key: key)
      }
    draft.changesOthers = Bool.random(using: &random)
    return draft
  }
}
