/// The methods of JSON lines, what they take, and how much of it. What they do is for others.

internal import ChatModel
internal import Wire

/// What a request can ask for: the one key beside `id`.
package enum JSONMethod: String, CaseIterable, Sendable {
  case login, register, password, logout, create, archive, join, leave, send, edit, delete
  case history, search, mark, typing, rooms, who, topic, invite, uninvite
  case kick, ban, unban, mute, unmute, role, away, ping, quit

  /// What is asked most often comes first, to be found soonest.
  static let byUse = [send] + allCases

  /// What it takes; everything else inside its object is ignored.
  package var arguments: [JSONArgument] {
    switch self {
    case .login: [.name, .password, .token]
    case .register: [.name, .password, .code]
    case .password: [.old, .new]
    case .create: [.room, .private, .topic]
    case .join: [.room, .with, .after, .last, .code]
    case .archive, .leave, .who: [.room]
    case .send: [.room, .with, .text, .key, .replyTo]
    case .edit: [.room, .with, .seq, .text]
    case .delete, .mark: [.room, .with, .seq]
    case .history: [.room, .with, .before, .after, .limit]
    case .search: [.query, .room, .with, .from, .since, .until, .cursor, .limit]
    case .typing: [.room, .with, .on]
    case .topic: [.room, .text]
    case .invite: [.room, .uses, .seconds]
    case .uninvite: [.room, .code]
    case .kick: [.room, .name, .reason]
    case .ban: [.room, .name, .network, .reason, .seconds]
    case .unban: [.room, .name, .network]
    case .mute: [.room, .name, .reason, .seconds]
    case .unmute: [.room, .name]
    case .role: [.room, .name, .role]
    case .away: [.text]
    case .rooms, .logout, .ping, .quit: []
    }
  }
}

/// What a method can be given.
package enum JSONArgument: String, CaseIterable, Sendable {
  case name, password, token, code, old, new, room, with, text, key, replyTo, seq
  case before, after, last, limit, query, from, since, until, cursor, on
  case `private`, topic, uses, seconds, network, reason, role
}

/// The numbers of JSON lines; docs/wire/json.md has them too.
package enum JSONLimits {
  /// The most a request may take, its LF not counted.
  package static let lineBytesMax = 65_536
  package static let idBytesMax = 64
  /// No token of any server is longer.
  package static let tokenBytesMax = 512
  /// No search of any server gives a longer one.
  package static let cursorBytesMax = 128
  /// After so many lines that were no requests a connection is closed.
  package static let mistakesMax = 10
  package static let historyDefault = 50
  /// How long something can be decided for: ten years.
  package static let secondsMax = 10 * 365 * 86_400
  /// How often an invitation can be used at most, where that is said.
  package static let usesMax = 1_000_000

  /// What a login is told, so that programs need not guess.
  package static let told: [(name: String, most: Int)] = [
    ("lineBytes", lineBytesMax), ("textBytes", MessageText.bytesMax),
    ("nameBytes", UserName.bytesMax), ("roomBytes", RoomName.bytesMax),
    ("topicBytes", ShortText.bytesMax), ("keyBytes", MessageKey.bytesMax),
    ("idBytes", idBytesMax), ("queryBytes", Search.wordsBytesMax),
    ("historyMessages", HistoryPage.messagesMax), ("searchMessages", Search.messagesMax),
    ("depth", JSONDocument.depthMax), ("mistakes", mistakesMax),
  ]
}
