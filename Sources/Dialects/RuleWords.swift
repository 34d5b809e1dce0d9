/// What may not be done, in English: the same words in every dialect. Each sentence says what to do
/// next; a reason that a moderator gave stands at its end.

internal import ChatModel
internal import Wire

enum RuleWords {
  /// Neither says that there is such a room, nor that there is none.
  static func notInvited(_ room: RoomName) -> String {
    "no room \(room.string) is open to you; join it with the code of an invitation"
  }

  static func roomTaken(_ room: RoomName) -> String {
    "\(room.string) is there already; join it, or choose another name"
  }

  static func archived(_ room: RoomName) -> String {
    "\(room.string) is archived: its history can be read, and what is new is said elsewhere"
  }

  static func needsRole(_ role: Role) -> String {
    switch role {
    case .owner: "only an owner can do that; ask one"
    case .moderator: "only a moderator can do that; ask one"
    case .member: "only a member can do that; ask a moderator to make you one"
    }
  }

  static func roleTooHigh(_ name: UserName) -> String {
    "your role is not above that of \(name.shown); ask somebody with a higher one"
  }

  static func tooMany(_ what: Bounded, _ limit: Int) -> String {
    let most = PlainWords.grouped(limit)
    return switch what {
    case .marks: "you have marks in \(most) places, which is the most; nothing was marked"
    case .conversations:
      "the server has \(most) conversations, which is the most; go on with one that is there"
    case .invitations: "the room has \(most) invitations, which is the most; withdraw one first"
    case .sanctions: "there are \(most) bans and mutes here, which is the most; lift one first"
    }
  }

  static func noSuchInvitation(_ room: RoomName) -> String {
    "\(room.string) has no invitation of this code: it was used up, or withdrawn, or never made"
  }

  static let lastOwner = "somebody has to be the owner; make somebody else one first"
  static let oneself = "that is yourself; give somebody else's name"

  static func notPrivate(_ room: RoomName) -> String {
    "\(room.string) is open to everybody and needs no invitations; tell others its name"
  }

  static func notHere(_ name: UserName) -> String {
    "\(name.shown) is not here; look at the name, or try again when they are"
  }

  static func noSuchMessage(_ seq: Int64) -> String {
    "there is no message #\(seq) here, or its text was taken away; look at the number"
  }

  static func notYours(_ seq: Int64) -> String {
    "message #\(seq) is not yours; ask a moderator to change it"
  }

  static let accountDisabled = "this account is disabled; ask whoever runs the server"

  static func banned(_ room: RoomName?, _ reason: ShortText?, _ until: Moment?) -> String {
    "you are banned from \(room?.string ?? "this server"); "
      + (until.map { "come back after \(minute($0))" } ?? lifting(room)) + tail(reason)
  }

  static func muted(_ room: RoomName?, _ reason: ShortText?, _ until: Moment?) -> String {
    "you are muted \(room.map { "in \($0.string)" } ?? "on this server"); "
      + (until.map { "speak again after \(minute($0))" } ?? lifting(room)) + tail(reason)
  }

  static func kicked(_ room: RoomName?, by name: UserName, _ reason: ShortText?) -> String {
    "you were put \(room.map { "out of \($0.string)" } ?? "off the server") by \(name.shown)"
      + tail(reason)
  }

  private static func lifting(_ room: RoomName?) -> String {
    "ask \(room == nil ? "whoever runs it" : "its moderators") to lift that"
  }

  private static func tail(_ reason: ShortText?) -> String {
    reason.map { ": \($0.string)" } ?? ""
  }

  /// Rounded up: waiting so long is enough.
  private static func minute(_ moment: Moment) -> String {
    let (end, isOver) = moment.milliseconds.addingReportingOverflow(59_999)
    var bytes: [UInt8] = []
    bytes.append(minuteOf: isOver ? .max : end)
    return String(decoding: bytes, as: UTF8.self) + " UTC"
  }
}
