/// Puts a conversation on the terminal. Decides only how things look.

import ChatClient

/// Messages on standard output, everything about them on standard error.
struct Screen {
  /// Are changes of state worth a line? At a keyboard they are; in a pipe only trouble is.
  let tellsState: Bool
  /// Does a message bear its number, by which it is answered and changed?
  let showsNumbers: Bool
  private let messageColours = Output.standard.hasColours
  private let noteColours = Output.error.hasColours

  init(tellsState: Bool, showsNumbers: Bool) {
    self.tellsState = tellsState
    self.showsNumbers = showsNumbers
  }

  /// Shows a line of the server. Gives the error number where it cannot be written.
  ///
  /// In a pipe a refusal is trouble; at a keyboard it is a line like any other.
  func show(_ line: ServerLine) -> Int32? {
    guard case .refusal = line, !tellsState else {
      let words = messageColours ? coloured(line) : line.text
      return Output.standard.write(number(of: line) + words + "\n")
    }
    Output.error.write((noteColours ? coloured(line) : line.text) + "\n")
    return nil
  }

  /// `#44 `; nothing where there is none to show, or the line has it anyway.
  private func number(of line: ServerLine) -> String {
    guard showsNumbers else { return "" }
    switch line {
    case .said(_, _, let seq?), .saidPrivately(_, _, to: _, let seq?):
      return (messageColours ? Style.faint.around("#\(seq)") : "#\(seq)") + " "
    case .said, .replayed, .past, .saidPrivately, .joined, .left, .notice, .pong, .refusal,
      .other:
      return ""
    }
  }

  /// What the next typed line is to be.
  func prompt(_ words: String) { Output.error.write(words) }

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
    case .said(let name, let text, seq: _): "\(Style.bold.around(name + ":")) \(text)"
    case .saidPrivately(let name, let text, to: let other, seq: _):
      "\(Style.bold.around("\(name) (private\(other.map { " to \($0)" } ?? "")):")) \(text)"
    case .refusal: Style.red.around(line.text)
    case .replayed, .past, .joined, .left, .notice, .pong: Style.faint.around(line.text)
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
