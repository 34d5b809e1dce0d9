/// `beck verify`: looks over a whole history and prints what is wrong. Looks at nothing itself.

import Foundation
import Stores

/// The subcommand's place in the program.
let verify = Subcommand(
  name: "verify", summary: "look whether the history is sound", run: { runVerify($0) })

private let verifyHelp = """
  beck verify [--data DIR] [FILE]

  Reads the whole history, also while a server runs, or a backup as it lies in FILE, and prints what
  is wrong with it, a line each: pages that do not fit together, an index of keys that differs from
  the messages, a key that is there twice, rooms that have not as many messages as they counted, and
  values that cannot be read. Behind a page that cannot be read it goes on. Numbers that were never
  given are no fault. It changes nothing, and need not be allowed to write anywhere.

    --data DIR   the server's data directory; otherwise $XDG_DATA_HOME/beck or
                 ~/.local/share/beck
    --help       this text

  Examples:
    beck verify
    beck verify /mnt/backups/beck-2026-11-30.db

  What is wrong goes to standard output, at most 100 lines. Exit status: 0 the history is sound;
  1 something is wrong; 64 the command line is wrong.

  """

private func runVerify(_ arguments: [String]) -> Int32 {
  let options: HistoryOptions
  switch HistoryOptions.parse(arguments, command: "verify", help: verifyHelp, operandsMax: 1) {
  case .ended(let status): return status
  case .options(let found): options = found
  }
  if options.isDirectoryNamed, let file = options.operands.first {
    Output.error.write(
      "beck verify: is it to be --data or '\(file)'? name one; try: beck verify --help\n")
    return ExitStatus.usage
  }
  let progress = Progress("verify")
  do throws(StoreError) {
    let result = try check(options, progress)
    progress.end()
    let read = "\(count(result.messages, "message")) in \(count(result.rooms, "room"))"
    guard result.problems > 0 else {
      Output.error.write("beck verify: \(read), all sound\n")
      return ExitStatus.fine
    }
    let things = count(result.problems, "thing") + (result.problems == 1 ? " is" : " are")
    Output.error.write("beck verify: \(things) wrong in \(read)\n")
    return ExitStatus.refused
  } catch {
    progress.end()
    Output.error.write("beck verify: \(error)\n")
    return ExitStatus.refused
  }
}

private func check(
  _ options: HistoryOptions, _ progress: Progress
) throws(StoreError) -> HistoryCheck {
  let found = { (problem: String) in
    progress.end()
    Output.standard.write("\(problem)\n")
  }
  let read = { progress.show($0, of: $1, "messages") }
  guard let file = options.operands.first else {
    return try HistoryCheck.run(options.directory, found: found, progress: read)
  }
  var isFolder: ObjCBool = false
  if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder.boolValue {
    throw .failed("\(file) is a directory; name it with --data")
  }
  return try HistoryCheck.run(file: file, found: found, progress: read)
}

private func count(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
