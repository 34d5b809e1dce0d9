/// What the foreign clients talk to, and the threads that they run on. All waits have an end.

import SocketStreams

struct Failed: Error, CustomStringConvertible {
  let description: String
}

/// What a test states on a thread of its own, where `#expect` would not know whose it is.
func check(
  _ condition: @autoclosure () throws -> Bool, _ what: @autoclosure () -> String = "",
  line: Int = #line
) throws {
  if try !condition() { throw Failed(description: "line \(line) does not hold. \(what())") }
}

/// A socket on a free port of this machine; nobody answers there until `listen` was called.
struct LoopbackPort {
  let descriptor: Int32
  let number: Int

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    try check(isBound, "no port is to be had")
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  func close() { _ = Glibc.close(descriptor) }
}

/// Sends back what it gets from one client, until that leaves or says "bye".
final class EchoServer: @unchecked Sendable {
  // @unchecked because `heard` is written before `ended` is signalled and read after it.
  let port: Int
  private(set) var heard = ""
  private let ended = DispatchSemaphore(value: 0)

  init() throws {
    let listener = try LoopbackPort()
    port = listener.number
    try check(listen(listener.descriptor, 1) == 0)
    Thread {
      self.serve(listener)
      self.ended.signal()
    }.start()
  }

  private func serve(_ listener: LoopbackPort) {
    defer { listener.close() }
    var wanted = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, 10_000) == 1 else { return }
    let connection = accept(listener.descriptor, nil, nil)
    defer { Glibc.close(connection) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !heard.hasSuffix("bye\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      heard += String(decoding: buffer[..<count], as: UTF8.self)
      guard Glibc.send(connection, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
    }
  }

  /// All that was said, once the client has left.
  func transcript() throws -> String {
    try check(ended.wait(timeout: .now() + 10) == .success, "the client does not leave")
    return heard
  }
}

/// Runs `body` on a fresh thread, whose run loop it may use.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}

/// Runs the current loop until `condition` holds; false when ten seconds were not enough.
func run(until condition: () -> Bool) -> Bool {
  let limit = Date(timeIntervalSinceNow: 10)
  while !condition() {
    if Date() >= limit { return false }
    let slice = Date(timeIntervalSinceNow: 0.02)
    if !RunLoop.current.run(mode: .default, before: slice) { _ = poll(nil, 0, 1) }
  }
  return true
}
