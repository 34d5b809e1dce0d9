/// Accounts: registering, logging in by password, another password, logging out. Hashes nothing
/// itself: that is asked for and comes back.

package import ChatModel

/// Work on a password, slow on purpose. Each kind takes the same work whatever comes of it.
package enum PasswordWork: Hashable, Sendable {
  /// Is it the one that this hash is of? Nil is nobody's hash, and as much work.
  case check(Password, PasswordHash?)
  case make(Password)
  /// As both: the new one is hashed where the old one is right.
  case replace(Password, PasswordHash, by: Password)
}

/// What became of it.
package enum PasswordOutcome: Hashable, Sendable {
  case right
  case wrong
  case made(PasswordHash)
  /// It was not done.
  case refused(Refusal)
}

extension Hub {
  /// What a connection has asked that waits for work on a password, or for the store.
  struct Pending {
    let asked: RequestID?
    let step: Step

    enum Step {
      case logIn(UserName, PersonID?, PasswordHash?, Manner)
      case register(UserName, code: String?, Manner)
      case changePassword(PersonID, PasswordHash)
      case record
      case createAccount(UserName, Role)
      case setPassword(PersonID)
      case errand
      case erase(Erasure)
    }
  }

  mutating func logIn(
    _ id: ConnectionID, _ asked: RequestID?, as name: UserName, _ password: Password,
    orAsGuest: Bool, _ manner: Manner, at now: Duration
  ) -> [Effect] {
    let person = registry.person(named: name)
    if person == nil, orAsGuest {
      return logIn(id, asked, as: name, person: nil, manner, at: now)
    }
    let hash = person.flatMap { registry.account(of: $0)?.password }
    return ask(.check(password, hash), for: id, asked, .logIn(name, person, hash, manner))
  }

  mutating func register(
    _ id: ConnectionID, _ asked: RequestID?, as name: UserName, _ password: Password,
    code: String?, _ manner: Manner
  ) -> [Effect] {
    if let refusal = hindrance(to: id, registering: name) {
      return [.answer(id, asked, .refused(refusal))]
    }
    return ask(.make(password), for: id, asked, .register(name, code: code, manner))
  }

  mutating func changePassword(
    _ asking: Asking, from old: Password, to new: Password
  ) throws(Refused) -> [Effect] {
    guard let account = registry.account(of: asking.person) else { throw Refused(.noAccount) }
    return ask(
      .replace(old, account.password, by: new), for: asking.id, asking.request,
      .changePassword(asking.person, account.password))
  }

  mutating func logOut(_ asking: Asking) -> [Effect] {
    let person = asking.person
    return record(
      [.epoch(person, registry.epoch(of: person) + 1)], then: .logOut(person), for: asking.id,
      asking.request)
  }

  private mutating func ask(
    _ work: PasswordWork, for id: ConnectionID, _ asked: RequestID?, _ step: Pending.Step
  ) -> [Effect] {
    pending[id] = Pending(asked: asked, step: step)
    return [.wait(id), .hash(id, work)]
  }

  /// What became of ``Effect/hash(_:_:)``. The world may have changed meanwhile.
  package mutating func hashed(
    _ id: ConnectionID, _ outcome: PasswordOutcome, at now: Duration
  ) -> [Effect] {
    guard let waiting = pending.removeValue(forKey: id) else { return [] }  // it has gone
    let effects: [Effect]
    do throws(Refused) {
      effects = try hashed(id, waiting, outcome, at: now)
    } catch {
      effects = [.answer(id, waiting.asked, .refused(error.refusal))]
    }
    return effects.contains(.wait(id)) ? effects : effects + [.proceed(id)]
  }

  private mutating func hashed(
    _ id: ConnectionID, _ waiting: Pending, _ outcome: PasswordOutcome, at now: Duration
  ) throws(Refused) -> [Effect] {
    switch (waiting.step, outcome) {
    case (_, .refused(let refusal)): throw Refused(refusal)
    case (.logIn(let name, let person?, let hash?, let manner), .right):
      guard registry.account(of: person)?.password == hash else { throw Refused(.badPassword) }
      // Whoever is let in by what may still be put back would be somebody who never was.
      guard !registry.isChanging(person) else { throw Refused(.busy) }
      return logIn(
        id, waiting.asked, as: registry.account(of: person)?.name ?? name, person: person, manner,
        at: now)
    case (.register(let name, let code, let manner), .made(let hash)):
      return try register(id, waiting.asked, as: name, hash, code: code, manner)
    case (.changePassword(let person, let hash), .made(let new)):
      guard var account = registry.account(of: person), account.password == hash else {
        throw Refused(.badPassword)
      }
      account.password = new
      let facts: [Fact] = [
        .account(person, account), .epoch(person, registry.epoch(of: person) + 1),
      ]
      return record(facts, then: .renew(person), for: id, waiting.asked)
    case (.createAccount(let name, let role), .made(let hash)):
      let operating = Operating(id: id, request: waiting.asked, now: now)
      return try hashed(hash, operating, accountOf: name, role)
    case (.setPassword(let person), .made(let hash)):
      let operating = Operating(id: id, request: waiting.asked, now: now)
      return try hashed(hash, operating, anotherOf: person)
    case (.logIn, _), (.changePassword, _): throw Refused(.badPassword)
    case (.register, _), (.createAccount, _), (.setPassword, _), (.record, _), (.errand, _),
      (.erase, _):
      preconditionFailure("nobody asked whether a password is right")
    }
  }

  private mutating func register(
    _ id: ConnectionID, _ asked: RequestID?, as name: UserName, _ password: PasswordHash,
    code: String?, _ manner: Manner
  ) throws(Refused) -> [Effect] {
    if let refusal = hindrance(to: id, registering: name) { throw Refused(refusal) }
    if let code, !isOwnerCode(code) { throw Refused(.badCode) }
    // A guest keeps who it is, messages, keys and the spelling of its name.
    let person = residents[id]?.person ?? PersonID.random(using: &generator)
    let borne = people[person].flatMap { $0.name == name ? $0.name : nil }
    let account = Account(
      name: borne ?? name, password: password, role: code == nil ? .member : .owner)
    return record(
      [.account(person, account)], then: .logIn(person, account.name, manner), for: id, asked)
  }

  /// What keeps a connection from registering a name.
  private func hindrance(to id: ConnectionID, registering name: UserName) -> Refusal? {
    if name == .operating { return .nameTaken(name) }
    let person = residents[id]?.person
    if let person, registry.account(of: person) != nil { return .hasAccount }
    if registry.person(named: name) != nil { return .nameHasAccount(name) }
    if let holder = holders[name], holder != person { return .nameTaken(name) }
    return nil
  }

  /// Good until there is an owner. The time it takes does not tell where a wrong one differs.
  private func isOwnerCode(_ code: String) -> Bool {
    guard let right = ownerCode, !registry.hasOwner, right.utf8.count == code.utf8.count else {
      return false
    }
    return zip(right.utf8, code.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
