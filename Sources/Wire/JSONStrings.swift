/// Strings of JSON: where they end, and what their escapes mean. Pure functions.

/// The closing quote of the string whose contents begin at `start`.
func jsonStringEnd(
  _ bytes: Span<UInt8>, from start: Int
) throws(JSONProblem) -> (end: Int, hasEscapes: Bool) {
  var index = start
  var hasEscapes = false
  while true {
    index = jsonLettersEnd(bytes, from: index)
    guard index < bytes.count else { throw .syntax(at: index) }
    // As far as eight bytes reach one by one, and on.
    let end = min(bytes.count, index + 8)
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { return (index, hasEscapes) }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        index = try escapeEnd(bytes, at: index)
      } else if byte >= 0x80 {
        guard let end = sequenceEnd(bytes, at: index) else { throw .notUTF8(at: index) }
        index = end
      } else if byte < 0x20 {
        throw .syntax(at: index)
      } else {
        index += 1
      }
    }
  }
}

/// What a string says; its bytes have passed ``jsonStringEnd(_:from:)``.
func jsonUnescaped(_ bytes: Span<UInt8>) -> [UInt8] {
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count)
  var index = 0
  while index < bytes.count {
    if bytes[index] != UInt8(ascii: "\\") {
      text.append(bytes[index])
      index += 1
    } else if bytes[index + 1] == UInt8(ascii: "u"), let unit = hexUnit(bytes, at: index + 2) {
      index += 6
      var value = UInt32(unit)
      if isHighSurrogate(unit), let low = hexUnit(bytes, at: index + 2) {
        index += 6
        value = 0x10000 + (value - 0xD800) << 10 + (UInt32(low) - 0xDC00)
      }
      if let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) { text += encoded }
    } else {
      text.append(meaning(ofEscape: bytes[index + 1]) ?? bytes[index + 1])
      index += 2
    }
  }
  return text
}

private func escapeEnd(_ bytes: Span<UInt8>, at start: Int) throws(JSONProblem) -> Int {
  guard start + 1 < bytes.count else { throw .syntax(at: start + 1) }
  if meaning(ofEscape: bytes[start + 1]) != nil { return start + 2 }
  guard bytes[start + 1] == UInt8(ascii: "u"), let unit = hexUnit(bytes, at: start + 2) else {
    throw .syntax(at: start + 1)
  }
  if isLowSurrogate(unit) { throw .loneSurrogate(at: start) }
  guard isHighSurrogate(unit) else { return start + 6 }
  guard start + 7 < bytes.count, bytes[start + 6] == UInt8(ascii: "\\"),
    bytes[start + 7] == UInt8(ascii: "u"), let low = hexUnit(bytes, at: start + 8),
    isLowSurrogate(low)
  else { throw .loneSurrogate(at: start) }
  return start + 12
}

/// Of the escapes of one letter.
private func meaning(ofEscape letter: UInt8) -> UInt8? {
  switch letter {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
  case UInt8(ascii: "n"): 0x0A
  case UInt8(ascii: "r"): 0x0D
  case UInt8(ascii: "t"): 0x09
  case UInt8(ascii: "b"): 0x08
  case UInt8(ascii: "f"): 0x0C
  case _: nil
  }
}

/// Four hexadecimal digits.
private func hexUnit(_ bytes: Span<UInt8>, at start: Int) -> UInt16? {
  guard start + 4 <= bytes.count else { return nil }
  var unit: UInt16 = 0
  for index in start..<start + 4 {
    guard let digit = hexDigit(bytes[index]) else { return nil }
    unit = unit << 4 | UInt16(digit)
  }
  return unit
}

/// What a hexadecimal digit in either case stands for.
package func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  case _: nil
  }
}

private func isHighSurrogate(_ unit: UInt16) -> Bool { unit & 0xFC00 == 0xD800 }
private func isLowSurrogate(_ unit: UInt16) -> Bool { unit & 0xFC00 == 0xDC00 }
