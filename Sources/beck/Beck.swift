/// The program's subcommands, and the help that lists them. Does nothing itself.

import Dialects

/// One thing that the program can do.
struct Subcommand: Sendable {
  /// The word behind `beck`.
  let name: String
  /// One line of the help: what it does.
  let summary: String
  /// Takes the arguments behind its name and gives the exit status.
  let run: @Sendable ([String]) -> Int32
}

/// What the program ends with, in every subcommand.
enum ExitStatus {
  static let fine: Int32 = 0
  /// Something was refused, or the connection was lost before everything was answered.
  static let refused: Int32 = 1
  /// The server could not be reached.
  static let unreachable: Int32 = 2
  /// The command line cannot be understood (`EX_USAGE` of sysexits.h).
  static let usage: Int32 = 64
  /// Ended by a signal, as a shell counts it.
  static func signal(_ number: Int32) -> Int32 { 128 + number }
}

/// The whole program.
enum Beck {
  /// In the order of the help.
  static let subcommands = [
    serve, chat, status, account, token, room, ban, audit, export, importing, backup, verify,
    reindex,
  ]

  static func run(_ arguments: [String]) -> Int32 {
    guard let first = arguments.first else {
      Output.error.write(help)
      return ExitStatus.usage
    }
    switch first {
    case "--help", "-h", "help":
      Output.standard.write(help)
      return ExitStatus.fine
    case "--version":
      Output.standard.write("beck \(Software.version)\n")
      return ExitStatus.fine
    default:
      guard let subcommand = subcommands.first(where: { $0.name == first }) else {
        let kind = first.hasPrefix("-") ? "option" : "subcommand"
        Output.error.write("beck: there is no \(kind) '\(first)'; try: beck --help\n")
        return ExitStatus.usage
      }
      return subcommand.run(Array(arguments.dropFirst()))
    }
  }

  private static var help: String {
    let width = subcommands.map(\.name.count).max() ?? 0
    let list = subcommands.map { subcommand in
      let gap = String(repeating: " ", count: width - subcommand.name.count)
      return "  beck \(subcommand.name)\(gap)  \(subcommand.summary)\n"
    }
    return """
      beck: chat over plain sockets.

      \(list.joined())
      Each has its own help, with examples: beck chat --help

        beck --help      this text
        beck --version   the version

      """
  }
}
