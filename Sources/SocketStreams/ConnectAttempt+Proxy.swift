/// Connects through a SOCKS proxy: to the proxy first, then speaks with it as `SOCKSHandshake` has
/// it, within the proxy's limit.

internal import Glibc

extension ConnectAttempt {
  func connect(
    toHost host: String, port: UInt16, via proxy: SOCKSProxy
  ) throws(Ending) -> Descriptor {
    let destination = hostAndPort(host, port)
    let failed = { (failure: SOCKSFailure) -> Ending in
      .failed(StreamErrors.socks(failure, proxy: proxy, destination: destination))
    }
    var handshake: SOCKSHandshake
    do throws(SOCKSFailure) {
      // What cannot be said is found before anybody is connected to.
      handshake = try SOCKSHandshake(to: host, port: port, via: proxy)
    } catch { throw failed(error) }

    let socket = try connect(toHost: proxy.host, port: proxy.port)
    let limit = ContinuousClock.now + proxy.limit
    var action = handshake.begin()
    while true {
      switch action {
      case .done: return socket
      case .failed(let failure): throw failed(failure)
      case .exchange(let bytes, let count):
        switch try exchange(sending: bytes, thenAtMost: count, on: socket, until: limit) {
        case .bytes(let reply): action = handshake.receive(reply)
        case .end: action = handshake.receiveEnd()
        case .broken(let code): throw failed(.broken(code))
        case .limitPassed: throw failed(.silent(proxy.limit))
        }
      }
    }
  }

  private enum Reply {
    case bytes([UInt8])
    case end
    case broken(Int32)
    case limitPassed
  }

  private func exchange(
    sending bytes: [UInt8], thenAtMost count: Int, on socket: Descriptor,
    until limit: ContinuousClock.Instant
  ) throws(Ending) -> Reply {
    var unsent = bytes[...]
    var buffer = [UInt8](repeating: 0, count: count)
    while true {
      let events = unsent.isEmpty ? POLLIN : POLLOUT
      if try !wait(for: events, of: [socket], until: limit).ready[0] {
        // A look-up's late answer may have ended the wait.
        if ContinuousClock.now >= limit { return .limitPassed }
        continue
      }
      let result: Int
      if unsent.isEmpty {
        result = buffer.withUnsafeMutableBytes { socket.receive(into: $0) }
        if result >= 0 { return result == 0 ? .end : .bytes(Array(buffer.prefix(result))) }
      } else {
        result = unsent.withUnsafeBytes { socket.send($0) }
      }
      if result < 0, errno != EAGAIN { return .broken(errno) }
      unsent = unsent.dropFirst(max(0, result))
    }
  }
}
