/// `beck room`: rooms of a running server. Judges nothing; the server does.

import ChatClient
import ChatModel
import Dialects
import Foundation

let room = Subcommand(
  "room", "rooms of a running server",
  about: """
    beck room ACTION

    Rooms of a running server, private ones among them. Conversations of two are none of them.
    """,
  [listRooms, archiveRoom, removeRoom])

private let listRooms = Action(
  name: "list", summary: "which rooms there are",
  help: """
    beck room list [--data DIR] [--json]

    Shows every room by name: how many people are there, the number of its newest message, whether
    it is private or archived, and what it is about.

    \(operatingHelp)

    Examples:
      beck room list
      beck room list --json | jq -r 'select(.members == 0) | .name'

    \(operatingStatuses)

    """
) { operating throws(CommandProblem) in
  var table = Table(["room", "here", "newest", "state", "topic"], numbers: [1, 2])
  try operating.pages(
    { .rooms(after: $0) },
    { if case .rooms(let rows, let next) = $0 { (rows, next) } else { nil } },
    { (row: RoomState) throws(CommandProblem) in
      if operating.isJSON {
        return try operating.print("") { ControlSpelling.encode(row, into: &$0) }
      }
      let state = [row.isPrivate ? "private" : "public", row.isArchived ? "archived" : nil]
      table.add([
        PlainWords.title(row.place), "\(row.members)", "\(row.seq)",
        state.compactMap { $0 }.joined(separator: ", "), row.topic?.string ?? "",
      ])
    })
  if !operating.isJSON { try operating.print(table) }
}

private let archiveRoom = Action(
  name: "archive", summary: "let nothing more be said in a room",
  help: """
    beck room archive ROOM [--data DIR] [--json]

    From then on nothing is said in the room; its history can be read by whoever could before. There
    is no way back.

    \(operatingHelp)

    Examples:
      beck room archive plans-2026

    \(operatingStatuses)

    """, operands: ["ROOM"]
) { operating throws(CommandProblem) in
  let room = try operating.room(operating.operand(0))
  _ = try operating.ask(.archive(room))
  try operating.done("\(room.string) is archived")
}

private let removeRoom = Action(
  name: "remove", summary: "remove a room with all that was said there",
  help: """
    beck room remove ROOM [--yes] [--data DIR] [--json]

    Puts everybody out of the room and removes all that was said there, its topic, its members,
    invitations and bans, from the disk as well. What is counted are messages and changes. Somebody
    else can make a room of the same name afterwards; its messages go on with the numbers where this
    one's ended. If the server ends halfway, the room is archived, and the same command goes on.

      --yes        do not ask whether that is meant
    \(operatingHelp)

    Examples:
      beck export --room plans > plans.ndjson && beck room remove plans

    \(operatingStatuses)

    """, flags: ["yes": false], operands: ["ROOM"]
) { operating throws(CommandProblem) in
  let room = try operating.room(operating.operand(0))
  try operating.confirm("Remove \(room.string) and all that was said there, for good?")
  guard case .report(.roomRemoved(let messages)) = try operating.ask(.removeRoom(room)) else {
    return
  }
  let words = messages == 1 ? "1 message" : "\(PlainWords.grouped(messages)) messages"
  if operating.isJSON { return try operating.write(#"{"messages":\#(messages)}"# + "\n") }
  try operating.write("\(room.string) is removed, with \(words)\n")
}

/// What people typed or are called, for a terminal.
enum ScreenWords {
  static func name(_ name: UserName) -> String { ScreenText.oneLine(name.shown) }
  static func oneLine(_ text: String) -> String { ScreenText.oneLine(text) }
}
