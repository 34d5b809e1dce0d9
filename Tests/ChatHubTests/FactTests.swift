/// Facts: judged by at once, and put back in the right order where they could not be kept.

import ChatModel
import Testing

@testable import ChatHub

@Suite struct FactTests {
  private let ann = PersonID(rawValue: 1)
  private let bob = PersonID(rawValue: 2)

  private func account(_ name: String, _ role: Role = .member) -> Account {
    Account(name: user(name), password: hash(of: name), role: role)
  }

  @Test func eachFactGivesTheOneThatPutsTheFormerBack() {
    var registry = Registry()
    #expect(registry.set(.account(ann, account("ann"))) == .account(ann, nil))
    #expect(registry.set(.account(ann, account("zoe"))) == .account(ann, account("ann")))
    #expect(registry.person(named: user("ann")) == nil)
    #expect(registry.person(named: user("zoe")) == ann)
    #expect(registry.set(.account(ann, nil)) == .account(ann, account("zoe")))
    #expect(registry.set(.epoch(ann, 3)) == .epoch(ann, nil))
    #expect(registry.set(.epoch(ann, nil)) == .epoch(ann, 3))
    #expect(registry.epoch(of: ann) == 0)
  }

  @Test func severalFactsAtOnceArePutBackTheOtherWayRound() {
    var registry = Registry([.account(ann, account("ann", .owner))])
    let facts: [Fact] = [
      .account(ann, nil), .account(bob, account("ann")), .account(bob, account("bob")),
    ]
    for fact in registry.begin(facts) { registry.set(fact) }
    #expect(registry.account(of: ann) == account("ann", .owner))
    #expect(registry.person(named: user("ann")) == ann)
    #expect(registry.account(of: bob) == nil && registry.hasOwner)
  }

  @Test func whatLaterOnesSetOnTopOfEachOtherIsPutBackAsItWasBeforeTheFirst() throws {
    var chat = Chat(facts: [.account(ann, account("ann")), .epoch(ann, 7)])
    for id in [1, 2] { chat.resume(id, ann, as: "ann", .manyRooms, epoch: 7) }
    let effects = chat.ask(1, .logOut) + chat.ask(2, .logOut)
    #expect(chat.hub.registry.epoch(of: ann) == 9)
    #expect(chat.hub.registry.isUnderWay(.epoch(ann)))
    #expect(chat.fail(effects).refusals(of: 2).count == 1)
    #expect(chat.hub.registry.epoch(of: ann) == 7)
    #expect(!chat.hub.registry.isUnderWay(.epoch(ann)))
  }

  @Test func whatIsKeptIsKnownWhateverIsOnItsWay() {
    var registry = Registry()
    let (first, second) = (account("ann"), account("zoe"))
    _ = registry.begin([.account(ann, first)])
    #expect(registry.account(of: ann) == first && registry.keptAccount(of: ann) == nil)
    _ = registry.begin([.account(ann, second)])
    registry.end([.account(ann, first)], isKept: true)
    #expect(registry.account(of: ann) == second && registry.keptAccount(of: ann) == first)
    registry.end([.account(ann, second)], isKept: true)
    #expect(registry.keptAccount(of: ann) == second && !registry.isChanging(ann))
    _ = registry.begin([.epoch(ann, 1)])
    #expect(registry.epoch(of: ann) == 1 && registry.keptEpoch(of: ann) == 0)
    #expect(registry.isChanging(ann))
    registry.end([.epoch(ann, 1)], isKept: true)
    #expect(registry.keptEpoch(of: ann) == 1)
  }

  @Test func tenThousandAccountsAreThereAtOnce() {
    let facts = (1...10_000).map { number in
      Fact.account(PersonID(rawValue: Int64(number)), account("person \(number)"))
    }
    let registry = Registry(facts)
    #expect(registry.person(named: user("Person 10000")) == PersonID(rawValue: 10_000))
  }
}
