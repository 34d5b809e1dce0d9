/// `beck status` and `beck audit`: how a running server is doing, and what was done about people.

import ChatModel
import Dialects
import Foundation

let status = Subcommand(
  "status",
  Action(
    name: "", summary: "how a running server is doing",
    help: """
      beck status [--data DIR] [--json]

      Tells how the running server is doing: since when, where it listens, who is connected, how
      many messages it has kept since then and how many wait, what its data and its memory take.

      \(operatingHelp)

      Examples:
        beck status
        beck status --json | jq .connections.named
        watch -n 5 beck status --data /var/lib/beck

      \(operatingStatuses)

      """
  ) { operating throws(CommandProblem) in
    guard case .report(.status(let status)) = try operating.ask(.status) else { return }
    if operating.isJSON {
      return try operating.print("") { ControlSpelling.encode(status, into: &$0) }
    }
    var table = Table(["", ""])
    for (key, words) in status.words { table.add([key, words]) }
    try operating.print(table)
  })

extension ServerStatus {
  /// As people read it: what, and how it is with it.
  fileprivate var words: [(String, String)] {
    let number = { (count: Int) in PlainWords.grouped(count) }
    var words = [
      ("server", "beck \(version), since \(Operating.shown(since)) UTC"),
      ("listening", listening.joined(separator: ", ")),
      (
        "connections",
        "\(number(connections.named)) named, \(number(connections.nameless)) nameless "
          + "(\(number(connections.plain)) plain, \(number(connections.json)) JSON, "
          + "\(number(connections.webSocket)) WebSocket, \(number(connections.http)) HTTP), "
          + "\(number(connections.operators)) of operators"
      ),
      ("people", "\(number(people)) here, \(number(accounts)) with an account"),
      ("rooms", "\(number(rooms)), and \(number(conversations)) conversations"),
      ("messages", "\(number(Int(kept))) kept since then, \(number(waiting)) waiting"),
    ]
    if let store { words.append(("data", "\(Self.size(store.bytes)) in \(store.path)")) }
    words.append(("memory", Self.size(memoryBytes)))
    return words
  }

  private static func size(_ bytes: Int64) -> String {
    let tenths = bytes * 10 / 1_048_576
    return "\(PlainWords.grouped(Int(tenths / 10))).\(tenths % 10) MiB"
  }
}

let audit = Subcommand(
  "audit",
  Action(
    name: "", summary: "what moderators and operators did",
    help: """
      beck audit [--last N] [--data DIR] [--json]

      Shows the log of moderation, oldest first: who was kicked, banned, muted or made a moderator,
      by whom and why, and what was done by these commands, as "operator". Where a server keeps
      messages for a time only, these lines stay.

        --last N     the newest N lines; otherwise 50. 0: all
      \(operatingHelp)

      Examples:
        beck audit
        beck audit --last 0 --json > audit.ndjson

      \(operatingStatuses)

      """, flags: ["last": true]
  ) { operating throws(CommandProblem) in
    guard let last = Int(operating.value("last") ?? "50"), last >= 0 else {
      throw .usage("--last takes a number")
    }
    let lines = try auditLines(operating, last: last == 0 ? .max : last)
    if operating.isJSON {
      for line in lines {
        try operating.print("") { ControlSpelling.encode(line: line, into: &$0) }
      }
      return
    }
    var table = Table(["time (UTC)", "by", "what"])
    for line in lines {
      table.add([Operating.shown(line.at), line.draft.from.shown, line.draft.words])
    }
    try operating.print(table)
  })

/// The newest, oldest first.
private func auditLines(
  _ operating: Operating, last: Int
) throws(CommandProblem) -> [Message] {
  var pages: [[Message]] = []
  var left = last
  var before: Int64?
  while left > 0 {
    let limit = min(left, HistoryPage.messagesMax)
    guard
      case .history(let page, in: _) = try operating.ask(.audit(before: before, limit: limit)),
      let first = page.messages.first
    else { break }
    pages.append(page.messages)
    left -= page.messages.count
    before = first.seq
    guard page.more else { break }
  }
  return Array(pages.reversed().joined())
}
