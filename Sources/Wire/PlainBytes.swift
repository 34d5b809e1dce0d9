/// Where the plain dialect's bytes may be cut: at terminators and between characters. Pure
/// functions.

/// Line feed, carriage return or NUL.
func isTerminator(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x00 }

/// The first terminator at or behind `start`.
func plainTerminator(in bytes: Span<UInt8>, from start: Int) -> Int? {
  var index = start
  while index < bytes.count {
    // One comparison for nearly every byte of a text.
    if bytes[index] <= 0x0D, isTerminator(bytes[index]) { return index }
    index += 1
  }
  return nil
}

/// The first byte at or behind `start` that is no terminator; a run of them counts once.
func plainTerminatorsEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index < bytes.count, isTerminator(bytes[index]) { index += 1 }
  return index
}

/// How many leading bytes to keep so that at most `limit` are kept and no character is cut.
package func plainCut(_ bytes: Span<UInt8>, bytesMax limit: Int) -> Int {
  guard bytes.count > limit else { return bytes.count }
  var end = limit
  while end > 0, end > limit - 3, isContinuation(bytes[end]) { end -= 1 }
  return isContinuation(bytes[end]) ? limit : end
}

/// Do the bytes end inside a UTF-8 sequence that the next byte could carry on?
func plainEndsInsideCharacter(_ bytes: Span<UInt8>) -> Bool {
  var lead = bytes.count - 1
  while lead > 0, lead > bytes.count - 3, isContinuation(bytes[lead]) { lead -= 1 }
  guard lead >= 0, let length = sequenceLength(bytes[lead]) else { return false }
  let have = bytes.count - lead
  guard have < length else { return false }
  return have == 1 || mayFollow(bytes[lead], second: bytes[lead + 1])
}

func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

/// Of the UTF-8 sequence that this byte begins, if it is one of several bytes.
func sequenceLength(_ lead: UInt8) -> Int? {
  if lead < 0xC2 || lead > 0xF4 { return nil }
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
}

/// Unicode 3.9, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
func mayFollow(_ lead: UInt8, second: UInt8) -> Bool {
  let least: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
  let most: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
  return least <= second && second <= most
}

/// Behind the UTF-8 sequence of several bytes that begins here; nil where it is none, or is not
/// whole.
func sequenceEnd(_ bytes: Span<UInt8>, at start: Int) -> Int? {
  guard let length = sequenceLength(bytes[start]), start + length <= bytes.count,
    mayFollow(bytes[start], second: bytes[start + 1])
  else { return nil }
  for index in start + 1..<start + length where !isContinuation(bytes[index]) { return nil }
  return start + length
}
