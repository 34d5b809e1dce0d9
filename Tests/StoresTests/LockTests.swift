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
      let page = try await store.page(of: lobby, .after(0), limit: 9)
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
}
