/// `beck serve --data` where it cannot keep messages: one sentence, status 1, nothing touched.

import Foundation
import TestSupport
import Testing

@Suite struct UnusableDataTests {
  private let directory: TemporaryDirectory
  private var data: String { directory.path + "/data" }
  private var history: String { data + "/history.db" }

  init() throws { directory = try TemporaryDirectory() }

  /// A history of a few hundred messages, as a server leaves it.
  private func makeHistory() throws -> Data {
    let beck = try RunningBeck(RunningBeck.anyPort + ["--data", data, "--no-limits"])
    let ann = try JSONClient(port: beck.port)
    ann.logIn("ann")
    ann.ask("join", ["room": "lobby"])
    let text = String(repeating: "x", count: 500)
    let ids = (0..<300).map { ann.say("\($0) \(text)", key: "\($0)") }
    for id in ids { #expect(ann.answer(to: id).isOK) }
    #expect(try beck.end().status == 0)
    return try Data(contentsOf: URL(fileURLWithPath: history))
  }

  private func write(_ bytes: Data) throws {
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try bytes.write(to: URL(fileURLWithPath: history))
  }

  /// Refused in one sentence that has these words; the file is as it was.
  private func expectRefusal(_ words: String, under wrapper: [String] = []) throws {
    let before = try? Data(contentsOf: URL(fileURLWithPath: history))
    let ending = try BeckProcess(
      ["serve", "--data", data] + RunningBeck.anyPort, under: wrapper
    ).ending()
    #expect(ending.status == 1)
    #expect(ending.output == "", "it listens nowhere")
    #expect(
      ending.errors.hasPrefix("beck serve: ") && ending.errors.count { $0 == "\n" } == 1
        && ending.errors.contains(words), "\(ending.errors)")
    let after = try? Data(contentsOf: URL(fileURLWithPath: history))
    #expect(after == before, "it is as it was")
  }

  @Test func whatIsNoDatabaseStaysAsItIs() throws {
    try write(Data("my diary, page 1\n".utf8))
    try expectRefusal(history)
  }

  @Test func aNewerVersionsHistoryStaysAsItIs() throws {
    var bytes = try makeHistory()
    // The database header's user version (SQLite's file format, 1.3).
    bytes[60..<64] = Data([0, 0, 0, 99])
    try write(bytes)
    try expectRefusal("newer")
  }

  @Test func anotherProgramsDatabaseStaysAsItIs() throws {
    var bytes = try makeHistory()
    // Its application id.
    bytes[68..<72] = Data([1, 2, 3, 4])
    try write(bytes)
    try expectRefusal(history)
  }

  @Test(arguments: [100, 3_000])
  func aDamagedFirstPageIsRefused(at place: Int) throws {
    var bytes = try makeHistory()
    bytes[place..<place + 1_000] = Data(repeating: 0xA5, count: 1_000)
    try write(bytes)
    try expectRefusal(history)
  }

  @Test func aFileThatWasCutShortIsRefused() throws {
    let bytes = try makeHistory()
    try write(bytes.prefix(bytes.count / 2 + 100))
    try expectRefusal(history)
  }

  @Test func aDirectoryThatAnotherServerHasIsRefused() throws {
    let beck = try RunningBeck(RunningBeck.anyPort + ["--data", data])
    let ending = try BeckProcess(["serve", "--data", data] + RunningBeck.anyPort).ending()
    #expect(ending.status == 1)
    #expect(ending.errors.contains("is in use by another beck (process \(beck.process.pid))"))
    #expect(try beck.join("ann").linesBeforePong() == [])
    #expect(try beck.end().status == 0)
  }

  @Test func aDirectoryThatCannotBeMadeIsRefused() throws {
    try Data().write(to: URL(fileURLWithPath: data))
    try expectRefusal("is no directory")
  }

  @Test func memoryAndDataExcludeEachOther() throws {
    let ending = try BeckProcess(["serve", "--data", data, "--memory"]).ending()
    #expect(ending.status == 64)
    #expect(ending.errors.contains("--data and --memory exclude each other"))
  }
}
