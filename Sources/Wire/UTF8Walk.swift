/// Looks at UTF-8 that comes in pieces, and knows at the first wrong byte that it is none.

/// Where in a character the bytes have come to. Unicode 3.9, table 3-7: no overlong forms, no
/// surrogates, nothing above U+10FFFF.
struct UTF8Walk {
  /// The first byte of the character that has begun, and how many of it have come; 0 between two.
  private var lead: UInt8 = 0
  private var count = 0

  /// May the text end here?
  var isBetweenCharacters: Bool { count == 0 }

  /// The bytes from `start` on come next: is this still UTF-8, or the beginning of some? After a no
  /// nothing more is to be asked.
  mutating func accepts(_ bytes: Span<UInt8>, from start: Int = 0) -> Bool {
    var index = start
    while index < bytes.count {
      if count == 0 { index = wholeEnd(bytes, from: index) }
      guard index < bytes.count else { break }
      guard accepts(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  /// Behind the whole characters that lie there, which are nearly all of a text.
  private func wholeEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if bytes[index] < 0x80 {
        // Behind a letter of ASCII there is mostly another.
        index = asciiEnd(bytes, from: index)
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
      } else if let end = sequenceEnd(bytes, at: index) {
        index = end
      } else {
        return index
      }
    }
    return index
  }

  private mutating func accepts(_ byte: UInt8) -> Bool {
    if count == 0 {
      if byte < 0x80 { return true }
      guard sequenceLength(byte) != nil else { return false }
      lead = byte
      count = 1
      return true
    }
    guard count == 1 ? mayFollow(lead, second: byte) : isContinuation(byte) else { return false }
    count = count + 1 == sequenceLength(lead) ? 0 : count + 1
    return true
  }
}
