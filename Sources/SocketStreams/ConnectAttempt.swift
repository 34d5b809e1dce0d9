/// Gets a pair its connected socket, on a thread of its own: to a host, through a proxy or to a
/// path. Knows nothing of streams; what to try when is decided by `AddressRace`, what to say to a
/// proxy by `SOCKSHandshake`.

internal import Glibc

package final class ConnectAttempt: Sendable {
  /// Why an attempt has no socket to give.
  enum Ending: Error {
    /// Nobody wants one.
    case abandoned
    case failed(any Error)
  }

  private let endpoint: Endpoint
  private let proxy: SOCKSProxy?
  let resolver: Resolver
  let mailbox: AttemptMailbox

  /// Nil when no descriptor is left (EMFILE). Through a proxy, host names are the proxy's to
  /// resolve; `resolver` then looks up the proxy itself.
  package init?(
    to endpoint: Endpoint, via proxy: SOCKSProxy? = nil, resolver: Resolver = .system
  ) {
    guard let mailbox = AttemptMailbox() else { return nil }
    self.endpoint = endpoint
    self.proxy = proxy
    self.resolver = resolver
    self.mailbox = mailbox
  }

  /// Starts, and calls `finished` at most once, on the attempt's thread: with a connected,
  /// non-blocking socket, or with one of `StreamErrors`. False when the system has no thread to
  /// give (EAGAIN); `finished` is then never called.
  package func start(
    _ finished: @escaping @Sendable (Result<Descriptor, any Error>) -> Void
  ) -> Bool {
    DetachedThread.start("connect") {
      let result = self.run()
      let isWanted = self.mailbox.close()
      if let result, isWanted { finished(result) }
    }
  }

  /// Makes the attempt end soon, without a result, its sockets closed. A look-up under way ends
  /// by itself and holds none of them.
  package func abandon() {
    mailbox.abandon()
  }

  private func run() -> Result<Descriptor, any Error>? {
    do throws(Ending) {
      return .success(try connect())
    } catch {
      switch error {
      case .abandoned: return nil
      case .failed(let reason): return .failure(reason)
      }
    }
  }

  private func connect() throws(Ending) -> Descriptor {
    switch (endpoint, proxy) {
    case (.host(let host, let port), nil):
      return try connect(toHost: host, port: port)
    case (.host(let host, let port), let proxy?):
      return try connect(toHost: host, port: port, via: proxy)
    case (.unix(let path), nil):
      return try connect(toPath: path)
    case (.unix(let path), let proxy?):
      throw .failed(StreamErrors.socks(.cannotReachPath(path), proxy: proxy))
    }
  }

  // MARK: Waiting

  /// Waits until one of `sockets` is ready for `events` or has failed, an answer came or `limit`
  /// passed. Which sockets are ready, and what look-ups have answered.
  func wait(
    for events: Int32, of sockets: [Descriptor], until limit: ContinuousClock.Instant? = nil
  ) throws(Ending) -> (ready: [Bool], answers: [(IPAddress.Family, AddressRace.Answer)]) {
    let bell = mailbox.waitingBell
    var entries = sockets.map { pollfd(fd: $0.number, events: Int16(events), revents: 0) }
    entries.append(pollfd(fd: bell?.number ?? -1, events: Int16(POLLIN), revents: 0))
    while poll(&entries, nfds_t(entries.count), Self.milliseconds(until: limit)) < 0 {
      guard errno == EINTR else { throw .failed(StreamErrors.posix(errno)) }
    }
    let post = mailbox.take()
    guard !post.isAbandoned else { throw .abandoned }
    return (entries.dropLast().map { $0.revents != 0 }, post.answers)
  }

  /// As poll takes it: rounded up, so that the limit has passed afterwards; -1 without one.
  private static func milliseconds(until limit: ContinuousClock.Instant?) -> Int32 {
    guard let limit else { return -1 }
    let left = limit - .now
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    let thousandth: Int64 = 1_000_000_000_000_000
    let milliseconds = min(seconds, 1_000_000) * 1000 + (attoseconds + thousandth - 1) / thousandth
    return Int32(clamping: milliseconds)
  }
}
