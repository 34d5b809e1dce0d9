/// What retention removes, what it leaves, and what others notice of it.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct RetentionTests {
  @Test func byNumberTheNewestOfEachRoomStay() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append(drafts(1...2_000) + drafts(1...7, in: tea))
      let removed = try await store.expire(Retention(messagesPerRoomMax: 10))
      #expect(removed == 1_990)
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 500)
      #expect(page.seqs == Array(1_991...2_000) && page.gap == 1...1_990 && !page.more)
      let other = try await store.page(of: tea, .after(0), .everything, limit: 500)
      #expect(other.seqs == Array(1...7) && other.gap == nil)
      let again = try await store.expire(Retention(messagesPerRoomMax: 10))
      #expect(again == 0)
    }
    #expect(try place.problems() == [])
  }

  @Test func whatIsGoneIsAGap() async throws {
    try await TemporaryDirectory().withStore { store in
      _ = try await store.append(drafts(1...100))
      _ = try await store.expire(Retention(messagesPerRoomMax: 10))
      for (stretch, limit, wanted, more, gap) in pagesOfTheNewestTen {
        let page = try await store.page(of: lobby, stretch, .everything, limit: limit)
        #expect(page.seqs == wanted.map { Array($0) } ?? [], "\(stretch), \(limit)")
        #expect(page.more == more && page.gap == gap, "\(stretch), \(limit)")
      }
    }
  }

  @Test func aRoomThatIsEmptyAgainKeepsItsNumbers() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append(drafts(1...3))
      let removed = try await store.expire(Retention(messagesPerRoomMax: 0))
      let rooms = try await store.rooms()
      #expect(removed == 3 && rooms == [StoredRoom(name: lobby, seq: 3, oldest: nil)])
      let before = try await store.page(of: lobby, .before(nil), .everything, limit: 5)
      #expect(before == HistoryPage(room: lobby, messages: [], more: false, gap: 1...3))
      let after = try await store.page(of: lobby, .after(1), .everything, limit: 5)
      #expect(after == HistoryPage(room: lobby, messages: [], more: false, gap: 2...3))
    }
    try await place.withStore { store in
      let kept = try await store.append(drafts(4...4))
      #expect(kept.map(\.seq) == [4])
    }
    #expect(try place.problems() == [])
  }

  @Test func aKeyIsForgottenWithItsMessage() async throws {
    try await TemporaryDirectory().withStore { store in
      _ = try await store.append([draft("a", key: "k")] + drafts(2...3))
      let early = try await store.append([draft("a", key: "k")])
      #expect(early.map(\.seq) == [1])
      _ = try await store.expire(Retention(messagesPerRoomMax: 2))
      let late = try await store.append([draft("a", key: "k")])
      #expect(late.map(\.seq) == [4])
    }
  }

  @Test func byAgeTheOldGo() async throws {
    let clock = HandClock()
    try await TemporaryDirectory().withStore(clock: clock) { store in
      for number in 1...5 {
        _ = try await store.append(drafts(number...number))
        clock.advance(hours: 1)
      }
      let none = try await store.expire(Retention(ageMax: .seconds(5 * 3_600)))
      #expect(none == 0)
      let two = try await store.expire(Retention(ageMax: .seconds(3 * 3_600)))
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(two == 2 && page.texts == ["3", "4", "5"])
    }
  }

  @Test func aClockSetBackAnHourRemovesNothingYoung() async throws {
    let clock = HandClock()
    try await TemporaryDirectory().withStore(clock: clock) { store in
      _ = try await store.append(drafts(1...3))
      clock.advance(hours: -1)
      _ = try await store.append(drafts(4...6))
      // The first three are from the future now.
      let none = try await store.expire(Retention(ageMax: .seconds(60)))
      #expect(none == 0)
      // Their time has come, and they have half an hour left; the later ones bear an earlier time.
      clock.advance(hours: 1)
      let still = try await store.expire(Retention(ageMax: .seconds(1_800)))
      #expect(still == 0)
      clock.advance(hours: 1)
      let all = try await store.expire(Retention(ageMax: .seconds(1_800)))
      #expect(all == 6)
    }
  }

  @Test func messagesFromTheFutureDoNotHoldTheOldBack() async throws {
    let clock = HandClock()
    try await TemporaryDirectory().withStore(clock: clock) { store in
      _ = try await store.append(drafts(1...2))
      let now = clock.now().milliseconds
      clock.set(now + 1_000_000_000_000)
      _ = try await store.append(drafts(3...1_502))
      clock.set(now)
      _ = try await store.append(drafts(1_503...1_504))
      clock.advance(hours: 2)
      _ = try await store.append(drafts(1_505...1_505))
      let removed = try await store.expire(Retention(ageMax: .seconds(3_600)))
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(removed == 1_504 && page.seqs == [1_505])
    }
  }

  @Test func aStepRemovesAtMost500MessagesInOneTransaction() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...3_000)) }
    let writer = try HistoryWriter(place.data.historyPath, .current)
    var pass = ExpiryPass(Retention(messagesPerRoomMax: 100), at: .now)
    var steps = 0
    while !pass.isDone {
      let before = pass.removed
      try writer.go(on: &pass)
      #expect(pass.removed - before <= 500)
      #expect(!writer.database.isInTransaction)
      steps += 1
      try #require(steps < 1_000)
    }
    #expect(pass.removed == 2_900)
  }

  @Test func theDiskGetsItsRoomBack() async throws {
    let place = try TemporaryDirectory()
    let size = {
      try FileManager.default.attributesOfItem(atPath: place.data.historyPath)[.size] as? Int ?? 0
    }
    let long = String(repeating: "x", count: 4_096)
    try await place.withStore { store in
      _ = try await store.append((0..<2_000).map { _ in draft(long) })
    }
    let before = try size()
    #expect(before > 8_000_000)
    try await place.withStore { store in
      _ = try await store.expire(Retention(messagesPerRoomMax: 20))
    }
    #expect(try size() < before / 10)
    #expect(try place.problems() == [])
  }

  @Test func whatIsRemovedIsNotInTheFileAnyMore() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append([draft("a secret that nobody keeps")] + drafts(2...50))
      _ = try await store.expire(Retention(messagesPerRoomMax: 49))
    }
    let bytes = try #require(try place.contents()["history.db"])
    #expect(bytes.range(of: Data("a secret".utf8)) == nil)
    #expect(bytes.range(of: Data("50".utf8)) != nil)
  }

  @Test func whoReadsMeanwhileMissesNothingSilently() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      for _ in 0..<20 { _ = try await store.append(drafts(1...500)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for left in stride(from: 9_000, through: 1_000, by: -1_000) {
            _ = try await store.expire(Retention(messagesPerRoomMax: left))
          }
        }
        group.addTask {
          for number in 0..<100 { _ = try await store.append(drafts(number...number)) }
        }
        for limit in [50, 333, 500] {
          group.addTask {
            for _ in 0..<3 {
              let (messages, gaps) = try await store.everything(of: lobby, limit: limit)
              // Every number up to the last one is in a page or in a gap, in order and once.
              let numbers = messages.map { ($0.seq...$0.seq) } + gaps
              var next: Int64 = 1
              for range in numbers.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                #expect(range.lowerBound == next)
                next = range.upperBound + 1
              }
              #expect(next > 10_000)
            }
          }
        }
        try await group.waitForAll()
      }
      let kept = try await store.append(drafts(1...1))
      #expect(kept.map(\.seq) == [10_101])
    }
    #expect(try place.problems() == [])
  }

  @Test func aPassThatIsCancelledEnds() async throws {
    try await TemporaryDirectory().withStore { store in
      _ = try await store.append(drafts(1...1_000))
      let pass = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await store.expire(Retention(messagesPerRoomMax: 0))
      }
      #expect(try await pass.value == 0)
      let rest = try await store.expire(Retention(messagesPerRoomMax: 0))
      #expect(rest == 1_000)
    }
  }

  @Test func aPassThatIsCancelledOnItsWayEndsThere() async throws {
    try await TemporaryDirectory().withStore { store in
      for _ in 0..<100 { _ = try await store.append(drafts(1...500)) }
      let pass = Task { try await store.expire(Retention(messagesPerRoomMax: 0)) }
      // It has begun when the first is gone; a hundred steps are left then.
      while try await store.rooms().first?.oldest == 1 {}
      pass.cancel()
      let removed = try await pass.value
      #expect(removed > 0 && removed < 50_000)
    }
  }
}
