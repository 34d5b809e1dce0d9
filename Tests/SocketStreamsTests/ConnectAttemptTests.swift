/// Connections to hosts and paths, as an attempt makes them: with the resolver that the test says.

import Foundation
import SocketStreams
import Testing

/// An attempt under way, and what became of it.
final class Attempt: @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  typealias Outcome = Result<Descriptor, any Error>
  private let attempt: ConnectAttempt
  private let lock = NSLock()
  private var outcome: Outcome?

  init(
    to endpoint: Endpoint, via proxy: SOCKSProxy? = nil, resolver: Resolver = .system
  ) throws {
    attempt = try #require(ConnectAttempt(to: endpoint, via: proxy, resolver: resolver))
    let isStarted = attempt.start { [weak self] result in self?.set(result) }
    try check(isStarted, "no thread")
  }

  private func set(_ result: Outcome) { lock.withLock { outcome = result } }

  func abandon() { attempt.abandon() }

  var hasEnded: Bool { lock.withLock { outcome != nil } }

  /// The socket, once there is one; throws the attempt's error.
  func socket(within seconds: Double = 20) throws -> Connection {
    try check(wait(seconds) { hasEnded }, "the attempt goes on")
    let descriptor = try #require(lock.withLock { outcome }).get()
    // A descriptor of the test's own, which outlives the attempt.
    return Connection(fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0))
  }

  func errno(within seconds: Double = 20) throws -> Int {
    try error(of: NSPOSIXErrorDomain, within: seconds).code
  }

  /// The error, which must be of this domain.
  func error(of domain: String, within seconds: Double = 20) throws -> NSError {
    do {
      _ = try socket(within: seconds)
    } catch let failed as Failed {
      throw failed
    } catch {
      let error = error as NSError
      try check(error.domain == domain, "\(error)")
      return error
    }
    throw Failed(description: "connected")
  }
}

/// A resolver that answers what the test says, when it says so.
final class SlowResolver: @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  private let lock = NSLock()
  private var receivers: [Resolver.Receiver] = []
  private(set) lazy var resolver = Resolver { [self] _, receive in
    lock.withLock { receivers.append(receive) }
  }

  var isAsked: Bool { lock.withLock { !receivers.isEmpty } }

  func answer(_ family: IPAddress.Family, _ literals: String...) throws {
    let addresses = try literals.map { try #require(IPAddress($0)) }
    for receive in lock.withLock({ receivers }) { receive(family, .success(addresses)) }
  }

  func fail(_ family: IPAddress.Family, _ code: Int32) {
    for receive in lock.withLock({ receivers }) {
      receive(family, .failure(LookUpFailure(code: code)))
    }
  }
}

private func threadCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

/// A resolver that answers both families at once.
private func resolver(ipv6: [String] = [], ipv4: [String] = []) -> Resolver {
  Resolver { _, receive in
    receive(.ipv6, .success(ipv6.compactMap { IPAddress($0) }))
    receive(.ipv4, .success(ipv4.compactMap { IPAddress($0) }))
  }
}

