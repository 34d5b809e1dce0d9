/// `beck reindex`: makes the index of searches anew. Knows no table.

import Stores

/// The subcommand's place in the program.
let reindex = Subcommand(
  name: "reindex", summary: "make the index of searches anew", run: { runReindex($0) })

private let reindexHelp = """
  beck reindex [--data DIR]

  Throws the index of searches away and makes it anew from the history, which stays as it is. Not
  while a server has the directory: that one makes it anew by itself where it is absent or damaged,
  or was made by another version. What is ended halfway is gone on with by the server.

    --data DIR   the server's data directory; otherwise $XDG_DATA_HOME/beck or
                 ~/.local/share/beck
    --help       this text

  Exit status: 0 every message is in the index; 1 it cannot be made, and it says why; 64 the command
  line is wrong.

  """

private func runReindex(_ arguments: [String]) -> Int32 {
  let options: HistoryOptions
  switch HistoryOptions.parse(arguments, command: "reindex", help: reindexHelp, operandsMax: 0) {
  case .ended(let status): return status
  case .options(let found): options = found
  }
  let progress = Progress("reindex")
  do throws(StoreError) {
    let count = try SearchRebuild.run(
      options.directory, progress: { progress.show($0, of: $1, "messages") })
    progress.end()
    let messages = count == 1 ? "1 message is" : "\(count) messages are"
    Output.error.write("beck reindex: \(messages) in the index\n")
    return ExitStatus.fine
  } catch {
    progress.end()
    Output.error.write("beck reindex: \(error)\n")
    return ExitStatus.refused
  }
}
