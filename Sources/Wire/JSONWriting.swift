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

  private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var index = 0
    while index < bytes.count {
      let byte = unsafe bytes[index]
      guard Hazard.mayBegin(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      else {
        index += 1
        continue
      }
      let (hazard, length) = unsafe Hazard.at(index, of: bytes)
      if hazard != .none || byte < 0x80 {
        unsafe append(contentsOf: bytes[start..<index])
        start = index + length
        unsafe appendEscape(of: bytes[index..<start])
      }
      index += length
    }
    unsafe append(contentsOf: bytes[start...])
  }

  /// Of one scalar below U+10000.
  private mutating func appendEscape(of scalar: Slice<UnsafeBufferPointer<UInt8>>) {
    let first = unsafe scalar[scalar.startIndex]
    append(UInt8(ascii: "\\"))
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(first)
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    case _:
      let lead = unsafe UInt32(first) & (scalar.count == 1 ? 0x7F : scalar.count == 2 ? 0x1F : 0xF)
      let value = unsafe scalar.dropFirst().reduce(lead) { $0 << 6 | UInt32($1 & 0x3F) }
      append(UInt8(ascii: "u"))
      for shift in [12, 8, 4, 0] { append(hexDigits[Int(value >> UInt32(shift) & 0xF)]) }
    }
  }
}

private let hexDigits = Array("0123456789abcdef".utf8)
