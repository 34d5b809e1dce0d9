/// What the subcommands on a data directory share: their flags, their progress, their endings.

import Foundation
import Stores

/// The command line of a subcommand that works on a data directory.
struct HistoryOptions {
  var directory: DataDirectory
  /// Whether the directory is that of `--data`.
  var isDirectoryNamed = false
  /// What other flags were given, with their values; the last of each counts.
  var values: [String: String] = [:]
  var operands: [String]

  enum Parsed {
    case options(HistoryOptions)
    /// The exit status: help was given, or something is wrong and was said.
    case ended(Int32)
  }

  /// `flags` beside `--data` and `--help`; at most `operandsMax` words that are no flags.
  static func parse(
    _ arguments: [String], command: String, help: String, flags: [String: Bool] = [:],
    operandsMax: Int
  ) -> Parsed {
    let own = ["data": true, "help": false]
    var data: String?
    var options = HistoryOptions(directory: DataDirectory("."), operands: [])
    var problem: String?
    for item in Flags(own.merging(flags) { one, _ in one }).parse(arguments) {
      switch item {
      case .flag("help", _):
        Output.standard.write(help)
        return .ended(ExitStatus.fine)
      case .flag("data", let value): data = value
      case .flag(let other, let value): options.values[other] = value ?? ""
      case .other(let word): options.operands.append(word)
      case .wrong(let clause): problem = problem ?? clause
      }
    }
    if options.operands.count > operandsMax {
      problem = problem ?? "'\(options.operands[operandsMax])' is one word too many"
    }
    if problem == nil {
      let environment = ProcessInfo.processInfo.environment
      options.isDirectoryNamed = data != nil
      if data == "" { problem = "--data needs a directory" }
      if let found = data.map(DataDirectory.init) ?? .standard(environment: environment) {
        options.directory = found
      } else {
        problem = problem ?? "there is no HOME to look for data in; name a directory with --data"
      }
    }
    if let problem {
      Output.error.write("beck \(command): \(problem); try: beck \(command) --help\n")
      return .ended(ExitStatus.usage)
    }
    return .options(options)
  }
}

/// One line on a terminal that tells how far something is. Says nothing where no terminal is.
final class Progress {
  private let label: String
  private let isShown = isatty(STDERR_FILENO) == 1
  private var shownAt: ContinuousClock.Instant?

  init(_ label: String) { self.label = label }

  /// `all` is nil or 0 where nobody knows it.
  func show(_ count: Int, of all: Int? = nil, _ unit: String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let shownAt, shownAt.duration(to: now) < .milliseconds(100) { return }
    shownAt = now
    let part = all.flatMap { $0 > 0 ? " of \($0) (\(min(100, count * 100 / $0)) %)" : nil } ?? ""
    Output.error.write("\r\(label): \(count)\(part) \(unit)\u{1B}[K")
  }

  /// Clears the line, for what comes next.
  func end() {
    if shownAt != nil { Output.error.write("\r\u{1B}[K") }
    shownAt = nil
  }
}
