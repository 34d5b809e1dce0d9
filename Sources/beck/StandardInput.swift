/// Reads standard input on a thread of its own, a little ahead. Knows nothing of lines.

import Foundation

/// The bytes of standard input, taken without waiting.
///
/// At most one read of ``bytesAhead`` is kept: the thread reads on only when that was taken, so a
/// pipe of any length stays in the pipe. It is a thread and not a dispatch source because
/// standard input may be a file, which no poller takes.
///
/// Unchecked because `ready` and `hasEnded` are touched only under the condition's lock.
final class StandardInput: @unchecked Sendable {
  static let bytesAhead = 65_536

  enum Portion {
    case bytes([UInt8])
    /// The bell rings when there is more.
    case nothingYet
    case end
  }

  private let changed = NSCondition()
  private let bell: RunLoopBell
  private var ready: [UInt8] = []
  private var hasEnded = false

  /// Rings the bell when there is something to take.
  init(bell: RunLoopBell) {
    self.bell = bell
  }

  /// The first line, and not a byte more: what follows is read by others. To be called before.
  static func firstLine() -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 4_096 {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != 0x0A else { break }
      line.append(byte)
    }
    return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
  }

  /// Begins to read; to be called once.
  func start() {
    let thread = Thread { self.readToTheEnd() }
    thread.name = "standard input"
    thread.start()
  }

  func take() -> Portion {
    changed.lock()
    defer { changed.unlock() }
    guard ready.isEmpty else {
      defer { ready = [] }
      changed.signal()
      return .bytes(ready)
    }
    return hasEnded ? .end : .nothingYet
  }

  private func readToTheEnd() {
    var buffer = [UInt8](repeating: 0, count: Self.bytesAhead)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 {
        deliver(buffer[..<count])
      } else if count < 0, errno == EAGAIN {
        var wish = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&wish, 1, -1)
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    changed.lock()
    hasEnded = true
    changed.unlock()
    bell.ring()
  }

  /// Returns when the bytes were taken.
  private func deliver(_ bytes: ArraySlice<UInt8>) {
    changed.lock()
    ready = Array(bytes)
    changed.unlock()
    bell.ring()
    changed.lock()
    while !ready.isEmpty { changed.wait() }
    changed.unlock()
  }
}
