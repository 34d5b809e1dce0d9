/// The guard in front of everything plain: no text can forge a line or drive a terminal.

internal import Wire

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

  /// True of most texts: not even the first byte of anything to guard against.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe bytes.allSatisfy { !Hazard.mayBegin($0) }
  }

  private static func appendGuarded(
    _ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]
  ) {
    var index = 0
    var isAfterBreak = false
    while index < bytes.count {
      let (hazard, length) = unsafe Hazard.at(index, of: bytes)
      switch hazard {
      case .none:
        unsafe out.append(contentsOf: bytes[index..<index + length])
        isAfterBreak = false
      case .control:
        break
      case .lineBreak:
        if !isAfterBreak { out.append(0x20) }
        isAfterBreak = true
      }
      index += length
    }
  }
}
