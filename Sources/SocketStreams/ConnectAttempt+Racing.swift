/// Connects to a host as an `AddressRace` has it, with real sockets and the real time.

internal import Glibc

extension ConnectAttempt {
  func connect(toHost host: String, port: UInt16) throws(Ending) -> Descriptor {
    var race = RunningRace(port: port)
    // Not `self`: an answer that is never given would keep it.
    resolver.lookUp(host) { [mailbox] family, answer in mailbox.put(family, answer) }
    while true {
      let (ready, answers) = try wait(
        for: POLLOUT, of: race.underWay.map(\.socket), until: race.wake)
      do throws(AddressRace.Failure) {
        if let winner = try race.advance(ready: ready, answers: answers) { return winner }
      } catch {
        switch error {
        case .lookUp(let code): throw .failed(StreamErrors.lookUp(host: host, code: code))
        case .connect(let code): throw .failed(StreamErrors.posix(code))
        }
      }
    }
  }
}

extension AddressRace.Failure: Error {}

/// A race with its sockets. Losers are closed when it goes.
private struct RunningRace {
  private var race = AddressRace()
  private let port: UInt16
  private let began = ContinuousClock.now
  private(set) var underWay: [(attempt: Int, socket: Descriptor)] = []

  init(port: UInt16) {
    self.port = port
  }

  var wake: ContinuousClock.Instant? { race.wake.map { began + $0 } }
  private var now: Duration { .now - began }

  /// Takes what a wait brought, `ready` in the order of `underWay`. The winner, once there is one.
  mutating func advance(
    ready: [Bool], answers: [(IPAddress.Family, AddressRace.Answer)]
  ) throws(AddressRace.Failure) -> Descriptor? {
    // Outcomes first: a connection that is there makes answers pointless.
    for ((attempt, socket), isReady) in zip(underWay, ready) where isReady {
      let code = socket.takeSocketError() ?? (socket.isConnectedToItself ? ECONNREFUSED : nil)
      let action = code.map { race.attemptFailed(attempt, code: $0, at: now) }
      if code != nil { underWay.removeAll { $0.attempt == attempt } }
      if let winner = try perform(action ?? race.attemptConnected(attempt)) { return winner }
    }
    for (family, answer) in answers {
      if let winner = try perform(race.answer(family, answer, at: now)) { return winner }
    }
    return try perform(race.timePassed(at: now))
  }

  private mutating func perform(
    _ first: AddressRace.Action?
  ) throws(AddressRace.Failure) -> Descriptor? {
    var next = first
    while let action = next {
      switch action {
      case .start(let attempt, let address): next = start(attempt, address)
      case .finished(let winner): return underWay.first { $0.attempt == winner }?.socket
      case .failed(let failure): throw failure
      }
    }
    return nil
  }

  /// Begins a connection; what the race makes of it where it ended at once.
  private mutating func start(_ attempt: Int, _ address: IPAddress) -> AddressRace.Action? {
    let family = address.family == .ipv4 ? AF_INET : AF_INET6
    guard let socket = Descriptor.streamSocket(family) else {
      return race.attemptFailed(attempt, code: errno, at: now)
    }
    let code = address.withSocketAddress(port: port) { socket.connect(to: $0, $1) }
    if let code, code != EINPROGRESS, code != EINTR {
      return race.attemptFailed(attempt, code: code, at: now)
    }
    underWay.append((attempt, socket))
    // One that is connected already is found writable at the next wait.
    return nil
  }
}

extension Descriptor {
  /// A non-blocking stream socket; nil with errno set when there is none.
  static func streamSocket(_ family: Int32) -> Descriptor? {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let number = Glibc.socket(family, type, 0)
    return number < 0 ? nil : Descriptor(number)
  }

  /// Begins or repeats a connect(2); its errno, nil where the socket is connected.
  func connect(to address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32? {
    Glibc.connect(number, address, length) == 0 ? nil : errno
  }

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
