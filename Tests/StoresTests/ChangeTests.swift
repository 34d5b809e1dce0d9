/// Edits, deletions and topics, over every store: what is kept of them, and what is gone.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Stores

@Suite struct ChangeTests {
  @Test(arguments: Keeper.allCases)
  func anEditChangesTheMessageAndHasItsOwnPlaceInTheOrder(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      let first = clock.now()
      _ = try await store.append([draft("a", key: "k", replyTo: 7), draft("b", by: bob)])
      clock.advance(hours: 1)
      let kept = try await store.append([edit(1, "A"), draft("c")])
      #expect(kept == [.stored(seq: 3, at: clock.now()), .stored(seq: 4, at: clock.now())])
      let messages = try await store.page(of: lobby, .after(0), .messages, limit: 9)
      #expect(messages.seqs == [1, 2, 4] && messages.texts == ["A", "b", "c"])
      #expect(messages.messages.map(\.edited) == [clock.now(), nil, nil])
      #expect(messages.messages.first?.at == first)
      #expect(messages.messages.first?.draft == draft("A", key: "k", replyTo: 7))
      let everything = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(everything.seqs == [1, 2, 3, 4] && everything.texts == ["A", "b", "A", "c"])
      #expect(everything.messages[2].draft == edit(1, "A"))
      #expect(everything.messages[2].edited == nil)
      #expect(try await store.rooms() == [StoredRoom(name: lobby, seq: 4, oldest: 1)])
    }
  }

  @Test func whatWasTakenAwayIsInNoFileOnceTheLogWasEmptied() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append([draft("marzipan"), draft("liquorice"), edit(1, "nougat")])
      _ = try await store.append([deletion(2), draft("toffee")])
      #expect(await store.clearLog())
      #expect(try place.files(with: "toffee") == ["history.db"])
      for gone in ["marzipan", "liquorice"] { #expect(try place.files(with: gone) == []) }
    }
  }

  @Test(arguments: Keeper.allCases)
  func onlyTheNewestChangeOfAMessageIsKept(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      _ = try await store.append([draft("a"), draft("b"), edit(1, "a2"), edit(2, "b2")])
      clock.advance(hours: 1)
      let kept = try await store.append([edit(1, "a3"), edit(1, "a4"), draft("c")])
      #expect(kept.map(\.seq) == [5, 6, 7])
      let everything = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(everything.seqs == [1, 2, 4, 6, 7] && everything.gap == nil && !everything.more)
      #expect(everything.texts == ["a4", "b2", "b2", "a4", "c"])
      #expect(everything.messages[0].edited == clock.now())
      let removal = try await store.append([deletion(1)])
      #expect(removal.map(\.seq) == [8])
      let rest = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(rest.seqs == [1, 2, 4, 7, 8])
      #expect(rest.messages.first?.draft.content == .gone && rest.messages.first?.edited == nil)
      #expect(rest.messages.last?.draft == deletion(1))
      #expect(rest.texts == ["", "b2", "b2", "c", ""])
    }
  }

  @Test(arguments: Keeper.allCases)
  func whatCannotBeChangedIsRefusedAndTheOthersOfTheCallAreKept(keeper: Keeper) async throws {
    try await keeper.with { store in
      _ = try await store.append(
        [draft("a"), draft("b", by: bob), topic("tea"), edit(1, "a2"), deletion(2, by: bob)])
      let kept = try await store.append([
        edit(0, "x"), edit(-1, "x"), edit(6, "x"), edit(.max, "x"), edit(3, "x"), edit(4, "x"),
        edit(5, "x"), edit(2, "x", by: bob), deletion(2, by: bob), edit(1, "x", in: tea),
        deletion(1, by: bob), edit(1, "x", by: bob), edit(6, "y"), draft("c"),
      ])
      let refusals: [Kept] =
        Array(repeating: .noSuchMessage, count: 10) + [.notYours, .notYours, .noSuchMessage]
      #expect(Array(kept.dropLast()) == refusals)
      #expect(kept.last?.seq == 6)
      // A room that nothing was said in is not made by a change.
      #expect(try await store.rooms().map(\.name) == [lobby])
      let page = try await store.page(of: lobby, .after(0), .messages, limit: 9)
      #expect(page.texts == ["a2", "", "c"])
    }
  }

  @Test(arguments: Keeper.allCases)
  func whoMayChangesOthersMessages(keeper: Keeper) async throws {
    try await keeper.with { store in
      _ = try await store.append([draft("a"), draft("b")])
      var (change, removal) = (edit(1, "x", by: bob), deletion(2, by: bob))
      change.changesOthers = true
      removal.changesOthers = true
      #expect(try await store.append([change, removal]).map(\.seq) == [3, 4])
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(page.texts == ["x", "", "x", ""])
      #expect(page.messages.map(\.draft.person) == [ann, ann, bob, bob])
      #expect(page.messages.allSatisfy { !$0.draft.changesOthers })
      // It is still hers.
      #expect(try await store.append([edit(1, "mine")]).map(\.seq) == [5])
    }
  }

  @Test(arguments: Keeper.allCases)
  func aMessageCanBeChangedInTheCallThatKeepsIt(keeper: Keeper) async throws {
    try await keeper.with { store in
      let kept = try await store.append(
        [draft("a"), edit(1, "b"), edit(1, "c"), deletion(1), edit(1, "d"), draft("e", in: tea)])
      #expect(kept.map(\.seq) == [1, 2, 3, 4, 0, 1] && kept[4] == .noSuchMessage)
      #expect(try await store.page(of: lobby, .after(0), .everything, limit: 9).seqs == [1, 4])
      #expect(try await store.append([draft("f")]).map(\.seq) == [5])
    }
  }

  @Test(arguments: Keeper.allCases)
  func aMessageKeepsItsKeyWhateverBecomesOfIt(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      let first = clock.now()
      _ = try await store.append([draft("a", key: "k"), draft("b", key: "l")])
      clock.advance(hours: 1)
      _ = try await store.append([edit(1, "A"), deletion(2)])
      // The text that it had is gone: there is nothing to compare a retry with.
      let kept = try await store.append([
        draft("a", key: "k"), draft("b", key: "l"), draft("other", key: "l"),
        draft("b", in: tea, key: "l"), topic("b", key: "l"), edit(1, "x", key: "l"),
      ])
      #expect(
        kept == [
          .duplicate(of: 1, at: first, in: lobby), .duplicate(of: 2, at: first, in: lobby),
          .duplicate(of: 2, at: first, in: lobby), .keyReused, .keyReused, .keyReused,
        ])
    }
  }

  @Test(arguments: Keeper.allCases)
  func aChangeWithAKeyIsMadeOnceForAsLongAsItIsKept(keeper: Keeper) async throws {
    let clock = HandClock()
    try await keeper.with(clock: clock) { store in
      let at = clock.now()
      _ = try await store.append([draft("a"), draft("b")])
      let change = [edit(1, "A", key: "k"), deletion(2, key: "l"), topic("t", key: "m")]
      #expect(try await store.append(change).map(\.seq) == [3, 4, 5])
      let again: [Kept] = [3, 4, 5].map { .duplicate(of: $0, at: at, in: lobby) }
      #expect(try await store.append(change) == again)
      #expect(
        try await store.append([
          edit(1, "B", key: "k"), edit(2, "A", key: "k"), deletion(1, key: "l"),
          topic(nil, key: "m"), draft("A", key: "k"),
        ]) == Array(repeating: .keyReused, count: 5))
      // Its number is left out, and its key is free.
      _ = try await store.append([edit(1, "C")])
      #expect(try await store.append([draft("d", key: "k")]).map(\.seq) == [7])
    }
  }

  @Test(arguments: Keeper.allCases)
  func topicsAreKeptLikeMessages(keeper: Keeper) async throws {
    let long = String(repeating: "x", count: 256)
    try await keeper.with { store in
      let sent = [topic("é"), topic(long), topic(nil), topic("again", by: bob)]
      #expect(try await store.append(sent).map(\.seq) == [1, 2, 3, 4])
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(page.messages.map(\.draft) == sent)
      #expect(page.texts == ["é", long, "", "again"])
      let messages = try await store.page(of: lobby, .after(0), .messages, limit: 9)
      #expect(messages == HistoryPage(room: lobby, messages: [], more: false))
    }
  }

  @Test(arguments: Keeper.allCases)
  func conversationsAndTheLogOfModerationAreRooms(keeper: Keeper) async throws {
    let talk = RoomName.conversation(of: ann, and: bob)
    let far = RoomName.conversation(
      of: PersonID(rawValue: .min), and: PersonID(rawValue: .max))
    try await keeper.with { store in
      let kept = try await store.append([
        draft("a", in: talk, key: "k"), draft("b", in: far), draft("c", in: .audit),
        edit(1, "A", in: talk), draft("a", in: talk, key: "k"),
      ])
      #expect(kept.map(\.seq) == [1, 1, 1, 2, 1])
      #expect(try await store.page(of: talk, .before(nil), .messages, limit: 9).texts == ["A"])
      #expect(try await Set(store.rooms().map(\.name)) == [talk, far, .audit])
    }
  }

  @Test(arguments: Keeper.allCases)
  func theFactsOfADraftAreSetWhereItIsStored(keeper: Keeper) async throws {
    try await keeper.with { store in
      let mark = { (seq: Int64) in Fact.mark(lobby, ann, seq) }
      let with = { (draft: Draft, facts: [Fact]) in
        var draft = draft
        draft.facts = facts
        return draft
      }
      _ = try await store.append([with(draft("a", key: "k"), [mark(1), .epoch(bob, 1)])])
      #expect(try await Set(store.facts()) == [mark(1), .epoch(bob, 1)])
      let kept = try await store.append([
        with(draft("a", key: "k"), [mark(2)]), with(draft("b", key: "k"), [mark(3)]),
        with(edit(9, "x"), [mark(4)]), with(edit(1, "x", by: bob), [mark(5)]),
      ])
      #expect(kept.map(\.seq) == [1, 0, 0, 0])
      #expect(try await Set(store.facts()) == [mark(1), .epoch(bob, 1)])
      _ = try await store.append([with(edit(1, "x"), [mark(6), .epoch(bob, nil)])])
      #expect(try await store.facts() == [mark(6)])
      let page = try await store.page(of: lobby, .after(0), .everything, limit: 9)
      #expect(page.messages.allSatisfy { $0.draft.facts.isEmpty })
    }
  }
}

extension TemporaryDirectory {
  /// The files of the data directory that hold these bytes, by name.
  fileprivate func files(with text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: data.path).filter { name in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: data.path + "/" + name))
      return bytes.range(of: Data(text.utf8)) != nil
    }.sorted()
  }
}
