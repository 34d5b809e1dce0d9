/// What every test support says when something goes wrong, and how long it waits.

import Foundation

/// How long anything in these tests may take before it counts as hanging, in milliseconds.
package let patience: Int32 = 20_000

/// Something did not happen in time, or a system call failed.
package struct Failure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// What the last system call failed of.
  package static func system(_ what: String) -> Failure {
    Failure("\(what): \(String(cString: strerror(errno)))")
  }
}
