/// The built program as a child process.

import Foundation
import TestSupport

/// One run of `beck`.
typealias BeckProcess = ChildProcess

extension ChildProcess {
  /// `wrapper` is the beginning of a command line that ends by running another one.
  convenience init(
    _ arguments: [String], under wrapper: [String] = [], input: Input = .file(""),
    terminalOutput: Bool = false, environment: [String: String] = [:]
  ) throws {
    try self.init(
      running: wrapper + [Self.beck] + arguments, input: input, terminalOutput: terminalOutput,
      environment: environment)
  }

  /// The build puts the program beside the test bundle, whatever the scratch path. BECK_PROGRAM
  /// names another one, to measure a release build.
  static let beck: String = {
    if let program = ProcessInfo.processInfo.environment["BECK_PROGRAM"] { return program }
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let candidates = [own] + CommandLine.arguments
    let folders = candidates.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return folders.map { $0.appendingPathComponent("beck").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "beck"
  }()
}
