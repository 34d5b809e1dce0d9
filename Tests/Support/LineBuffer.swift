/// Bytes that came, to be taken out line by line.

import Glibc

// Searched by memchr and forgotten in large steps, because under a sanitizer each look at a byte is
// dear, and tests read megabytes.
struct LineBuffer {
  private var bytes: [UInt8] = []
  /// So many of `bytes` were taken out.
  private var taken = 0
  /// No line feed is between `taken` and here.
  private var searched = 0

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes += more }

  /// The first line without its end; nil while it has none.
  mutating func takeLine() -> String? {
    guard let end = nextLineFeed() else { return nil }
    defer { forget(to: end + 1) }
    return String(decoding: bytes[taken..<end], as: UTF8.self)
  }

  mutating func takeAll() -> [UInt8] {
    defer { forget(to: bytes.count) }
    return Array(bytes[taken...])
  }

  private mutating func nextLineFeed() -> Int? {
    let found: Int? = bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress, searched < all.count else { return nil }
      return memchr(base + searched, 0x0A, all.count - searched).map { UnsafeRawPointer($0) - base }
    }
    searched = found ?? bytes.count
    return found
  }

  private mutating func forget(to position: Int) {
    (taken, searched) = (position, position)
    guard taken == bytes.count || taken >= 1 << 20 else { return }
    bytes.removeFirst(taken)
    (taken, searched) = (0, 0)
  }
}
