/// One process at a time has a data directory for writing.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Stores

@Suite struct LockTests {
  @Test func aSecondStoreInTheSameProcessIsRefused() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      #expect {
        try SQLiteStore(in: place.data)
      } throws: { "\($0)".contains("in use by another beck (process \(getpid()))") }
      let kept = try await store.append(drafts(1...1))
      #expect(kept.map(\.seq) == [1])
    }
    try await place.withStore { store in
      let kept = try await store.append(drafts(2...2))
      #expect(kept.map(\.seq) == [2])
    }
  }

  @Test func aStoreOfAnotherProcessIsRefusedByItsNumber() async throws {
    let place = try TemporaryDirectory()
    let driver = try Driver(place.data)
    #expect(driver.greeting == "open")
    #expect {
      try SQLiteStore(in: place.data)
    } throws: { "\($0)".contains("in use by another beck (process \(driver.process.pid))") }
    #expect(try driver.ask("keep k a") == "kept 1")
    try driver.end()
    try await place.withStore { store in
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(page.texts == ["a"])
      let other = try Driver(place.data)
      #expect(other.greeting.hasPrefix("refused \(place.data.path) is in use by another beck"))
      try other.end()
    }
  }

  @Test func whoDiesLetsGoOfIt() async throws {
    let place = try TemporaryDirectory()
    let driver = try Driver(place.data)
    #expect(try driver.ask("keep k a") == "kept 1")
    driver.process.send(SIGKILL)
    #expect(try driver.process.ending().status == -SIGKILL)
    try await place.withStore { store in
      let kept = try await store.append([draft("a", key: "k")])
      #expect(kept.map(\.seq) == [1])
    }
  }

  @Test func anImportIsRefusedWhileAStoreHasIt() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { _ in
      #expect {
        try HistoryImport.run(into: place.data, read: { nil })
      } throws: { "\($0)".contains("is in use") }
    }
  }

  @Test func aStoreThatIsClosedLeavesNoDescriptorBehind() async throws {
    let place = try TemporaryDirectory()
    let files = FileManager.default
    let open = {
      let numbers = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return numbers.compactMap {
        try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      .filter { $0.hasPrefix(place.path) }
    }
    try await place.withStore { store in
      _ = try await store.append(drafts(1...10))
      _ = try await store.page(of: lobby, .after(0), .everything, limit: 5)
      #expect(open().count >= 3)
    }
    #expect(open() == [])
    // Nor does one that is let go of without a word, or could not be opened.
    do {
      let store = try SQLiteStore(in: place.data)
      _ = try await store.append(drafts(11...12))
    }
    try place.alter("PRAGMA user_version = 9")
    #expect(throws: StoreError.self) { try SQLiteStore(in: place.data) }
    #expect(throws: StoreError.self) { try HistoryExport(place.data) }
    #expect(open() == [])
  }

  private static let isRoot = geteuid() == 0

  @Test(.enabled(if: isRoot, "to be refused as somebody else one has to be root first"))
  func whereNothingMayBeReadOrWrittenTheSentenceSaysSo() async throws {
    let place = try TemporaryDirectory()
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let files = FileManager.default
    let mode = { (path: String, mode: Int) in
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try mode(place.path, 0o755)
    let refusal = {
      let driver = try Driver(place.data, under: nobody)
      try driver.end()
      return driver.greeting
    }
    #expect(
      try refusal() == "refused cannot make the directory \(place.data.path): Permission denied")
    try await place.withStore { store in _ = try await store.append(drafts(1...3)) }
    #expect(
      try refusal() == "refused cannot open \(place.data.lockPath): Permission denied")
    try mode(place.data.path, 0o777)
    try mode(place.data.lockPath, 0o666)
    #expect(
      try refusal()
        == "refused \(place.data.historyPath) cannot be opened: Permission denied")
    try mode(place.data.historyPath, 0o644)
    let before = try place.contents()
    let words = try refusal()
    #expect(words.hasPrefix("refused \(place.data.historyPath) may not be written; "), "\(words)")
    #expect(try place.contents() == before)
  }
}
