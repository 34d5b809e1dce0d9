/// Facts in every store: the newest of each key, in one transaction with the messages around them.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct FactTests {
  private func account(_ name: String, _ role: Role = .member) throws -> Account {
    Account(
      name: try UserName(name),
      password: try #require(
        PasswordHash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$\(name.utf8.count)")),
      role: role)
  }

  @Test(arguments: Keeper.allCases)
  func ofEachKeyTheNewestIsKept(keeper: Keeper) async throws {
    let (one, two) = (try account("ann"), try account("Zoë \"the\" \\ 李", .owner))
    try await keeper.with { store in
      #expect(try await store.facts().isEmpty)
      let kept = try await store.append([
        .facts([.account(ann, one), .epoch(ann, 1), .account(bob, one)]), .message(draft("a")),
        .facts([.account(bob, nil)]), .facts([.account(ann, two)]), .message(draft("b")),
        .facts([.epoch(ann, 2), .epoch(bob, nil)]),
      ])
      #expect(kept.map(\.seq) == [0, 1, 0, 0, 2, 0])
      #expect(Set(try await store.facts()) == [.account(ann, two), .epoch(ann, 2)])
      let again = try await store.append([.facts([])])
      #expect(again == [.recorded])
    }
  }

  @Test func factsAreThereAfterwards() async throws {
    let place = try TemporaryDirectory()
    let facts: [Fact] = [
      .account(ann, try account("ann", .moderator)), .epoch(bob, .max - 1),
      .account(PersonID(rawValue: .min), try account("e\u{301}")),
    ]
    try await place.withStore { store in _ = try await store.append([.facts(facts)]) }
    let found = try await place.withStore { store in try await store.facts() }
    #expect(Set(found) == Set(facts))
    #expect(try place.problems() == [])
  }

  @Test func whereAMessageCannotBeKeptTheFactsBesideItAreKept() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...1)) }
    // The next number would be more than a row's number holds.
    try place.alter(
      "UPDATE rooms SET seq = \(RowNumber.seqMax)",
      "UPDATE messages SET id = id - 1 + \(RowNumber.seqMax)")
    let account = try account("ann")
    try await place.withStore { store in
      let entries: [Entry] = [.facts([.account(ann, account)]), .message(draft("x"))]
      let kept = try await store.append(entries)
      #expect(kept.first == .recorded)
      guard case .refused = kept.last else {
        Issue.record("\(kept)")
        return
      }
      #expect(try await store.facts() == [.account(ann, account)])
    }
  }

  /// What is put into the table, and words of the refusal.
  private static let rows: [(String, String)] = [
    ("(99, '1', '{}')", "fact of kind 99 '1' cannot be read: there is no such kind"),
    ("(1, '01', '{}')", "account '01' cannot be read: its person is no number"),
    ("(1, '0', '{}')", "account '0' cannot be read: its person is no number"),
    ("(1, 'ann', '{}')", "account 'ann' cannot be read: its person is no number"),
    ("(1, '7', '{}')", "account '7' cannot be read: it has no name"),
    ("(1, '7', 'no')", "account '7' cannot be read: its value is no JSON"),
    ("(1, '7', '[]')", "account '7' cannot be read: it has no name"),
    ("(1, '7', CAST(x'FF' AS TEXT))", "account '7' cannot be read: its value is no text"),
    (#"(1, '7', '{"name":"a:b"}')"#, "its name cannot be one"),
    (#"(1, '7', '{"name":" ann"}')"#, "its name has blanks"),
    (#"(1, '7', '{"name":"ann"}')"#, "its password's hash is none"),
    (#"(1, '7', '{"name":"ann","password":"a b"}')"#, "its password's hash is none"),
    (#"(1, '7', '{"name":"ann","password":"$a","role":"king"}')"#, "its role is none"),
    (
      #"(1, '7', '{"name":"ann","password":"$a","role":"member"}'), "#
        + #"(1, '8', '{"name":"ANN","password":"$a","role":"member"}')"#,
      "account '8' cannot be read: another account has its name, 'ANN'"
    ),
    ("(2, '7', '0')", "epoch '7' cannot be read: it is no number above 0"),
    ("(2, '7', '\"1\"')", "epoch '7' cannot be read: it is no number above 0"),
    ("(2, '7', '1.0')", "epoch '7' cannot be read: it is no number above 0"),
  ]

  @Test(arguments: rows.indices)
  func aFactThatCannotBeReadIsNamedAtTheStartAndByTheCheck(index: Int) async throws {
    let (row, words) = Self.rows[index]
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...3)) }
    try place.alter("INSERT INTO facts VALUES \(row)")
    try await place.withStore { store in
      do throws(StoreError) {
        _ = try await store.facts()
        Issue.record("\(row) was read")
      } catch {
        #expect(error.sentence.contains("is damaged (") && error.sentence.contains(words))
        #expect(error.sentence.hasPrefix(place.data.historyPath) && !error.sentence.contains("\n"))
      }
    }
    let problems = try place.problems()
    #expect(problems.count == 1 && problems.first?.contains(words) == true, "\(problems)")
  }

  @Test func tenThousandAccountsAndAThousandRoomsAreReadBack() async throws {
    let place = try TemporaryDirectory()
    let facts = try (1...10_000).map { number in
      Fact.account(PersonID(rawValue: Int64(number)), try account("person \(number)"))
    }
    try await place.withStore { store in
      _ = try await store.append([.facts(facts)])
      _ = try await store.append((1...1_000).map { draft("hi", in: room("room\($0)")) })
    }
    let counts = try await place.withStore { store in
      [try await store.facts().count, try await store.rooms().count]
    }
    #expect(counts == [10_000, 1_000])
  }

  @Test func anOlderHistoryHasNoFactsAndTakesThem() async throws {
    let place = try TemporaryDirectory()
    let older = Schema(steps: Array(Schema.current.steps.prefix(1)))
    try DataDirectory(place.data.path).create()
    try HistoryFile.make(place.data.historyPath, older)
    try await place.withStore { store in
      #expect(try await store.facts().isEmpty)
      _ = try await store.append([.facts([.epoch(ann, 4)]), .message(draft("a"))])
      #expect(try await store.facts() == [.epoch(ann, 4)])
    }
    #expect(try place.problems() == [])
  }
}
