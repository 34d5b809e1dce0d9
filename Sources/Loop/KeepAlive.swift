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

/// What TCP_INFO and SIOCOUTQ of tcp(7) say of the peer's kernel.
package struct PeerSigns: Equatable, Sendable {
  /// The kernel counts in ticks of up to 10 ms: two looks at the same moment may differ by one.
  package static let precision = Duration.milliseconds(20)

  /// How long ago anything came from it: bytes, or an acknowledgement.
  package var heardAgo: Duration
  /// The same as a time since some fixed moment, which is not that of a loop's clock.
  package var heardAt: Duration
  /// Whether it has not acknowledged all bytes and the end of stream. Such a peer is sent no probes
  /// of ``KeepAlive``: the bytes are sent again, or a full reader is asked whether it has room, at
  /// growing distances of up to two minutes.
  package var isOutstanding: Bool
  /// Whether the last that was sent again or asked so has had no answer yet.
  package var isUnanswered: Bool

  package init(
    heardAgo: Duration, heardAt: Duration, isOutstanding: Bool, isUnanswered: Bool
  ) {
    self.heardAgo = heardAgo
    self.heardAt = heardAt
    self.isOutstanding = isOutstanding
    self.isUnanswered = isUnanswered
  }
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

  /// The kernel takes no more than about so many bytes that it cannot send yet (TCP_NOTSENT_LOWAT).
  package func limitUnsent(toBytes most: Int) {
    set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(clamping: most))
  }

  /// Nil where the kernel does not say.
  package var peerSigns: PeerSigns? {
    var info = tcp_info()
    var size = socklen_t(MemoryLayout<tcp_info>.size)
    var queued: Int32 = 0  // bytes not acknowledged, sent or not
    guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0,
      ioctl(descriptor, UInt(TIOCOUTQ), &queued) == 0
    else { return nil }
    // Bytes alone that acknowledge nothing new leave the time of the last acknowledgement as it is.
    let heardAgo = min(info.tcpi_last_ack_recv, info.tcpi_last_data_recv)
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let isInFlight = info.tcpi_unacked > 0
    return PeerSigns(
      heardAgo: .milliseconds(Int64(heardAgo)),
      heardAt: .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec) - .milliseconds(Int64(heardAgo)),
      isOutstanding: queued > 0 || isInFlight,
      isUnanswered: isInFlight ? info.tcpi_last_data_sent <= heardAgo : info.tcpi_probes > 0)
  }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
