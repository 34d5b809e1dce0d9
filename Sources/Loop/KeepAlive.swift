/// What the kernel knows of a connection's other end. TCP only; harmless on other sockets.

import Glibc

/// When the kernel asks a silent peer whether it is still there (tcp(7), TCP_KEEPIDLE and its kin).
package struct KeepAlive: Equatable, Sendable {
  /// Seconds of silence before the first probe.
  package var idleSeconds: Int32
  /// Seconds between probes.
  package var intervalSeconds: Int32
  /// Unanswered probes after which the connection is broken.
  package var probes: Int32

  package init(idleSeconds: Int32, intervalSeconds: Int32, probes: Int32) {
    self.idleSeconds = idleSeconds
    self.intervalSeconds = intervalSeconds
    self.probes = probes
  }
}

/// What tcp(7)'s TCP_INFO says of the peer.
package struct Acknowledgements: Equatable, Sendable {
  /// How long ago the peer's kernel last acknowledged anything.
  package var lastAge: Duration
  /// Whether bytes or an end of stream are on the way without an acknowledgement.
  package var isOutstanding: Bool
  /// Whether anything the peer's kernel was asked, by bytes or by a probe, has no answer yet.
  package var isUnanswered: Bool
}

extension StreamSocket {
  package func setKeepAlive(_ keepAlive: KeepAlive) {
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, keepAlive.idleSeconds)
    set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, keepAlive.intervalSeconds)
    set(Int32(IPPROTO_TCP), TCP_KEEPCNT, keepAlive.probes)
  }

  /// Small writes go out at once.
  func setNoDelay() { set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

  /// Nil where the kernel does not say.
  package var acknowledgements: Acknowledgements? {
    var info = tcp_info()
    var size = socklen_t(MemoryLayout<tcp_info>.size)
    guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 else {
      return nil
    }
    return Acknowledgements(
      lastAge: .milliseconds(Int64(info.tcpi_last_ack_recv)),
      isOutstanding: info.tcpi_unacked > 0,
      isUnanswered: info.tcpi_unacked > 0 || info.tcpi_probes > 0)
  }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
