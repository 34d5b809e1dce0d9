/// `beck verify`: looks over a whole history and prints what is wrong. Looks at nothing itself.

import Stores

/// The subcommand's place in the program.
let verify = Subcommand(
  name: "verify", summary: "look whether the history is sound", run: { runVerify($0) })

private let verifyHelp = """
  beck verify [--data DIR]

  Reads the whole history, also while a server runs, and prints what is wrong with it, a line each:
  pages that do not fit together, an index of keys that differs from the messages, a key that is
  there twice, rooms that have not as many messages as they counted, and values that cannot be read.
  Numbers that were never given are no fault. It changes nothing.

    --data DIR   the server's data directory; otherwise $XDG_DATA_HOME/beck or
                 ~/.local/share/beck
    --help       this text

  What is wrong goes to standard output, at most 100 lines. Exit status: 0 the history is sound;
  1 something is wrong; 64 the command line is wrong.

  """

private func runVerify(_ arguments: [String]) -> Int32 {
  let options: HistoryOptions
  switch HistoryOptions.parse(arguments, command: "verify", help: verifyHelp, operandsMax: 0) {
  case .ended(let status): return status
  case .options(let found): options = found
  }
  let progress = Progress("verify")
  do throws(StoreError) {
    let result = try HistoryCheck.run(
      options.directory,
      found: { problem in
        progress.end()
        Output.standard.write("\(problem)\n")
      },
      progress: { progress.show($0, of: $1, "messages") })
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

private func count(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
