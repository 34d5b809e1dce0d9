/// What the plain dialect says in English. Each line says what to do next.

package import ChatModel

/// Refusals, notices and the help page, without their `! ` and `* `. A client that is told the same
/// in JSON shows it in these words.
package enum PlainWords {
  static let help = [
    "Type a line and press Return:",
    "  iam:NAME    log in, or take another name",
    "  iam:NAME:PASSWORD  log in to the account of that name",
    "  msg:TEXT    say TEXT to everybody in your room",
    "  who:        see who is in your room",
    "  rooms:      see which rooms there are",
    "  join:ROOM   go into another room, or make one",
    "  leave:      leave your room",
    "  history:N   see the newest N messages of your room",
    "  since:SEQ   see what followed message #SEQ",
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
      "\(problem.words); log in with iam:NAME"
    case .nameTaken(let name):
      "\(name.shown) is taken; log in with another name: iam:NAME"
    case .nameHasAccount(let name):
      "\(name.shown) has an account; log in with iam:NAME:PASSWORD, or by another name"
    case .badPassword:
      "that is not the password; log in with iam:NAME:PASSWORD, or by another name"
    case .badCode:
      "that code makes nobody the owner"
    case .passwordNotPrivate:
      "passwords are taken only from this machine; log in by another name: iam:NAME"
    case .hasAccount:
      "you have an account already"
    case .noAccount:
      "you have no account"
    case .busy:
      "the server has too much to do; try again in a moment"
    case .tooManyConnections(let limit):
      "you are here with \(grouped(limit)) connections already; close one first"
    case .badToken:
      "that token is not valid here; log in with iam:NAME"
    case .tooLong(let limit):
      "line too long (at most \(grouped(limit)) bytes)"
    case .badRoom:
      "\(roomRule); join:ROOM enters one"
    case .noSuchRoom(let room):
      "there is no room \(room.string); rooms: shows those there are"
    case .notMember(let room):
      "you are not in \(room.string); join:\(room.string) enters it"
    case .inNoRoom:
      "you are in no room; join:\(RoomName.lobby.string) enters the first"
    case .tooManyRooms(let limit):
      "you are in \(grouped(limit)) rooms, which is the most; leave one first"
    case .noRoomForRooms(let limit):
      noRoomForRooms(limit)
    case .rateLimited(let wait):
      "too fast; try again in \(seconds(wait)) s"
    case .notStored(let trouble):
      notStored(trouble)
    case .notRead:
      notRead
    case .keyReused:
      keyReused
    case .notYet(let command):
      "\(command): is not yet possible here; help: shows what is"
    case .badRequest(let words):
      words
    }
  }

  static let roomRule =
    "a room's name is 1 to \(RoomName.bytesMax) of the letters a to z, digits, _, - and ."
  static let historyRule =
    "history:N shows the newest N messages, at most \(HistoryPage.messagesMax)"
  static let sinceRule = "since:SEQ shows what followed a message, by its number, as in since:44"

  static func noRoomForRooms(_ limit: Int) -> String {
    "the server has \(grouped(limit)) rooms, which is the most; join one that is there"
  }

  static let keyReused =
    "this key was given to another message of yours; a new message needs a new key"

  static let notRead = "the history cannot be read just now; ask again"

  private static func notStored(_ trouble: StoreTrouble) -> String {
    switch trouble {
    case .diskFull: "not sent, the server's disk is full; say it again later"
    case .failed: "not sent, the server could not keep it; say it again"
    case .busy: "not sent, the server has too much to keep; say it again in a moment"
    }
  }

  /// Rounded up: waiting so long is enough.
  private static func seconds(_ wait: Duration) -> String {
    grouped(Int(JSONWords.milliseconds(wait) + 999) / 1_000)
  }

  /// A room as those are told who enter it or look for one.
  package static func room(_ room: RoomName, _ members: Int, _ seq: Int64) -> String {
    "\(room.string): \(grouped(members)) here, " + (seq > 0 ? "newest #\(seq)" : "nothing said yet")
  }

  package static func changed(_ joined: Int, _ left: Int, _ members: Int) -> String {
    var parts: [String] = []
    if joined > 0 { parts.append("\(grouped(joined)) joined") }
    if left > 0 { parts.append("\(grouped(left)) left") }
    parts.append("\(grouped(members)) here")
    return parts.joined(separator: ", ")
  }

  /// Some of those who are in a room, of `count` in all.
  package static func here(_ names: [String], count: Int) -> String {
    guard !names.isEmpty else { return "\(grouped(count)) here" }
    let words = "\(grouped(count)) here: " + names.joined(separator: ", ")
    return count > names.count ? "\(words) \(further(count - names.count))" : words
  }

  /// How many are not shown.
  package static func further(_ count: Int) -> String { "and \(grouped(count)) more" }

  package static let noMessages = "no messages"

  /// What retention has removed, or damage has taken.
  package static func gap(_ numbers: ClosedRange<Int64>) -> String {
    numbers.count == 1
      ? "#\(numbers.lowerBound) is not kept any more"
      : "#\(numbers.lowerBound) to #\(numbers.upperBound) are not kept any more"
  }

  /// Of the newest messages some did not fit; what was asked for begins with `oldest`.
  static func cut(shown: Int, oldest: Int64) -> String {
    "only the newest \(grouped(shown)) fit here; since:\(oldest - 1) shows all from the first on"
  }

  static func closing(_ reason: ClosingReason) -> String {
    switch reason {
    case .quit: "goodbye"
    case .shutdown: "the server is closing; connect again in a moment"
    case .silent: "your name was asked for and this connection seemed dead; connect again"
    case .loggedOut: "you were logged out by another of your connections; log in again"
    case .crowded: "too many are connected without a name; connect again and log in at once"
    case .tooManyFromAddress(let limit):
      "more than \(grouped(limit)) connections from your address; close one and connect again"
    case .tooManyMistakes(let limit):
      "\(grouped(limit)) lines were no requests; look at what you send, then connect again"
    }
  }

  /// 1003 as 1,003.
  package static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var grouped = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return grouped
  }
}
