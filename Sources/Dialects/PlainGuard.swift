/// The guard in front of everything plain: no text can forge a line or drive a terminal.

/// Breaks of lines become one blank a run; controls of terminals and of writing direction go.
enum PlainGuard {
  /// Appends `text` as it may be shown.
  static func append(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      if unsafe isPlain(bytes) {
        unsafe out.append(contentsOf: bytes)
      } else {
        unsafe appendGuarded(bytes, to: &out)
      }
    }
  }

  private enum Verdict { case keep, drop, lineBreak }

  /// True of most texts: not even the first byte of anything to guard against.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe bytes.allSatisfy { byte in
      byte >= 0x20 && byte != 0x7F && byte != 0xC2 && byte != 0xD8 && byte != 0xE2
    }
  }

  private static func appendGuarded(
    _ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]
  ) {
    var index = 0
    var isAfterBreak = false
    while index < bytes.count {
      let (verdict, length) = unsafe judge(bytes, at: index)
      switch verdict {
      case .keep:
        unsafe out.append(contentsOf: bytes[index..<index + length])
        isAfterBreak = false
      case .drop:
        break
      case .lineBreak:
        if !isAfterBreak { out.append(0x20) }
        isAfterBreak = true
      }
      index += length
    }
  }

  /// What to do with the scalar (or the first byte of a harmless one) at `index`, and its length.
  private static func judge(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Verdict, length: Int) {
    let first = unsafe bytes[index]
    if first < 0x80 { return (judge(ascii: first), 1) }
    guard index + 1 < bytes.count else { return (.keep, 1) }
    let second = unsafe bytes[index + 1]
    if first == 0xC2, second < 0xA0 {
      return (second == 0x85 ? .lineBreak : .drop, 2)  // NEL; the rest of C1
    }
    if first == 0xD8, second == 0x9C { return (.drop, 2) }  // U+061C
    guard first == 0xE2, index + 2 < bytes.count else { return (.keep, 1) }
    return unsafe (judge(general: second, bytes[index + 2]), 3)
  }

  private static func judge(ascii byte: UInt8) -> Verdict {
    if byte >= 0x20 { return byte == 0x7F ? .drop : .keep }
    if byte == 0x09 { return .keep }
    return (0x0A...0x0D).contains(byte) ? .lineBreak : .drop
  }

  /// Of U+2000 to U+2FFF: line and paragraph separators, and what turns the writing direction.
  private static func judge(general second: UInt8, _ third: UInt8) -> Verdict {
    if second == 0x80 {
      if third == 0xA8 || third == 0xA9 { return .lineBreak }
      return third == 0x8E || third == 0x8F || (0xAA...0xAE).contains(third) ? .drop : .keep
    }
    return second == 0x81 && (0xA6...0xA9).contains(third) ? .drop : .keep
  }
}
