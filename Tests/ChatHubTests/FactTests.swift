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

  /// Of each kind one that sets and one that removes.
  private static let pairs: [(Fact, Fact)] = {
    let (tea, one, name) = (room("tea"), PersonID(rawValue: 1), user("ann"))
    let talk = RoomName.conversation(of: one, and: PersonID(rawValue: 2))
    let code = codeHash(of: "code")
    let sanction = Sanction(name: name, by: name, reason: nil, at: noon)
    let ban = Sanction.Key(.ban, in: tea, of: .person(one))
    let net = Sanction.Key(.ban, in: nil, of: .network(network("192.0.2.0/24")))
    return [
      (.room(tea, RoomRecord(isPrivate: true)), .room(tea, nil)),
      (.topic(tea, short("leaves")), .topic(tea, nil)),
      (.member(tea, one, .member), .member(tea, one, nil)),
      (.invitation(tea, code, Invitation(usesLeft: 1)), .invitation(tea, code, nil)),
      (.sanction(ban, sanction), .sanction(ban, nil)),
      (.sanction(net, sanction), .sanction(net, nil)),
      (.partners(talk, PartnerNames(lower: name, higher: name)), .partners(talk, nil)),
      (.mark(tea, one, 3), .mark(tea, one, nil)), (.epoch(one, 1), .epoch(one, nil)),
    ]
  }()

  @Test(arguments: pairs)
  func whatIsSetAndRemovedLeavesNothing(fact: Fact, removal: Fact) {
    var registry = Registry()
    #expect(registry.set(removal) == removal && registry == Registry())
    #expect(registry.set(fact) == removal && registry != Registry())
    #expect(registry.set(fact) == fact && registry == Registry([fact]))
    #expect(registry.set(removal) == fact && registry == Registry())
  }

  @Test func aThousandRoomsAndTheirPeopleAreThereAtOnceAndCanAllBePutBack() {
    var registry = Registry()
    let facts = (0..<1_000).flatMap { index -> [Fact] in
      let name = room("room\(index)")
      return [
        .room(name, RoomRecord(isPrivate: index.isMultiple(of: 2))), .member(name, ann, .owner),
        .topic(name, short("\(index)")), .mark(name, bob, 7),
      ]
    }
    let former = registry.begin(facts)
    #expect(registry.marks(of: bob).count == 1_000 && registry.isPrivate(room("room998")))
    for fact in former { registry.set(fact) }
    registry.end(facts, isKept: false)
    #expect(registry == Registry())
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
