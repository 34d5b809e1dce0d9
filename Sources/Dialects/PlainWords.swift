/// What the plain dialect says in English. Each line says what to do next.

internal import ChatModel

/// Refusals, notices and the help page, without their `! ` and `* `.
enum PlainWords {
  static let help = [
    "Type a line and press Return:",
    "  iam:NAME    log in, or take another name",
    "  msg:TEXT    say TEXT to everybody here",
    "  who:        see who is here",
    "  ping:TEXT   have TEXT sent back to you alone",
    "  help:       see this page again",
    "  quit:       leave",
    "Lines that begin with * are notices, those with ! say what went wrong.",
  ]

  /// Nil where the form does not show it: a raw client would take it for a row of the chat.
  static func refusal(_ refusal: Refusal, for form: PlainForm) -> String? {
    switch refusal {
    case .notLoggedIn:
      form == .line ? "log in first: type iam:NAME" : nil
    case .unknownCommand:
      form == .line ? "type msg:TEXT to speak, help: for more" : nil
    case .badName(let problem):
      "\(badName(problem)); log in with iam:NAME"
    case .nameTaken(let name):
      "\(name.shown) is taken; log in with another name: iam:NAME"
    case .tooLong(let limit):
      "line too long (at most \(grouped(limit)) bytes)"
    case .notYet(let command):
      "\(command): is not yet possible here; help: shows what is"
    }
  }

  static func badName(_ problem: NameProblem) -> String {
    switch problem {
    case .empty: "a name is missing"
    case .tooLong(let limit): "the name is too long (at most \(grouped(limit)) bytes)"
    case .control: "a name cannot hold control characters"
    case .bidirectional: "a name cannot turn the direction of writing"
    case .zeroWidth: "a name cannot hold invisible characters"
    case .punctuation(let character): "a name cannot hold \(character)"
    case .beginning(let character): "a name cannot begin with \(character)"
    case .ending(let words): "a name cannot end in \"\(words)\""
    case .commandWord(let word): "\(word) is a command and cannot be a name"
    case .mixedAlphabets: "a name cannot mix Latin, Greek and Cyrillic letters"
    }
  }

  static func closing(_ reason: ClosingReason) -> String {
    switch reason {
    case .quit: "goodbye"
    case .shutdown: "the server is closing; connect again in a moment"
    case .silent: "your name was asked for and this connection seemed dead; connect again"
    case .crowded: "too many are connected without a name; connect again and log in at once"
    case .tooManyFromAddress(let limit):
      "more than \(grouped(limit)) connections from your address; close one and connect again"
    }
  }

  /// 1003 as 1,003.
  static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var grouped = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return grouped
  }
}
