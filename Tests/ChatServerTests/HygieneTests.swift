/// A server that has stopped leaves nothing behind: no descriptor, no object, no job.

import ChatServer
import Foundation
import Loop
import TestSupport
import Testing

@Suite struct HygieneTests {
  // A process of its own, where no other test opens anything.
  @Test func twentyServersLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      // What the first one opens for the whole process, such as libuv's pipe for signals, stays.
      _ = try await liveOnce()
      let before = try descriptors()
      for _ in 0..<20 {
        let remains = try await liveOnce()
        #expect(try descriptors() == before)
        // Whatever waited for a job that never comes would keep them.
        #expect(remains.areGone(), "the server and its loop are let go")
      }
    }
  }
}

/// What would still be there if something held on to it.
private struct Remains {
  weak var server: Server?
  weak var loop: EventLoop?

  /// The loop's thread lets go of it in its own time.
  func areGone() -> Bool {
    for _ in 0..<500 {
      if server == nil, loop == nil { return true }
      _ = poll(nil, 0, 10)
    }
    return false
  }
}

private func descriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// A server from its start to its stop: with talkers, with those who break off, with those who ask
/// for a name that is taken, and with those who are still there at the end.
private func liveOnce() async throws -> Remains {
  let running = try await RunningServer { configuration in
    configuration.limits.liftRates()
    configuration.log = { _ in }
    SocketAddress(host: "::1", port: 0).map {
      configuration.listen.append(ListenAddress($0, isRequired: false))
    }
  }
  await running.server.stop(on: SIGUSR2)
  let clients = try (0..<100).map { _ in try TestClient(port: running.port) }
  for (index, client) in clients.enumerated() {
    switch index % 5 {
    case 0: client.logIn("p\(index)")
    case 1: client.send("iam:raw\(index)")
    case 2: client.reset()
    case 3: client.send("iam:p0\nmsg:half")
    default: client.close()
    }
  }
  _ = clients[95].linesBeforePong()
  await running.stop()
  return Remains(server: running.server, loop: running.server.loop)
}
