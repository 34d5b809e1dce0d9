/// Pages of the file that cannot be read: what lies on either side is shown, the rest is a gap.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Stores

@Suite struct DamagedPageTests {
  private static let pageBytes = 4_096

  /// So many pages, spread over the file, are lost one at a time; `BECK_SOAK_PAGES=1000` is all.
  private static let tried = amount("BECK_SOAK_PAGES", otherwise: 12)

  /// Long and short texts in two rooms; a text in twenty goes on on a page of its own.
  private func build() async throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      for start in stride(from: 1, through: 1_200, by: 100) {
        let some = (start..<start + 100).map { number in
          let length = number.isMultiple(of: 20) ? 4_090 : number % 300
          return draft(
            "\(number) " + String(repeating: "x", count: length), key: "k\(number)")
        }
        _ = try await store.append(some + drafts(start...(start + 9), in: tea))
      }
    }
    return place
  }

  private func zero(_ page: Int, of sound: Data, in place: TemporaryDirectory) throws {
    var bytes = sound
    let start = page * Self.pageBytes
    bytes.replaceSubrange(start..<start + Self.pageBytes, with: Data(count: Self.pageBytes))
    try bytes.write(to: URL(fileURLWithPath: place.data.historyPath))
  }

  /// Walks the room from its end; every number is in a page or in a gap, once.
  private func backwards(_ store: SQLiteStore, limit: Int) async throws -> Set<Int64> {
    var cursor: Int64?
    var seen: Set<Int64> = []
    var all: Set<Int64> = []
    while true {
      let page = try await store.page(of: lobby, .before(cursor), .everything, limit: limit)
      #expect(seen.isDisjoint(with: page.seqs))
      seen.formUnion(page.seqs)
      all.formUnion(page.seqs)
      if let gap = page.gap { all.formUnion(gap) }
      let next = min(page.seqs.first ?? .max, page.gap?.lowerBound ?? .max)
      guard page.more, next < cursor ?? .max else { break }
      cursor = next
    }
    #expect(all == Set(1...1_200))
    return seen
  }

  @Test func whateverPageIsLostTheRestIsShownAndExportedAndCounted() async throws {
    let place = try await build()
    let sound = try Data(contentsOf: URL(fileURLWithPath: place.data.historyPath))
    let pages = sound.count / Self.pageBytes
    try #require(pages > 100)
    var opened = 0
    var withGaps = 0
    let step = max(1, pages / Self.tried)
    for page in stride(from: 1, to: pages, by: step) {
      try zero(page, of: sound, in: place)
      let problems = try place.problems()
      guard let store = try? SQLiteStore(in: place.data) else {
        #expect(!problems.isEmpty, "page \(page) of \(pages)")
        continue
      }
      opened += 1
      let walk = try? await store.everything(of: lobby, limit: 100)
      if let walk {
        let shown = Set(walk.messages.map(\.seq))
        let all = walk.gaps.reduce(into: shown) { $0.formUnion($1) }
        #expect(all == Set(1...1_200) && shown.count == walk.messages.count, "page \(page)")
        #expect(try await backwards(store, limit: 100) == shown, "page \(page)")
        if !walk.gaps.isEmpty {
          withGaps += 1
          #expect(!problems.isEmpty, "page \(page)")
          // A leaf has few messages; what hangs on a page above them is more.
          if walk.gaps.count == 1, shown.count > 1_000 { #expect(shown.count >= 1_100) }
        }
      } else {
        #expect(!problems.isEmpty, "page \(page)")
      }
      await store.close()
      guard let walk, let export = try? HistoryExport(place.data, room: lobby) else { continue }
      var lines = 0
      while let bytes = try export.next() { lines += bytes.count { $0 == 0x0A } }
      #expect(lines == walk.messages.count + 2 && export.losses.isEmpty == walk.gaps.isEmpty)
    }
    #expect(opened > pages / step / 2, "\(opened) of \(pages), each \(step)th")
    #expect(withGaps > pages / step / 4, "\(withGaps) of \(pages), each \(step)th")
  }

  @Test func aLostPageIsAGapAsWideAsThePageAndMessagesGoOn() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      for _ in 0..<30 {
        _ = try await store.append(
          (0..<100).map { draft("\($0) " + String(repeating: "x", count: 200)) })
      }
    }
    let sound = try Data(contentsOf: URL(fileURLWithPath: place.data.historyPath))
    let page = sound.count / Self.pageBytes / 2
    try zero(page, of: sound, in: place)
    try await place.withStore { store in
      let walk = try await store.everything(of: lobby, limit: 500)
      let gap = try #require(walk.gaps.first)
      #expect(walk.gaps.count == 1 && (10...20).contains(gap.count))
      #expect(walk.messages.count == 3_000 - gap.count)
      let ends = (gap.lowerBound, gap.upperBound)
      let table: [(Stretch, Int, [Int64], Bool, ClosedRange<Int64>?)] = [
        (.after(ends.0 - 3), 9, [ends.0 - 2, ends.0 - 1], true, nil),
        (.after(ends.0 - 3), 2, [ends.0 - 2, ends.0 - 1], true, nil),
        (.after(ends.0 - 1), 2, [ends.1 + 1, ends.1 + 2], true, gap),
        (.after(ends.0 + 3), 1, [ends.1 + 1], true, (ends.0 + 4)...ends.1),
        (.after(ends.1), 1, [ends.1 + 1], true, nil),
        (.before(ends.1 + 3), 9, [ends.1 + 1, ends.1 + 2], true, nil),
        (.before(ends.1 + 1), 2, [ends.0 - 2, ends.0 - 1], true, gap),
        (.before(ends.0 + 2), 1, [ends.0 - 1], true, ends.0...(ends.0 + 1)),
      ]
      for (stretch, limit, seqs, more, gap) in table {
        let page = try await store.page(of: lobby, stretch, .everything, limit: limit)
        #expect(page.seqs == seqs && page.more == more && page.gap == gap, "\(stretch), \(limit)")
      }
      #expect(try await store.append(drafts(1...1)).map(\.seq) == [3_001])
      let between =
        "behind message \(gap.lowerBound - 1) of room 'lobby'"
        + " and before message \(gap.upperBound + 1) of room 'lobby'"
      let problems = try place.problems()
      #expect(problems.contains("a page with messages cannot be read, \(between)"), "\(problems)")
      #expect(
        problems.last == "room 'lobby' has \(3_001 - gap.count) messages, not 3001",
        "\(problems)")
    }
  }
}
