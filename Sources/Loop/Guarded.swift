/// A value behind a lock. For the few places where another thread hands something to a loop.

import Glibc

/// Holds a value that is touched under a POSIX mutex only.
///
/// `Synchronization.Mutex` is not used: the thread sanitizer cannot see it once it is contended.
package final class Guarded<Value>: @unchecked Sendable {
  // @unchecked because: `value` is reached under `mutex` alone.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the value, one caller at a time. `body` must not block.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Waits on `condition` while `blocked` holds, then runs `body`, all under the lock.
  func withLock<Result>(
    waitingOn condition: UnsafeMutablePointer<pthread_cond_t>, while blocked: (Value) -> Bool,
    _ body: (inout Value) -> Result
  ) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while blocked(value) { pthread_cond_wait(condition, mutex) }
    return body(&value)
  }
}
