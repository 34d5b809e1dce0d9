/// What can go wrong with the system's side of a loop.

import Glibc

/// A failed call of the operating system, with what was being done.
package struct LoopError: Error, Equatable, CustomStringConvertible {
  /// What was tried, as a phrase: `listen on 127.0.0.1:80`.
  package let attempt: String
  /// The operating system's error number, positive.
  package let errno: Int32

  package init(_ attempt: String, errno: Int32) {
    self.attempt = attempt
    self.errno = errno
  }

  /// `cannot listen on 127.0.0.1:80: Permission denied`
  package var description: String { "cannot \(attempt): \(String(cString: strerror(errno)))" }
}
