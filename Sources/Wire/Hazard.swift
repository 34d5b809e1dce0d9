/// Characters that could forge a line or drive a terminal. What is done about them is for others.

/// What a character does to those who are shown it.
package enum Hazard {
  case none
  /// A control of terminals or of writing direction.
  case control
  /// Ends a line, somewhere.
  case lineBreak

  /// Is there certainly none? Nearly always the answer.
  package static func isAbsent(in bytes: Span<UInt8>) -> Bool {
    var index = 0
    while true {
      index = lettersEnd(bytes, from: index)
      if index == bytes.count { return true }
      // As far as a word reaches one by one, and on.
      let end = min(bytes.count, index + 8)
      while index < end {
        if mayBegin(bytes[index]) { return false }
        index += 1
      }
    }
  }

  /// Of the scalar (or the first byte of a harmless one) at `index` of some UTF-8, and its length.
  package static func at(_ index: Int, of bytes: Span<UInt8>) -> (Hazard, length: Int) {
    let first = bytes[index]
    if first < 0x80 { return (of(ascii: first), 1) }
    guard index + 1 < bytes.count else { return (.none, 1) }
    let second = bytes[index + 1]
    if first == 0xC2, second < 0xA0 {
      return (second == 0x85 ? .lineBreak : .control, 2)  // NEL; the rest of C1
    }
    if first == 0xD8, second == 0x9C { return (.control, 2) }  // U+061C
    guard first == 0xE2, index + 2 < bytes.count else { return (.none, 1) }
    return (of(general: second, bytes[index + 2]), 3)
  }

  /// May this byte begin a hazard, or is it certainly part of something harmless?
  static func mayBegin(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
  }

  private static func of(ascii byte: UInt8) -> Hazard {
    if byte >= 0x20 { return byte == 0x7F ? .control : .none }
    if byte == 0x09 { return .none }
    return (0x0A...0x0D).contains(byte) ? .lineBreak : .control
  }

  /// Of U+2000 to U+2FFF: line and paragraph separators, and what turns the writing direction.
  private static func of(general second: UInt8, _ third: UInt8) -> Hazard {
    if second == 0x80 {
      if third == 0xA8 || third == 0xA9 { return .lineBreak }
      return third == 0x8E || third == 0x8F || (0xAA...0xAE).contains(third) ? .control : .none
    }
    return second == 0x81 && (0xA6...0xA9).contains(third) ? .control : .none
  }
}
