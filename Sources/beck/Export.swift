/// `beck export`: writes a history to standard output. Knows no line of it.

import ChatModel
import Foundation
import Stores

/// The subcommand's place in the program.
let export = Subcommand(
  name: "export", summary: "write the history as lines of JSON", run: { runExport($0) })

private let exportHelp = """
  beck export [--data DIR] [--room ROOM]

  Writes the history to standard output, also while a server runs: the first line says what it is
  and which rooms follow, then each line is one message or change, the oldest of a room first. Lines
  between these, with "fact", are what is known of people and rooms: accounts, with what passwords
  are checked by, roles, invitations, bans. Keep an export as you keep the data directory; with
  --room it has none of these. The last line says that it is all.

    {"beck":"history","version":2,"at":"2026-11-30T02:10:00.123Z","rooms":[{"room":"tea","seq":2}]}
    {"room":"tea","seq":1,"from":"ann","person":"7301","text":"hi","at":"2026-11-29T17:00:00.001Z"}
    {"room":"tea","seq":2,"from":"bob","person":"-99","text":"ho","at":…,"key":"k-1","replyTo":1}
    {"end":{"messages":2}}

  What cannot be read is left out, and told of when everything else is written. The secret token.key
  of the data directory is not in it: take a copy of it, too, when a server moves. Without it every
  client is somebody new to the server.

    --data DIR    the server's data directory; otherwise $XDG_DATA_HOME/beck or
                  ~/.local/share/beck
    --room ROOM   this room only
    --help        this text

  Examples:
    beck export > history.ndjson
    beck export --room tea | jq -r 'select(.text and .of == null) | .from + ": " + .text'

  Exit status: 0 everything was written; 1 something cannot be read or written, and it says what;
  64 the command line is wrong.

  """

private func runExport(_ arguments: [String]) -> Int32 {
  let options: HistoryOptions
  switch HistoryOptions.parse(
    arguments, command: "export", help: exportHelp, flags: ["room": true], operandsMax: 0)
  {
  case .ended(let status): return status
  case .options(let found): options = found
  }
  let progress = Progress("export")
  defer { progress.end() }
  // Who reads the output may go away; that is told by the write.
  signal(SIGPIPE, SIG_IGN)
  do throws(StoreError) {
    var room: RoomName?
    if let name = options.values["room"] {
      room = RoomName(name)
      guard room != nil else { throw .failed("there is no room '\(name)'") }
    }
    let export = try HistoryExport(options.directory, room: room)
    while let lines = try export.next() {
      if let problem = Output.standard.write(lines) {
        // Who reads it has enough, as `head` has; a shell counts that as this signal.
        if problem == EPIPE { return ExitStatus.signal(SIGPIPE) }
        throw .failed("cannot write the output: \(String(cString: strerror(problem)))")
      }
      progress.show(export.given, of: export.messages, "messages")
    }
    progress.end()
    for loss in export.losses { Output.error.write("beck export: \(loss)\n") }
    return export.losses.isEmpty ? ExitStatus.fine : ExitStatus.refused
  } catch {
    progress.end()
    Output.error.write("beck export: \(error)\n")
    return ExitStatus.refused
  }
}
