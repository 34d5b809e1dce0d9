/// Writes to standard output and standard error, whole and at once. Knows nothing of chat.

import Foundation

/// One of the two streams that a program writes to.
///
/// Not `print`: its buffer is lost when the program is killed, and it hides that nobody reads.
struct Output: Sendable {
  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// May colours be used? Only on a terminal that has them, and not where `NO_COLOR` is set.
  var hasColours: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }

  /// Writes all of it, however long that takes. Gives the error number, or nil when it went well.
  @discardableResult func write(_ text: String) -> Int32? {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// As the other, for bytes.
  func write(_ bytes: [UInt8]) -> Int32? { bytes.withUnsafeBytes { write($0) } }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN {
        // Somebody who shares the terminal made it non-blocking.
        var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wish, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
