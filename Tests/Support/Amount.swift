/// How much a test does.

import Foundation

/// How much of something a test does: a little, or what `make soak` asks for by this variable.
package func amount(_ variable: String, otherwise: Int) -> Int {
  ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? otherwise
}
