/// Changes in the history's file: words that are gone, older files, and what does not agree.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct ChangeFileTests {
  @Test(arguments: [1, 2, 3])
  func wordsThatWereReplacedOrTakenAwayAreNotInTheFileAnyMore(seed: UInt64) async throws {
    var random = Seeded(seed)
    let place = try TemporaryDirectory()
    let words = { (kind: String, number: Int, random: inout Seeded) in
      // Beyond a page, too, so that some go on on pages of their own.
      "\(kind)-\(number)-"
        + String(repeating: "x", count: Int.random(in: 0...4_000, using: &random))
    }
    try await place.withStore { store in
      _ = try await store.append((1...300).map { draft(words("secret", $0, &random)) })
      for step in 1...600 {
        let seq = Int64.random(in: 1...300, using: &random)
        let last = Bool.random(using: &random)
        _ = try await store.append([
          last ? deletion(seq) : edit(seq, words("secret", 300 + step, &random))
        ])
      }
      _ = try await store.append((1...300).map { seq in edit(Int64(seq), "shown-\(seq)-") })
      _ = try await store.append((1...150).map { deletion(Int64(2 * $0)) })
    }
    let bytes = try #require(try place.contents()["history.db"])
    #expect(bytes.range(of: Data("secret-".utf8)) == nil)
    #expect(bytes.range(of: Data("shown-2-".utf8)) == nil)
    let left = try await place.withStore { store in
      try await store.page(of: lobby, .after(0), .messages, limit: 500).messages
    }
    let shown = left.map(\.draft.words).filter { !$0.isEmpty }
    #expect(!shown.isEmpty && shown.allSatisfy { $0.hasPrefix("shown-") })
    #expect(bytes.range(of: Data(shown[0].utf8)) != nil)
    #expect(try place.problems() == [])
  }

  /// What an older beck could keep, by the number of steps that it knew.
  @Test(arguments: [1, 2])
  func anOlderHistoryWithMessagesTakesChanges(steps: Int) async throws {
    let place = try TemporaryDirectory()
    try place.data.create()
    try HistoryFile.make(
      place.data.historyPath, Schema(steps: Array(Schema.current.steps.prefix(steps))))
    try place.alter(
      "INSERT INTO rooms VALUES (1, 'lobby', 3, 3)",
      "INSERT INTO messages VALUES (1 << 40 | 1, 5, 1, 'ann', 'a', 'k', NULL),"
        + "(1 << 40 | 2, 6, 1, 'Ann', 'b', NULL, 1), (1 << 40 | 3, 7, 2, 'bob', 'c', NULL, NULL)")
    if steps > 1 { try place.alter("INSERT INTO facts VALUES (2, '7', '4')") }
    let clock = HandClock()
    try await place.withStore(clock: clock) { store in
      let old = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(old.texts == ["a", "b", "c"] && old.messages.map(\.at.milliseconds) == [5, 6, 7])
      #expect(old.messages[0].draft == draft("a", key: "k"))
      #expect(old.messages[1].draft == draft("b", as: "Ann", replyTo: 1))
      let kept = try await store.append([
        draft("a", key: "k"), edit(1, "A"), deletion(2), draft("d"), draft("a", key: "k"),
      ])
      #expect(kept.map(\.seq) == [1, 4, 5, 6, 1])
      let page = try await store.page(of: lobby, .after(0), .messages, limit: 9)
      #expect(page.texts == ["A", "", "c", "d"])
      #expect(try await store.facts() == (steps > 1 ? [.epoch(PersonID(rawValue: 7), 4)] : []))
    }
    #expect(try place.problems() == [])
  }

  /// What is done to three messages, the first edited and the second deleted, and what is said.
  private static let faults: [(String, [String])] = [
    ("UPDATE messages SET text = 'X' WHERE id & 255 = 1", ["change 4"]),
    ("UPDATE messages SET text = 'X' WHERE id & 255 = 4", ["change 4"]),
    ("UPDATE messages SET edited = edited + 1 WHERE id & 255 = 1", ["change 4"]),
    ("UPDATE messages SET edited = NULL WHERE id & 255 = 1", ["change 4"]),
    ("UPDATE messages SET about = NULL WHERE id & 255 = 1", ["change 4"]),
    ("UPDATE messages SET about = 5 WHERE id & 255 = 1", ["message 1", "change 4"]),
    ("UPDATE messages SET about = 9 WHERE id & 255 = 3", ["message 3"]),
    ("UPDATE messages SET about = 2 WHERE id & 255 = 3", ["message 3"]),
    ("UPDATE messages SET about = -1 WHERE id & 255 = 3", ["message 3"]),
    ("UPDATE messages SET about = 3 WHERE id & 255 = 5", ["message 2", "change 5"]),
    ("UPDATE messages SET kind = 0, text = 'b' WHERE id & 255 = 2", ["change 5"]),
    ("UPDATE messages SET kind = 2, text = 'b' WHERE id & 255 = 5", ["change 5"]),
    (
      "UPDATE messages SET kind = 2, text = 'x', about = 1 WHERE id & 255 = 3",
      ["change 3"]
    ),
    ("UPDATE messages SET text = 'b' WHERE id & 255 = 2", ["message 2"]),
    ("UPDATE messages SET text = 'b' WHERE id & 255 = 5", ["message 5"]),
  ]

  @Test(arguments: faults.indices)
  func theCheckSaysWhichChangeAndMessageDoNotAgree(index: Int) async throws {
    let (sql, places) = Self.faults[index]
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append(
        [draft("a"), draft("b"), draft("c"), edit(1, "A"), deletion(2)])
    }
    #expect(try place.problems() == [])
    try place.alter(sql)
    let problems = try place.problems()
    #expect(problems.count == places.count, "\(sql): \(problems)")
    for (problem, what) in zip(problems, places) {
      #expect(problem.hasPrefix("\(what) of room 'lobby' "), "\(sql): \(problem)")
    }
    // What is told of is read and exported all the same, and the export can be imported.
    let lines = try place.exported()
    let copy = try TemporaryDirectory()
    _ = try copy.take(lines)
    #expect(try copy.problems() == [])
  }
}

extension TemporaryDirectory {
  /// The lines of an export, without those that could not be read.
  func exported(room: RoomName? = nil) throws -> String {
    let export = try HistoryExport(data, room: room, now: { Moment(milliseconds: 0) })
    var bytes: [UInt8] = []
    while let some = try export.next() { bytes += some }
    return String(decoding: bytes, as: UTF8.self)
  }

  @discardableResult func take(_ text: String) throws -> HistoryImport {
    var rest: [UInt8]? = Array(text.utf8)
    return try HistoryImport.run(
      into: data,
      read: {
        defer { rest = nil }
        return rest
      })
  }
}
