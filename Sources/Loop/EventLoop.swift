/// One thread, one libuv loop, as a Swift executor. Knows nothing of chat.

internal import CUV
import Glibc
import Synchronization

/// A libuv loop that an actor can run on.
///
/// Everything that belongs to the loop (sockets, timers, the actor) is used on its thread only.
/// Where libuv calls back, `assumeIsolated` of the actor on this loop holds, so no hop is made. As
/// a task's preferred executor it also takes what belongs to no actor: what resumes a continuation,
/// which would go through the process's shared threads first.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  // @unchecked because: `queue` is locked; all else is touched on the loop's own thread, or before
  // `run()` by the thread that made the loop.

  /// After this many callbacks in one turn `onFlush` runs in between.
  package static let callbacksBetweenFlushesMax = 256
  /// At most this many sockets are closed in one turn.
  package static let closesPerTurnMax = 256

  /// Runs at the end of each turn, and after every 256 callbacks in a long one.
  package var onFlush: (() -> Void)?

  /// How many sockets may be open at once; a listener waits while they are.
  package var socketsMax = Int.max
  /// How many sockets are open.
  package internal(set) var socketsOpen = 0

  let handle: UnsafeMutablePointer<uv_loop_t>
  /// All reads of all sockets land here, one at a time: 64 KiB.
  let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  /// Listeners that wait for a descriptor.
  var waitingListeners: [Listener] = []
  var closing = CloseQueue()

  private let wake: UnsafeMutablePointer<uv_async_t>
  private let prepare: UnsafeMutablePointer<uv_prepare_t>
  private let check: UnsafeMutablePointer<uv_check_t>
  private let spin: UnsafeMutablePointer<uv_idle_t>
  private let queue = Guarded(Queue())
  private var callbacks = 0
  /// How often the loop has looked at its sockets, and told of all that was there.
  package private(set) var polls = 0
  /// How often jobs that come of jobs are run at the end of one turn.
  private static let roundsPerTurnMax = 16

  private struct Queue {
    var jobs: [UnownedJob] = []
    /// The loop has ended: nothing runs any more.
    var isOver = false
  }

  /// The thread that runs the loop; 0, which no thread is, while none does.
  private let thread = Atomic<pthread_t>(0)

  package init() {
    handle = .allocate(capacity: 1)
    wake = .allocate(capacity: 1)
    prepare = .allocate(capacity: 1)
    check = .allocate(capacity: 1)
    spin = .allocate(capacity: 1)
    precondition(uv_loop_init(handle) == 0, "libuv could not make a loop")
    handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    uv_async_init(handle, wake) { EventLoop.of($0!.pointee.loop).runJobs() }
    uv_prepare_init(handle, prepare)
    uv_prepare_start(prepare) { EventLoop.of($0!.pointee.loop).endOfTurn() }
    uv_check_init(handle, check)
    uv_check_start(check) {
      let loop = EventLoop.of($0!.pointee.loop)
      loop.polls += 1
      loop.endOfTurn()
    }
    uv_idle_init(handle, spin)
    // libuv leaves `data` as it finds it; nil says that no Swift object owns the handle.
    wake.pointee.data = nil
    prepare.pointee.data = nil
    check.pointee.data = nil
    spin.pointee.data = nil
  }

  deinit {
    for pointer in [UnsafeMutableRawPointer(wake), .init(prepare), .init(check), .init(spin)] {
      pointer.deallocate()
    }
    handle.deallocate()
    readBuffer.deallocate()
  }

  /// Runs the loop on the calling thread until ``stop()``, then closes all that is left on it.
  ///
  /// SIGPIPE is blocked for this thread, since libuv writes with `write(2)`; the process keeps its
  /// disposition.
  package func run() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    thread.store(pthread_self(), ordering: .releasing)
    runJobs()
    uv_run(handle, UV_RUN_DEFAULT)
    runJobs()
    tearDown()
    thread.store(0, ordering: .releasing)
  }

  /// Makes ``run()`` return at the end of the turn. On the loop's thread.
  package func stop() { uv_stop(handle) }

  /// Has the loop look at its sockets once more before it sleeps. On the loop's thread.
  package func turnAgain() { uv_async_send(wake) }

  /// Time since some fixed moment, as of the start of this turn; never goes back.
  package var now: Duration { .milliseconds(Int64(uv_now(handle))) }

  // MARK: Executor

  /// What comes when ``run()`` has returned is kept and never run.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { queue in
      queue.jobs.append(job)
      // On the loop's own thread the end of the turn runs it: nobody has to be woken.
      guard queue.jobs.count == 1, !queue.isOver, !isCurrent else { return }
      // Under the lock, since libuv aborts the process where the loop has ended meanwhile.
      uv_async_send(wake)
    }
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }
  package func checkIsolated() { precondition(isCurrent, "called off the loop's thread") }

  private var isCurrent: Bool { thread.load(ordering: .acquiring) == pthread_self() }

  /// False where there were none.
  @discardableResult private func runJobs() -> Bool {
    let batch = queue.withLock { queue in
      defer { queue.jobs = [] }
      return queue.jobs
    }
    for job in batch {
      job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    return !batch.isEmpty
  }

  // MARK: Turns

  /// Called at the start of every callback that a peer can cause.
  func countCallback() {
    callbacks += 1
    if callbacks.isMultiple(of: Self.callbacksBetweenFlushesMax) { onFlush?() }
  }

  private func endOfTurn() {
    onFlush?()
    var rounds = 0
    while runJobs() {
      onFlush?()
      rounds += 1
      guard rounds < Self.roundsPerTurnMax else {
        // Sockets have their turn, too, where jobs make jobs without end.
        uv_async_send(wake)
        break
      }
    }
    closing.closeSome(Self.closesPerTurnMax)
    if closing.isEmpty {
      uv_idle_stop(spin)
    } else {
      uv_idle_start(spin) { _ in }  // come back at once for the rest
    }
  }

  private func tearDown() {
    queue.withLock { $0.isOver = true }
    onFlush = nil
    waitingListeners = []
    closing.closeSome(.max)
    uv_walk(
      handle, { handle, _ in if uv_is_closing(handle) == 0 { closeLeftover(handle!) } }, nil)
    closing.closeSome(.max)
    while uv_run(handle, UV_RUN_NOWAIT) != 0 {}
    let result = uv_loop_close(handle)
    precondition(result == 0, "a handle was left open on the loop")
  }

  static func of(_ loop: UnsafeMutablePointer<uv_loop_t>!) -> EventLoop {
    Unmanaged<EventLoop>.fromOpaque(loop.pointee.data).takeUnretainedValue()
  }
}

/// Closes what its owner has not: its Swift owner, if it has one, lets go in the close callback.
private func closeLeftover(_ handle: UnsafeMutablePointer<uv_handle_t>) {
  if let data = handle.pointee.data {
    (Unmanaged<AnyObject>.fromOpaque(data).takeUnretainedValue() as? any LoopResource)?.close()
  } else {
    uv_close(handle, nil)
  }
}

/// Something on a loop that is closed once.
protocol LoopResource: AnyObject {
  func close()
}
