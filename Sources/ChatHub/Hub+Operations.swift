/// What whoever runs the server asks of accounts and sanctions. No role counts here: who may ask is
/// decided by where the connection comes from. Each change is a line of the log of moderation.

package import ChatModel

/// An operator's request, and where its answer goes.
struct Operating {
  let id: ConnectionID
  let request: RequestID?
  let now: Duration

  var ticket: Ticket { Ticket(connection: id, request: request) }

  func answer(_ answer: Answer) -> Effect { .answer(id, request, answer) }
}

extension UserName {
  /// Operators are shown by this name, which nobody else can bear.
  static let operating: UserName = {
    guard let name = try? UserName("operator") else { preconditionFailure("a name") }
    return name
  }()
}

extension Hub {
  /// One request of an operator. Such a connection asks nothing else, and never has a name.
  package mutating func operate(
    _ operation: ChatModel.Operation, _ asked: RequestID? = nil, from id: ConnectionID,
    at now: Duration
  ) -> [Effect] {
    let operating = Operating(id: id, request: asked, now: now)
    do throws(Refused) {
      return try operate(operation, operating)
    } catch {
      return [operating.answer(.refused(error.refusal))]
    }
  }

  private mutating func operate(
    _ operation: ChatModel.Operation, _ operating: Operating
  ) throws(Refused) -> [Effect] {
    switch operation {
    case .status: run(.survey(status), .errand, operating)
    case .accounts(let after): [operating.answer(.report(listedAccounts(after: after)))]
    case .createAccount(let name, let password, let role):
      try createAccount(operating, name, password, role)
    case .setPassword(let party, let password): try setPassword(operating, party, password)
    case .setDisabled(let party, let isDisabled):
      try setDisabled(operating, party, isDisabled)
    case .removeAccount(let party): try removeAccount(operating, party)
    case .token(let party, let days): try giveToken(operating, party, days: days)
    case .erase(let party, let after): try erase(operating, party, after: after)
    case .rooms(let after): [operating.answer(.report(operatedRooms(after: after)))]
    case .archive(let room): try archive(operating, room)
    case .removeRoom(let room): try removeRoom(operating, room)
    case .sanctions(let after): [operating.answer(.report(listedSanctions(after: after)))]
    case .sanction(let kind, let room, let party, let reason, let seconds):
      try sanction(operating, kind, room, party, reason, seconds: seconds)
    case .lift(let kind, let room, let party): try lift(operating, kind, room, party)
    case .audit(let before, let limit):
      [
        .fetch(
          operating.id, operating.request, .audit, .before(before),
          limit: min(max(1, limit), limits.historyMax))
      ]
    }
  }

  // MARK: Accounts

  private mutating func createAccount(
    _ operating: Operating, _ name: UserName, _ password: Password, _ role: Role
  ) throws(Refused) -> [Effect] {
    try checkFree(name)
    return hash(password, .createAccount(name, role), operating)
  }

  private func checkFree(_ name: UserName) throws(Refused) {
    guard name != .operating else { throw Refused(.nameTaken(name)) }
    guard registry.person(named: name) == nil else {
      throw Refused(.operation(.accountExists(name)))
    }
    guard holders[name] == nil else { throw Refused(.operation(.nameHeld(name))) }
  }

  private mutating func setPassword(
    _ operating: Operating, _ party: ChatModel.Operation.Party, _ password: Password
  ) throws(Refused) -> [Effect] {
    let (person, _) = try account(of: party)
    return hash(password, .setPassword(person), operating)
  }

  private mutating func hash(
    _ password: Password, _ step: Pending.Step, _ operating: Operating
  ) -> [Effect] {
    pending[operating.id] = Pending(asked: operating.request, step: step)
    return [.wait(operating.id), .hash(operating.id, .make(password))]
  }

  /// The password's hash is there. The world may have changed meanwhile.
  mutating func hashed(
    _ hash: PasswordHash, _ operating: Operating, accountOf name: UserName, _ role: Role
  ) throws(Refused) -> [Effect] {
    try checkFree(name)
    let person = PersonID.random(using: &generator)
    let account = Account(name: name, password: hash, role: role)
    let state = AccountState(person: person, name: name, role: role)
    return record(
      [.account(person, account)],
      operatorLine("created the account \(name.shown), \(role.rawValue) of the server"),
      then: .answer(.report(.account(state))), operating)
  }

  mutating func hashed(
    _ hash: PasswordHash, _ operating: Operating, anotherOf person: PersonID
  ) throws(Refused) -> [Effect] {
    var (_, account) = try account(of: .person(person))
    account.password = hash
    return record(
      [.account(person, account), .epoch(person, registry.epoch(of: person) + 1)],
      operatorLine("set the password of \(account.name.shown)"), then: .revoke(person),
      operating)
  }

  private mutating func setDisabled(
    _ operating: Operating, _ party: ChatModel.Operation.Party, _ isDisabled: Bool
  ) throws(Refused) -> [Effect] {
    var (person, account) = try account(of: party)
    guard account.isDisabled != isDisabled else { return [operating.answer(.done)] }
    account.isDisabled = isDisabled
    let line = operatorLine(
      "\(isDisabled ? "disabled" : "enabled") the account \(account.name.shown)")
    guard isDisabled else {
      return record([.account(person, account)], line, then: .answer(.done), operating)
    }
    return record(
      [.account(person, account), .epoch(person, registry.epoch(of: person) + 1)], line,
      then: .endAccount(person), operating)
  }

