/// A thread for calls that block, so that a loop never does.

import Glibc

/// One thread that runs what it is given, in order.
package final class Worker: Sendable {
  private struct Queue {
    var work: [@Sendable () -> Void] = []
    var isStopping = false
  }

  private let queue = Guarded(Queue())
  private let condition: Condition

  package init() {
    let condition = Condition()
    self.condition = condition
    startThread { [queue] in
      while true {
        let batch: [@Sendable () -> Void]? = queue.withLock(
          waitingOn: condition.pointer, while: { $0.work.isEmpty && !$0.isStopping }
        ) { queue in
          defer { queue.work = [] }
          return queue.work.isEmpty ? nil : queue.work
        }
        guard let batch else { return }
        for work in batch { work() }
      }
    }
  }

  deinit {
    queue.withLock { $0.isStopping = true }
    condition.signal()
  }

  /// Runs `work` on the worker's thread and gives its result to the caller, whose loop goes on.
  package func run<Result: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let outcome = await withCheckedContinuation { continuation in
      queue.withLock { queue in
        queue.work.append { continuation.resume(returning: Swift.Result(catching: work)) }
      }
      condition.signal()
    }
    return try outcome.get()
  }
}

/// A POSIX condition in memory of its own.
private final class Condition: @unchecked Sendable {
  // @unchecked because: POSIX conditions are made for several threads, and the pointer never
  // changes.
  let pointer: UnsafeMutablePointer<pthread_cond_t>

  init() {
    pointer = .allocate(capacity: 1)
    pthread_cond_init(pointer, nil)
  }

  deinit {
    pthread_cond_destroy(pointer)
    pointer.deallocate()
  }

  func signal() { pthread_cond_signal(pointer) }
}

/// Starts a detached thread that runs `body` and ends.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let result = pthread_create(
    &thread, nil,
    { context in
      Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  precondition(result == 0, "no thread could be started")
  pthread_detach(thread)
}
