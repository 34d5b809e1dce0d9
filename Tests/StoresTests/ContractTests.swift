/// What every store promises of keeping, over each of them.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct ContractTests {
  @Test(arguments: Keeper.allCases)
  func numbersOfARoomBeginAt1AndGrowInTheOrderOfTheCalls(keeper: Keeper) async throws {
    try await keeper.with { store in
      let first = try await store.append(drafts(1...3))
      let second = try await store.append(drafts(4...5))
      #expect(first.map(\.seq) == [1, 2, 3])
      #expect(second.map(\.seq) == [4, 5])
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 500)
      #expect(page.seqs == [1, 2, 3, 4, 5])
      #expect(page.texts == ["1", "2", "3", "4", "5"])
    }
  }

  @Test(arguments: Keeper.allCases)
  func eachRoomHasItsOwnNumbers(keeper: Keeper) async throws {
    try await keeper.with { store in
      let kept = try await store.append([
        draft("a"), draft("b", in: tea), draft("c"), draft("d", in: tea), draft("e"),
      ])
      #expect(kept.map(\.seq) == [1, 1, 2, 2, 3])
      #expect(try await store.page(of: tea, .after(0), .everything, limit: 9).texts == ["b", "d"])
      let rooms = try await store.rooms()
      #expect(
        rooms == [
          StoredRoom(name: lobby, seq: 3, oldest: 1), StoredRoom(name: tea, seq: 2, oldest: 1),
        ])
    }
  }

  @Test(arguments: Keeper.allCases)
  func nothingIsKeptOfAnEmptyCall(keeper: Keeper) async throws {
    try await keeper.with { store in
      let kept = try await store.append([Entry]())
      let rooms = try await store.rooms()
      #expect(kept.isEmpty && rooms.isEmpty)
    }
  }

  @Test(arguments: Keeper.allCases)
  func aMessageComesBackAsItWasSent(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      let sent = [
        draft("hi", as: "Ännchen", key: "k-1", replyTo: 7),
        draft("bye", by: PersonID(rawValue: .max), as: "Ada Lovelace", replyTo: .max),
        draft("again", by: PersonID(rawValue: .min), as: "ada LOVELACE"),
      ]
      _ = try await store.append(sent)
      let page = try await store.page(of: lobby, .before(nil), .everything, limit: 10)
      #expect(page.messages.map(\.draft) == sent)
      // Names are compared folded; what matters here is how they are shown.
      #expect(page.messages.map(\.draft.from.shown) == ["Ännchen", "Ada Lovelace", "ada LOVELACE"])
      #expect(page.messages.allSatisfy { $0.at == clock.now() })
    }
  }

  @Test(arguments: Keeper.allCases)
  func everyOddCharacterOfATextIsKept(keeper: Keeper) async throws {
    let texts = [
      "\0", "a\0b", "\n", "\r\n", "\u{85}\u{2028}\u{2029}", "\u{1B}[2J", "\u{202E}drawkcab",
      "\u{FEFF}", "\u{FFFD}", "\u{10FFFF}\u{FFFF}", "e\u{301}", "é", "👩‍👩‍👧‍👦",
      "'; DROP TABLE messages; --",
      "\"\\\"", "   ", "\u{200B}", String(repeating: "𝄞", count: 1_024),
      String(repeating: "x", count: 4_096),
    ]
    try await keeper.with { store in
      _ = try await store.append(texts.map { draft($0) })
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 500)
      // By bytes: two texts that look alike are equal as strings.
      #expect(page.texts.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    }
  }

  @Test(arguments: Keeper.allCases)
  func aKeyKeepsItsMessageOnce(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      let first = clock.now()
      #expect(try await store.append([draft("a", key: "k")]) == [.stored(seq: 1, at: first)])
      clock.advance(hours: 1)
      let retry = try await store.append([draft("a", key: "k"), draft("b")])
      #expect(
        retry == [.duplicate(of: 1, at: first, in: lobby), .stored(seq: 2, at: clock.now())])
      #expect(
        try await store.page(of: lobby, .after(0), .everything, limit: 9).texts == ["a", "b"])
    }
  }

  @Test(arguments: Keeper.allCases)
  func aKeyOfAnotherMessageIsRefusedAndTheOthersOfTheCallAreKept(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      let at = clock.now()
      _ = try await store.append([draft("é", key: "k")])
      let kept = try await store.append([
        draft("b"), draft("other words", key: "k"), draft("é", in: tea, key: "k"),
        draft("e\u{301}", key: "k"), draft("c", in: tea), draft("é", as: "Anna", key: "k"),
      ])
      #expect(
        kept == [
          .stored(seq: 2, at: at), .keyReused, .keyReused, .keyReused, .stored(seq: 1, at: at),
          .duplicate(of: 1, at: at, in: lobby),
        ])
      #expect(
        try await store.page(of: lobby, .after(0), .everything, limit: 9).texts == ["é", "b"])
      #expect(try await store.page(of: tea, .after(0), .everything, limit: 9).texts == ["c"])
    }
  }

  @Test(arguments: Keeper.allCases)
  func aKeyIsUniqueWithinOneCall(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      let kept = try await store.append([
        draft("a", key: "k"), draft("a", key: "k"), draft("c"), draft("b", key: "k"),
        draft("a", key: "k"),
      ])
      let at = clock.now()
      #expect(
        kept == [
          .stored(seq: 1, at: at), .duplicate(of: 1, at: at, in: lobby), .stored(seq: 2, at: at),
          .keyReused, .duplicate(of: 1, at: at, in: lobby),
        ])
    }
  }

  @Test(arguments: Keeper.allCases)
  func aKeyIsItsPersonsOwnAndComparedByBytes(keeper: Keeper) async throws {
    try await keeper.with { store in
      let kept = try await store.append([
        draft("a", by: ann, key: "k"), draft("b", by: bob, key: "k"),
        draft("c", by: ann, key: "K"), draft("d", by: ann, key: "k\0"),
        draft("e", by: ann, key: "\u{E9}"), draft("f", by: ann, key: "e\u{301}"),
      ])
      #expect(kept.map(\.seq) == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test(arguments: Keeper.allCases)
  func tenThousandRetriesMakeOneMessage(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      let at = clock.now()
      _ = try await store.append([draft("a", key: "k")])
      for _ in 0..<100 {
        let kept = try await store.append(Array(repeating: draft("a", key: "k"), count: 100))
        #expect(kept == Array(repeating: .duplicate(of: 1, at: at, in: lobby), count: 100))
      }
      #expect(try await store.rooms() == [StoredRoom(name: lobby, seq: 1, oldest: 1)])
      #expect(try await store.append([draft("b")]).map(\.seq) == [2])
    }
  }

  @Test(arguments: Keeper.allCases)
  func aClockSetBackAnHourChangesNoOrder(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      _ = try await store.append(drafts(1...2))
      clock.advance(hours: -1)
      #expect(try await store.append(drafts(3...4)).map(\.seq) == [3, 4])
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(page.texts == ["1", "2", "3", "4"])
      #expect(page.messages[2].at < page.messages[1].at)
      #expect(
        try await store.page(of: lobby, .before(nil), .everything, limit: 3).texts == [
          "2", "3", "4",
        ])
    }
  }
}
