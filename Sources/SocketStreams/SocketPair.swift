/// What the two streams of a connection share: the lock, the socket, how far the connection is.
/// Delivers nothing and moves no bytes; its halves do.

internal import Glibc

// @unchecked because every variable here and in the halves is used under `lock` only.
package final class SocketPair: @unchecked Sendable {
  enum Phase {
    /// Nobody has opened a half yet, or everybody closed again.
    case idle
    case connecting(ConnectAttempt)
    case connected(Descriptor)
    /// The connection never came to be; `failure` says why.
    case failed
  }

  let host: String
  let port: UInt16
  let route: DeliveryRoute
  /// Also what reads and writes in `opening` wait on.
  let lock = NSCondition()
  private(set) var phase = Phase.idle
  /// Why the connection failed, at connecting or later.
  private(set) var failure: (any Error)?
  let input: StreamHalf?
  let output: StreamHalf?
  private var bell: Descriptor?

  init(host: String, port: UInt16, route: DeliveryRoute, input: Bool, output: Bool) {
    self.host = host
    self.port = port
    self.route = route
    self.input = input ? StreamHalf(.input) : nil
    self.output = output ? StreamHalf(.output) : nil
    self.input?.pair = self
    self.output?.pair = self
  }

  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  var socket: Descriptor? {
    if case .connected(let socket) = phase { return socket }
    return nil
  }

  // MARK: Opening

  /// Under the lock. The first half to open starts the one connection; a later one joins it.
  func open(_ half: StreamHalf) {
    guard half.status == .notOpen, !half.isReleased else { return }
    half.status = .opening
    switch phase {
    case .idle: connect()
    case .connecting: break
    case .connected where failure != nil: half.fail()
    case .connected: half.becomeOpen()
    case .failed: half.fail()
    }
  }

  private func connect() {
    guard let attempt = ConnectAttempt(host: host, port: port) else {
      phase = .failed
      return fail(StreamErrors.posix(EMFILE))
    }
    phase = .connecting(attempt)
    attempt.start { [weak self] result in self?.finish(attempt, result) }
  }

  private func finish(_ attempt: ConnectAttempt, _ result: Result<Descriptor, any Error>) {
    locked {
      guard case .connecting(let current) = phase, current === attempt else { return }
      switch result {
      case .success(let socket):
        phase = .connected(socket)
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
  func halfWasReleased() {
    let living = [input, output].compactMap { $0 }.filter { !$0.isReleased }
    if case .connecting(let attempt) = phase, !living.contains(where: { $0.status == .opening }) {
      attempt.abandon()
      phase = .idle
    }
    if living.isEmpty {
      phase = .idle
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
