/// Each kind of fact: kept, exported and read with suspicion.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct FactKindTests {
  private static let talk = RoomName.conversation(of: PersonID(rawValue: -3), and: bob)

  private static func facts() throws -> [Fact] {
    let at = Moment(milliseconds: 1_800_000_000_123)
    let until = Moment(milliseconds: 1_800_000_060_000)
    let code = try #require(CodeHash(String(repeating: "0a", count: 32)))
    let name = try UserName("Zoë \"the\" \\ 李")
    let hash = try #require(PasswordHash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"))
    let network = try #require(Network("203.0.113.0/24"))
    let whole = Sanction(
      name: name, by: name, reason: ShortText("\u{2028}\"no\""), at: at, until: until)
    let bare = Sanction(name: nil, by: name, reason: nil, at: at)
    return [
      .account(ann, Account(name: name, password: hash, role: .member, isDisabled: true)),
      .room(tea, RoomRecord(isPrivate: true)),
      .room(lobby, RoomRecord(isPrivate: false, isArchived: true)),
      .topic(tea, ShortText("a\nb \"c\"")), .member(tea, ann, .owner),
      .member(tea, PersonID(rawValue: -3), .member),
      .invitation(tea, code, Invitation()), .invitation(lobby, code, Invitation(usesLeft: 1)),
      .invitation(room("a"), code, Invitation(until: until)),
      .invitation(room("b"), code, Invitation(usesLeft: .max - 1, until: until)),
      .sanction(Sanction.Key(.ban, in: nil, of: .person(ann)), whole),
      .sanction(Sanction.Key(.mute, in: tea, of: .person(ann)), bare),
      .sanction(Sanction.Key(.ban, in: tea, of: .network(network)), bare),
      .sanction(
        Sanction.Key(.ban, in: nil, of: .network(try #require(Network("2001:db8::/32")))), whole),
      .partners(talk, PartnerNames(lower: name, higher: try UserName("bob"))),
      .mark(tea, ann, 0), .mark(talk, bob, 12), .mark(.audit, bob, .max - 1),
    ]
  }

  @Test(arguments: Keeper.allCases)
  func everyKindIsKeptReplacedAndRemoved(keeper: Keeper) async throws {
    let facts = try Self.facts()
    try await keeper.with { store in
      _ = try await store.append([.facts(facts)])
      let found = try await store.facts()
      #expect(found.count == facts.count && Set(found) == Set(facts))
      _ = try await store.append([.facts([.mark(tea, ann, 7), .topic(tea, nil)])])
      let less = try await store.facts()
      #expect(less.count == facts.count - 1 && less.contains(.mark(tea, ann, 7)))
    }
  }

  @Test func namesAreShownAsTheyWere() async throws {
    let place = try TemporaryDirectory()
    let name = try UserName("ÄNN")
    let partners = Fact.partners(Self.talk, PartnerNames(lower: name, higher: name))
    try await place.withStore { store in
      _ = try await store.append([.facts([partners])])
      guard case .partners(_, let names?) = try await store.facts().first else {
        Issue.record("there are no partners")
        return
      }
      #expect(names.lower.shown == "ÄNN" && names.higher.shown == "ÄNN")
    }
  }

  @Test func everyKindIsExportedAndImportedAsItIs() async throws {
    let place = try TemporaryDirectory()
    let facts = try Self.facts()
    try await place.withStore { store in _ = try await store.append([.facts(facts)]) }
    #expect(try place.problems() == [])
    let lines = try place.exported()
    for line in [
      #"{"fact":"room","key":"tea","value":{"private":true}}"#,
      #"{"fact":"room","key":"lobby","value":{"private":false,"archived":true}}"#,
      #"{"fact":"topic","key":"tea","value":"a\nb \"c\""}"#,
      #"{"fact":"member","key":"tea -3","value":"member"}"#,
      #"{"fact":"sanction","key":"ban tea network 203.0.113.0/24","value":{"by":"#,
      #"{"fact":"sanction","key":"ban * network 2001:db8::/32","value":{"by":"#,
      #"{"fact":"partners","key":"@-3.2","value":{"lower":"#,
      #"{"fact":"mark","key":"@-3.2 2","value":12}"#,
      #","role":"member","disabled":true}}"#, #"value":{"uses":1}}"#, #","value":{}}"#,
      #","value":{"until":"2027-01-15T08:01:00.000Z"}}"#,
    ] { #expect(lines.contains(line), "\(line)") }
    let copy = try TemporaryDirectory()
    #expect(try copy.take(lines).facts == facts.count)
    #expect(try copy.exported() == lines)
    #expect(try copy.take(lines).facts == 0)
    let found = try await copy.withStore { store in try await store.facts() }
    #expect(Set(found) == Set(facts))
  }

  private static let hash = String(repeating: "0", count: 64)

  /// What is put into the table, and words of the refusal.
  private static let rows: [(String, String)] = [
    ("(3, 'two words', '{\"private\":true}')", "room 'two words' cannot be read: its room's name"),
    ("(3, 'TEA', '{\"private\":true}')", "room 'TEA' cannot be read: its room's name cannot"),
    ("(3, '@2.1', '{\"private\":true}')", "room '@2.1' cannot be read: its room's name cannot"),
    ("(3, 'tea', '{}')", "it does not say whether it is private"),
    ("(3, 'tea', '{\"private\":1}')", "its 'private' is neither true nor false"),
    ("(3, 'tea', '{\"private\":true,\"archived\":null}')", "its 'archived' is neither"),
    ("(4, 'tea', '\"\"')", "its text has not 1 to 256 bytes"),
    ("(4, 'tea', '7')", "its text has not 1 to 256 bytes"),
    ("(4, 'tea 1', '\"t\"')", "its room's name cannot be one"),
    ("(5, 'tea', '\"owner\"')", "its room's name cannot be one"),
    ("(5, 'tea 0', '\"owner\"')", "its person is no number"),
    ("(5, 'tea 01', '\"owner\"')", "its person is no number"),
    ("(5, 'tea  1', '\"owner\"')", "its room's name cannot be one"),
    ("(5, 'tea 1', '\"king\"')", "its role is none"),
    ("(6, 'tea xyz', '{}')", "its code's hash is none"), ("(6, 'tea', '{}')", "its room's name"),
    ("(6, 'tea \(hash)', '7')", "it is no object"),
    ("(6, 'tea \(hash)', '{\"uses\":0}')", "it is no number above 0"),
    ("(6, 'tea \(hash)', '{\"until\":7}')", "its 'until' is no time"),
    ("(7, 'ban tea person', '{}')", "it is of no kind"),
    ("(7, 'kick tea person 1', '{}')", "it is of no kind"),
    ("(7, 'ban no! person 1', '{}')", "its room's name cannot be one"),
    ("(7, 'ban tea dog 1', '{}')", "it is for nobody"),
    ("(7, 'ban tea person x', '{}')", "its person is no number"),
    ("(7, 'ban tea network 10.0.0.1/8', '{}')", "its network is none"),
    ("(7, 'ban tea network 010.0.0.0/8', '{}')", "its network is none"),
    ("(7, 'ban tea person 1', '{}')", "it has no name 'by'"),
    ("(7, 'ban tea person 1', '{\"by\":\"a:b\"}')", "its name 'by' cannot be one"),
    ("(7, 'ban tea person 1', '{\"by\":\"ann\"}')", "its 'at' is no time"),
    (
      #"(7, 'ban tea person 1', '{"by":"ann","at":"2027-01-15T08:01:00Z","reason":""}')"#,
      "its text has not 1 to 256 bytes"
    ),
    (
      #"(7, 'ban tea person 1', '{"by":"ann","at":"2027-01-15T08:01:00Z","name":7}')"#,
      "it has no name"
    ),
    ("(8, 'tea', '{}')", "its room is nobody's conversation"),
    ("(8, '@audit', '{}')", "its room is nobody's conversation"),
    ("(8, '@1.2', '{\"lower\":\"ann\"}')", "it has no name 'higher'"),
    ("(9, 'tea 1', '-1')", "it is no number from 0 on"),
    ("(9, 'tea', '1')", "its room's name cannot be one"),
    ("(9, '@1.2 0', '1')", "its person is no number"),
    (
      #"(1, '7', '{"name":"ann","password":"$a","role":"member","disabled":"no"}')"#,
      "its 'disabled' is neither true nor false"
    ),
  ]

  @Test(arguments: rows.indices)
  func aFactThatCannotBeReadIsNamedAtTheStartAndByTheCheck(index: Int) async throws {
    let (row, words) = Self.rows[index]
    let place = try TemporaryDirectory()
    try await place.withStore { _ in }
    try place.alter("INSERT INTO facts VALUES \(row)")
    try await place.withStore { store in
      do throws(StoreError) {
        _ = try await store.facts()
        Issue.record("\(row) was read")
      } catch {
        #expect(error.sentence.contains("is damaged (") && error.sentence.contains(words))
      }
    }
    let problems = try place.problems()
    #expect(problems.count == 1 && problems.first?.contains(words) == true, "\(row): \(problems)")
  }
}
