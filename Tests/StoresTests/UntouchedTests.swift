/// Who only reads a history that nobody has open changes nothing.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct UntouchedTests {
  private let files = FileManager.default

  private func read(_ place: TemporaryDirectory) throws {
    #expect(try place.problems() == [])
    let export = try HistoryExport(place.data)
    var lines = 0
    while let bytes = try export.next() { lines += bytes.count { $0 == 0x0A } }
    #expect(lines == 1_002)
    try HistoryBackup.run(place.data, to: place.path + "/backup")
    try files.removeItem(atPath: place.path + "/backup")
  }

  @Test func nothingIsLeftBesideAHistoryThatNobodyHasOpen() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...1_000)) }
    let names = { try files.contentsOfDirectory(atPath: place.data.path).sorted() }
    try read(place)
    #expect(try names() == ["history.db", "lock"])
    // What an earlier reader has left is no reason to leave more.
    try Data().write(to: URL(fileURLWithPath: place.data.historyPath + "-wal"))
    try read(place)
    #expect(try names() == ["history.db", "history.db-wal", "lock"])
  }

  @Test func aBackupIsCheckedAsItLies() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...1_000)) }
    // A name that means something in an address.
    let file = place.path + "/back up?mode=rw#%41é.db"
    try HistoryBackup.run(place.data, to: file)
    var problems: [String] = []
    let check = try HistoryCheck.run(file: file, found: { problems.append($0) })
    #expect(check.messages == 1_000 && problems.isEmpty)
    #expect(try files.contentsOfDirectory(atPath: place.path).count == 2)
    #expect {
      _ = try HistoryCheck.run(file: place.path + "/none", found: { _ in })
    } throws: { "\($0)".hasPrefix("there is no history at \(place.path)/none") }
  }

  @Test func aHistoryThatIsWrittenMeanwhileIsSaidToBe() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...1_000)) }
    let export = try HistoryExport(place.data)
    #expect(try export.next() != nil)
    // Closing takes the log over into the file.
    try await place.withStore { store in _ = try await store.append(drafts(1...1)) }
    #expect {
      while try export.next() != nil {}
    } throws: { "\($0)".hasSuffix("meanwhile; do it again") }
  }
}
