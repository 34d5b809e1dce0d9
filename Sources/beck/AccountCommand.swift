/// `beck account`: accounts of a running server. Judges nothing; the server does.

import ChatModel
import Dialects
import Foundation

let account = Subcommand(
  "account", "accounts of a running server",
  about: """
    beck account ACTION

    Accounts of a running server: who has one, passwords, and what becomes of a person's words.
    """,
  [listAccounts, createAccount, setPassword, disable, enable, removeAccount, erase])

private let listAccounts = Action(
  name: "list", summary: "who has an account",
  help: """
    beck account list [--data DIR] [--json]

    Shows every account by name: the number of its person, what it may do on the whole server,
    whether it is disabled, and by how many connections the person is here.

    \(operatingHelp)

    Examples:
      beck account list
      beck account list --json | jq -r 'select(.disabled) | .name'

    \(operatingStatuses)

    """
) { operating throws(CommandProblem) in
  var table = Table(["name", "person", "role", "state", "connections"], numbers: [1, 4])
  try operating.pages(
    { .accounts(after: $0) },
    { if case .accounts(let rows, let next) = $0 { (rows, next) } else { nil } },
    { (row: AccountState) throws(CommandProblem) in
      if operating.isJSON {
        return try operating.print("") { ControlSpelling.encode(row, into: &$0) }
      }
      table.add([
        row.name.shown, "\(row.person.rawValue)", row.role.rawValue,
        row.isDisabled ? "disabled" : "enabled", "\(row.connections)",
      ])
    })
  if !operating.isJSON { try operating.print(table) }
}

private let createAccount = Action(
  name: "create", summary: "make an account for somebody",
  help: """
    beck account create NAME [--role ROLE] [--password-file FILE] [--data DIR] [--json]

    Makes an account, so that nobody else can have the name, and NAME can log in with the password.
    Whoever has it is best asked to change it. People can also make accounts themselves.

      --role ROLE           owner, moderator or member of the whole server; otherwise member
    \(NewPassword.help)
    \(operatingHelp)

    Examples:
      beck account create ann
      beck account create ann --role owner
      pwgen 16 1 | tee first-password | beck account create bob --password-file -

    \(operatingStatuses)

    """, flags: ["role": true, "password-file": true], operands: ["NAME"]
) { operating throws(CommandProblem) in
  let name = try operating.name(operating.operand(0))
  guard let role = Role(rawValue: operating.value("role") ?? "member") else {
    throw .usage("--role takes owner, moderator or member")
  }
  let password = try NewPassword.take(for: name.shown, file: operating.value("password-file"))
  guard case .report(.account(let made)) = try operating.ask(.createAccount(name, password, role))
  else { return }
  try operating.print(
    "\(ScreenWords.name(made.name)) has an account, as \(made.role.rawValue) of the server\n"
  ) { ControlSpelling.encode(made, into: &$0) }
}

private let setPassword = Action(
  name: "password", summary: "give an account another password",
  help: """
    beck account password NAME [--password-file FILE] [--data DIR] [--json]

    Gives the account another password. Whoever is logged in to it has to log in again, by that.

      --person N            the account of the person with this number, in place of NAME
    \(NewPassword.help)
    \(operatingHelp)

    Examples:
      beck account password ann
      beck account password ann --password-file new-password

    \(operatingStatuses)

    """, flags: ["password-file": true], operands: ["NAME"], takesPerson: true
) { operating throws(CommandProblem) in
  let party = try operating.party()
  let password = try NewPassword.take(
    for: operating.whom, file: operating.value("password-file"))
  _ = try operating.ask(.setPassword(party, password))
  try operating.done("\(operating.whom) has another password")
}

private let disable = Action(
  name: "disable", summary: "let nobody log in to an account",
  help: """
    beck account disable NAME [--data DIR] [--json]

    Ends every connection of the account's person, makes its tokens void, and lets nobody log in to
    it until beck account enable NAME. The name stays taken; rooms and roles stay as they are.

      --person N   the account of the person with this number, in place of NAME
    \(operatingHelp)

    Examples:
      beck account disable ann
      beck account enable ann

    \(operatingStatuses)

    """, operands: ["NAME"], takesPerson: true
) { operating throws(CommandProblem) in
  _ = try operating.ask(.setDisabled(try operating.party(), true))
  try operating.done("\(operating.whom) is disabled; beck account enable lifts that")
}

