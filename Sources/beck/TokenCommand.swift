/// `beck token`: what lets a program speak as somebody over HTTP. Judges nothing; the server does.

import ChatClient
import ChatModel
import Dialects
import Foundation

let token = Subcommand(
  "token",
  Action(
    name: "", summary: "a token, to post by from scripts",
    help: """
      beck token NAME [--days N] [--data DIR] [--json]

      Makes a token for programs of the account NAME, and prints it alone on standard output.
      Whoever has it may do what NAME may: keep it as a password is kept. It is good for its days,
      or until NAME logs out or has another password, or the account is disabled or removed.

        --days N     for so many days, 1 to \(PlainWords.grouped(ControlMethod.tokenDaysMax)); \
      otherwise \(ControlMethod.tokenDays)
        --person N   the account of the person with this number, in place of NAME
      \(operatingHelp)

      Examples:
        beck token deploy --days 365 > deploy.token
        curl -H "Authorization: Bearer $(cat deploy.token)" -H "Content-Type: text/plain" \\
          --data "deployed" http://localhost:12345/rooms/lobby/messages

      \(operatingStatuses)

      """, flags: ["days": true], operands: ["NAME"], takesPerson: true
  ) { operating throws(CommandProblem) in
    let most = ControlMethod.tokenDaysMax
    guard let days = Int(operating.value("days") ?? "\(ControlMethod.tokenDays)"),
      (1...most).contains(days)
    else { throw .usage("--days takes a number from 1 to \(PlainWords.grouped(most))") }
    let answer = try operating.ask(.token(try operating.party(), days: days))
    guard case .report(.token(let name, let token, let until)) = answer else { return }
    try operating.print("\(token)\n") {
      ControlSpelling.encode(token: token, of: name, until: until, into: &$0)
    }
    guard !operating.isJSON else { return }
    let shown = ScreenText.oneLine(name.shown)
    Output.error.write("a token of \(shown), good until \(Operating.shown(until)) UTC\n")
  })
