/// The methods of JSON lines, what they take, and how much of it. What they do is for others.

internal import ChatModel
internal import Wire

/// What a request can ask for: the one key beside `id`.
package enum JSONMethod: String, CaseIterable, Sendable {
  case login, register, password, logout, join, leave, send, history, rooms, who, ping, quit

  /// What it takes; everything else inside its object is ignored.
  package var arguments: [JSONArgument] {
    switch self {
    case .login: [.name, .password, .token]
    case .register: [.name, .password, .code]
    case .password: [.old, .new]
    case .join: [.room, .after, .last]
    case .leave, .who: [.room]
    case .send: [.room, .text, .key, .replyTo]
    case .history: [.room, .before, .after, .limit]
    case .rooms, .logout, .ping, .quit: []
    }
  }
}

/// What a method can be given.
package enum JSONArgument: String, CaseIterable, Sendable {
  case name, password, token, code, old, new, room, text, key, replyTo, before, after, last, limit
}

/// The numbers of JSON lines; docs/wire/json.md has them too.
package enum JSONLimits {
  /// The most a request may take, its LF not counted.
  package static let lineBytesMax = 65_536
  package static let idBytesMax = 64
  /// No token of any server is longer.
  package static let tokenBytesMax = 512
  /// After so many lines that were no requests a connection is closed.
  package static let mistakesMax = 10
  package static let historyDefault = 50

  /// What a login is told, so that programs need not guess.
  package static let told: [(name: String, most: Int)] = [
    ("lineBytes", lineBytesMax), ("textBytes", MessageText.bytesMax),
    ("nameBytes", UserName.bytesMax), ("roomBytes", RoomName.bytesMax),
    ("keyBytes", MessageKey.bytesMax), ("idBytes", idBytesMax),
    ("historyMessages", HistoryPage.messagesMax),
    ("depth", JSONDocument.depthMax), ("mistakes", mistakesMax),
  ]
}
