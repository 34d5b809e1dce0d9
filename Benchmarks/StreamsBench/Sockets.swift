/// The bare sockets of the benchmarks: a listener on the loopback address and blocking calls.

import SocketStreams

struct BenchError: Error {
  let what: String
}

func loopback(port: UInt16) -> sockaddr_in {
  sockaddr_in(
    sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
    sin_addr: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
}

func withAddress<Result>(
  _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

/// A listening socket on a free port.
func listening() throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = loopback(port: 0)
  let bound = withAddress(&address) { pointer, length in
    var size = length
    return bind(descriptor, pointer, length) == 0 && listen(descriptor, 1024) == 0
      && getsockname(descriptor, pointer, &size) == 0
  }
  guard bound else { throw BenchError(what: "listen: errno \(errno)") }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}

func connected(to port: UInt16) throws -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = loopback(port: port)
  guard withAddress(&address, { connect(descriptor, $0, $1) }) == 0 else {
    throw BenchError(what: "connect: errno \(errno)")
  }
  return descriptor
}

/// Starts a thread that serves each connection with `serve`, one after another.
func serving(_ serve: @escaping @Sendable (Int32) -> Void) throws -> UInt16 {
  let (listener, port) = try listening()
  Thread {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      serve(connection)
      close(connection)
    }
  }.start()
  return port
}

/// Sends back whatever comes.
@Sendable func echo(_ connection: Int32) {
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = recv(connection, &buffer, buffer.count, 0)
    guard count > 0, send(connection, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
  }
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let elapsed = try clock.measure(body).components
  return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
}

func median(_ values: [Double]) -> Double {
  values.sorted()[values.count / 2]
}

/// One measured value and what it is held to.
struct Figure {
  let name: String
  let value: Double
  let bar: Double
  let atMost: Bool

  var isMet: Bool { atMost ? value <= bar : value >= bar }

  var line: String {
    let shown = String(format: "%.2f", value)
    return "  \(name): \(shown) (bar \(atMost ? "<=" : ">=") \(bar)) \(isMet ? "met" : "MISSED")"
  }
}
