/// A store in a process of its own, driven by lines. Asserts nothing.

import Foundation
import TestSupport

@testable import Stores

/// A running `StoreDriver`.
final class Driver {
  let process: ChildProcess
  /// `open`, or `refused` and why.
  let greeting: String

  /// `wrapper` is the beginning of a command line that ends by running another one.
  init(_ directory: DataDirectory, under wrapper: [String] = []) throws {
    process = try ChildProcess(
      running: wrapper + [Self.program, directory.path], input: .pipe)
    greeting = try process.output.line() ?? ""
  }

  /// Gives the line that answers this one.
  func ask(_ line: String) throws -> String {
    try process.type(line + "\n")
    return try process.output.line() ?? ""
  }

  /// Ends it as it ends by itself.
  func end() throws {
    process.endInput()
    _ = try process.ending()
  }

  /// The build puts it beside the test bundle, whatever the scratch path.
  private static let program: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders = ([own] + CommandLine.arguments).map {
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    return folders.map { $0.appendingPathComponent("StoreDriver").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "StoreDriver"
  }()
}
