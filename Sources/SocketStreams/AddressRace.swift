/// Decides which of a host's addresses is connected to when (RFC 8305). Knows neither sockets nor
/// resolvers nor clocks: answers, outcomes and the time come in, at most one action each goes out.

internal import Glibc

/// One race to one host. Times are durations since the race began; they must not decrease.
package struct AddressRace {
  /// The recommended values of RFC 8305, section 8.
  package struct Delays: Sendable {
    /// How long IPv4 addresses wait for the IPv6 look-up.
    package var resolution = Duration.milliseconds(50)
    /// How long an attempt runs before the next one begins beside it. Never below 100 ms.
    package var attempt = Duration.milliseconds(250)
    package static let attemptMin = Duration.milliseconds(100)

    package init() {}
  }

  /// A family's addresses in order of preference, none of them twice, or why there are none.
  package typealias Answer = Result<[IPAddress], LookUpFailure>

  package enum Action: Equatable {
    /// Attempts are numbered from 0 in the order of their start.
    case start(attempt: Int, IPAddress)
    /// The race is over; every other attempt is to be abandoned.
    case finished(winner: Int)
    /// The race is over, and no attempt is under way.
    case failed(Failure)
  }

  package enum Failure: Equatable, Sendable {
    /// Nothing resolved: getaddrinfo's code.
    case lookUp(Int32)
    /// Nothing connected: the errno of the attempt that came nearest to a connection.
    case connect(Int32)
  }

  /// More than this many are not under way at once, however many addresses a host has.
  package static let attemptsMax = 32

  private enum Phase {
    /// No address is there yet.
    case resolving
    /// IPv4 addresses are there and IPv6 is given a last moment (RFC 8305, section 3).
    case holding(until: Duration)
    /// Attempts are made. The next may begin at `nextStart`.
    case connecting(nextStart: Duration)
    case over
  }

  private let delays: Delays
  private var phase = Phase.resolving
  private var answers: [IPAddress.Family: Answer] = [:]
  /// Not yet tried, by family.
  private var waiting: [IPAddress.Family: ArraySlice<IPAddress>] = [:]
  private var lastFamily: IPAddress.Family?
  private var startedCount = 0
  private var underWay: Set<Int> = []
  /// Errors by attempt, so that the earliest of equals counts, whichever failed first.
  private var errors: [Int: Int32] = [:]

  package init(_ delays: Delays = Delays()) {
    self.delays = delays
  }

  // MARK: What comes in

  /// A look-up ended. A family's second answer is ignored.
  package mutating func answer(
    _ family: IPAddress.Family, _ answer: Answer, at now: Duration
  ) -> Action? {
    guard answers[family] == nil else { return nil }
    answers[family] = answer
    var seen = Set<IPAddress>()
    let addresses = ((try? answer.get()) ?? []).filter { seen.insert($0).inserted }
    waiting[family] = addresses[...]
    switch phase {
    case .resolving:
      if addresses.isEmpty { return step(at: now) }
      // RFC 8305, section 3: IPv6 starts at once; IPv4 first waits whether IPv6 comes too.
      if family == .ipv4, answers[.ipv6] == nil {
        phase = .holding(until: now + delays.resolution)
      } else {
        phase = .connecting(nextStart: now)
      }
    case .holding:
      // The awaited answer, even an empty one, ends the waiting.
      phase = .connecting(nextStart: now)
    case .connecting:
      // Section 3: late addresses join the list, and the families go on taking turns.
      break
    case .over:
      break
    }
    return step(at: now)
  }

  /// To be called at `wake`; harmless at any time.
  package mutating func timePassed(at now: Duration) -> Action? {
    step(at: now)
  }

  /// An attempt ended without a connection.
  package mutating func attemptFailed(
    _ attempt: Int, code: Int32, at now: Duration
  ) -> Action? {
    guard underWay.remove(attempt) != nil else { return nil }
    errors[attempt] = code
    // Nothing more is expected of the latest attempt, so the next need not wait for it. The
    // minimum of section 5 keeps attempts apart that are under way together.
    if attempt == startedCount - 1, case .connecting = phase {
      phase = .connecting(nextStart: now)
    }
    return step(at: now)
  }

  /// An attempt has its connection.
  package mutating func attemptConnected(_ attempt: Int) -> Action? {
    guard underWay.contains(attempt) else { return nil }
    end()
    return .finished(winner: attempt)
  }

  // MARK: What goes out

  /// When `timePassed` is to be called; nil when nothing waits for the time.
  package var wake: Duration? {
    switch phase {
    case .holding(let limit): limit
    case .connecting(let nextStart): hasNext ? nextStart : nil
    case .resolving, .over: nil
    }
  }

  private mutating func step(at now: Duration) -> Action? {
    if case .holding(let limit) = phase, now >= limit { phase = .connecting(nextStart: limit) }
    switch phase {
    case .resolving, .connecting:
      if let failure = failure() {
        end()
        return .failed(failure)
      }
      guard case .connecting(let nextStart) = phase, hasNext, now >= nextStart else { return nil }
      return start(at: now)
    case .holding, .over:
      return nil
    }
  }

  private var hasNext: Bool {
    underWay.count < Self.attemptsMax && waiting.values.contains { !$0.isEmpty }
  }

  /// Section 4 with a First Address Family Count of 1: IPv6 first, then the families take turns
  /// while both have addresses.
  private mutating func start(at now: Duration) -> Action {
    let turn: IPAddress.Family = lastFamily == .ipv6 ? .ipv4 : .ipv6
    let other: IPAddress.Family = turn == .ipv6 ? .ipv4 : .ipv6
    let family = waiting[turn, default: []].isEmpty ? other : turn
    guard let address = waiting[family]?.popFirst() else {
      preconditionFailure("a start without an address")
    }
    lastFamily = family
    let attempt = startedCount
    startedCount += 1
    underWay.insert(attempt)
    phase = .connecting(nextStart: now + max(delays.attempt, Delays.attemptMin))
    return .start(attempt: attempt, address)
  }

  private mutating func end() {
    phase = .over
    underWay = []
    waiting = [:]
  }

  /// Why the race is lost; nil while something may still come.
  private func failure() -> Failure? {
    guard answers.count == IPAddress.Family.allCases.count, underWay.isEmpty, !hasNext else {
      return nil
    }
    if startedCount > 0 { return .connect(nearest(errors)) }
    // IPv6 stands first, as elsewhere: of two equally telling codes it gives its own.
    let codes = [IPAddress.Family.ipv6, .ipv4].map { family -> Int32 in
      if case .failure(let failure)? = answers[family] { return failure.code }
      return LookUpFailure.noData.code
    }
    return .lookUp(LookUpFailure.mostTelling(of: codes))
  }

  /// The error of the attempt that came nearest to a connection; of equally near ones the first
  /// begun, whose address was preferred.
  private func nearest(_ errors: [Int: Int32]) -> Int32 {
    let first = errors.min { ($0.value.distance, $0.key) < ($1.value.distance, $1.key) }
    return first?.value ?? ECONNREFUSED
  }
}

extension Int32 {
  /// How far from a connection an attempt with this errno stayed.
  fileprivate var distance: Int {
    switch self {
    // Our own shortage: the address was not even tried, and may work the next time.
    case EMFILE, ENFILE, ENOMEM, ENOBUFS: 0
    // The host itself answered.
    case ECONNREFUSED, ECONNRESET: 1
    // The network took the packets, and nobody answered.
    case ETIMEDOUT: 2
    // This machine has no way to such an address, or does not speak the family at all.
    case ENETUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL: 4
    // Somebody on the way or a rule said no: EHOSTUNREACH, EACCES, EPERM and the rest.
    default: 3
    }
  }
}
