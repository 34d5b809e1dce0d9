/// What may reach a person's terminal. Trusts nobody, not even our own server.

package import ChatModel

/// The guard between the network and the screen.
package enum ScreenText {
  /// The line as text, without anything that could drive a terminal or turn its text around.
  ///
  /// Invalid UTF-8 becomes U+FFFD. The separators of lines and paragraphs become a space. C0 but
  /// TAB, DEL, C1 and the bidirectional controls are dropped.
  package static func guarded(_ line: some Collection<UInt8>) -> String {
    guarded(String(decoding: line, as: UTF8.self))
  }

  /// As above, for what is text already.
  package static func guarded(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2028, 0x2029: shown.append(" ")
      case 0x09: shown.append(scalar)
      case 0x00...0x1F, 0x7F...0x9F: continue
      case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: continue
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }

  /// As above, with a space for each run of what could end a line.
  package static func oneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var isBroken = false
    for scalar in text.unicodeScalars {
      let breaks = lineBreaks.contains(scalar)
      if !breaks { line.append(scalar) } else if !isBroken { line.append(" ") }
      isBroken = breaks
    }
    return guarded(String(line))
  }

  /// The beginning of a text, in quotation marks.
  package static func quoted(_ text: MessageText) -> String {
    let line = oneLine(text.string)
    let beginning = line.prefix(quotedCharacters)
    return beginning.endIndex == line.endIndex ? "\"\(line)\"" : "\"\(beginning)…\""
  }

  private static let quotedCharacters = 40
  private static let lineBreaks: Set<Unicode.Scalar> = [
    "\0", "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}",
  ]
}
