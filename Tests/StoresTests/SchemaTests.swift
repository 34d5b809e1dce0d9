/// How an older history becomes a newer one: whole, or not at all.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct SchemaTests {
  private func schema(_ more: String...) -> Schema { Schema(steps: Schema.current.steps + more) }

  private func version(_ place: TemporaryDirectory) throws -> Int64 {
    try Database(place.data.historyPath, .reading).number("PRAGMA user_version")
  }

  @Test func anOlderHistoryIsBroughtUpStepByStep() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...3)) }
    let newer = schema("CREATE TABLE one (a)", "ALTER TABLE one ADD COLUMN b")
    let store = try SQLiteStore(in: place.data, schema: newer, now: { .now })
    let kept = try await store.append(drafts(4...4))
    #expect(kept.map(\.seq) == [4])
    await store.close()
    #expect(try version(place) == 5)
    // And once more, with nothing left to do.
    let again = try SQLiteStore(in: place.data, schema: newer, now: { .now })
    #expect(
      try await again.page(of: lobby, .after(0), .everything, limit: 9).texts == [
        "1", "2", "3", "4",
      ])
    await again.close()
  }

  @Test func aStepThatFailsUndoesThoseBeforeIt() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...3)) }
    #expect(throws: StoreError.self) {
      try SQLiteStore(
        in: place.data, schema: schema("CREATE TABLE one (a)", "CREATE nonsense"), now: { .now })
    }
    #expect(try version(place) == 3)
    try await place.withStore { store in
      let kept = try await store.append(drafts(4...4))
      #expect(kept.map(\.seq) == [4])
    }
    #expect(try place.problems() == [])
  }

  @Test func readersOfAnOlderHistoryAreSentToTheServer() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...3)) }
    try place.alter("PRAGMA user_version = 0; VACUUM")
    #expect {
      try HistoryExport(place.data)
    } throws: { "\($0)".contains("no history of beck's") }
  }
}
