/// Plain sockets for the tests' far side: a listener and its accepted connections, all waits
/// limited. Knows nothing of streams.

import Foundation

struct Failed: Error, CustomStringConvertible {
  let description: String
}

/// What every test states: a condition, and the sentence that is wrong without it.
func check(
  _ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line
) throws {
  if !condition { throw Failed(description: "line \(line): \(message())") }
}

/// A socket bound to a free port of a loopback address; without `listen` a connect is refused
/// there, and no other test can get the port.
final class BoundPort: Sendable {
  let descriptor: Int32
  let number: Int

  init(ipv6: Bool = false, port: Int = 0) throws {
    descriptor = socket(ipv6 ? AF_INET6 : AF_INET, streamSocket, 0)
    try check(descriptor >= 0, "socket: errno \(errno)")
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let socket = descriptor
    let bound = withUnsafeMutableBytes(of: &storage) { bytes -> Bool in
      let length: Int
      if ipv6 {
        let address = sockaddr_in6(
          sin6_family: sa_family_t(AF_INET6), sin6_port: UInt16(port).bigEndian, sin6_flowinfo: 0,
          sin6_addr: in6addr_loopback, sin6_scope_id: 0)
        bytes.storeBytes(of: address, as: sockaddr_in6.self)
        length = MemoryLayout<sockaddr_in6>.size
      } else {
        bytes.storeBytes(of: loopback(port: port), as: sockaddr_in.self)
        length = MemoryLayout<sockaddr_in>.size
      }
      let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return bind(socket, address, socklen_t(length)) == 0
        && getsockname(socket, address, &size) == 0
    }
    number = withUnsafeBytes(of: storage) {
      Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)))
    }
    try check(bound, "bind: errno \(errno)")
  }

  deinit { _ = Glibc.close(descriptor) }
}

/// A stream socket that no child process gets. An exit test's child keeps whatever has a low number
/// and is not marked so, and a peer would hear of no end while it runs.
let streamSocket = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

/// `accept`, for this process alone.
func acceptForUs(_ listener: Int32) -> Int32 {
  let number = accept(listener, nil, nil)
  if number >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  return number
}

func loopback(port: Int) -> sockaddr_in {
  sockaddr_in(
    sin_family: sa_family_t(AF_INET), sin_port: UInt16(port).bigEndian,
    sin_addr: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
}

/// Accepts on a free port of a loopback address.
final class Listener: Sendable {
  private let bound: BoundPort
  var descriptor: Int32 { bound.descriptor }
  var port: Int { bound.number }

  init(backlog: Int32 = 128, ipv6: Bool = false, port: Int = 0) throws {
    bound = try BoundPort(ipv6: ipv6, port: port)
    try check(listen(bound.descriptor, backlog) == 0, "listen: errno \(errno)")
  }

  func accept(within seconds: Double = longWait) throws -> Connection {
    try check(waitFor(descriptor, POLLIN, seconds), "nobody connected")
    let number = acceptForUs(descriptor)
    try check(number >= 0, "accept: errno \(errno)")
    return Connection(number)
  }

  func isSilent(for seconds: Double) -> Bool { !waitFor(descriptor, POLLIN, seconds) }
}

func waitFor(_ descriptor: Int32, _ events: Int32, _ seconds: Double) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  return poll(&entry, 1, Int32(seconds * 1000)) == 1
}

/// One accepted connection; closed at its end.
final class Connection: @unchecked Sendable {
  // @unchecked because each test uses a connection from one thread at a time.
  private(set) var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close() }

  func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Closes with a reset instead of an end.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }

  func sendEnd() { shutdown(descriptor, Int32(SHUT_WR)) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      try check(waitFor(descriptor, POLLOUT, 10), "the streams' side took no bytes")
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      try check(count > 0, "send: errno \(errno)")
      sent += count
    }
  }

  /// What comes within the limit, at most `limit` bytes; empty at the end.
  func receive(_ limit: Int = 65_536, within seconds: Double = longWait) throws -> [UInt8] {
    try check(waitFor(descriptor, POLLIN, seconds), "nothing came")
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    try check(count >= 0, "recv: errno \(errno)")
    return Array(buffer[0..<count])
  }

  func receive(exactly count: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count {
      let more = try receive(min(65_536, count - all.count))
      try check(!more.isEmpty, "the end came after \(all.count) of \(count) bytes")
      all += more
    }
    return all
  }

  func isSilent(for seconds: Double = 0.05) -> Bool { !waitFor(descriptor, POLLIN, seconds) }
}

/// A listener whose queue is full, so that a further connect neither succeeds nor fails.
final class FullListener {
  private let listener: Listener
  private var fillers: [Int32] = []
  var port: Int { listener.port }

  init() throws {
    listener = try Listener(backlog: 0)
    for _ in 0..<8 {
      let filler = socket(AF_INET, streamSocket | Int32(SOCK_NONBLOCK.rawValue), 0)
      fillers.append(filler)
      let address = loopback(port: listener.port)
      withUnsafePointer(to: address) {
        _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      // Connected at once while there is room; the first that is not has filled the queue.
      if !waitFor(filler, POLLOUT, 0.05) { break }
    }
  }

  deinit { for filler in fillers { _ = Glibc.close(filler) } }
}

/// Carries bytes between a connection and a port of this machine until both have ended.
final class Relay {
  private let companion: Companion

  init(_ near: Connection, to port: Int) throws {
    let far = Connection(socket(AF_INET, streamSocket, 0))
    let address = loopback(port: port)
    let isConnected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(far.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try check(isConnected, "connect: errno \(errno)")
    companion = Companion {
      while true {
        var entries = [near, far].map {
          pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        try check(poll(&entries, 2, 10_000) > 0, "nobody says anything")
        for (entry, (from, to)) in zip(entries, [(near, far), (far, near)])
        where entry.revents != 0 {
          let bytes = try from.receive()
          if bytes.isEmpty { return }
          try to.send(bytes)
        }
      }
    }
  }

  func join() throws { try companion.join() }
}
