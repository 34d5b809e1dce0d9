/// `beck ban`: bans and mutes of a running server. Judges nothing; the server does.

import ChatClient
import ChatModel
import Dialects
import Foundation

let ban = Subcommand(
  "ban", "bans and mutes of a running server",
  about: """
    beck ban ACTION

    Who may not be on a running server, or in a room of it, and who may say nothing there.
    """,
  [listBans, addBan, removeBan])

private let whom = """
    NAME         somebody who has an account or is connected
    NETWORK      an address, or a range such as 203.0.113.0/24 or 2001:db8::/32
    --person N   the person with this number, in place of NAME, also a guest who has gone
    --room ROOM  in this room; otherwise on the whole server
    --mute       who may say nothing, in place of who may not be there
  """

private let listBans = Action(
  name: "list", summary: "which bans and mutes are in force",
  help: """
    beck ban list [--data DIR] [--json]

    Shows every ban and mute that is in force, those of the whole server first: whom it is for, of
    whom it comes, why, and until when.

    \(operatingHelp)

    Examples:
      beck ban list
      beck ban list --json | jq -r 'select(.room == null) | .name // .network'

    \(operatingStatuses)

    """
) { operating throws(CommandProblem) in
  var table = Table(
    ["whom", "person", "kind", "where", "until (UTC)", "by", "since (UTC)", "why"], numbers: [1])
  try operating.pages(
    { .sanctions(after: $0) },
    { if case .sanctions(let rows, let next) = $0 { (rows, next) } else { nil } },
    { (row: SanctionState) throws(CommandProblem) in
      if operating.isJSON {
        return try operating.print("") { ControlSpelling.encode(row, into: &$0) }
      }
      table.add(row.words)
    })
  if !operating.isJSON { try operating.print(table) }
}

extension SanctionState {
  fileprivate var words: [String] {
    let (whom, person) =
      switch key.subject {
      case .person(let person): (sanction.name?.shown ?? "", "\(person.rawValue)")
      case .network(let network): (network.string, "")
      }
    return [
      whom, person, key.kind.rawValue, key.room?.string ?? "the server",
      sanction.until.map { Operating.shown($0) } ?? "lifted", sanction.by.shown,
      Operating.shown(sanction.at), sanction.reason?.string ?? "",
    ]
  }
}

private let addBan = Action(
  name: "add", summary: "ban somebody, or where they come from",
  help: """
    beck ban add NAME | NETWORK [--room ROOM] [--mute] [--for TIME] [--reason TEXT]
                 [--data DIR] [--json]

    Ends every connection of the banned at once, or puts them out of the room, and lets them in no
    more. Once it is answered nothing more reaches them, and nothing of theirs is seen. Nobody's
    role is above it. Here it is known by the name; it is for the person, whatever they are called.

    \(whom)
      --for TIME   it ends by itself: 90s, 30m, 12h or 7d. Otherwise it stays until it is lifted
      --reason TEXT  what they are told, and the log; at most 256 bytes
    \(operatingHelp)

    Examples:
      beck ban add mallory --reason "advertising"
      beck ban add mallory --room tea --for 7d
      beck ban add mallory --mute --for 30m
      beck ban add 203.0.113.0/24 --for 12h

    \(operatingStatuses)

    """,
  flags: ["room": true, "mute": false, "for": true, "reason": true],
  operands: ["NAME or NETWORK"], takesPerson: true
) { operating throws(CommandProblem) in
  let kind = operating.kind
  var reason: ShortText?
  if let text = operating.value("reason"), !text.isEmpty {
    reason = ShortText(text)
    guard reason != nil else { throw .usage("a reason has at most \(ShortText.bytesMax) bytes") }
  }
  let seconds = try operating.value("for").map(seconds)
  _ = try operating.ask(
    .sanction(
      kind, in: try operating.roomIfAny(), try operating.subject(), reason, seconds: seconds))
  let end = operating.value("for").map { " for \($0)" } ?? " until that is lifted"
  try operating.done(
    "\(operating.whom) is \(kind == .ban ? "banned" : "muted") \(operating.whereabouts)\(end)")
}

private let removeBan = Action(
  name: "remove", summary: "lift a ban or a mute",
  help: """
    beck ban remove NAME | NETWORK [--room ROOM] [--mute] [--data DIR] [--json]

    Lifts a ban, as beck ban list shows it: that of the whole server, or of a room.

    \(whom)
    \(operatingHelp)

    Examples:
      beck ban remove mallory
      beck ban remove mallory --room tea --mute
      beck ban remove 203.0.113.0/24

    \(operatingStatuses)

    """,
  flags: ["room": true, "mute": false], operands: ["NAME or NETWORK"], takesPerson: true
) { operating throws(CommandProblem) in
  _ = try operating.ask(
    .lift(operating.kind, in: try operating.roomIfAny(), try operating.subject()))
  try operating.done(
    "the \(operating.kind.rawValue) of \(operating.whom) \(operating.whereabouts) is lifted")
}

extension Operating {
  fileprivate var kind: Sanction.Kind { value("mute") == nil ? .ban : .mute }

  fileprivate func roomIfAny() throws(CommandProblem) -> RoomName? {
    guard let string = value("room") else { return nil }
    return try room(string)
  }

  fileprivate var whereabouts: String {
    value("room").map { "in \(ScreenText.oneLine($0))" } ?? "on the server"
  }

  /// Names have no `:` and no `/`; one that reads as an address is taken to be one.
  fileprivate func subject() throws(CommandProblem) -> ChatModel.Operation.Party {
    if value("person") == nil, let network = Network(operand(0)) { return .network(network) }
    if value("person") == nil, operand(0).contains("/") {
      throw .usage(
        "'\(operand(0))' is no network: an address and how many bits count, the others 0, as in "
          + "203.0.113.0/24")
    }
    return try party()
  }
}

private func seconds(_ time: String) throws(CommandProblem) -> Int {
  guard let seconds = TimeSpan.seconds(time), seconds <= JSONLimits.secondsMax else {
    throw .usage("--for takes a time such as 90s, 30m, 12h or 7d, ten years at most")
  }
  return seconds
}
