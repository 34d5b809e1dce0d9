/// All facts, as they are judged by. Keeps none of them by itself, and decides nothing.

package import ChatModel

/// What is known besides messages: set at once, and put back where it could not be kept.
package struct Registry {
  private var accounts: [PersonID: Account] = [:]
  private var people: [UserName: PersonID] = [:]
  private var epochs: [PersonID: Int64] = [:]
  private var owners = 0
  private var underWay: [Fact.Key: UnderWay] = [:]

  /// What of one key is on its way to the store.
  private struct UnderWay {
    var records = 0
    /// What is kept of it so far.
    var kept: Fact
  }

  /// As a store gives them.
  package init(_ facts: [Fact] = []) {
    for fact in facts { set(fact) }
  }

  package func account(of person: PersonID) -> Account? { accounts[person] }

  /// Whose account has this name?
  package func person(named name: UserName) -> PersonID? { people[name] }

  package func epoch(of person: PersonID) -> Int64 { epochs[person] ?? 0 }

  package var hasOwner: Bool { owners > 0 }

  /// Whether what is judged by may still be put back.
  func isUnderWay(_ key: Fact.Key) -> Bool { underWay[key] != nil }

  /// Whether the person's account, or what its tokens are worth, may still be put back.
  func isChanging(_ person: PersonID) -> Bool {
    isUnderWay(.account(person)) || isUnderWay(.epoch(person))
  }

  /// The person's account as it is kept, whatever is on its way.
  func keptAccount(of person: PersonID) -> Account? {
    guard case .account(_, let account) = underWay[.account(person)]?.kept else {
      return accounts[person]
    }
    return account
  }

  /// The same of its epoch.
  package func keptEpoch(of person: PersonID) -> Int64 {
    guard case .epoch(_, let epoch) = underWay[.epoch(person)]?.kept else {
      return epoch(of: person)
    }
    return epoch ?? 0
  }

  // MARK: Changes

  /// Sets facts that are to be kept. What is given puts the former values back, in this order.
  mutating func begin(_ facts: [Fact]) -> [Fact] {
    var inverses: [Fact] = []
    for fact in facts {
      let inverse = set(fact)
      underWay[fact.key, default: UnderWay(kept: inverse)].records += 1
      inverses.append(inverse)
    }
    return inverses.reversed()
  }

  /// They are kept, or their former values were put back.
  mutating func end(_ facts: [Fact], isKept: Bool) {
    for fact in facts {
      if isKept { underWay[fact.key]?.kept = fact }
      underWay[fact.key]?.records -= 1
      if underWay[fact.key]?.records == 0 { underWay[fact.key] = nil }
    }
  }

  /// Gives the fact that puts the former value back.
  @discardableResult
  mutating func set(_ fact: Fact) -> Fact {
    switch fact {
    case .account(let person, let account):
      let former = accounts[person]
      if let former {
        people[former.name] = nil
        if former.role == .owner { owners -= 1 }
      }
      accounts[person] = account
      if let account {
        people[account.name] = person
        if account.role == .owner { owners += 1 }
      }
      return .account(person, former)
    case .epoch(let person, let epoch):
      let former = epochs[person]
      epochs[person] = epoch
      return .epoch(person, former)
    }
  }
}

/// Facts that are set and are to be kept, and what follows once they are.
package struct Record: Hashable, Sendable {
  package let facts: [Fact]
  /// What puts the former values back.
  let former: [Fact]
  let sequel: Sequel

  /// What is done, and answered, when the facts are kept.
  enum Sequel: Hashable, Sendable {
    /// The connection that asked becomes this person.
    case logIn(PersonID, UserName, Manner)
    /// The person goes on by that connection alone, with a new token.
    case renew(PersonID)
    /// None of the person's connections is the person's any more.
    case logOut(PersonID)
  }
}