  /// What the person has said stays, under its name; so do its conversations, for the others.
  private mutating func removeAccount(
    _ operating: Operating, _ party: ChatModel.Operation.Party
  ) throws(Refused) -> [Effect] {
    let (person, account) = try account(of: party)
    var facts: [Fact] = [
      .account(person, nil), .epoch(person, registry.epoch(of: person) + 1),
    ]
    facts += registry.rooms(with: person).map { .member($0, person, nil) }
    facts += registry.marks(of: person).keys.sorted { $0.string < $1.string }.map {
      .mark($0, person, nil)
    }
    return record(
      facts, operatorLine("removed the account \(account.name.shown)"),
      then: .endAccount(person), operating)
  }

  func account(
    of party: ChatModel.Operation.Party
  ) throws(Refused) -> (PersonID, Account) {
    switch party {
    case .name(let name):
      guard let person = registry.person(named: name),
        let account = registry.account(of: person)
      else { throw Refused(.operation(.noAccount(name))) }
      return (person, account)
    case .person(let person):
      guard let account = registry.account(of: person) else {
        throw Refused(.operation(.guest(person)))
      }
      return (person, account)
    case .network: throw Refused(.operation(.networkElsewhere))
    }
  }

  // MARK: Sanctions

  private mutating func sanction(
    _ operating: Operating, _ kind: Sanction.Kind, _ room: RoomName?,
    _ party: ChatModel.Operation.Party, _ reason: ShortText?, seconds: Int?
  ) throws(Refused) -> [Effect] {
    if let room { try checkThere(room) }
    let subject = try subject(party, kind, in: room)
    let until = seconds.map { moment.adding(seconds: $0) }
    let name = self.name(of: subject, party)
    let sanction = Sanction(
      name: name, by: .operating, reason: reason, at: moment, until: until)
    var facts: [Fact] = [.sanction(Sanction.Key(kind, in: room, of: subject), sanction)]
    let past = kind == .ban ? "banned" : "muted"
    let words =
      "\(past) \(shown(subject, name))\(whereabouts(room))\(during(seconds))\(because(reason))"
    let sequel: Record.Sequel
    switch subject {
    case .network(let network): sequel = .close(network, sanction)
    case .person(let person):
      if let room, kind == .ban, registry.role(of: person, in: room) != nil {
        facts.append(.member(room, person, nil))
      }
      sequel =
        kind == .ban
        ? .expel(person, from: room, by: .operating, reason, sanction) : .answer(.done)
    }
    return record(facts, operatorLine(words), then: sequel, operating)
  }

  private mutating func lift(
    _ operating: Operating, _ kind: Sanction.Kind, _ room: RoomName?,
    _ party: ChatModel.Operation.Party
  ) throws(Refused) -> [Effect] {
    let subject: Sanction.Subject
    switch party {
    case .network(let network): subject = .network(network)
    case .person(let person): subject = .person(person)
    case .name(let name):
      // Of a guest who has gone, too.
      guard let person = sanctioned(name, kind, in: room) else {
        throw Refused(.operation(.noSanction(kind)))
      }
      subject = .person(person)
    }
    let key = Sanction.Key(kind, in: room, of: subject)
    guard let sanction = registry.sanction(key) else {
      throw Refused(.operation(.noSanction(kind)))
    }
    let what = kind == .ban ? "ban" : "mute"
    return record(
      [.sanction(key, nil)],
      operatorLine("lifted the \(what) of \(shown(subject, sanction.name))\(whereabouts(room))"),
      then: .answer(.done), operating)
  }

  private func subject(
    _ party: ChatModel.Operation.Party, _ kind: Sanction.Kind, in room: RoomName?
  ) throws(Refused) -> Sanction.Subject {
    guard case .network(let network) = party else { return .person(try person(party)) }
    guard kind == .ban, room == nil else { throw Refused(.operation(.networkElsewhere)) }
    return .network(network)
  }

  /// Somebody who has an account or is here; by number anybody.
  func person(_ party: ChatModel.Operation.Party) throws(Refused) -> PersonID {
    switch party {
    case .name(let name):
      guard let person = registry.person(named: name) ?? holders[name] else {
        throw Refused(.operation(.nobody(name)))
      }
      return person
    case .person(let person): return person
    case .network: throw Refused(.operation(.networkElsewhere))
    }
  }

  private func name(
    of subject: Sanction.Subject, _ party: ChatModel.Operation.Party
  ) -> UserName? {
    guard case .person(let person) = subject else { return nil }
    let known = people[person]?.name ?? registry.account(of: person)?.name
    if case .name(let name) = party { return known ?? name }
    return known
  }

  private func shown(_ subject: Sanction.Subject, _ name: UserName?) -> String {
    switch subject {
    case .network(let network): network.string
    case .person(let person): name?.shown ?? "person \(person.rawValue)"
    }
  }

  // MARK: What all need

  /// A room that people made.
  func checkThere(_ room: RoomName) throws(Refused) {
    guard rooms[room] != nil, !room.isMade else {
      throw Refused(.operation(.noSuchRoom(room)))
    }
    guard !removing.contains(room) else { throw Refused(.operation(.beingRemoved(room))) }
  }

  mutating func record(
    _ facts: [Fact], _ line: Draft?, then sequel: Record.Sequel, _ operating: Operating
  ) -> [Effect] {
    record(facts, line, then: sequel, for: operating.id, operating.request)
  }

  /// A line of the log of moderation.
  func operatorLine(_ words: String) -> Draft? {
    MessageText(words).map {
      Draft(room: .audit, person: .operator, from: .operating, text: $0)
    }
  }

  /// Has something done elsewhere; nothing more is taken of the connection meanwhile.
  mutating func run(
    _ errand: Errand, _ step: Pending.Step, _ operating: Operating
  ) -> [Effect] {
    pending[operating.id] = Pending(asked: operating.request, step: step)
    return [.wait(operating.id), .errand(operating.id, errand)]
  }
}
