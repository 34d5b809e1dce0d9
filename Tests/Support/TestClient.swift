/// A client on a blocking socket, for tests. Every wait is for bytes and has an end.

import Glibc
import Testing

/// One connection to a server.
package final class TestClient {
  package private(set) var descriptor: Int32 = -1
  private var buffer = LineBuffer()
  private var room = [UInt8](repeating: 0, count: 65_536)
  private var pings = 0
  /// Set when the server has ended the stream or broken the connection.
  package private(set) var isEnded = false

  /// `host` is a numeric address. With `namespace` it connects from inside that.
  package init(
    host: String = "127.0.0.1", port: UInt16, receiveBuffer: Int32? = nil,
    in namespace: NetworkNamespace? = nil
  ) throws {
    let family = host.contains(":") ? AF_INET6 : AF_INET
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor =
      if let namespace { try namespace.inside { socket(family, type, 0) } } else {
        socket(family, type, 0)
      }
    guard descriptor >= 0 else { throw Failure.system("socket") }
    if let receiveBuffer { set(SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
    set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    guard connect(to: host, port) == 0 else { throw Failure.system("connect to \(host) \(port)") }
  }

  /// By a Unix socket.
  package init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure.system("socket") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failure("\(path) is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let outcome = withUnsafeBytes(of: &address) {
      Glibc.connect(
        descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    guard outcome == 0 else { throw Failure.system("connect to \(path)") }
  }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// A connection with a small receive buffer reads fast from now on.
  package func widen() { set(SOL_SOCKET, SO_RCVBUF, 1 << 20) }

  private func connect(to host: String, _ port: UInt16) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let list else { return -1 }
    defer { freeaddrinfo(list) }
    return Glibc.connect(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen)
  }

  deinit { close() }

  package func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Closes so that the peer sees a reset.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    close()
  }

  /// Sends the end of stream and goes on reading.
  package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  package func send(_ text: String) { send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends, and takes in what comes meanwhile: a server that waits for its answers to be read
  /// before it reads more cannot hold this up.
  package func sendReading(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, !isEnded {
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return }
      var wish = pollfd(fd: descriptor, events: Int16(POLLIN) | Int16(POLLOUT), revents: 0)
      guard poll(&wish, 1, TestSupport.patience) > 0 else {
        Issue.record("the server takes nothing more")
        return
      }
      if wish.revents & Int16(POLLIN) != 0 { _ = readMore(patience: 0) }
    }
  }

  /// Logs in by a whole line and takes the answer.
  package func logIn(_ name: String) {
    send("iam:\(name)\n")
    _ = lines(until: "\(name) has joined")
  }

  /// The next line without its end; nil at the end of the stream or of patience.
  package func line() -> String? {
    while true {
      if let line = buffer.takeLine() { return line }
      guard readMore(patience: TestSupport.patience) else { return nil }
    }
  }

  /// Lines up to this one, which is included.
  package func lines(until last: String) -> [String] {
    var lines: [String] = []
    while let line = line() {
      lines.append(line)
      if line == last { return lines }
    }
    Issue.record("waited for '\(last)', got \(lines.suffix(5))")
    return lines
  }

  /// The barrier: everything the server had for this connection before it answered.
  package func linesBeforePong() -> [String] {
    pings += 1
    send("ping:\(pings)\n")
    return lines(until: "* pong \(pings)").dropLast()
  }

  /// The same barrier for who speaks JSON lines.
  package func linesBeforeJSONPong() -> [String] {
    pings += 1
    send("{\"id\":\"pong \(pings)\",\"ping\":{}}\n")
    return lines(until: "{\"id\":\"pong \(pings)\",\"ok\":{}}").dropLast()
  }

  /// All lines until the server ends the stream.
  package func linesUntilEnd() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    #expect(isEnded, "the server ended the stream")
    return lines
  }

  /// All bytes until the server ends the stream.
  package func bytesUntilEnd() -> [UInt8] {
    while readMore(patience: TestSupport.patience) {}
    #expect(isEnded, "the server ended the stream")
    return buffer.takeAll()
  }

  /// The only place that waits for nothing to happen: what comes within that many milliseconds.
  package func linesWithin(milliseconds: Int32) -> [String] {
    let start = ContinuousClock.now
    while true {
      let spent = Int32((ContinuousClock.now - start) / .milliseconds(1))
      guard spent < milliseconds, readMore(patience: milliseconds - spent) else { break }
    }
    return takeWholeLines()
  }

  /// The whole lines that one read brings.
  package func linesOfOneRead() -> [String] {
    _ = readMore(patience: TestSupport.patience)
    return takeWholeLines()
  }

  /// The whole lines that have come.
  package func takeWholeLines() -> [String] {
    var lines: [String] = []
    while let line = buffer.takeLine() { lines.append(line) }
    return lines
  }

  /// One read of what is there or comes in time.
  package func readMore(patience: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard !isEnded, poll(&wanted, 1, patience) > 0 else { return false }
    let count = recv(descriptor, &room, room.count, 0)
    guard count > 0 else {
      isEnded = true
      return false
    }
    room.withUnsafeBytes { buffer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    return true
  }
}
