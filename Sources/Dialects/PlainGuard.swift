/// The guard in front of everything plain: no text can forge a line or drive a terminal.

internal import Wire

/// Breaks of lines become one blank a run; controls of terminals and of writing direction go.
enum PlainGuard {
  /// Appends `text` as it may be shown.
  static func append(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      if unsafe Hazard.isAbsent(in: Span(_unsafeElements: bytes)) {
        unsafe out.append(contentsOf: bytes)
      } else {
        unsafe appendGuarded(bytes, to: &out)
      }
    }
  }

  private static func appendGuarded(
    _ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]
  ) {
    let bytes = unsafe Span(_unsafeElements: text)
    var index = 0
    var start = 0
    var isAfterBreak = false
    while index < bytes.count {
      let (hazard, length) = Hazard.at(index, of: bytes)
      if hazard == .none {
        isAfterBreak = false
      } else {
        unsafe out.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
        start = index + length
        if hazard == .lineBreak {
          if !isAfterBreak { out.append(0x20) }
          isAfterBreak = true
        }
      }
      index += length
    }
    unsafe out.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }
}
