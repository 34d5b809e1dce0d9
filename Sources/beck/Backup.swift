/// `beck backup`: copies a history into a file. Knows no table.

import Stores

/// The subcommand's place in the program.
let backup = Subcommand(
  name: "backup", summary: "copy the history, also while a server runs", run: { runBackup($0) })

private let backupHelp = """
  beck backup [--data DIR] FILE

  Copies the history as it is at one moment to FILE, which must not exist yet, also while a server
  writes it. To put it in place: stop the server, remove history.db and all history.db-* from the
  data directory, and copy FILE there as history.db.

  The secret token.key of the data directory is not in FILE: keep a copy of it, too. Without it
  every client is somebody new to the server.

    --data DIR   the server's data directory; otherwise $XDG_DATA_HOME/beck or
                 ~/.local/share/beck
    --help       this text

  Examples:
    beck backup /mnt/backups/beck-$(date +%F).db
    beck verify /mnt/backups/beck-2026-11-30.db

  Exit status: 0 FILE is whole and on the disk; 1 there is no FILE, and it says why; 64 the command
  line is wrong.

  """

private func runBackup(_ arguments: [String]) -> Int32 {
  let options: HistoryOptions
  switch HistoryOptions.parse(arguments, command: "backup", help: backupHelp, operandsMax: 1) {
  case .ended(let status): return status
  case .options(let found): options = found
  }
  guard let file = options.operands.first, !file.isEmpty else {
    Output.error.write("beck backup: which FILE is it to go to? try: beck backup --help\n")
    return ExitStatus.usage
  }
  let progress = Progress("backup")
  do throws(StoreError) {
    try HistoryBackup.run(
      options.directory, to: file, progress: { progress.show($0, of: $1, "pages") })
    progress.end()
    Output.error.write("beck backup: \(file) is complete\n")
    return ExitStatus.fine
  } catch {
    progress.end()
    Output.error.write("beck backup: \(error)\n")
    return ExitStatus.refused
  }
}
