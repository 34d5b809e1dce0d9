/// How names are trimmed and folded for comparison. Judges nothing.

internal import CUTF8Proc

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Without the blanks of Unicode at either end.
func trimmed(_ text: String) -> String {
  let scalars = text.unicodeScalars
  guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
    let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
  else { return "" }
  if first == scalars.startIndex, scalars.index(after: last) == scalars.endIndex { return text }
  return String(scalars[first...last])
}

/// NFKC with case folded and ignorable characters left out, blanks trimmed and collapsed.
func foldedName(_ name: String) -> String {
  collapsed(name.utf8.allSatisfy { $0 < 0x80 } ? lowered(name) : caseFolded(name))
}

private func lowered(_ name: String) -> String {
  let bytes = name.utf8.map { byte in
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func caseFolded(_ name: String) -> String {
  let options = utf8proc_option_t(
    UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
      | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_IGNORE.rawValue)
  var result: UnsafeMutablePointer<UInt8>?
  let name = Array(name.utf8)
  let count = unsafe name.withUnsafeBufferPointer { bytes in
    unsafe utf8proc_map(bytes.baseAddress, bytes.count, &result, options)
  }
  guard count >= 0, let result = unsafe result else {
    preconditionFailure("folding valid UTF-8 fails only where memory is gone")
  }
  defer { unsafe free(result) }
  return unsafe String(
    decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
}

private func collapsed(_ name: String) -> String {
  var scalars = String.UnicodeScalarView()
  var isBlankPending = false
  for scalar in name.unicodeScalars {
    if scalar.properties.isWhitespace {
      isBlankPending = !scalars.isEmpty
    } else {
      if isBlankPending { scalars.append(" ") }
      isBlankPending = false
      scalars.append(scalar)
    }
  }
  return String(scalars)
}
