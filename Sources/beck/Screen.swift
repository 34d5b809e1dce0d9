/// Puts a conversation on the terminal. Decides only how things look.

import ChatClient

/// Messages on standard output, everything about them on standard error.
struct Screen {
  /// Are changes of state worth a line? At a keyboard they are; in a pipe only trouble is.
  let tellsState: Bool
  private let messageColours = Output.standard.hasColours
  private let noteColours = Output.error.hasColours

  init(tellsState: Bool) {
    self.tellsState = tellsState
  }

  /// Shows a line of the server. Gives the error number where it cannot be written.
  ///
  /// In a pipe a refusal is trouble; at a keyboard it is a line like any other.
  func show(_ line: ServerLine) -> Int32? {
    guard case .refusal = line, !tellsState else {
      return Output.standard.write((messageColours ? coloured(line) : line.text) + "\n")
    }
    Output.error.write((noteColours ? coloured(line) : line.text) + "\n")
    return nil
  }

  /// A change of state.
  func tell(_ words: String) {
    guard tellsState else { return }
    Output.error.write((noteColours ? Style.faint.around(words) : words) + "\n")
  }

  /// The last change of state; trouble is told in a pipe too.
  func close(_ words: String, isGood: Bool) {
    if isGood { tell("closed: \(words)") } else { warn(words) }
  }

  /// Something that went wrong and what to do about it.
  func warn(_ words: String) {
    let sentence = "beck chat: \(words)"
    Output.error.write((noteColours ? Style.red.around(sentence) : sentence) + "\n")
  }

  private func coloured(_ line: ServerLine) -> String {
    switch line {
    case .said(let name, let text): "\(Style.bold.around(name + ":")) \(text)"
    case .saidPrivately(let name, let text):
      "\(Style.bold.around(name + " (private):")) \(text)"
    case .refusal: Style.red.around(line.text)
    case .joined, .left, .notice, .pong: Style.faint.around(line.text)
    case .other: line.text
    }
  }

  /// ECMA-48 section 8.3.117, Select Graphic Rendition.
  private enum Style: Int {
    case bold = 1
    case faint = 2
    case red = 31

    func around(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
  }
}

extension ChatClosing {
  /// Why it is over, and where something can be done, what.
  func words(address: ServerAddress, name: String) -> String {
    switch self {
    case .finished: "everything was said and answered"
    case .abandoned(let count): "left without waiting; \(Self.unanswered(count))"
    case .loginRefused: "the name \(name) was not taken; try another: --name NAME"
    case .unreachable(let words): "cannot reach \(address): \(words); \(Self.advice(words))"
    case .endedByServer(0): "the server ended the connection"
    case .endedByServer(let count): "the server ended the connection; \(Self.unanswered(count))"
    case .broken(let words, let count):
      "the connection to \(address) broke: \(words); \(Self.unanswered(count))"
    }
  }

  private static func unanswered(_ count: Int) -> String {
    switch count {
    case 0: "no line was outstanding"
    case 1: "1 line has no answer and may be lost"
    default: "\(count) lines have no answer and may be lost"
    }
  }

  private static func advice(_ words: String) -> String {
    words == "connection refused"
      ? "is a server running there? try: beck serve" : "check the address and the network"
  }
}
