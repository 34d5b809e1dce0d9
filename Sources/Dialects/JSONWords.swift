/// What JSON lines say in English. Each sentence says what to do next.

internal import ChatModel
internal import Wire

enum JSONWords {
  static let badID =
    "an id must be a number or a string of at most \(JSONLimits.idBytesMax) bytes"
  static let oneMethod =
    #"a request is an object with one method as its key beside id, as in {"id":1,"ping":{}}"#

  static let emptyText = "an empty text cannot be sent; to take a message's text away, delete it"
  static let roleRule = "role must be owner, moderator or member"
  static let networkRule =
    "network must be an address or a range of them, as in 203.0.113.7 or 203.0.113.0/24"

  /// What an argument is called where it is missing.
  static func what(_ argument: JSONArgument) -> String {
    argument == .on ? "on, which is true or false" : "a \(argument.rawValue)"
  }

  static func problem(_ problem: JSONProblem, in line: ArraySlice<UInt8>) -> String {
    "this line is no JSON (\(problem.words(in: line))); send it corrected"
  }

  static func refusal(_ refusal: Refusal) -> String {
    switch refusal {
    case .notLoggedIn: #"log in first, as in {"login":{"name":"ann"}}"#
    case .badName(let problem): "\(problem.words); choose another name"
    case .nameTaken(let name):
      "\(name.shown) is taken; log in with another name, or with the token of its login"
    case .nameHasAccount(let name):
      "\(name.shown) has an account; log in with its password, or choose another name"
    case .badPassword:
      "there is no account of this name with this password; look at both and try again"
    case .badCode:
      "this code makes nobody the owner; take the one that the server printed when it started"
    case .passwordNotPrivate:
      "passwords are taken only from this machine: others could read yours on its way"
    case .hasAccount: "you have an account already; log out first to make another"
    case .noAccount: "you are a guest and have no password; register first"
    case .busy: "the server has too much to do; try again in a moment"
    case .tooManyConnections(let limit):
      "you are here with \(limit) connections already; close one first"
    case .badToken:
      "this token is not valid any more, or not of this server; log in with a name"
    case .tooLong(let limit):
      "this is too long; at most \(PlainWords.grouped(limit)) bytes can be sent"
    case .badRoom: PlainWords.roomRule
    case .noSuchRoom(let room): "there is no room \(room.string); join it to make it"
    case .notInvited(let room): RuleWords.notInvited(room)
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
    case .notMember(let room): "you are not in \(room.string); join it first"
    case .inNoRoom: "you are in no room; join one first"
    case .tooManyRooms(let limit):
      "you are in \(limit) rooms, which is the most; leave one first"
    case .noRoomForRooms(let limit): PlainWords.noRoomForRooms(limit)
    case .rateLimited(let wait): "you are too fast; try again in \(milliseconds(wait)) ms"
    case .notStored(let trouble): notStored(trouble)
    case .notRead: PlainWords.notRead
    case .keyReused: PlainWords.keyReused
    case .operation(let problem): ControlWords.problem(problem)
    case .unknownCommand: "there is no such method; those there are stand in methods"
    case .badRequest(let words): words
    }
  }

  private static func notStored(_ trouble: StoreTrouble) -> String {
    switch trouble {
    case .diskFull:
      "this could not be kept, and nobody saw it: the server's disk is full; try again later"
    case .failed: "this could not be kept, and nobody saw it; try again"
    case .busy: "the server has too much to keep, and nobody saw this; try again in a moment"
    }
  }

  /// Rounded up: waiting so long is enough.
  static func milliseconds(_ wait: Duration) -> Int64 {
    let (seconds, attoseconds) = wait.components
    let perMillisecond: Int64 = 1_000_000_000_000_000
    let part = attoseconds / perMillisecond + (attoseconds % perMillisecond > 0 ? 1 : 0)
    return max(0, seconds * 1_000 + part)
  }
}
