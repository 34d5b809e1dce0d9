/// What moderators do: kick, ban, mute, and who is a moderator. Each is a line of the log that the
/// server's owner can read, kept in one transaction with what it is about.

import ChatModel

extension Hub {
  mutating func kick(
    _ asking: Asking, _ room: RoomName?, _ name: UserName, _ reason: ShortText?
  ) throws(Refused) -> [Effect] {
    let target = try target(asking, name, in: room)
    guard let by = people[asking.person]?.name else { return [] }
    guard isThere(target, in: room) else { throw Refused(.notHere(name)) }
    var facts: [Fact] = []
    // Who was put out of a private room needs another invitation.
    if let room, registry.isPrivate(room), registry.role(of: target, in: room) != nil {
      facts.append(.member(room, target, nil))
    }
    return record(
      facts, line(asking, "kicked \(shown(target, name))\(whereabouts(room))\(because(reason))"),
      then: .expel(target, from: room, by: by, reason, nil), asking)
  }

  mutating func sanction(
    _ asking: Asking, _ kind: Sanction.Kind, _ room: RoomName?, _ subject: Subject,
    _ reason: ShortText?, seconds: Int?
  ) throws(Refused) -> [Effect] {
    guard let by = people[asking.person]?.name else { return [] }
    let until = seconds.map { moment.adding(seconds: $0) }
    let time = during(seconds)
    switch subject {
    case .network(let network):
      try checkNetwork(asking, kind, room, network)
      let sanction = Sanction(name: nil, by: by, reason: reason, at: moment, until: until)
      let key = Sanction.Key(kind, in: nil, of: .network(network))
      return record(
        try makeSpace(for: key) + [.sanction(key, sanction)],
        line(asking, "banned \(network.string)\(time)\(because(reason))"),
        then: .close(network, sanction), asking)
    case .name(let name):
      let target = try target(asking, name, in: room)
      let sanction = Sanction(
        name: shownName(target, name), by: by, reason: reason, at: moment, until: until)
      let key = Sanction.Key(kind, in: room, of: .person(target))
      var facts = try makeSpace(for: key) + [.sanction(key, sanction)]
      let past = kind == .ban ? "banned" : "muted"
      let text = "\(past) \(shown(target, name))\(whereabouts(room))\(time)\(because(reason))"
      guard kind == .ban else {
        return record(facts, line(asking, text), then: .answer(.done), asking)
      }
      // Nothing is left of what the person was there.
      if let room, registry.role(of: target, in: room) != nil {
        facts.append(.member(room, target, nil))
      }
      return record(
        facts, line(asking, text), then: .expel(target, from: room, by: by, reason, sanction),
        asking)
    }
  }

  mutating func lift(
    _ asking: Asking, _ kind: Sanction.Kind, _ room: RoomName?, _ subject: Subject
  ) throws(Refused) -> [Effect] {
    try checkMeasure(.moderator, asking, in: room)
    let key: Sanction.Key
    let whom: String
    switch subject {
    case .network(let network):
      key = Sanction.Key(kind, in: room, of: .network(network))
      whom = network.string
    case .name(let name):
      guard let target = sanctioned(name, kind, in: room) else { throw Refused(.notHere(name)) }
      guard target != asking.person else { throw Refused(.oneself) }
      key = Sanction.Key(kind, in: room, of: .person(target))
      whom = name.shown
    }
    guard registry.sanction(key) != nil else { return [asking.answer(.done)] }
    let past = kind == .ban ? "lifted the ban of" : "lifted the mute of"
    return record(
      [.sanction(key, nil)], line(asking, "\(past) \(whom)\(whereabouts(room))"),
      then: .answer(.done), asking)
  }

  mutating func setRole(
    _ asking: Asking, _ room: RoomName?, _ name: UserName, _ role: Role
  ) throws(Refused) -> [Effect] {
    try checkMeasure(.owner, asking, in: room)
    if let room { try checkOpen(room) }
    guard let target = registry.person(named: name) ?? holders[name] else {
      throw Refused(.notHere(name))
    }
    let fact: Fact
    if let room {
      let roles = registry.roles(in: room)
      let owners = roles.values.count { $0 == .owner }
      if roles[target] == .owner, role != .owner, owners == 1 { throw Refused(.lastOwner) }
      fact = .member(room, target, role == .member && !registry.isPrivate(room) ? nil : role)
    } else {
      guard var account = registry.account(of: target) else { throw Refused(.notHere(name)) }
      if account.role == .owner, role != .owner, registry.ownersCount == 1 {
        throw Refused(.lastOwner)
      }
      account.role = role
      fact = .account(target, account)
    }
    // What is so already needs no line.
    guard !registry.holds(fact) else { return [asking.answer(.done)] }
    let place = room.map { " of \($0.string)" } ?? " of the server"
    var sequel = Record.Sequel.answer(.done)
    // The log is for owners: whoever is none any more hears nothing more of it.
    if room == nil, role != .owner, let by = people[asking.person]?.name {
      sequel = .expel(target, from: .audit, by: by, nil, nil)
    }
    return record(
      [fact], line(asking, "made \(shown(target, name)) \(role.rawValue)\(place)"),
      then: sequel, asking)
  }

