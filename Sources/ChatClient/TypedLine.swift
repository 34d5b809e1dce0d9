/// What a person typed at the keyboard. Only for a keyboard: a line from a pipe is always said.

/// A typed line: something to say, or a command, which begins with `/`.
package enum TypedLine: Hashable {
  /// Say it; `//x` says `/x`.
  case text(String)
  case question(ChatQuestion)
  case quit
  /// Not a command; the word that was taken for one, `/` included.
  case unknown(String)
  /// Nothing to say.
  case blank

  /// The commands in a few words.
  package static let commands = "commands: /who /ping /help /quit; //x says /x"

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
    case "ping": self = .question(.ping(words.count > 1 ? String(words[1]) : "?"))
    case "quit": self = .quit
    case let word: self = .unknown("/" + (word ?? ""))
    }
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