private let enable = Action(
  name: "enable", summary: "let its person log in again",
  help: """
    beck account enable NAME [--data DIR] [--json]

    Lets the person of a disabled account log in again, with its password.

      --person N   the account of the person with this number, in place of NAME
    \(operatingHelp)

    Examples:
      beck account enable ann

    \(operatingStatuses)

    """, operands: ["NAME"], takesPerson: true
) { operating throws(CommandProblem) in
  _ = try operating.ask(.setDisabled(try operating.party(), false))
  try operating.done("\(operating.whom) can log in")
}

private let removeAccount = Action(
  name: "remove", summary: "remove an account; what was said stays",
  help: """
    beck account remove NAME [--yes] [--data DIR] [--json]

    Removes the account and every role of its person, ends its connections and makes its tokens
    void. The name is free for others from then on. What the person has said stays, under the name
    that it had then: beck account erase takes that away, also afterwards, by --person and the
    number that beck account list shows. A room whose only owner goes has none; its moderators stay.

      --person N   the account of the person with this number, in place of NAME
      --yes        do not ask whether that is meant
    \(operatingHelp)

    Examples:
      beck account erase ann && beck account remove ann

    \(operatingStatuses)

    """, flags: ["yes": false], operands: ["NAME"], takesPerson: true
) { operating throws(CommandProblem) in
  let party = try operating.party()
  try operating.confirm("Remove the account \(operating.whom), and free its name?")
  _ = try operating.ask(.removeAccount(party))
  try operating.done("\(operating.whom) has no account any more; the name is free")
}

private let erase = Action(
  name: "erase", summary: "take away what somebody has said",
  help: """
    beck account erase NAME [--yes] [--data DIR] [--json]

    Takes the text of everything that a person has said away: in every room and conversation, out of
    the history and the search; on the disk it is overwritten, in the index of searches within ten
    minutes. Everybody who reads there learns of it as of any deletion. It works for a guest, and
    for somebody whose account was removed, by --person. What is ended halfway is gone on with by
    the same command.

    What stays, and why:
    \(erasedRemains)

      --person N   the person with this number, in place of NAME; beck account list, beck ban list
                   and beck export show it
      --yes        do not ask whether that is meant
    \(operatingHelp)

    Examples:
      beck account erase ann
      beck account erase --person 7301882134 --yes
      beck export | jq -r 'select(.from == "ann") | .person' | sort -u

    \(operatingStatuses)

    """, flags: ["yes": false], operands: ["NAME"], takesPerson: true
) { operating throws(CommandProblem) in
  var party = try operating.party()
  try operating.confirm("Take away all that \(operating.whom) has said, for good?")
  let progress = Progress("account erase")
  defer { progress.end() }
  var erased = 0
  var after: Int64?
  var person: PersonID?
  repeat {
    guard
      case .report(.erased(let who, let messages, let next)) =
        try operating.ask(.erase(party, after: after))
    else { return }
    erased += messages
    after = next
    person = who
    // The name may be somebody else's by the next step.
    party = .person(who)
    progress.show(erased, "messages")
  } while after != nil
  progress.end()
  let number = person.map { "\($0.rawValue)" } ?? ""
  if operating.isJSON {
    return try operating.write(#"{"person":"\#(number)","messages":\#(erased)}"# + "\n")
  }
  let messages = erased == 1 ? "1 message has" : "\(PlainWords.grouped(erased)) messages have"
  try operating.write(
    """
    \(messages) no text any more: those of \(operating.whom), person \(number), in every place
    what stays, and why:
    \(erasedRemains)

    """)
}

/// Said by the command as well as by its help.
private let erasedRemains = """
    - that something was said, when, and under which name: what others said would be torn
    - what others said, and their half of conversations: that is theirs
    - topics: they are the room's; a moderator sets others
    - lines of the log of moderation: they say who answers for what
    - copies made before, by beck export and beck backup: remove those yourself
  """

extension Operating {
  /// Who was named, as people read it.
  var whom: String {
    value("person").map { "person \($0)" } ?? ScreenWords.oneLine(operand(0))
  }
}
