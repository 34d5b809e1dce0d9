/// A running server with a data directory, and the operator's commands that ask it. Expects only
/// that they go well.

import Foundation
import TestSupport
import Testing

final class OperatorStage {
  let directory: TemporaryDirectory
  private(set) var beck: RunningBeck
  var data: String { directory.path + "/data" }
  private let flags: [String]

  init(under wrapper: [String] = [], _ more: String...) throws {
    directory = try TemporaryDirectory()
    flags = RunningBeck.anyPort + ["--data", directory.path + "/data"] + more
    beck = try RunningBeck(flags, under: wrapper)
  }

  func restart() throws {
    beck = try RunningBeck(flags)
  }

  func run(_ words: String..., input: String = "") throws -> ChildProcess.Ending {
    try BeckProcess(words + ["--data", data], input: .file(input)).ending()
  }

  /// Where it goes well and says nothing on standard error: its output.
  func output(_ words: String..., input: String = "") throws -> String {
    let ending = try BeckProcess(words + ["--data", data], input: .file(input)).ending()
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(words): \(ending)")
    return ending.output
  }

  /// Each line of what it prints with `--json`.
  func rows(_ words: String...) throws -> [[String: Any]] {
    let ending = try BeckProcess(words + ["--json", "--data", data]).ending()
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(words): \(ending)")
    return ending.output.split(separator: "\n").compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
  }

  /// Looks the history over, and for these words in every file there, once no server runs.
  func files(with words: String) throws -> [String] {
    #expect(try run("verify").status == 0)
    // A server overwrites what it removes from the index within ten minutes; this does at once.
    #expect(try run("reindex").status == 0)
    return try FileManager.default.contentsOfDirectory(atPath: data).filter { file in
      let bytes = FileManager.default.contents(atPath: data + "/" + file) ?? Data()
      return bytes.range(of: Data(words.utf8)) != nil
    }
  }

  func client(_ name: String, password: String? = nil) throws -> JSONClient {
    let client = try JSONClient(port: beck.port)
    let fields = ["name": name].merging(password.map { ["password": $0] } ?? [:]) { $1 }
    #expect(client.ask("login", fields).isOK)
    return client
  }
}
