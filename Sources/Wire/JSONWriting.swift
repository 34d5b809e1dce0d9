/// Pieces of JSON, appended to bytes. Knows no object or array: who writes puts those around.

extension [UInt8] {
  /// Bytes as they stand in the source.
  package mutating func append(ascii literal: StaticString) {
    literal.withUTF8Buffer { bytes in unsafe append(contentsOf: bytes) }
  }

  /// A string with its quotes. What could end a line, drive a terminal or turn the direction of
  /// writing is escaped, so that a line of JSON can be shown as it is.
  package mutating func append(quoted text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in unsafe appendEscaped(bytes) }
    append(UInt8(ascii: "\""))
  }

  package mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    let start = count
    var rest = number.magnitude
    repeat {
      let (tenth, digit) = rest.quotientAndRemainder(dividingBy: 10)
      append(UInt8(ascii: "0") + UInt8(digit))
      rest = tenth
    } while rest > 0
    self[start...].reverse()
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    let bytes = unsafe Span(_unsafeElements: text)
    var start = 0
    var index = 0
    while true {
      index = jsonLettersEnd(bytes, from: index)
      guard index < bytes.count else { break }
      // As far as eight bytes reach one by one, and on.
      let end = Swift.min(bytes.count, index + 8)
      while index < end {
        let (isEscaped, length) = judge(bytes, at: index)
        if isEscaped {
          unsafe append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
          start = index + length
          appendEscape(of: bytes.extracting(index..<start))
        }
        index += length
      }
    }
    unsafe append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  /// Of the scalar (or the first byte of a harmless one) at `index`, and its length.
  private func judge(_ bytes: Span<UInt8>, at index: Int) -> (isEscaped: Bool, length: Int) {
    let byte = bytes[index]
    if Hazard.mayBegin(byte) {
      let (hazard, length) = Hazard.at(index, of: bytes)
      // The tab is none, but no string of JSON can hold it.
      return (hazard != .none || byte < 0x20, length)
    }
    return (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\"), 1)
  }

  /// Of one scalar below U+10000.
  private mutating func appendEscape(of scalar: Span<UInt8>) {
    append(UInt8(ascii: "\\"))
    switch scalar[0] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(scalar[0])
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    case _:
      var value = UInt32(scalar[0]) & (scalar.count == 1 ? 0x7F : scalar.count == 2 ? 0x1F : 0xF)
      for index in 1..<scalar.count { value = value << 6 | UInt32(scalar[index] & 0x3F) }
      append(UInt8(ascii: "u"))
      for shift in [12, 8, 4, 0] { append(hexDigits[Int(value >> UInt32(shift) & 0xF)]) }
    }
  }
}

private let hexDigits = Array("0123456789abcdef".utf8)
