/// `beck serve` as built, running, and clients of it. Asserts nothing.

import Foundation
import TestSupport

/// A server of the program's own making, ended with the test.
final class RunningBeck {
  static let anyPort = ["--listen", "127.0.0.1:0"]

  let process: BeckProcess
  /// What stands behind `listening on`, in order.
  private(set) var addresses: [String] = []
  /// The first address's; 0 for a path.
  private(set) var port: UInt16 = 0
  /// Who logs in is told how long messages are kept.
  private let tellsOfKeeping: Bool

  /// Goes on when it has said where it listens and how to join.
  init(
    _ flags: [String] = anyPort, under wrapper: [String] = [], input: BeckProcess.Input = .file("")
  ) throws {
    tellsOfKeeping = flags.contains("--data")
    // Never the data directory of whoever runs the tests.
    let keepsNothing = !flags.contains("--data") && !flags.contains("--memory")
    process = try BeckProcess(
      ["serve"] + flags + (keepsNothing ? ["--memory"] : []), under: wrapper, input: input)
    try process.output.read(until: "then type iam:YOU, and msg:TEXT to speak\n")
    let greeting = "listening on "
    while let line = try process.output.line(), line.hasPrefix(greeting) {
      addresses.append(String(line.dropFirst(greeting.count)))
    }
    if addresses.first?.hasPrefix("unix:") == true { return }
    guard let colon = addresses.first?.lastIndex(of: ":"),
      let port = addresses.first.flatMap({ UInt16($0[$0.index(after: colon)...]) })
    else { throw Failure("it does not say where it listens: \(process.output.text)") }
    self.port = port
  }

  /// Somebody on this machine who has a name.
  func join(_ name: String) throws -> TestClient {
    let client = try TestClient(port: port)
    client.logIn(name)
    while tellsOfKeeping, let line = client.line(), !line.hasPrefix("* messages here are kept") {}
    return client
  }

  /// What its descriptors are, as proc(5) names them: `socket:[1426245]`.
  var descriptors: [String] {
    let folder = "/proc/\(process.pid)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }

  /// True as soon as `condition` holds, which is looked at after each answered ping.
  func settles(_ client: TestClient, _ condition: () -> Bool) -> Bool {
    for _ in 0..<1_000 {
      if condition() { return true }
      _ = client.linesBeforePong()
      if client.isEnded { return false }
    }
    return false
  }

  /// Ends it politely.
  func end() throws -> BeckProcess.Ending {
    process.send(SIGTERM)
    return try process.ending()
  }
}
