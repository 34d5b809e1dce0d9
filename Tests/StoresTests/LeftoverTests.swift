/// What a crash, or somebody with a copy of half a history, leaves in a data directory.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct LeftoverTests {
  private let files = FileManager.default

  /// As a crash leaves it in which a new page 1 is in the file, and the journal is not removed yet.
  private func interrupt(_ place: TemporaryDirectory) throws {
    let copy = place.path + "/copy"
    let path = place.data.historyPath
    // Small enough a cache that the change is in the file before it is committed.
    let database = try Database(path, .writing)
    try database.run("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
    try database.run("BEGIN; UPDATE messages SET text = text || ' and more'")
    try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in ["history.db", "history.db-journal"] {
      try files.copyItem(atPath: place.data.path + "/" + name, toPath: copy + "/" + name)
    }
    try database.run("ROLLBACK")
    try files.removeItem(atPath: place.data.path)
    try files.moveItem(atPath: copy, toPath: place.data.path)
  }

  @Test func aChangeThatACrashHasLeftHalfDoneIsUndoneByTheNextStart() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...2_000)) }
    try interrupt(place)
    #expect(!HistoryFile.isNothing(place.data.historyPath + "-journal"))
    // Who only reads says what to do, and changes nothing.
    let before = try place.contents()
    #expect {
      try place.problems()
    } throws: { "\($0)".contains("start the server once, which undoes it") }
    #expect(throws: StoreError.self) { try HistoryExport(place.data) }
    #expect(throws: StoreError.self) {
      try HistoryBackup.run(place.data, to: place.path + "/backup")
    }
    #expect(try place.contents() == before)
    try await place.withStore { store in
      let page = try await store.page(of: lobby, .before(nil), .everything, limit: 3)
      #expect(page.texts == ["1998", "1999", "2000"])
      #expect(try await store.append(drafts(2_001...2_001)).map(\.seq) == [2_001])
    }
    #expect(try place.problems() == [])
    #expect(try place.contents().keys.sorted() == ["history.db"])
  }

  @Test func aNewHistoryAndABackupKeepALogFromTheBeginning() async throws {
    let place = try TemporaryDirectory()
    try files.createDirectory(atPath: place.data.path, withIntermediateDirectories: true)
    try HistoryFile.make(place.data.historyPath, .current)
    try HistoryBackup.run(place.data, to: place.path + "/backup")
    for path in [place.data.historyPath, place.path + "/backup"] {
      let header = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(20)
      #expect(Array(header.suffix(2)) == [2, 2], "\(path)")
    }
    #expect(try files.contentsOfDirectory(atPath: place.data.path) == ["history.db"])
    #expect(try files.contentsOfDirectory(atPath: place.path).sorted() == ["backup", "data"])
  }

  /// A history as a killed server leaves it: all is in the log, nothing was taken over.
  private func killed(_ count: Int = 300) async throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    let copy = try TemporaryDirectory()
    let store = try SQLiteStore(in: place.data)
    _ = try await store.append(drafts(1...count))
    try files.copyItem(atPath: place.data.path, toPath: copy.data.path)
    await store.close()
    return copy
  }

  @Test(arguments: ["-wal", "-journal"])
  func aLogWithoutItsHistoryIsRefusedAndStaysAsItIs(ending: String) async throws {
    let place = try await killed()
    try files.removeItem(atPath: place.data.historyPath)
    if ending != "-wal" {
      try files.moveItem(
        atPath: place.data.historyPath + "-wal", toPath: place.data.historyPath + ending)
    }
    let before = try place.contents()
    for attempt in 1...2 {
      #expect {
        try SQLiteStore(in: place.data)
      } throws: { "\($0)".contains("is missing, and \(place.data.historyPath)\(ending)") }
      #expect(throws: StoreError.self) { try HistoryImport.run(into: place.data, read: { nil }) }
      #expect(try place.contents() == before, "attempt \(attempt)")
    }
  }

  @Test func aHistoryThatWasCutShortBesideItsLogIsRefusedAndStaysAsItIs() async throws {
    // A log that follows on a history of many pages.
    let place = try TemporaryDirectory()
    let copy = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...3_000)) }
    let store = try SQLiteStore(in: place.data)
    _ = try await store.append(drafts(1...50))
    try files.copyItem(atPath: place.data.path, toPath: copy.data.path)
    await store.close()
    let path = copy.data.historyPath
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let log = try #require(HistoryLog(path + "-wal"))
    let pages = Int64(whole.count) / 4_096
    #expect(log.pages ?? 0 >= pages && !log.isMissed(byFileOf: pages))
    for bytes in [whole.count / 2, 3 * 4_096, 4_096] {
      try whole.prefix(bytes).write(to: URL(fileURLWithPath: path))
      let before = try copy.contents()
      #expect {
        try SQLiteStore(in: copy.data)
      } throws: { "\($0)".contains("and its log history.db-wal has not the rest") }
      // Nobody looks at a file that this process may have open.
      unlink(copy.data.lockPath)
      #expect(throws: StoreError.self) { try HistoryExport(copy.data) }
      #expect(try copy.contents() == before, "\(bytes) bytes")
    }
    try whole.write(to: URL(fileURLWithPath: path))
    try await copy.withStore { store in
      let rooms = try await store.rooms()
      #expect(rooms.first?.seq == 3_050)
    }
    #expect(try copy.problems() == [])
  }

  @Test func aFileThatIsNoLogIsPassedOver() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...30)) }
    try Data(repeating: 7, count: 100_000)
      .write(to: URL(fileURLWithPath: place.data.historyPath + "-wal"))
    try await place.withStore { store in
      let kept = try await store.append(drafts(31...31))
      #expect(kept.map(\.seq) == [31])
    }
    #expect(try place.problems() == [])
  }

  @Test(.timeLimit(.minutes(20)))
  func aSecretInThePlaceOfWhichIsAPipeIsRefusedAtOnce() throws {
    let place = try TemporaryDirectory()
    try files.createDirectory(atPath: place.data.path, withIntermediateDirectories: true)
    #expect(mkfifo(place.data.path + "/token.key", 0o600) == 0)
    #expect { try place.data.secret() } throws: { "\($0)".contains("token.key is no file") }
  }
}
