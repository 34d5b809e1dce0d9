/// What the two streams of a connection share: the lock, the socket, how far the connection is.
/// Delivers nothing and moves no bytes; its halves do.

internal import Glibc

// @unchecked because every variable here and in the halves is used under `lock` only.
final class SocketPair: @unchecked Sendable {
  /// Where the pair's bytes go to and come from.
  enum Origin {
    case remote(Endpoint)
    /// Somebody's socket, connected already; nil once both halves are closed.
    case native(Descriptor?)
    /// Each stream's bytes are the other one's.
    case memory(MemoryChannel)
  }

  enum Phase {
    /// Nobody has opened a half yet, or everybody closed again.
    case idle
    case connecting(ConnectAttempt)
    case connected(any Channel)
    /// The connection never came to be; `failure` says why.
    case failed
  }

  private(set) var origin: Origin
  let route: DeliveryRoute
  /// Also what reads and writes in `opening` wait on.
  let lock = NSCondition()
  private(set) var phase = Phase.idle
  /// Why the connection failed, at connecting or later.
  private(set) var failure: (any Error)?
  let input: StreamHalf?
  let output: StreamHalf?
  var settings = StreamSettings()
  private var bell: Descriptor?

  init(_ origin: Origin, route: DeliveryRoute, input: Bool, output: Bool) {
    self.origin = origin
    self.route = route
    self.input = input ? StreamHalf(.input) : nil
    self.output = output ? StreamHalf(.output) : nil
    self.input?.pair = self
    self.output?.pair = self
    if case .memory(let channel) = origin {
      if !input { channel.endUse(.input) }
      if !output { channel.endUse(.output) }
    }
  }

  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  var channel: (any Channel)? {
    if case .connected(let channel) = phase { return channel }
    return nil
  }

  /// Under the lock: the bytes go another way from here on.
  func exchangeChannel(for channel: any Channel) {
    phase = .connected(channel)
    input?.channelWasExchanged()
    output?.channelWasExchanged()
  }

  // MARK: Opening

  /// Under the lock. The first half to open starts the one connection; a later one joins it.
  func open(_ half: StreamHalf) {
    guard half.status == .notOpen, !half.isReleased else { return }
    half.status = .opening
    if case .idle = phase { begin() }
    switch phase {
    case .idle, .connecting: break
    case .connected where failure == nil: half.becomeOpen()
    case .connected, .failed: half.fail()
    }
  }

  private func begin() {
    switch origin {
    case .remote(let endpoint): connect(to: endpoint)
    case .native(let socket): take(socket)
    case .memory(let channel): phase = .connected(channel)
    }
  }

  private func take(_ socket: Descriptor?) {
    guard let socket, socket.isSocket else {
      phase = .failed
      failure = StreamErrors.posix(socket == nil ? EBADF : errno)
      return
    }
    phase = .connected(makeChannel(socket))
  }

  private func connect(to endpoint: Endpoint) {
    guard let attempt = ConnectAttempt(to: endpoint, via: settings.proxy) else {
      phase = .failed
      failure = StreamErrors.posix(EMFILE)
      return
    }
    phase = .connecting(attempt)
    let isStarted = attempt.start { [weak self] result in self?.finish(attempt, result) }
    if !isStarted {
      phase = .failed
      failure = StreamErrors.posix(EAGAIN)
    }
  }

  private func finish(_ attempt: ConnectAttempt, _ result: Result<Descriptor, any Error>) {
    locked {
      guard case .connecting(let current) = phase, current === attempt else { return }
      switch result {
      case .success(let socket):
        socket.isBorrowed = !settings.closesSocket(byDefault: true)
        phase = .connected(makeChannel(socket))
        // The input stream is told first where both wait on one loop.
        input?.becomeOpen()
        output?.becomeOpen()
      case .failure(let error):
        phase = .failed
        fail(error)
      }
      lock.broadcast()
    }
  }

  /// Under the lock: the first error counts, and each opened half is told once.
  func fail(_ error: any Error) {
    if failure == nil { failure = error }
    input?.fail()
    output?.fail()
    lock.broadcast()
  }

  // MARK: Closing

  /// Under the lock, after a half was released: what no half needs any more goes.
  func wasReleased(_ half: StreamHalf) {
    if case .memory(let channel) = origin { channel.endUse(half.direction) }
    half.passNewsOn()
    let living = [input, output].compactMap { $0 }.filter { !$0.isReleased }
    if case .connecting(let attempt) = phase, !living.contains(where: { $0.status == .opening }) {
      attempt.abandon()
      phase = .idle
    }
    if living.isEmpty {
      channel?.close()
      phase = .idle
      if case .native = origin { origin = .native(nil) }
      bell = nil
    }
    lock.broadcast()
  }

  /// The always readable descriptor that both halves' ports share; nil when none can be had.
  func sharedBell() -> Descriptor? {
    if bell == nil { bell = Descriptor.eventCounter(initially: 1) }
    return bell
  }
}
