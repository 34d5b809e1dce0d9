/// Bytes of one connection that came and were not taken yet. Knows nothing of what they mean.

/// Reads are added at the end and taken from the front; what was taken is let go of when the next
/// read comes, so that nothing is moved while many small things are taken of a large one.
struct HeldBytes {
  /// Those from ``start`` on are held.
  private(set) var bytes: [UInt8] = []
  private(set) var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  /// One read, as it came.
  mutating func append(_ read: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      bytes = unsafe [UInt8](read)
      return
    }
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    unsafe bytes.append(contentsOf: read)
  }

  /// So many bytes from the front.
  mutating func take(_ count: Int) -> [UInt8] {
    if start == 0, bytes.count == count {
      defer { bytes = [] }
      return bytes
    }
    let taken = Array(bytes[start..<start + count])
    drop(count)
    return taken
  }

  /// So many bytes from the front are not needed. An idle connection keeps no room for what it once
  /// held.
  mutating func drop(_ count: Int) {
    precondition(count <= self.count, "more is dropped than is held")
    start += count
    guard start == bytes.count else { return }
    bytes = []
    start = 0
  }
}
