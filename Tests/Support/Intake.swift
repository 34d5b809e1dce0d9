/// Bytes read from a descriptor within a limit of time. Waits in poll(2) and nowhere else.

import Foundation

/// What came out of a descriptor so far, and waiting for more.
package final class Intake {
  private let descriptor: Int32
  package private(set) var bytes: [UInt8] = []
  private var taken = 0

  /// Owns the descriptor.
  package init(descriptor: Int32 = -1) {
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads what there is, waiting for the first byte. Empty at the end.
  @discardableResult package func read(within limit: Int32 = patience) throws -> [UInt8] {
    guard try waitForBytes(within: limit) else {
      throw Failure("nothing to read; so far: \(text.suffix(400))")
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(descriptor, &buffer, buffer.count)
    // A terminal whose other end was closed fails with EIO, a connection that was reset with
    // ECONNRESET: both are an end.
    if count < 0, errno != EIO, errno != ECONNRESET { throw Failure.system("read") }
    let portion = buffer[..<max(0, count)]
    bytes += portion
    return Array(portion)
  }

  package func waitForBytes(within limit: Int32) throws -> Bool {
    var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var answer = poll(&wish, 1, limit)
    while answer < 0, errno == EINTR { answer = poll(&wish, 1, limit) }
    return answer == 1
  }

  package func readToEnd() throws {
    guard descriptor >= 0 else { return }
    while try !read().isEmpty {}
  }

  package func read(until expected: String) throws {
    while !text.contains(expected) {
      if try read().isEmpty { throw Failure("ended before '\(expected)': \(text.suffix(400))") }
    }
  }

  /// The next line that was not taken yet, without its LF; nil at the end.
  package func line() throws -> String? {
    while true {
      if let end = bytes[taken...].firstIndex(of: 0x0A) {
        defer { taken = end + 1 }
        return String(decoding: bytes[taken..<end], as: UTF8.self)
      }
      if try read().isEmpty { return nil }
    }
  }

  /// Are there lines that can be taken without waiting?
  package func hasLine() throws -> Bool {
    while try waitForBytes(within: 0), try !read().isEmpty {}
    return bytes[taken...].contains(0x0A)
  }
}
