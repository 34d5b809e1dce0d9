/// Rows of words for people and for pipes. Knows nothing of what they say.

import ChatClient

/// On a terminal its columns are aligned under a head; elsewhere each row is a line with a TAB
/// between two columns, and there is no head.
struct Table {
  private let head: [String]
  private let numbers: Set<Int>
  private var rows: [[String]] = []

  /// `numbers` are the columns that are aligned at their right.
  init(_ head: [String], numbers: Set<Int> = []) {
    self.head = head
    self.numbers = numbers
  }

  mutating func add(_ row: [String]) {
    precondition(row.count == head.count, "a row has all columns")
    // Nothing in a row ends it, or drives a terminal.
    rows.append(row.map { ScreenText.oneLine($0).replacing("\t", with: " ") })
  }

  func text(forTerminal isTerminal: Bool, colours: Bool = false) -> String {
    guard isTerminal else { return rows.map { $0.joined(separator: "\t") + "\n" }.joined() }
    guard !rows.isEmpty else { return "" }
    let hasHead = head.contains { !$0.isEmpty }
    let widths = head.indices.map { column in
      ([head] + rows).map { Self.width(of: $0[column]) }.max() ?? 0
    }
    var lines = rows.map { line($0, widths) }
    if hasHead {
      let line = line(head, widths)
      lines.insert(colours ? "\u{1B}[1m\(line)\u{1B}[0m" : line, at: 0)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var line = ""
    for (column, word) in row.enumerated() {
      let gap = String(repeating: " ", count: widths[column] - Self.width(of: word))
      line += numbers.contains(column) ? gap + word : word + gap
      line += "  "
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// How many columns of a terminal it takes: two for what East Asian scripts write, and none for
  /// marks on what stands before (Unicode Standard Annex 11, in ranges of our own).
  static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { width, scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return width
      case _: break
      }
      switch scalar.value {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        return width + 2
      case _: return width + 1
      }
    }
  }
}
