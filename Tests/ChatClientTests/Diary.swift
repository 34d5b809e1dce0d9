/// A delegate that writes down what it is told, and runs the loop until something has been.

import ChatClient
import Foundation
import TestSupport

final class Diary: ChatConnectionDelegate {
  var states: [ChatState] = []
  var lines: [ServerLine] = []
  var timesToSay = 0
  /// What the connection said of its encryption at each state.
  var tlsVersions: [String?] = []
  var onLine: ((ChatConnection) -> Void)?

  func connection(_ connection: ChatConnection, entered state: ChatState) {
    states.append(state)
    tlsVersions.append(connection.tlsVersion)
  }

  func connection(_ connection: ChatConnection, received line: ServerLine) {
    lines.append(line)
    onLine?(connection)
  }

  func connectionCanSay(_ connection: ChatConnection) {
    timesToSay += 1
  }

  /// Lets the connection work until `isDone`.
  func run(until isDone: () throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: TimeInterval(patience) / 1_000)
    while try !isDone() {
      guard Date() < end else { throw Failure("nothing happens: \(states)") }
      _ = RunLoop.current.run(mode: .default, before: end)
    }
  }
}
