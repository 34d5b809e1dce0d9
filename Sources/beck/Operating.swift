/// What the commands of whoever runs a server share: their actions, their help, how they ask and
/// what they print. Knows no action.

import ChatModel
import Dialects
import Foundation
import Wire

/// One thing to do, such as `beck account list`.
struct Action: Sendable {
  /// The word behind the command's; empty where the command is one thing.
  let name: String
  /// One line of the help.
  let summary: String
  let help: String
  /// Beside `--data`, `--json` and `--help`; true for those that take a value.
  var flags: [String: Bool] = [:]
  /// What stands behind the flags: a word for each operand that has to be there.
  var operands: [String] = []
  /// Nothing but operands is needed to say whom it is about, or `--person` in their place.
  var takesPerson = false
  let run: @Sendable (Operating) throws(CommandProblem) -> Void
}

/// An action under way.
struct Operating {
  let command: String
  let options: HistoryOptions
  let link: ControlLink

  var isJSON: Bool { options.values["json"] != nil }

  func ask(_ operation: ChatModel.Operation) throws(CommandProblem) -> Answer {
    try link.ask(operation)
  }

  func operand(_ index: Int) -> String { options.operands[index] }
  func value(_ flag: String) -> String? { options.values[flag] }

  // MARK: What was named

  func name(_ string: String) throws(CommandProblem) -> UserName {
    do { return try UserName(string) } catch { throw .usage("'\(string)': \(error.words)") }
  }

  func room(_ string: String) throws(CommandProblem) -> RoomName {
    guard let room = RoomName(string) else { throw .usage("there can be no room '\(string)'") }
    return room
  }

  /// The one who is named, or whose number is given by `--person`.
  func party() throws(CommandProblem) -> ChatModel.Operation.Party {
    if let number = value("person") {
      guard let raw = Int64(number), raw != 0 else {
        throw .usage("--person takes the number of a person, as lists and exports have it")
      }
      return .person(PersonID(rawValue: raw))
    }
    return .name(try name(operand(0)))
  }

  // MARK: What is printed

  /// A line of JSON as the server spells it, or what people read.
  func print(_ words: String, json: (inout [UInt8]) -> Void) throws(CommandProblem) {
    guard isJSON else { return try write(words) }
    var line: [UInt8] = []
    json(&line)
    line.append(0x0A)
    try write(String(decoding: line, as: UTF8.self))
  }

  /// Nothing is to be told but that it is done.
  func done(_ words: String) throws(CommandProblem) {
    if isJSON { try write("{}\n") } else { try write("\(words)\n") }
  }

  func print(_ table: Table) throws(CommandProblem) {
    try write(
      table.text(
        forTerminal: isatty(STDOUT_FILENO) == 1, colours: Output.standard.hasColours))
  }

  func write(_ text: String) throws(CommandProblem) {
    guard let problem = Output.standard.write(text) else { return }
    // Who reads it has enough, as `head` has; a shell counts that as this signal.
    if problem == EPIPE { throw CommandProblem(sentence: "", status: ExitStatus.signal(SIGPIPE)) }
    throw .refused("cannot write the output: \(String(cString: strerror(problem)))")
  }

  /// Asks on a terminal whether it is meant.
  func confirm(_ question: String) throws(CommandProblem) {
    if value("yes") != nil { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw .usage("nobody is here to be asked whether that is meant; give --yes")
    }
    Output.error.write("\(question) [y/N] ")
    let answer = (readLine() ?? "").lowercased()
    guard answer == "y" || answer == "yes" else { throw .refused("nothing was done") }
  }

  /// By pages until the end; each page as it comes.
  func pages<Row>(
    _ operation: (String?) -> ChatModel.Operation,
    _ take: (Report) -> (rows: [Row], next: String?)?, _ show: (Row) throws(CommandProblem) -> Void
  ) throws(CommandProblem) {
    var after: String?
    repeat {
      guard case .report(let report) = try ask(operation(after)), let page = take(report) else {
        throw .refused("the server answered something else; is it of another version?")
      }
      for row in page.rows { try show(row) }
      after = page.next
    } while after != nil
  }

  /// As people read it, in UTC.
  static func shown(_ moment: Moment) -> String {
    var bytes: [UInt8] = []
    bytes.append(minuteOf: moment.milliseconds)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Action {
  /// Gives the exit status.
  func run(_ arguments: [String], command: String) -> Int32 {
    let options: HistoryOptions
    let common = ["json": false].merging(takesPerson ? ["person": true] : [:]) { one, _ in one }
    switch HistoryOptions.parse(
      arguments, command: command, help: help, flags: common.merging(flags) { one, _ in one },
      operandsMax: operands.count)
    {
    case .ended(let status): return status
    case .options(let found): options = found
    }
    let isNumbered = takesPerson && options.values["person"] != nil
    if isNumbered, let word = options.operands.first {
      return complain("is it '\(word)' or --person? name one", command, ExitStatus.usage)
    }
    let missing = isNumbered ? operands.dropFirst() : operands.dropFirst(options.operands.count)
    if let missing = missing.first {
      return complain("\(missing) is missing", command, ExitStatus.usage)
    }
    signal(SIGPIPE, SIG_IGN)
    do throws(CommandProblem) {
      try run(
        Operating(command: command, options: options, link: ControlLink(options.directory)))
      return ExitStatus.fine
    } catch {
      return error.sentence.isEmpty
        ? error.status : complain(error.sentence, command, error.status)
    }
  }

  private func complain(_ sentence: String, _ command: String, _ status: Int32) -> Int32 {
    let hint = status == ExitStatus.usage ? "; try: beck \(command) --help" : ""
    Output.error.write("beck \(command): \(sentence)\(hint)\n")
    return status
  }
}

extension Subcommand {
  /// A command that is one thing.
  init(_ name: String, _ action: Action) {
    self.init(name: name, summary: action.summary) { action.run($0, command: name) }
  }

  /// A command with several actions. The help begins with `about`.
  init(_ name: String, _ summary: String, about: String, _ actions: [Action]) {
    self.init(name: name, summary: summary) { arguments in
      let width = actions.map(\.name.count).max() ?? 0
      let list = actions.map { action in
        let gap = String(repeating: " ", count: width - action.name.count)
        return "  beck \(name) \(action.name)\(gap)  \(action.summary)\n"
      }
      let help = """
        \(about)

        \(list.joined())
        Each has its own help, with examples: beck \(name) \(actions[0].name) --help

        """
      guard let word = arguments.first else {
        Output.error.write(help)
        return ExitStatus.usage
      }
      if word == "--help" || word == "-h" {
        Output.standard.write(help)
        return ExitStatus.fine
      }
      guard let action = actions.first(where: { $0.name == word }) else {
        Output.error.write("beck \(name): there is no '\(word)'; try: beck \(name) --help\n")
        return ExitStatus.usage
      }
      return action.run(Array(arguments.dropFirst()), command: "\(name) \(word)")
    }
  }
}

/// The end of each help.
let operatingHelp = """
    --data DIR   the data directory of the running server; otherwise $XDG_DATA_HOME/beck or
                 ~/.local/share/beck
    --json       JSON: one document, or one line a row
    --help       this text
  """

let operatingStatuses = """
  It asks the running server, by control.sock in its data directory, which only the user that runs
  it may use. A server that runs with --memory cannot be asked. Exit status: 0 done; 1 refused, and
  it says why; 2 no server is there; 64 the command line is wrong.
  """
