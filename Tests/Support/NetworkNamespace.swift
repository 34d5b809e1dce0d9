/// Networks of a test's own: a machine inside the machine. Needs root and ip(8).

import CTestSupport
import Foundation

/// A network namespace (network_namespaces(7)), gone when this is.
package final class NetworkNamespace: Sendable {
  private static let prefix = "beck-test-"

  package let name: String

  /// Why there can be none here; nil if there can.
  package static let hindrance: String? = {
    guard geteuid() == 0 else { return "making a network of its own needs root" }
    removeThoseOfTheDead()
    do {
      _ = try NetworkNamespace("probe")
      return nil
    } catch {
      return "no network of its own can be made here: \(error)"
    }
  }()

  /// The process's number and `label` make the name.
  package init(_ label: String) throws {
    name = "\(Self.prefix)\(getpid())-\(label)"
    try Self.ip("netns", "add", name)
    try ip("link", "set", "lo", "up")
  }

  deinit { try? Self.ip("netns", "delete", name) }

  /// A run of the tests that was killed could not remove its own.
  private static func removeThoseOfTheDead() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/run/netns")) ?? []
    for name in names where name.hasPrefix(prefix) {
      let owner = name.dropFirst(prefix.count).prefix { $0 != "-" }
      if let owner = pid_t(owner), kill(owner, 0) != 0, errno == ESRCH {
        try? ip("netns", "delete", name)
      }
    }
  }

  /// What goes in front of a command line that is to run inside.
  package var wrapper: [String] { ["ip", "netns", "exec", name] }

  /// Runs ip(8) inside.
  package func ip(_ words: String...) throws { try Self.ip(["-n", name] + words) }

  /// Moves the calling thread inside, for good.
  package func enter() throws { try Self.enter("/run/netns/\(name)") }

  /// Runs `body` inside: the sockets it makes stay there.
  package func inside<Result>(_ body: () throws -> Result) throws -> Result {
    let home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
    guard home >= 0 else { throw Failure.system("the thread's own network") }
    defer { close(home) }
    try enter()
    defer { precondition(ctest_setns_network(home) == 0, "the thread cannot come back") }
    return try body()
  }

  private static func enter(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.system(path) }
    defer { close(descriptor) }
    guard ctest_setns_network(descriptor) == 0 else { throw Failure.system("setns") }
  }

  private static func ip(_ words: String...) throws { try ip(words) }

  private static func ip(_ words: [String]) throws {
    let ending = try ChildProcess(running: ["ip"] + words).ending()
    guard ending.status == 0 else {
      throw Failure("ip \(words.joined(separator: " ")): \(ending.errors)")
    }
  }
}

/// Two machines and the cable between them, which can be pulled.
package final class Cable: Sendable {
  package let near: NetworkNamespace
  package let far: NetworkNamespace
  package let nearHost = "10.77.0.1"
  package let farHost = "10.77.0.2"

  package init(_ label: String) throws {
    near = try NetworkNamespace("\(label)-near")
    far = try NetworkNamespace("\(label)-far")
    try near.ip(
      "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", far.name)
    for (end, host) in [(near, nearHost), (far, farHost)] {
      try end.ip("address", "add", "\(host)/24", "dev", "cable")
      try end.ip("link", "set", "cable", "up")
    }
  }

  /// Waits until somebody at the far end has room for nothing more: the kernel asks such a reader
  /// from time to time, which ss(8) shows.
  package func waitForFullReader() throws {
    let look = ["ss", "--tcp", "--numeric", "--options", "dst", farHost]
    for _ in 0..<500 {
      let seen = try ChildProcess(running: near.wrapper + look).ending().output
      if seen.contains("timer:(persist") { return }
      _ = poll(nil, 0, 10)
    }
    throw Failure("the reader has room for everything")
  }

  /// Nothing passes any more, and neither side is told of any end.
  package func cut() throws { try far.ip("link", "set", "cable", "down") }

  /// Undoes ``cut()``.
  package func mend() throws { try far.ip("link", "set", "cable", "up") }
}