@Suite(.timeLimit(.minutes(20))) struct ConnectAttemptTests {
  @Test("line 5: the second address is tried when the first one refuses")
  func secondAddress() throws {
    let listener = try Listener()
    let attempt = try Attempt(
      to: .host("two", UInt16(listener.port)),
      resolver: resolver(ipv6: ["::1"], ipv4: ["127.0.0.1"]))
    let socket = try attempt.socket()
    try listener.accept().send("from IPv4")
    #expect(try socket.receive() == Array("from IPv4".utf8))
  }

  @Test("line 5: an address that does not answer holds the next one up for a moment only")
  func blackHole() throws {
    let full = try FullListener()
    let listener = try Listener(ipv6: true, port: full.port)
    // IPv4 first, as IPv6 is answered late; it hangs in the full queue.
    let names = SlowResolver()
    let attempt = try Attempt(to: .host("slow", UInt16(full.port)), resolver: names.resolver)
    #expect(wait { names.isAsked })
    try names.answer(.ipv4, "127.0.0.1")
    try check(listener.isSilent(for: 0.1), "IPv6 is tried before it is known")
    try names.answer(.ipv6, "::1")
    let socket = try attempt.socket()
    try listener.accept().send("first")
    #expect(try socket.receive() == Array("first".utf8))
  }

  @Test("line 5: twenty dead addresses before a living one, and it is reached")
  func manyDead() throws {
    let listener = try Listener()
    let dead = (2..<22).map { "127.0.0.\($0)" }
    let attempt = try Attempt(
      to: .host("many", UInt16(listener.port)), resolver: resolver(ipv4: dead + ["127.0.0.1"]))
    let socket = try attempt.socket()
    try listener.accept().send("alive")
    #expect(try socket.receive() == Array("alive".utf8))
  }

  @Test("lines 8, 9: when every address refuses, that is the error")
  func allRefuse() throws {
    let closed = try BoundPort()
    let attempt = try Attempt(
      to: .host("dead", UInt16(closed.number)),
      resolver: resolver(ipv6: ["::1"], ipv4: ["127.0.0.1", "127.0.0.2"]))
    #expect(try attempt.errno() == ECONNREFUSED)
  }

  @Test("line 9: a failed look-up keeps getaddrinfo's code")
  func lookUpFails() throws {
    let names = SlowResolver()
    let attempt = try Attempt(to: .host("nobody", 80), resolver: names.resolver)
    #expect(wait { names.isAsked })
    names.fail(.ipv6, EAI_NONAME)
    names.fail(.ipv4, EAI_AGAIN)
    let error = try attempt.error(of: "kCFErrorDomainCFNetwork")
    #expect(error.code == 2)
    #expect(error.userInfo["kCFGetAddrInfoFailureKey"] as? Int == Int(EAI_AGAIN))
    #expect(error.localizedDescription.contains("nobody"))
  }

  @Test("line 3: a look-up that takes its time holds up nobody who starts it (pitfall 14)")
  func slowLookUp() throws {
    let caller = UInt(pthread_self())
    let (isAsked, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let resolver = Resolver { _, receive in
      guard UInt(pthread_self()) != caller else {
        Issue.record("on the caller's thread")
        return
      }
      isAsked.signal()
      isOver.wait()
    }
    let attempt = try Attempt(to: .host("slow", 80), resolver: resolver)
    #expect(isAsked.wait(timeout: .now() + 5) == .success)
    attempt.abandon()
    isOver.signal()
  }

  @Test("line 31: an abandoned attempt gives nothing, whatever is answered afterwards")
  func abandonedLookUp() throws {
    let listener = try Listener()
    let names = SlowResolver()
    let attempt = try Attempt(to: .host("slow", UInt16(listener.port)), resolver: names.resolver)
    #expect(wait { names.isAsked })
    attempt.abandon()
    try names.answer(.ipv4, "127.0.0.1")
    try check(listener.isSilent(for: 0.1), "it connects all the same")
    #expect(!attempt.hasEnded)
  }

  @Test("line 31: an attempt abandoned before its start connects to nothing")
  func abandonedEarly() throws {
    let listener = try Listener()
    let attempt = try #require(ConnectAttempt(to: .host("127.0.0.1", UInt16(listener.port))))
    attempt.abandon()
    #expect(attempt.start { _ in Issue.record("a result") })
    try check(listener.isSilent(for: 0.1), "it connects")
  }

  @Test("line 31: losers, abandoned attempts and unanswered look-ups leave no descriptor")
  func noDescriptors() async {
    await #expect(processExitsWith: .success) {
      let full = try FullListener()
      let listener = try Listener(ipv6: true, port: full.port)
      let names = SlowResolver()
      // The first one starts what the process keeps.
      _ = try Attempt(to: .host("127.0.0.1", UInt16(listener.port)))
      let before = try settledDescriptors()
      for _ in 0..<10 {
        let race = Resolver { _, receive in
          receive(.ipv6, .failure(LookUpFailure.noData))
          receive(.ipv4, .success(["127.0.0.1"].compactMap { IPAddress($0) }))
        }
        try Attempt(to: .host("full", UInt16(full.port)), resolver: race).abandon()
        let unanswered = try Attempt(to: .host("never", 80), resolver: names.resolver)
        unanswered.abandon()
        _ = try Attempt(to: .unix(path: "/nowhere/at/all")).errno()
      }
      try check(settles(at: before), "\(openDescriptors()) descriptors, before \(before)")
      // Only now do the look-ups answer, to nobody.
      try names.answer(.ipv6, "::1")
      try names.answer(.ipv4, "127.0.0.1")
      try check(settles(at: before), "\(openDescriptors()) descriptors, before \(before)")
      try check(listener.isSilent(for: 0), "a late answer was connected to")
    }
  }

  @Test("line 40: 500 attempts at once all connect, descriptors above 1,024 among them")
  func fiveHundred() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      try check(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, "setrlimit")
      let fillers = (0..<900).map { _ in fcntl(0, F_DUPFD_CLOEXEC, 0) }
      let listener = try Listener(backlog: 1024)
      let threads = threadCount()
      let attempts = try (0..<500).map { _ in
        try Attempt(to: .host("localhost", UInt16(listener.port)))
      }
      let sockets = try attempts.map { try $0.socket() }
      try check(sockets.contains { $0.descriptor > 1024 }, "no high descriptors")
      for filler in fillers { close(filler) }
      // Each attempt's thread ends with it, and so do the look-ups'.
      try check(wait { threadCount() <= threads }, "\(threadCount()) threads, before \(threads)")
    }
  }
}
