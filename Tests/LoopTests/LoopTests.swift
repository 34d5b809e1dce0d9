/// The loop as an executor, its timers, signals and its worker.

import Glibc
import Loop
import Testing

/// Runs a loop on a thread of its own and an actor on the loop.
actor Probe {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  var held: [LoopTimer] = []

  init() {
    let loop = EventLoop()
    self.loop = loop
    startThread { loop.run() }
  }

  func run<Result: Sendable>(_ body: @Sendable (isolated Probe) -> Result) -> Result { body(self) }

  /// Resumes when a timer of that delay has fired; gives the loop's time in between.
  func wait(_ delay: Duration) async -> Duration {
    let start = loop.now
    let timer = LoopTimer(loop: loop)
    await withCheckedContinuation { continuation in
      timer.start(after: delay) { continuation.resume() }
    }
    timer.close()
    return loop.now - start
  }

  func blockOn(_ worker: Worker) async -> pthread_t {
    // A result that only another thread can make while this one is free.
    let loopThread = pthread_self()
    let other = await worker.run { pthread_self() }
    return other == loopThread ? 0 : other
  }

  func nextSignal(_ number: Int32, raise: Bool) async {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let signal = LoopSignal(loop: loop, number: number) { arrival.yield() }
    if raise { kill(getpid(), number) }
    for await _ in arrivals { break }
    signal.close()
  }
}

@Suite struct LoopTests {
  @Test func anActorOnALoopRunsOnItsThread() async {
    let probe = Probe()
    let first = await probe.run { _ in pthread_self() }
    let second = await probe.run { _ in pthread_self() }
    #expect(first == second)
    #expect(first != pthread_self())
    await probe.run { probe in
      probe.loop.checkIsolated()
      probe.loop.stop()
    }
  }

  @Test func offTheLoopNothingIsIsolated() async {
    let probe = Probe()
    #expect(probe.loop.isIsolatingCurrentContext() == false)
    #expect(await probe.run { $0.loop.isIsolatingCurrentContext() } == true)
    await probe.run { $0.loop.stop() }
  }

  @Test func manyThreadsMayHandWorkToALoop() async {
    let probe = Probe()
    let sum = await withTaskGroup(of: Int.self) { group in
      for index in 0..<1_000 { group.addTask { await probe.run { _ in index } } }
      return await group.reduce(0, +)
    }
    #expect(sum == 499_500)
    await probe.run { $0.loop.stop() }
  }

  @Test(arguments: [Duration.zero, .milliseconds(1), .microseconds(20_001)])
  func aTimerFiresNeverEarly(delay: Duration) async {
    let probe = Probe()
    let waited = await probe.wait(delay)
    #expect(waited >= delay)
    await probe.run { $0.loop.stop() }
  }

  @Test func aWorkerLeavesTheLoopFree() async {
    let probe = Probe()
    let worker = Worker()
    #expect(await probe.blockOn(worker) != 0)
    await probe.run { $0.loop.stop() }
  }

  @Test func aWorkersErrorReachesTheCaller() async {
    struct Broken: Error {}
    let worker = Worker()
    await #expect(throws: Broken.self) { try await worker.run { throw Broken() } }
  }

  @Test func aWorkerKeepsTheOrderOfWhatItIsGiven() async {
    let worker = Worker()
    let seen = Guarded<[Int]>([])
    for index in 0..<100 { await worker.run { seen.withLock { $0.append(index) } } }
    #expect(seen.withLock { $0 } == Array(0..<100))
  }

  @Test func aSignalArrivesOnTheLoop() async {
    let probe = Probe()
    await probe.nextSignal(SIGUSR1, raise: true)
    await probe.run { $0.loop.stop() }
  }
}

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("127.0.0.1:12345", "127.0.0.1", 12_345, false), ("[::1]:0", "::1", 0, true),
    ("0.0.0.0:65535", "0.0.0.0", 65_535, false),
  ])
  func anAddressIsReadAndWrittenAlike(text: String, host: String, port: UInt16, six: Bool) {
    let address = SocketAddress(text)
    #expect(address?.host == host)
    #expect(address?.port == port)
    #expect(address?.isIPv6 == six)
    #expect(address?.description == text)
  }

  @Test(arguments: [
    "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:12345", "[::1]",
    "[127.0.0.1]:1", "localhost:12345", "[::1]12345", "256.0.0.1:1", " 127.0.0.1:1",
  ])
  func whatIsNoNumericAddressWithAPortIsNil(text: String) {
    #expect(SocketAddress(text) == nil)
  }
}
