/// The words of a query as phrases, and whether a text has them. Reads no index.

internal import ChatModel

/// Everything that has to be in a text.
struct SearchWords: Hashable, Sendable {
  /// Terms that have to stand together, in this order.
  struct Phrase: Hashable, Sendable {
    var terms: [String]
    /// Whether the last term may go on.
    var isOpen: Bool
  }

  static let phrasesMax = 32

  private(set) var phrases: [Phrase] = []

  init(_ text: String) throws(SearchProblem) {
    guard text.utf8.count <= Search.wordsBytesMax else {
      throw .tooLong(limit: Search.wordsBytesMax)
    }
    let pieces = Self.pieces(of: text)
    for (index, piece) in pieces.enumerated() {
      let isOpen =
        index == pieces.count - 1 && !piece.isQuoted && piece.text.unicodeScalars.last == "*"
      guard let phrase = Self.phrase(of: String(piece.text), isOpen: isOpen) else { continue }
      if !phrases.contains(phrase) { phrases.append(phrase) }
    }
    guard !phrases.isEmpty else { throw .noWords }
    guard phrases.count <= Self.phrasesMax else { throw .tooManyWords(limit: Self.phrasesMax) }
  }

  /// Whether all of it is in `text`.
  func match(_ text: String) -> Bool {
    var count = 0
    return match(text, scalars: &count)
  }

  /// As ``match(_:)``; adds to `scalars` as ``SearchText/terms(of:scalars:)`` does.
  func match(_ text: String, scalars: inout Int) -> Bool {
    let terms = SearchText.terms(of: text, scalars: &scalars).map(\.string)
    return phrases.allSatisfy { phrase in
      let count = phrase.terms.count
      guard terms.count >= count else { return false }
      return (0...(terms.count - count)).contains { start in
        let found = terms[start..<start + count]
        guard isSame(found.dropLast(), phrase.terms.dropLast()) else { return false }
        guard let one = found.last, let wanted = phrase.terms.last else { return false }
        return phrase.isOpen ? one.utf8.starts(with: wanted.utf8) : isSame([one], [wanted])
      }
    }
  }

  /// By bytes, as the index compares.
  private func isSame(_ some: ArraySlice<String>, _ others: ArraySlice<String>) -> Bool {
    some.elementsEqual(others) { $0.utf8.elementsEqual($1.utf8) }
  }

  private typealias Piece = (text: Substring, isQuoted: Bool)

  private static let quotes = Set("\"“”„".unicodeScalars)

  /// What stands between blanks, or between quotes; the last quote may be missing.
  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    // By scalars: a mark behind a blank would make one character of the two.
    let parts = text.unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: { quotes.contains($0) })
    for (index, part) in parts.enumerated() {
      if index.isMultiple(of: 2) {
        pieces += part.split(whereSeparator: \.properties.isWhitespace).map {
          (Substring($0), false)
        }
      } else {
        pieces.append((Substring(part), true))
      }
    }
    return pieces
  }

  /// Nil where there is no word in it.
  private static func phrase(of text: String, isOpen: Bool) -> Phrase? {
    var terms = SearchText.terms(of: text)
    guard let last = terms.last else { return nil }
    var isOpen = isOpen
    if last.kind == .last {
      if terms.dropLast().last?.kind == .pair {
        // The run may go on in the text: its last pair ends with the same character.
        terms.removeLast()
        isOpen = false
      } else {
        // A character alone begins the pairs that it is in.
        isOpen = true
      }
    }
    return Phrase(terms: terms.map(\.string), isOpen: isOpen)
  }
}
