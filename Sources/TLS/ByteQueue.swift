/// Bytes that wait: put in behind, taken off the front, lent without copies. Holds no memory while
/// it is empty, for most conversations are idle most of the time.

struct ByteQueue: ~Copyable {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private var start = 0
  private var end = 0

  deinit { base?.deallocate() }

  var count: Int { end - start }
  var isEmpty: Bool { start == end }

  /// What waits. Good until the queue is changed.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base.map { UnsafeRawPointer($0 + start) }, count: count)
  }

  /// Room behind what waits, of at least `minimum` bytes. Then either ``append(_:)`` or
  /// ``removeFirst(_:)``, with 0 where nothing came.
  mutating func room(_ minimum: Int) -> UnsafeMutableRawBufferPointer {
    if capacity - end < minimum { makeRoom(minimum) }
    return UnsafeMutableRawBufferPointer(start: base.map { $0 + end }, count: capacity - end)
  }

  /// So many bytes were put into the room.
  mutating func append(_ count: Int) {
    precondition(count <= capacity - end, "more was put in than there was room for")
    end += count
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    room(bytes.count).copyMemory(from: bytes)
    end += bytes.count
  }

  mutating func removeFirst(_ count: Int) {
    precondition(count <= self.count, "more was taken off than there was")
    start += count
    if isEmpty { removeAll() }
  }

  mutating func removeAll() {
    base?.deallocate()
    base = nil
    (capacity, start, end) = (0, 0, 0)
  }

  private mutating func makeRoom(_ minimum: Int) {
    let needed = count + minimum
    // Moving pays where at least as much was taken off as there is to move.
    if needed <= capacity, start >= count, let base {
      base.copyMemory(from: base + start, byteCount: count)
    } else {
      // Doubled, so that bytes are moved once on average however small the steps.
      capacity = needed <= capacity * 2 ? capacity * 2 : needed
      let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
      if let base {
        larger.copyMemory(from: base + start, byteCount: count)
        base.deallocate()
      }
      base = larger
    }
    (start, end) = (0, count)
  }
}
