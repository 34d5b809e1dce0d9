/// What a conversation holds while nobody says anything. In a process of its own, where nobody else
/// allocates.

import CTestSupport
import TLS
import TestSupport
import Testing

@Suite("Idle memory")
struct IdleMemoryTests {
  @Test(
    "Established and idle, a server's side holds less than 20 KiB and a client's less than 32",
    .enabled(if: ctest_bytes_in_use() > 0, "a sanitizer has an allocator of its own"))
  func idle() async {
    await #expect(processExitsWith: .success) {
      for version in TLSVersion.allCases {
        _ = try talked(version)
        var talks: [Conversation?] = []
        talks.reserveCapacity(100)
        let before = ctest_bytes_in_use()
        for _ in 0..<100 { talks.append(try talked(version)) }
        let each = (ctest_bytes_in_use() - before) / 100
        #expect(each > 0)
        #expect(each < (20 + 32) << 10, "\(version)")
        // The server's side alone.
        let servers = talks.compactMap { $0?.server }
        let both = ctest_bytes_in_use()
        talks.removeAll(keepingCapacity: true)
        let client = (both - ctest_bytes_in_use()) / 100
        #expect(client < 32 << 10, "\(version)")
        #expect(each - client < 20 << 10, "\(version)")
        #expect(servers.count == 100)
      }
    }
  }
}

/// Many words both ways, the last ones a client's: TLS 1.3 keeps a buffer between a ticket that was
/// received and the next word.
private func talked(_ version: TLSVersion) throws -> Conversation {
  let talk = try Conversation(version: version)
  talk.shakeHands()
  let words = [UInt8](repeating: 7, count: 40_000)
  for (from, to) in [(talk.server, talk.client), (talk.client, talk.server)] {
    guard try talk.say(words, from: from, to: to) == words else { throw Failure("unheard") }
  }
  return talk
}
