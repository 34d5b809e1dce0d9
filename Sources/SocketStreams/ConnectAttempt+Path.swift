/// Connects to a Unix-domain socket by its path.

internal import Glibc

extension ConnectAttempt {
  /// unix(7): a path is there or not, and answers at once; only a full backlog needs patience.
  func connect(toPath path: String) throws(Ending) -> Descriptor {
    let address = try Self.socketAddress(ofPath: path)
    guard let socket = Descriptor.streamSocket(AF_UNIX) else {
      throw .failed(StreamErrors.posix(errno))
    }
    var pause = Duration.milliseconds(5)
    while true {
      switch withSocketPointer(to: address, { socket.connect(to: $0, $1) }) {
      case nil, EISCONN: return socket
      case EINTR: continue
      // The backlog is full, and no event tells when it has room again.
      case EAGAIN: break
      case let code?: throw .failed(StreamErrors.posix(code))
      }
      _ = try wait(for: 0, of: [], until: .now + pause)
      pause = min(pause * 2, .milliseconds(80))
    }
  }

  private static func socketAddress(ofPath path: String) throws(Ending) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty else { throw .failed(StreamErrors.posix(ENOENT)) }
    // What C would cut short is another path.
    guard !bytes.contains(0) else { throw .failed(StreamErrors.posix(EINVAL)) }
    let isFitting = withUnsafeMutableBytes(of: &address.sun_path) { room in
      // One byte stays for the closing NUL.
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    guard isFitting else { throw .failed(StreamErrors.posix(ENAMETOOLONG)) }
    return address
  }
}
