/// Looks through bytes eight at a time, for what most texts have none of. Pure functions.

/// How far the bytes from `start` on are letters of ASCII that JSON can hold as they are: 0x20 to
/// 0x7E without `"` and `\`. May stop up to seven bytes early.
func jsonLettersEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index + 8 <= bytes.count {
    let word = eight(bytes, at: index)
    if mayHaveOther(word) || mayHave(word, UInt8(ascii: "\"")) || mayHave(word, UInt8(ascii: "\\"))
    {
      break
    }
    index += 8
  }
  return index
}

/// How far they are any letters of ASCII: 0x20 to 0x7E. May stop up to seven bytes early.
func lettersEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index + 8 <= bytes.count {
    let word = eight(bytes, at: index)
    if mayHaveOther(word) { break }
    index += 8
  }
  return index
}

/// How far they are any ASCII. May stop up to seven bytes early.
func asciiEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index + 8 <= bytes.count, eight(bytes, at: index) & each(0x80) == 0 { index += 8 }
  return index
}

/// The first LF at or behind `start`.
func lineFeed(in bytes: Span<UInt8>, from start: Int) -> Int? {
  var index = start
  while index + 8 <= bytes.count {
    let word = eight(bytes, at: index)
    let other = word ^ each(UInt8(ascii: "\n"))
    // Exact for the first of them: a byte that is 0 borrows only from those behind it.
    let found = (other &- each(1)) & ~other & each(0x80)
    if found != 0 { return index + UInt64(littleEndian: found).trailingZeroBitCount / 8 }
    index += 8
  }
  while index < bytes.count {
    if bytes[index] == UInt8(ascii: "\n") { return index }
    index += 1
  }
  return nil
}

/// Is one of the eight below 0x20, 0x7F, or above? True also of some words without: a borrow from
/// a neighbour counts.
private func mayHaveOther(_ word: UInt64) -> Bool {
  (word | (word &- each(0x20)) | ((word ^ each(0x7F)) &- each(1))) & each(0x80) != 0
}

/// Is one of eight letters this one? True also of some words without.
private func mayHave(_ word: UInt64, _ letter: UInt8) -> Bool {
  ((word ^ each(letter)) &- each(1)) & each(0x80) != 0
}

private func eight(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
}

private func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
