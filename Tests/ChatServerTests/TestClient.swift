/// A client on a blocking socket, for tests. Every wait is for bytes and has an end.

import Glibc
import Testing

/// One connection to a server on this machine.
final class TestClient {
  static let patience: Int32 = 10_000  // milliseconds; a test that waits longer has failed

  private(set) var descriptor: Int32
  private var buffer: [UInt8] = []
  private var pings = 0
  /// Set when the server has ended the stream or broken the connection.
  private(set) var isEnded = false

  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "connected to port \(port)")
  }

  deinit { close() }

  func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Closes so that the peer sees a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    close()
  }

  /// Sends the end of stream and goes on reading.
  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Logs in by a whole line and takes the answer.
  func logIn(_ name: String) {
    send("iam:\(name)\n")
    _ = lines(until: "\(name) has joined")
  }

  /// The next line without its end; nil at the end of the stream or of patience.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard readMore(patience: Self.patience) else { return nil }
    }
  }

  /// Lines up to this one, which is included.
  func lines(until last: String) -> [String] {
    var lines: [String] = []
    while let line = line() {
      lines.append(line)
      if line == last { return lines }
    }
    Issue.record("waited for '\(last)', got \(lines.suffix(5))")
    return lines
  }

  /// The barrier: everything the server had for this connection before it answered.
  func linesBeforePong() -> [String] {
    pings += 1
    send("ping:\(pings)\n")
    return lines(until: "* pong \(pings)").dropLast()
  }

  /// All lines until the server ends the stream.
  func linesUntilEnd() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    #expect(isEnded, "the server ended the stream")
    return lines
  }

  /// All bytes until the server ends the stream.
  func bytesUntilEnd() -> [UInt8] {
    while readMore(patience: Self.patience) {}
    #expect(isEnded, "the server ended the stream")
    defer { buffer = [] }
    return buffer
  }

  /// The only place that waits for nothing to happen: what comes within that many milliseconds.
  func linesWithin(milliseconds: Int32) -> [String] {
    let start = ContinuousClock.now
    while true {
      let spent = Int32((ContinuousClock.now - start) / .milliseconds(1))
      guard spent < milliseconds, readMore(patience: milliseconds - spent) else { break }
    }
    var lines: [String] = []
    while let end = buffer.firstIndex(of: 0x0A) {
      lines.append(String(decoding: buffer[..<end], as: UTF8.self))
      buffer.removeFirst(end + 1)
    }
    return lines
  }

  /// One read of what is there or comes in time.
  func readMore(patience: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard !isEnded, poll(&wanted, 1, patience) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else {
      isEnded = true
      return false
    }
    buffer += bytes[..<count]
    return true
  }
}
