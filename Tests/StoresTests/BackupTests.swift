/// A copy of a history that is being written: of one moment, whole, and good to go on with.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct BackupTests {
  private func restore(_ file: String) throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: place.data.path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: file, toPath: place.data.historyPath)
    return place
  }

  @Test func aBackupOfAHistoryThatIsBeingWrittenIsOfOneMoment() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      // Pairs, in two rooms, by one transaction each.
      let pair = [draft("x"), draft("x", in: tea)]
      for _ in 0..<50 {
        _ = try await store.append(Array(repeating: pair, count: 100).flatMap { $0 })
      }
      let writing = Task {
        while !Task.isCancelled { _ = try await store.append(pair) }
      }
      var steps = 0
      for number in 1...3 {
        let file = place.path + "/backup-\(number).db"
        try HistoryBackup.run(place.data, to: file, progress: { _, _ in steps += 1 })
        #expect(
          try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600
        )
        let copy = try restore(file)
        #expect(try copy.problems() == [])
        try await copy.withStore { store in
          let rooms = try await store.rooms()
          #expect(rooms.count == 2 && rooms[0].seq == rooms[1].seq && rooms[0].seq >= 5_000)
          let kept = try await store.append(pair)
          #expect(kept.map(\.seq) == rooms.map { $0.seq + 1 })
        }
      }
      writing.cancel()
      _ = await writing.result
      #expect(steps >= 3)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
    #expect(names == ["backup-1.db", "backup-2.db", "backup-3.db", "data"])
  }

  @Test func nothingIsOverwritten() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...3)) }
    let file = place.path + "/there"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
    #expect {
      try HistoryBackup.run(place.data, to: file)
    } throws: { "\($0)" == "\(file) exists; name a file that does not" }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
  }

  @Test func aBackupThatFailsLeavesNothing() async throws {
    let place = try TemporaryDirectory()
    #expect {
      try HistoryBackup.run(place.data, to: place.path + "/b")
    } throws: { "\($0)".hasPrefix("there is no history at") }
    try await place.withStore { store in _ = try await store.append(drafts(1...3)) }
    #expect {
      try HistoryBackup.run(place.data, to: place.path + "/no/where")
    } throws: { "\($0)".hasSuffix("No such file or directory") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["data"])
  }

  @Test func theDataLiesWhereTheEnvironmentSays() {
    let place = { DataDirectory.standard(environment: $0)?.path }
    #expect(place(["XDG_DATA_HOME": "/x/", "HOME": "/h"]) == "/x/beck")
    #expect(place(["XDG_DATA_HOME": "relative", "HOME": "/h"]) == "/h/.local/share/beck")
    #expect(place(["HOME": "/h"]) == "/h/.local/share/beck")
    #expect(place([:]) == nil && place(["HOME": ""]) == nil)
    #expect(DataDirectory("/a/b//").path == "/a/b")
    #expect(DataDirectory("/").historyPath == "//history.db")
    #expect(DataDirectory("a").path == FileManager.default.currentDirectoryPath + "/a")
  }
}
