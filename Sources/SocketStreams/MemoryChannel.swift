/// The memory between two bound streams: what one writes the other reads, up to a capacity.
/// Grows with what waits in it; knows nothing of statuses and events.

internal import Glibc

// @unchecked because every variable is used under `lock` only.
final class MemoryChannel: Channel, @unchecked Sendable {
  private let lock = NSLock()
  private let capacity: Int
  /// A ring: `count` bytes from `start` on, around the edge.
  private var ring: [UInt8] = []
  private var start = 0
  private var count = 0
  private var hasReader = true
  private var hasWriter = true
  private var news = News()

  /// Holds at most `capacity` bytes, and at least one.
  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  var descriptor: Descriptor? { nil }

  func receive(into room: UnsafeMutableRawBufferPointer) -> Moved {
    lock.withLock {
      guard count > 0 else { return hasWriter ? .mustWait : .end }
      var moved = 0
      while moved < room.count, count > 0 {
        let piece = min(room.count - moved, count, ring.count - start)
        ring.withUnsafeBytes { bytes in
          UnsafeMutableRawBufferPointer(rebasing: room[moved...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + piece]))
        }
        start = (start + piece) % ring.count
        count -= piece
        moved += piece
      }
      news.forOutput = true
      return .bytes(moved)
    }
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> Moved {
    lock.withLock {
      guard hasReader else { return .failed(StreamErrors.posix(EPIPE)) }
      let whole = min(bytes.count, capacity - count)
      guard whole > 0 else { return .mustWait }
      makeRoom(for: whole)
      var moved = 0
      while moved < whole {
        let end = (start + count) % ring.count
        let piece = min(whole - moved, ring.count - end)
        ring.withUnsafeMutableBytes { room in
          UnsafeMutableRawBufferPointer(rebasing: room[end..<end + piece])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[moved..<moved + piece]))
        }
        count += piece
        moved += piece
      }
      news.forInput = true
      return .bytes(moved)
    }
  }

  /// Lets the ring hold `more` bytes besides those in it.
  private func makeRoom(for more: Int) {
    guard count + more > ring.count else { return }
    var size = max(256, ring.count)
    while size < count + more { size *= 2 }
    let straight = min(count, ring.count - start)
    var larger = [UInt8](ring[start..<start + straight])
    larger.append(contentsOf: ring[..<(count - straight)])
    larger.append(contentsOf: repeatElement(0, count: min(size, capacity) - count))
    ring = larger
    start = 0
  }

  func interest(_ direction: StreamHalf.Direction) -> Int32 { 0 }

  func look(_ direction: StreamHalf.Direction, events: Int32) -> Showing {
    lock.withLock {
      switch direction {
      case .input: count > 0 ? .readiness : hasWriter ? .nothing : .end
      case .output where !hasReader: .failure(StreamErrors.posix(EPIPE))
      case .output: count < capacity ? .readiness : .nothing
      }
    }
  }

  func isReady(_ direction: StreamHalf.Direction) -> Bool {
    lock.withLock {
      switch direction {
      case .input: count > 0 || !hasWriter
      case .output: count < capacity || !hasReader
      }
    }
  }

  var hasBytes: Bool { lock.withLock { count > 0 } }

  func hasHiddenNews(_ direction: StreamHalf.Direction) -> Bool { isReady(direction) }

  func takeNews(for direction: StreamHalf.Direction) -> Bool {
    lock.withLock { news.take(direction) }
  }

  func endUse(_ direction: StreamHalf.Direction) {
    lock.withLock {
      switch direction {
      case .input:
        hasReader = false
        (ring, start, count) = ([], 0, 0)
        news.forOutput = true
      case .output:
        hasWriter = false
        news.forInput = true
      }
    }
  }

  func settle() -> Bool { true }
  func sendRest() {}
  func close() {}
}
