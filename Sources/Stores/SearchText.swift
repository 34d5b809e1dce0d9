/// A text as the terms that it is found by, in any script. Knows no file and no query.

internal import CUTF8Proc

/// What stands in the index of a text: its words folded, and what is written without blanks between
/// words cut into pairs of characters, each of which begins one character behind the last.
///
/// Folded is NFKC with case folded and ignorable characters left out, as names are; then without
/// the marks above and below letters in scripts that are read without them.
enum SearchText {
  struct Term: Hashable {
    enum Kind {
      /// A word between others; also one symbol, such as a smiley.
      case word
      /// Two neighbours in a run without blanks.
      case pair
      /// The last character of such a run.
      case last
    }

    let string: String
    let kind: Kind
  }

  /// Longer words are cut, in texts and in queries alike.
  static let wordScalarsMax = 64

  /// In their order.
  static func terms(of text: String) -> [Term] {
    var count = 0
    return terms(of: text, scalars: &count)
  }

  /// As ``terms(of:)``; adds to `scalars` how many characters were looked at, which is what it
  /// costs. One of a text may become eighteen.
  static func terms(of text: String, scalars: inout Int) -> [Term] {
    var terms: [Term] = []
    var word = ""
    var wordCount = 0
    var previous: Unicode.Scalar?
    func endWord() {
      if wordCount > 0 { terms.append(Term(string: word, kind: .word)) }
      word = ""
      wordCount = 0
    }
    func endRun() {
      if let previous { terms.append(Term(string: String(previous), kind: .last)) }
      previous = nil
    }
    let folded = folded(text)
    scalars += folded.count
    for scalar in folded {
      switch Place(scalar) {
      case .run:
        endWord()
        if let previous {
          var pair = String(previous)
          pair.unicodeScalars.append(scalar)
          terms.append(Term(string: pair, kind: .pair))
        }
        previous = scalar
      case .word:
        endRun()
        if wordCount < wordScalarsMax { word.unicodeScalars.append(scalar) }
        wordCount += 1
      case .symbol:
        endWord()
        endRun()
        terms.append(Term(string: String(scalar), kind: .word))
      case .between:
        endWord()
        endRun()
      }
    }
    endWord()
    endRun()
    return terms
  }

  private static func folded(_ text: String) -> [Unicode.Scalar] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return text.utf8.map { byte in
        Unicode.Scalar((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      }
    }
    var scalars = decomposed(Array(text.utf8))
    scalars.removeAll { isDropped(UInt32(bitPattern: $0)) }
    // What was taken apart to find the marks belongs together otherwise: Hangul, kana.
    let count = utf8proc_normalize_utf32(
      &scalars, scalars.count,
      utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue))
    precondition((0...scalars.count).contains(count), "composing never adds a character")
    return scalars[..<count].compactMap { code in
      // A dotless i is one that has lost its mark.
      Unicode.Scalar(code == 0x131 ? 0x69 : UInt32(bitPattern: code))
    }
  }

  private static func decomposed(_ bytes: [UInt8]) -> [Int32] {
    let options = utf8proc_option_t(
      UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
        | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_IGNORE.rawValue)
    // Rarely more characters than bytes; the call says how many there are.
    var size = bytes.count + 1
    while true {
      var scalars = [Int32](repeating: 0, count: size)
      let count = utf8proc_decompose(bytes, bytes.count, &scalars, size, options)
      precondition(count >= 0, "folding valid UTF-8 fails only where memory is gone")
      if count <= size {
        scalars.removeLast(size - count)
        return scalars
      }
      size = count
    }
  }

  /// Accents and other marks of Latin, Greek and Cyrillic, points of Hebrew, vowel signs and the
  /// stretching of Arabic, and what encloses a character. Marks of Indian scripts and of Thai are
  /// vowels that words differ by: they stay.
  private static func isDropped(_ code: UInt32) -> Bool {
    switch code {
    case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7,
      0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E8, 0x6EA...0x6ED,
      0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F:
      true
    case _: false
    }
  }

  /// What a character is to its neighbours.
  private enum Place {
    case run, word, symbol, between

    init(_ scalar: Unicode.Scalar) {
      let code = scalar.value
      if code < 0x80 {
        let isWord = (0x30...0x39).contains(code) || (0x61...0x7A).contains(code)
        self = isWord ? .word : .between
        return
      }
      switch utf8proc_category(Int32(bitPattern: code)).rawValue {
      case UTF8PROC_CATEGORY_LU.rawValue...UTF8PROC_CATEGORY_NO.rawValue:
        self = isWrittenWithoutBlanks(code) ? .run : .word
      case UTF8PROC_CATEGORY_SO.rawValue: self = .symbol
      case _: self = .between
      }
    }
  }
}

/// Ranges of our own: Thai, Lao, Myanmar, Khmer; Hangul, which has blanks, but also endings at its
/// words; kana, Bopomofo and Han.
private func isWrittenWithoutBlanks(_ code: UInt32) -> Bool {
  switch code {
  case 0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF,
    0x3005...0x3007, 0x3021...0x302F, 0x3031...0x303C, 0x3040...0x318F, 0x31A0...0x31BF,
    0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF,
    0xF900...0xFAFF, 0x1AFF0...0x1B16F, 0x20000...0x3FFFF:
    true
  case _: false
  }
}
