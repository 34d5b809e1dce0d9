/// Looks a host up and connects to it on a thread of its own, one address after another.
/// Knows nothing of streams: its result is a connected socket or the last address's error.

internal import Glibc

package final class ConnectAttempt: Sendable {
  let host: String
  let port: UInt16
  /// Readable once nobody wants the connection any more.
  private let abandoned: Descriptor

  package init?(host: String, port: UInt16) {
    guard let abandoned = Descriptor.eventCounter(initially: 0) else { return nil }
    self.host = host
    self.port = port
    self.abandoned = abandoned
  }

  /// Starts, and calls `finished` at most once, on the attempt's thread.
  func start(_ finished: @escaping @Sendable (Result<Descriptor, any Error>) -> Void) {
    let thread = Thread {
      if let result = self.run() { finished(result) }
    }
    thread.name = "SocketStreams connect"
    thread.stackSize = 256 * 1024
    thread.start()
  }

  /// Makes the attempt end soon, without a result. A look-up under way ends by itself.
  func abandon() {
    abandoned.signal()
  }

  private var isAbandoned: Bool { abandoned.polled(POLLIN) != 0 }

  private func run() -> Result<Descriptor, any Error>? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard !isAbandoned else { return nil }
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else { return .failure(StreamErrors.lookUp(host: host, code: code)) }
    defer { freeaddrinfo(list) }

    return connect(toOneOf: list)
  }

  /// Tries a resolver's addresses in their order. Nil when the attempt was abandoned.
  package func connect(
    toOneOf list: UnsafeMutablePointer<addrinfo>?
  ) -> Result<Descriptor, any Error>? {
    var lastError = ECONNREFUSED
    var next = list
    while let address = next?.pointee {
      guard !isAbandoned else { return nil }
      switch connect(to: address) {
      case .connected(let socket): return .success(socket)
      case .failed(let code): lastError = code
      case .abandoned: return nil
      }
      next = address.ai_next
    }
    return .failure(StreamErrors.posix(lastError))
  }

  private enum Outcome {
    case connected(Descriptor)
    case failed(Int32)
    case abandoned
  }

  private func connect(to address: addrinfo) -> Outcome {
    let type = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let number = Glibc.socket(address.ai_family, type, address.ai_protocol)
    guard number >= 0 else { return .failed(errno) }
    let socket = Descriptor(number)
    if Glibc.connect(number, address.ai_addr, address.ai_addrlen) != 0 {
      guard errno == EINPROGRESS || errno == EINTR else { return .failed(errno) }
      guard socket.wait(for: POLLOUT, unless: abandoned) else { return .abandoned }
      if let code = socket.takeSocketError() { return .failed(code) }
    }
    return socket.isConnectedToItself ? .failed(ECONNREFUSED) : .connected(socket)
  }
}

extension Descriptor {
  /// True when the kernel gave the socket the very port that it was told to connect to: nobody
  /// listens there, and TCP joined the socket with itself.
  fileprivate var isConnectedToItself: Bool {
    var here = sockaddr_storage()
    var there = sockaddr_storage()
    let whole = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var hereSize = whole
    var thereSize = whole
    let named = withUnsafeMutablePointer(to: &here) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &hereSize) }
    }
    let peer = withUnsafeMutablePointer(to: &there) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(number, $0, &thereSize) }
    }
    guard named == 0, peer == 0, hereSize == thereSize else { return false }
    return memcmp(&here, &there, Int(hereSize)) == 0
  }
}
