/// What the plain dialect says in English. Each line says what to do next.

package import ChatModel

/// Refusals, notices and the help page, without their `! ` and `* `. A client that is told the same
/// in JSON shows it in these words.
package enum PlainWords {
  static let help = [
    "Type a line and press Return. You are in one room at a time, lobby at first.",
    "  iam:NAME           log in, or take another name",
    "  iam:NAME:PASSWORD  log in to the account of that name",
    "  msg:TEXT           say TEXT to everybody in your room",
    "  to:NAME:TEXT       say TEXT to NAME alone",
    "  who:               see who is in your room",
    "  rooms:             see which rooms there are, and your conversations",
    "  join:ROOM          go into another room, or make one",
    "  join:ROOM:CODE     go into a private room, by the code of an invitation",
    "  leave:             leave your room",
    "  topic:             see what your room is about",
    "  topic:TEXT         say what it is about from now on",
    "  history:N          see the newest N messages of your room",
    "  since:SEQ          see what followed message #SEQ",
    "  ping:TEXT          have TEXT sent back to you alone",
    "  help:              see this page again",
    "  quit:              leave",
    "What begins with (re #42) is a reply to message #42; see it by since:41.",
    "NAME (private): TEXT was said to you alone; to:NAME:TEXT answers it.",
    "Lines that begin with * are notices, those with ! say what went wrong.",
  ]

  /// Nil where the form does not show it: a raw client would take it for a row of the chat.
  static func refusal(_ refusal: Refusal, for form: PlainForm) -> String? {
    switch refusal {
    case .notLoggedIn: form == .line ? "log in first: type iam:NAME" : nil
    case .unknownCommand: form == .line ? "type msg:TEXT to speak, help: for more" : nil
    case .badName(let problem): "\(problem.words); log in with iam:NAME"
    case .nameTaken(let name): "\(name.shown) is taken; log in with another name: iam:NAME"
    case .nameHasAccount(let name):
      "\(name.shown) has an account; log in with iam:NAME:PASSWORD, or by another name"
    case .badPassword:
      "that is not the password; log in with iam:NAME:PASSWORD, or by another name"
    case .badCode: "that code makes nobody the owner"
    case .passwordNotPrivate:
      "passwords are taken only from this machine; log in by another name: iam:NAME"
    case .hasAccount: "you have an account already"
    case .noAccount: "you have no account"
    case .busy: "the server has too much to do; try again in a moment"
    case .tooManyConnections(let limit):
      "you are here with \(grouped(limit)) connections already; close one first"
    case .badToken: "that token is not valid here; log in with iam:NAME"
    case .tooLong(let limit): "line too long (at most \(grouped(limit)) bytes)"
    case .badRoom: "\(roomRule); join:ROOM enters one"
    case .noSuchRoom(let room):
      "there is no room \(room.string); rooms: shows those there are"
    case .notInvited(let room): "\(RuleWords.notInvited(room)): join:\(room.string):CODE"
    case .roomTaken(let room): RuleWords.roomTaken(room)
    case .archived(let room): RuleWords.archived(room)
    case .needsRole(let role): RuleWords.needsRole(role)
    case .roleTooHigh(let name): RuleWords.roleTooHigh(name)
    case .lastOwner: RuleWords.lastOwner
    case .tooMany(let what, let limit): RuleWords.tooMany(what, limit)
    case .noSuchInvitation(let room): RuleWords.noSuchInvitation(room)
    case .oneself: RuleWords.oneself
    case .notPrivate(let room): RuleWords.notPrivate(room)
    case .notHere(let name): RuleWords.notHere(name)
    case .noSuchMessage(let seq): RuleWords.noSuchMessage(seq)
    case .notYours(let seq): RuleWords.notYours(seq)
    case .banned(let room, let reason, let until): RuleWords.banned(room, reason, until)
    case .muted(let room, let reason, let until): RuleWords.muted(room, reason, until)
    case .accountDisabled: RuleWords.accountDisabled
    case .notMember(let room):
      "you are not in \(room.string); join:\(room.string) enters it"
    case .inNoRoom: "you are in no room; join:\(RoomName.lobby.string) enters the first"
    case .tooManyRooms(let limit):
      "you are in \(grouped(limit)) rooms, which is the most; leave one first"
    case .noRoomForRooms(let limit): noRoomForRooms(limit)
    case .rateLimited(let wait): "too fast; try again in \(seconds(wait)) s"
    case .notStored(let trouble): notStored(trouble)
    case .notRead: notRead
    case .keyReused: keyReused
    case .operation(let problem): ControlWords.problem(problem)
    case .badRequest(let words): words
    }
  }

  static let roomRule =
    "a room's name is 1 to \(RoomName.bytesMax) of the letters a to z, digits, _, - and ."
  static let historyRule =
    "history:N shows the newest N messages, at most \(HistoryPage.messagesMax)"
  static let toRule = "to:NAME:TEXT says TEXT to NAME alone, as in to:ann:hello"
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

  /// What a room or a conversation is called.
  package static func title(_ place: Place) -> String {
    switch place {
    case .room(let room): room.string
    case .with(let name): "with \(name.shown)"
    }
  }

  /// A room as those are told who enter it.
  package static func room(_ place: Place, _ members: Int, _ seq: Int64) -> String {
    "\(title(place)): \(grouped(members)) here, "
      + (seq > 0 ? "newest #\(seq)" : "nothing said yet")
  }

  /// A room as those are told who look for one.
  package static func room(_ state: RoomState) -> String {
    var words = title(state.place)
    // Conversations always are.
    let isPrivate =
      switch state.place {
      case .room: state.isPrivate
      case .with: false
      }
    let marks = [isPrivate ? "private" : nil, state.isArchived ? "archived" : nil]
      .compactMap { $0 }
    if !marks.isEmpty { words += " (\(marks.joined(separator: ", ")))" }
    words += ": \(grouped(state.members)) here, "
    words += state.seq > 0 ? "newest #\(state.seq)" : "nothing said yet"
    if let unread = state.unread, unread > 0 { words += ", \(grouped(Int(unread))) unread" }
    if let topic = state.topic { words += "; topic: \(topic.string)" }
    return words
  }

  package static func topic(_ room: RoomName, _ topic: ShortText?) -> String {
    topic.map { "topic of \(room.string): \($0.string)" }
      ?? "\(room.string) has no topic; topic:TEXT gives it one"
  }

  /// That somebody changed what a room is about.
  package static func topic(_ place: Place, _ topic: String, by name: UserName) -> String {
    topic.isEmpty
      ? "\(name.shown) took the topic of \(title(place)) away"
      : "topic of \(title(place)), by \(name.shown): \(topic)"
  }

  package static func kicked(_ room: RoomName, by name: UserName, _ reason: ShortText?) -> String {
    RuleWords.kicked(room, by: name, reason)
  }

  package static func presence(_ name: UserName, _ away: ShortText?) -> String {
    away.map { "\(name.shown) is away: \($0.string)" } ?? "\(name.shown) is back"
  }

  /// Somebody in a list of those who are there, by the name that is shown of them. That an account
  /// is a member is nothing to say.
  package static func member(_ name: String, _ member: Member) -> String {
    let role: String? =
      switch member.role {
      case .owner, .moderator: member.role?.rawValue
      case .member, nil: nil
      }
    let marks = [role, member.away == nil ? nil : "away"].compactMap { $0 }
    return marks.isEmpty ? name : "\(name) (\(marks.joined(separator: ", ")))"
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

  package static let nothingFound = "nothing found"

  package static func catchingUp(_ place: Place) -> String { "catching up" + companion(place) }
  package static func caughtUp(_ place: Place) -> String { "live again" + companion(place) }

  /// What retention has removed, or damage has taken.
  package static func gap(_ numbers: ClosedRange<Int64>, in place: Place? = nil) -> String {
    let whose = place.map(companion) ?? ""
    return numbers.lowerBound == numbers.upperBound
      ? "#\(numbers.lowerBound)\(whose) is not kept any more"
      : "#\(numbers.lowerBound) to #\(numbers.upperBound)\(whose) are not kept any more"
  }

  /// A room need not be named: a plain connection is in one.
  private static func companion(_ place: Place) -> String {
    switch place {
    case .room: ""
    case .with(let name): " with \(name.shown)"
    }
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
    case .kicked(let name, let reason): RuleWords.kicked(nil, by: name, reason)
    case .putOut(let room, let name, let reason): RuleWords.kicked(room, by: name, reason)
    case .banned(let reason, let until): RuleWords.banned(nil, reason, until)
    case .accountEnded: "your account was disabled or removed; ask whoever runs the server"
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
