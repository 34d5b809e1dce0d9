/// Keeps a test's descriptors to itself. Starts no process.

import Foundation

/// Descriptors that no child process inherits by accident.
package enum Private {
  private static let lock = NSLock()

  /// Keeps the descriptor to this process; no child is started in between.
  package static func descriptor(_ make: () -> Int32) -> Int32 {
    lock.withLock {
      let descriptor = make()
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      return descriptor
    }
  }

  /// No other thread is just then between making a descriptor and keeping it to itself.
  package static func whileNoneIsMade<Result>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock(body)
  }
}
