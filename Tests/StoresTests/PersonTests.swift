/// What a person has said, and rooms that are removed, over every store.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct PersonTests {
  private func rows(
    of person: PersonID, in store: any MessageStore, limit: Int
  ) async throws -> [PersonRows.Row] {
    var rows: [PersonRows.Row] = []
    var next: Int64? = 0
    while let row = next {
      let some = try await store.rows(of: person, after: row, limit: limit)
      #expect(some.rows.count <= limit)
      #expect(some.next ?? .max > row)
      rows += some.rows
      next = some.next
    }
    return rows
  }

  @Test(arguments: Keeper.allCases, [1, 2, 100])
  func messagesOfAPersonThatHaveATextAreFoundRoomByRoom(keeper: Keeper, limit: Int) async throws {
    let talk = RoomName.conversation(of: ann, and: bob)
    try await keeper.with { store in
      _ = try await store.append([
        draft("a"), draft("b", by: bob), draft("c", in: tea), topic("t"), draft("d", in: talk),
        draft("e"), draft("f"), edit(1, "A"), deletion(4),
      ])
      let found = try await rows(of: ann, in: store, limit: limit)
      let wanted = [(lobby, 1), (lobby, 5), (tea, 1), (talk, 1)].map {
        PersonRows.Row(room: $0.0, seq: $0.1)
      }
      #expect(found == wanted)
      #expect(try await rows(of: bob, in: store, limit: limit).map(\.seq) == [2])
      #expect(try await rows(of: PersonID(rawValue: 9), in: store, limit: limit).isEmpty)
      // Taken away one by one, as erasing does, nothing is left to find.
      _ = try await store.append(found.map { deletion($0.seq, in: $0.room) })
      #expect(try await rows(of: ann, in: store, limit: limit).isEmpty)
    }
  }

  @Test(arguments: Keeper.allCases)
  func aCallLooksAtABoundedNumberOfRows(keeper: Keeper) async throws {
    let many = HistoryReader.rowsLookedMax
    try await keeper.with { store in
      for start in stride(from: 1, through: many, by: 1_000) {
        _ = try await store.append(
          (start..<start + 1_000).map { draft("\($0)", in: $0 > 5_000 ? tea : lobby, by: bob) })
      }
      _ = try await store.append([draft("mine", in: tea)])
      let first = try await store.rows(of: ann, after: 0, limit: 100)
      #expect(first.rows.isEmpty)
      let row = try #require(first.next)
      let second = try await store.rows(of: ann, after: row, limit: 100)
      #expect(second.next == nil && second.rows.map(\.seq) == [5_001])
    }
  }

  @Test(arguments: Keeper.allCases)
  func whatIsRemovedOfARoomIsGoneAndItsNumbersAreNotGivenAgain(keeper: Keeper) async throws {
    try await keeper.with { store in
      for _ in 0..<3 { _ = try await store.append(drafts(1...500, in: tea)) }
      _ = try await store.append([draft("a", in: tea, key: "k"), edit(1, "x", in: tea), draft("b")])
      #expect(try await store.remove(tea) == 1_502)
      #expect(try await store.remove(tea) == 0)
      #expect(try await store.remove(room("no")) == 0)
      #expect(
        try await store.rooms() == [
          StoredRoom(name: lobby, seq: 1, oldest: 1),
          StoredRoom(name: tea, seq: 1_502, oldest: nil),
        ])
      let page = try await store.page(of: tea, .after(0), .messages, limit: 9)
      #expect(page == HistoryPage(room: tea, messages: [], more: false, gap: 1...1_502))
      let kept = try await store.append([draft("a", in: tea, key: "k"), edit(1, "x", in: tea)])
      #expect(kept.map(\.seq) == [1_503, 0])
      #expect(try await store.page(of: lobby, .after(0), .messages, limit: 9).texts == ["b"])
    }
  }

  @Test func aRoomIsRemovedInStepsWithMessagesInBetweenAndItsWordsAreGone() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append((1...1_200).map { draft("secret \($0)", in: tea) })
      _ = try await store.append(drafts(1...9))
    }
    let steps = try stepsOfRemoving(tea, from: place)
    #expect(steps.reduce(0, +) == 1_200 && steps.allSatisfy { $0 <= 500 })
    try await place.withStore { store in _ = try await store.append(drafts(10...10)) }
    let bytes = try #require(try place.contents()["history.db"])
    #expect(bytes.range(of: Data("secret".utf8)) == nil)
    #expect(try place.problems() == [])
  }

  /// What was removed in each; the file is closed afterwards.
  private func stepsOfRemoving(
    _ room: RoomName, from place: TemporaryDirectory
  ) throws -> [Int] {
    let writer = try HistoryWriter(place.data.historyPath, .current)
    var steps: [Int] = []
    while let removed = try writer.removeSome(of: room) {
      #expect(!writer.database.isInTransaction)
      steps.append(removed)
      try #require(steps.count < 1_000)
    }
    return steps
  }

  @Test func retentionLeavesTheLogOfModerationAlone() async throws {
    let clock = HandClock()
    let place = try TemporaryDirectory()
    try await place.withStore(clock: clock) { store in
      _ = try await store.append(
        drafts(1...20, in: .audit) + drafts(1...20) + drafts(1...20, in: tea))
      clock.advance(hours: 2)
      let removed = try await store.expire(
        Retention(messagesPerRoomMax: 5, ageMax: .seconds(3_600)))
      #expect(removed == 40)
      let page = try await store.page(of: .audit, .after(0), .messages, limit: 500)
      #expect(page.seqs == Array(1...20) && page.gap == nil)
    }
    #expect(try place.problems() == [])
  }
}
