/// What a person typed at the keyboard. Only for a keyboard: a line from a pipe is always said.

package import ChatModel

/// A typed line: something to say, or a command, which begins with `/`.
package enum TypedLine: Hashable {
  /// Say it; `//x` says `/x`.
  case text(String)
  case question(ChatQuestion)
  case join(RoomName)
  case quit
  /// A command that cannot be carried out, in a clause what it takes.
  case misused(String)
  /// Not a command; the word that was taken for one, `/` included.
  case unknown(String)
  /// Nothing to say.
  case blank

  /// The commands in a few words.
  package static let commands =
    "commands: /who /rooms /join ROOM /history N /ping /help /quit; //x says /x"

  package init(_ line: String) {
    guard !line.isBlank else {
      self = .blank
      return
    }
    guard let command = line.after(prefix: "/") else {
      self = .text(line)
      return
    }
    let words = command.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    switch words.first.map(String.init) {
    case _ where command.hasPrefix("/"): self = .text(command)
    case "who": self = .question(.who)
    case "help": self = .question(.help)
    case "rooms": self = .question(.rooms)
    case "history": self = Self.history(words.count > 1 ? words[1] : "20")
    case "join": self = Self.join(words.count > 1 ? words[1] : "")
    case "ping": self = .question(.ping(words.count > 1 ? String(words[1]) : "?"))
    case "quit": self = .quit
    case let word: self = .unknown("/" + (word ?? ""))
    }
  }

  private static func history(_ word: Substring) -> TypedLine {
    guard let count = Int(word.trimmed), (1...HistoryPage.messagesMax).contains(count) else {
      return .misused("/history takes a number from 1 to \(HistoryPage.messagesMax)")
    }
    return .question(.history(count))
  }

  private static func join(_ word: Substring) -> TypedLine {
    guard let room = RoomName(word.trimmed) else {
      return .misused("/join takes a room: up to 64 of the letters a to z, digits, _, - and .")
    }
    return .join(room)
  }
}

extension Substring {
  /// Without the blanks at its ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension String {
  /// Nothing but blanks and controls: the server would say nothing of it to anyone.
  package var isBlank: Bool {
    unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
    }
  }
}
