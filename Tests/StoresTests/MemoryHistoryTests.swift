/// What the history in memory forgets, and that it forgets no more.

import ChatModel
import Testing

@testable import Stores

@Suite struct MemoryHistoryTests {
  private let moment = Moment(milliseconds: 1)

  private func history(messages: Int = 10_000, bytes: Int = 64 << 20) -> MemoryHistory {
    var limits = MemoryHistory.Limits()
    limits.messagesPerRoomMax = messages
    limits.bytesMax = bytes
    return MemoryHistory(limits: limits)
  }

  @Test func theLast10000OfARoomAreKept() {
    var history = MemoryHistory()
    _ = history.append(drafts(1...10_000), at: moment)
    #expect(history.rooms.first?.oldest == 1)
    _ = history.append(drafts(10_001...10_001), at: moment)
    #expect(history.rooms.first == StoredRoom(name: lobby, seq: 10_001, oldest: 2))
  }

  @Test func whatIsGoneIsAGap() {
    var history = history(messages: 10)
    _ = history.append(drafts(1...100), at: moment)
    for (stretch, limit, wanted, more, gap) in pagesOfTheNewestTen {
      let page = history.page(of: lobby, stretch, .everything, limit: limit)
      #expect(page.seqs == wanted.map { Array($0) } ?? [], "\(stretch), \(limit)")
      #expect(page.more == more && page.gap == gap, "\(stretch), \(limit)")
    }
  }

  @Test func aKeyIsForgottenWithItsMessage() {
    var history = history(messages: 2)
    let keyed = draft("a", key: "k")
    _ = history.append([keyed], at: moment)
    #expect(history.append([keyed], at: moment) == [.duplicate(of: 1, at: moment, in: lobby)])
    _ = history.append(drafts(2...3), at: moment)
    #expect(history.append([keyed], at: moment) == [.stored(seq: 4, at: moment)])
  }

  @Test func theOldestOfAllRoomsGoWhereBytesRunOut() {
    var one = history()
    _ = one.append([draft("x")], at: moment)
    var history = history(bytes: one.bytesHeld * 10)
    _ = history.append([draft("x", in: tea)], at: moment)
    _ = history.append((0..<9).map { _ in draft("x") }, at: moment)
    #expect(history.bytesHeld == one.bytesHeld * 10)
    #expect(history.rooms.map(\.oldest) == [1, 1])
    _ = history.append([draft("x")], at: moment)
    #expect(history.rooms.map(\.oldest) == [1, nil])
    #expect(history.page(of: tea, .after(0), .everything, limit: 9).gap == 1...1)
    _ = history.append([draft("x")], at: moment)
    #expect(history.rooms.map(\.oldest) == [2, nil])
    #expect(history.bytesHeld == one.bytesHeld * 10)
  }

  @Test func theNewestMessageStaysHoweverGreat() {
    var history = history(bytes: 1)
    _ = history.append(drafts(1...3), at: moment)
    #expect(history.rooms == [StoredRoom(name: lobby, seq: 3, oldest: 3)])
  }

  @Test func aQuietRoomDoesNotHaveABusyOneHoldMemory() {
    var history = history(messages: 100)
    _ = history.append([draft("quiet", in: tea)], at: moment)
    _ = history.append(drafts(1...100), at: moment)
    let held = history.bytesHeld
    for _ in 0..<200 { _ = history.append(drafts(100...199), at: moment) }
    #expect(history.placesHeld < 5_000)
    #expect(history.bytesHeld < held + 1_000)
    #expect(history.page(of: tea, .before(nil), .everything, limit: 1).texts == ["quiet"])
    #expect(history.page(of: lobby, .before(nil), .everything, limit: 99).gap == nil)
  }
}