  // MARK: What follows

  /// Puts somebody out of a room, or off the server. Nothing more of it reaches them.
  mutating func expel(
    _ person: PersonID, from room: RoomName?, by: UserName, _ reason: ShortText?,
    _ ban: Sanction?, at now: Duration
  ) -> [Effect] {
    var effects: [Effect] = []
    let why: ClosingReason =
      if let room {
        .putOut(room, by: by, reason)
      } else if let ban {
        .banned(ban.reason, until: ban.until)
      } else {
        .kicked(by: by, reason)
      }
    for id in people[person]?.connections ?? [] {
      if let room {
        guard residents[id]?.rooms.contains(room) == true else { continue }
        residents[id]?.rooms.removeAll { $0 == room }
        effects += [.withdraw(id, room)] + part(from: room, id, person, at: now)
        effects.append(.tell(id, .kicked(room, by: by, reason)))
      } else {
        effects += disconnected(id, at: now)
        effects.append(.close(id, why))
      }
    }
    return effects + endFollowing(of: person, in: room, why)
      + [.withdrawAnswers(of: person, in: room, inChat: true)]
  }

  // MARK: Whom it is for

  private func target(
    _ asking: Asking, _ name: UserName, in room: RoomName?
  ) throws(Refused) -> PersonID {
    // Rights first: who has none is not told who is here.
    try checkMeasure(.moderator, asking, in: room)
    guard let target = registry.person(named: name) ?? holders[name] else {
      throw Refused(.notHere(name))
    }
    try checkRule(of: asking.person, over: target, name, in: room)
    return target
  }

  /// Whether there is anything to be put out: a connection, or an admission.
  private func isThere(_ person: PersonID, in room: RoomName?) -> Bool {
    if isFollowing(person, in: room) { return true }
    let connections = people[person]?.connections ?? []
    guard let room else { return !connections.isEmpty }
    if registry.isPrivate(room), registry.role(of: person, in: room) != nil { return true }
    return connections.contains { residents[$0]?.rooms.contains(room) == true }
  }

  private func checkMeasure(
    _ least: Role, _ asking: Asking, in room: RoomName?
  ) throws(Refused) {
    if let room { try readable(room, by: asking.person) }
    try checkRole(least, of: asking.person, in: room)
    // Nobody rules in the log.
    if room == .audit { try checkOpen(.audit) }
  }

  /// Somebody who is here or has an account, or a guest who has gone and is under a sanction.
  func sanctioned(
    _ name: UserName, _ kind: Sanction.Kind, in room: RoomName?
  ) -> PersonID? {
    let isThat = { (person: PersonID) in
      self.registry.sanction(Sanction.Key(kind, in: room, of: .person(person))) != nil
    }
    let known = [registry.person(named: name), holders[name]].compactMap { $0 }
    if let person = known.first(where: isThat) { return person }
    let gone = registry.sanctions(in: room).compactMap { key, sanction -> PersonID? in
      guard key.kind == kind, sanction.name == name, case .person(let person) = key.subject else {
        return nil
      }
      return person
    }
    // Of several guests of one name each lifting frees one.
    return gone.min { $0.rawValue < $1.rawValue } ?? known.first
  }

  /// A further sanction may take the place of some that have ended, where there are too many.
  private func makeSpace(for key: Sanction.Key) throws(Refused) -> [Fact] {
    let others = registry.sanctions(in: key.room)
    guard others.count >= limits.sanctionsPerPlaceMax, others[key] == nil else { return [] }
    let now = moment
    let ended = others.filter { !$0.value.isInForce(at: now) }
      .sorted { $0.value.at < $1.value.at }.prefix(100)
    guard !ended.isEmpty else {
      throw Refused(.tooMany(.sanctions, limit: limits.sanctionsPerPlaceMax))
    }
    return ended.map { .sanction($0.key, nil) }
  }

  private func checkNetwork(
    _ asking: Asking, _ kind: Sanction.Kind, _ room: RoomName?, _ network: Network
  ) throws(Refused) {
    guard kind == .ban, room == nil else {
      throw Refused(.operation(.networkElsewhere))
    }
    try checkRole(.moderator, of: asking.person, in: nil)
    if let address = asking.address, network.contains(address) { throw Refused(.oneself) }
  }

  // MARK: The log

  /// A line of the log of moderation.
  func line(_ asking: Asking, _ text: String) -> Draft? {
    guard let name = people[asking.person]?.name, let text = MessageText(text) else { return nil }
    return Draft(room: .audit, person: asking.person, from: name, text: text)
  }

  private func shownName(_ person: PersonID, _ name: UserName) -> UserName {
    people[person]?.name ?? registry.account(of: person)?.name ?? name
  }

  private func shown(_ person: PersonID, _ name: UserName) -> String {
    shownName(person, name).shown
  }

  func whereabouts(_ room: RoomName?) -> String {
    room.map { " in \($0.string)" } ?? " on the server"
  }

  func during(_ seconds: Int?) -> String { seconds.map { " for \($0) s" } ?? "" }

  func because(_ reason: ShortText?) -> String { reason.map { ": \($0.string)" } ?? "" }
}
