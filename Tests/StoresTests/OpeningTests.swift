/// What a store makes of what it finds in its place: its own, others', damaged things, nothing.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct OpeningTests {
  @Test func aNewDirectoryIsForItsOwnerAlone() async throws {
    let place = try TemporaryDirectory()
    let deep = DataDirectory(place.path + "/a/b/c")
    let store = try SQLiteStore(in: deep)
    let files = FileManager.default
    let mode = { (path: String) in
      try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    for folder in ["/a", "/a/b", "/a/b/c"] { #expect(try mode(place.path + folder) == 0o700) }
    _ = try await store.append(drafts(1...1))
    for name in ["history.db", "history.db-wal", "history.db-shm", "lock"] {
      #expect(try mode(deep.path + "/" + name) == 0o600, "\(name)")
    }
    await store.close()
    #expect(try files.contentsOfDirectory(atPath: deep.path).sorted() == ["history.db", "lock"])
  }

  @Test func whatWasKeptIsThereAfterReopening() async throws {
    let place = try TemporaryDirectory()
    let clock = HandClock()
    let first = clock.now()
    try await place.withStore(clock: clock) { store in
      _ = try await store.append([draft("a", key: "k"), draft("b", in: tea)])
    }
    clock.advance(hours: 1)
    try await place.withStore(clock: clock) { store in
      let kept = try await store.append([draft("a", key: "k"), draft("c")])
      #expect(kept == [.duplicate(of: 1, at: first, in: lobby), .stored(seq: 2, at: clock.now())])
      #expect(
        try await store.page(of: lobby, .after(0), .everything, limit: 9).texts == ["a", "c"])
      #expect(try await store.page(of: tea, .after(0), .everything, limit: 9).texts == ["b"])
    }
    #expect(try place.problems() == [])
  }

  /// Each: what is done to a sound history of a thousand messages, and words of the refusal.
  private static let faults: [(String, @Sendable (String) throws -> Void, String)] = [
    (
      "of nothing", { _ = FileManager.default.createFile(atPath: $0, contents: Data()) }, "is empty"
    ),
    ("of text", { try "hello".write(toFile: $0, atomically: false, encoding: .utf8) }, "no SQLite"),
    (
      "of noise",
      {
        try Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 7) })
          .write(to: URL(fileURLWithPath: $0))
      }, "no SQLite"
    ),
    (
      "of somebody else",
      { path in
        try FileManager.default.removeItem(atPath: path)
        _ = FileManager.default.createFile(atPath: path, contents: Data())
        try Database(path, .writing).run("CREATE TABLE messages (id INTEGER PRIMARY KEY)")
      }, "no history of beck's"
    ),
    (
      "without tables, though marked as ours",
      { path in
        try FileManager.default.removeItem(atPath: path)
        _ = FileManager.default.createFile(atPath: path, contents: Data())
        try Database(path, .writing).run(
          "PRAGMA application_id = \(Schema.applicationID); VACUUM")
      }, "no history of beck's"
    ),
    (
      "of a newer version", { try Database($0, .writing).run("PRAGMA user_version = 4; VACUUM") },
      "newer beck (version 4, this one knows 3)"
    ),
    (
      "in the place of which is a directory",
      { path in
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: false)
      }, "is no file"
    ),
    ("whose last page is torn", { try cut($0, by: 2_048) }, "is damaged (it has"),
    ("that is cut short by pages", { try cut($0, by: 5 * 4_096) }, "is damaged (it has"),
    ("with half a page too much", { try grow($0, by: 2_048) }, "is damaged (it has"),
    (
      "without its index of keys",
      { try Database($0, .writing).run("DROP INDEX keys; VACUUM") }, "'keys' is not as it was made"
    ),
    (
      "with another table of messages",
      { try Database($0, .writing).run("ALTER TABLE messages ADD COLUMN more TEXT; VACUUM") },
      "'messages' is not as it was made"
    ),
    (
      "whose room has forgotten its numbers",
      { try Database($0, .writing).run("UPDATE rooms SET seq = 3; VACUUM") },
      "room 'lobby' has forgotten its numbers"
    ),
    ("with noise in its tables", { try scribble($0, from: 100, count: 4_000) }, "is damaged"),
    ("with noise from the second page on", { try scribble($0, from: 4_096) }, "is damaged"),
  ]

  @Test(arguments: faults.indices)
  func aHistoryThatCannotBeUsedIsRefusedInOneSentenceAndStaysAsItIs(index: Int) async throws {
    let (what, fault, words) = Self.faults[index]
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...1_000)) }
    try fault(place.data.historyPath)
    let isFolder = what.hasSuffix("directory")
    let before = isFolder ? [:] : try place.contents()
    for attempt in 1...2 {
      do {
        let store = try SQLiteStore(in: place.data)
        await store.close()
        Issue.record("a history \(what) was opened")
      } catch {
        guard case .unusable(place.data.historyPath, _) = error else {
          Issue.record("a history \(what): \(error)")
          continue
        }
        #expect(error.sentence.contains(words), "attempt \(attempt): \(error)")
        #expect(!error.sentence.contains("\n") && !error.sentence.hasSuffix("."))
      }
    }
    if !isFolder { #expect(try place.contents() == before, "\(what)") }
  }

  @Test func aFileInTheDirectorysPlaceIsRefused() throws {
    let place = try TemporaryDirectory()
    #expect(FileManager.default.createFile(atPath: place.data.path, contents: Data()))
    #expect(throws: StoreError.self) { try SQLiteStore(in: place.data) }
  }

  @Test func aMakingThatWasCutShortIsBegunAnew() async throws {
    let place = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: place.data.path, withIntermediateDirectories: true)
    for name in ["history.db.new", "history.db.new-journal"] {
      try Data("half".utf8).write(to: URL(fileURLWithPath: place.data.path + "/" + name))
    }
    try await place.withStore { store in _ = try await store.append(drafts(1...3)) }
    #expect(try place.contents().keys.sorted() == ["history.db"])
  }

  @Test func aLogThatWasTornLosesWhatWasNotWholeAndNothingElse() async throws {
    let place = try TemporaryDirectory()
    let copy = try TemporaryDirectory()
    let store = try SQLiteStore(in: place.data)
    for number in 1...20 { _ = try await store.append(drafts(number...number)) }
    // As a crash would leave it: the log is there, nobody has taken it over.
    try FileManager.default.copyItem(atPath: place.data.path, toPath: copy.data.path)
    await store.close()
    try cut(copy.data.historyPath + "-wal", by: 100)
    try await copy.withStore { store in
      let seqs = try await store.everything(of: lobby, limit: 500).messages.map(\.seq)
      #expect(seqs == Array(1...19))
      #expect(try await store.append(drafts(21...21)).map(\.seq) == [20])
    }
    #expect(try copy.problems() == [])
  }

  @Test func anEditWhoseLogWasTornHasNotBeen() async throws {
    let place = try TemporaryDirectory()
    let copy = try TemporaryDirectory()
    let store = try SQLiteStore(in: place.data)
    for draft in [draft("a"), edit(1, "b"), edit(1, "c")] { _ = try await store.append([draft]) }
    try FileManager.default.copyItem(atPath: place.data.path, toPath: copy.data.path)
    await store.close()
    try cut(copy.data.historyPath + "-wal", by: 100)
    try await copy.withStore { store in
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(page.seqs == [1, 2] && page.texts == ["b", "b"])
      #expect(try await store.append([deletion(1)]).map(\.seq) == [3])
    }
    #expect(try copy.problems() == [])
  }

  @Test func aNewerHistoryThatWasNotClosedStaysAsItIs() async throws {
    let place = try TemporaryDirectory()
    let copy = try TemporaryDirectory()
    let store = try SQLiteStore(
      in: place.data, schema: Schema(steps: Schema.current.steps + ["CREATE TABLE more (a)"]),
      now: { .now })
    _ = try await store.append(drafts(1...3))
    try FileManager.default.copyItem(atPath: place.data.path, toPath: copy.data.path)
    await store.close()
    let before = try copy.contents()
    #expect(before["history.db-wal"] != nil)
    #expect(throws: StoreError.self) { try SQLiteStore(in: copy.data) }
    #expect(try copy.contents() == before)
  }
}

private func cut(_ path: String, by bytes: Int) throws {
  try Data(contentsOf: URL(fileURLWithPath: path)).dropLast(bytes)
    .write(to: URL(fileURLWithPath: path))
}

private func grow(_ path: String, by bytes: Int) throws {
  let data = try Data(contentsOf: URL(fileURLWithPath: path)) + Data(count: bytes)
  try data.write(to: URL(fileURLWithPath: path))
}

private func scribble(_ path: String, from start: Int, count: Int? = nil) throws {
  var data = try Data(contentsOf: URL(fileURLWithPath: path))
  let end = count.map { start + $0 } ?? data.count
  for place in start..<end { data[place] = UInt8(truncatingIfNeeded: place &* 31 ^ place >> 5) }
  try data.write(to: URL(fileURLWithPath: path))
}
