/// `beck import`: reads an export into a history. Knows no line of it.

import Foundation
import Stores

/// The subcommand's place in the program.
let importing = Subcommand(
  name: "import", summary: "take an export into the history", run: { runImport($0) })

private let importHelp = """
  beck import [--data DIR] [FILE]

  Takes what beck export has written, from FILE or standard input, into the history. Rooms, numbers,
  people, times and keys stay as they were. Not while a server has the directory: stop it first.

  It is taken whole or not at all: at the first line that is wrong, or that contradicts a message
  which is there already, or where the export was cut short, nothing is imported and the line is
  named. The same export a second time changes nothing.

  The secret token.key is in no export: copy it, too, when a server moves. Without it every client
  is somebody new to the server.

    --data DIR   the data directory, made where it is absent; otherwise $XDG_DATA_HOME/beck or
                 ~/.local/share/beck
    --help       this text

  Examples:
    beck import history.ndjson
    ssh old.example.org beck export | beck import --data /srv/beck

  Exit status: 0 all of it is in the history; 1 none of it was imported, and it says why; 64 the
  command line is wrong.

  """

private func runImport(_ arguments: [String]) -> Int32 {
  let options: HistoryOptions
  switch HistoryOptions.parse(arguments, command: "import", help: importHelp, operandsMax: 1) {
  case .ended(let status): return status
  case .options(let found): options = found
  }
  let progress = Progress("import")
  do throws(StoreError) {
    let input = try input(options.operands.first)
    defer { if input != STDIN_FILENO { close(input) } }
    let result = try HistoryImport.run(
      into: options.directory, read: { () throws(StoreError) in try bytes(from: input) },
      progress: { progress.show($0, "lines") })
    progress.end()
    let known = result.known == 0 ? "" : ", \(result.known) were there already"
    var what = result.added == 1 ? "1 message" : "\(result.added) messages"
    if result.facts > 0 { what += " and \(result.facts) of what is known of people" }
    Output.error.write("beck import: \(what) imported\(known)\n")
    return ExitStatus.fine
  } catch {
    progress.end()
    Output.error.write("beck import: \(error)\n")
    return ExitStatus.refused
  }
}

private func input(_ path: String?) throws(StoreError) -> Int32 {
  guard let path, path != "-" else { return STDIN_FILENO }
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw .failed("cannot open \(path): \(String(cString: strerror(errno)))")
  }
  return descriptor
}

/// The next of the input; nil at its end.
private func bytes(from descriptor: Int32) throws(StoreError) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: 1 << 18)
  while true {
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 { return Array(bytes[..<count]) }
    if count == 0 { return nil }
    guard errno == EINTR else {
      throw .failed(
        "cannot read the input: \(String(cString: strerror(errno))); nothing was imported")
    }
  }
}
