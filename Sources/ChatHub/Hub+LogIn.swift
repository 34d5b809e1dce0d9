/// How a connection comes by a name, and what happens when somebody else has it.

package import ChatModel

extension Hub {
  /// A login by a token that the caller has found good: the connection becomes this person again.
  /// `name` counts where the person has no account and is not here at the moment.
  package mutating func resume(
    _ person: PersonID, as name: UserName, epoch: Int64, _ manner: Manner,
    from id: ConnectionID, _ asked: RequestID? = nil, of address: String? = nil,
    at now: Duration
  ) -> [Effect] {
    do throws(Refused) {
      try checkOrigin(address)
      guard epoch == registry.epoch(of: person) else { throw Refused(.badToken) }
    } catch {
      return [.answer(id, asked, .refused(error.refusal))]
    }
    let name = people[person]?.name ?? registry.keptAccount(of: person)?.name ?? name
    return logIn(id, asked, as: name, person: person, manner, at: now)
  }

  /// `wanted` is nil for somebody new, or for a connection that keeps who it is. An account has
  /// one name: by another, its connection becomes a guest.
  mutating func logIn(
    _ id: ConnectionID, _ asked: RequestID?, as name: UserName, person wanted: PersonID?,
    _ manner: Manner, at now: Duration
  ) -> [Effect] {
    if name == .operating { return [.answer(id, asked, .refused(.nameTaken(name)))] }
    let present = residents[id]?.person
    // Whoever is here already is called as it is called here.
    let name = wanted.flatMap { $0 == present ? nil : people[$0]?.name } ?? name
    let keeps = present.flatMap { person in
      registry.account(of: person).map { $0.name == name } ?? true ? person : nil
    }
    let person = wanted ?? keeps
    if let person, let refusal = exclusion(of: person) {
      return [.answer(id, asked, .refused(refusal))]
    }
    if let owner = registry.person(named: name), owner != person {
      return [.answer(id, asked, .refused(.nameHasAccount(name)))]
    }
    if let holder = holders[name], holder != person {
      return ask(
        holder,
        Asker(
          connection: id, request: asked, name: name, person: wanted, manner: manner,
          epoch: wanted.map { registry.epoch(of: $0) } ?? 0))
    }
    if let person, person == present {
      return rename(person, name, at: now) { [.answerLogin(id, asked, person, $0)] }
    }
    if let person, let others = people[person]?.connections,
      others.count >= limits.connectionsPerPersonMax
    {
      return queue(
        Asker(
          connection: id, request: asked, name: name, person: person, manner: manner,
          epoch: registry.epoch(of: person)),
        behind: person)
    }
    // Whoever the connection was before, it is somebody else from here on.
    var effects = (residents[id]?.rooms ?? []).map { Effect.forget(id, $0) }
    effects += forget(id, at: now)
    let new = person ?? PersonID.random(using: &generator)
    // Coming by another connection is a sign of life.
    if people[new] != nil { effects += refuseAskers(of: new) }
    let newcomer = Person(
      name: name, bucket: TokenBucket(burst: limits.messagesBurst, at: now),
      signals: TokenBucket(burst: limits.signalsBurst, at: now), connections: [])
    people[new, default: newcomer].connections.append(id)
    holders[name] = new
    residents[id] = Resident(person: new, manner: manner)
    effects += [.named(id, new, name), .answerLogin(id, asked, new, name)]
    switch manner {
    case .oneRoom:
      if sanction(.ban, on: new, in: .lobby) == nil { effects += enter(.lobby, id, new, at: now) }
      return effects + missed(by: new, for: id)
    case .manyRooms: return effects
    }
  }

  /// Why somebody may not be here at all.
  func exclusion(of person: PersonID) -> Refusal? {
    if registry.account(of: person)?.isDisabled == true { return .accountDisabled }
    return sanction(.ban, on: person, in: nil).map { _, ban in
      .banned(nil, ban.reason, until: ban.until)
    }
  }

  /// Another name for the same person: a leave and a join in every room. The same name again
  /// changes nothing, not even its spelling.
  mutating func rename(
    _ person: PersonID, _ name: UserName, at now: Duration,
    answer: (UserName) -> [Effect] = { _ in [] }
  ) -> [Effect] {
    guard let old = people[person]?.name else { return [] }
    guard old != name else { return answer(old) }
    holders[old] = nil
    holders[name] = person
    people[person]?.name = name
    let connections = people[person]?.connections ?? []
    var effects = connections.map { Effect.named($0, person, name) } + answer(name)
    var told: Set<RoomName> = []
    for room in connections.flatMap({ residents[$0]?.rooms ?? [] })
    where told.insert(room).inserted {
      effects += announceRenamed(old, name, in: room, at: now)
    }
    return effects + admitAskers(of: person, at: now)
  }

  /// Queues for a name whose holder may be dead; the first who asks has the holder probed.
  private mutating func ask(_ holder: PersonID, _ asker: Asker) -> [Effect] {
    let isFirst = askers[holder] == nil
    askers[holder, default: []].append(asker)
    let probes = isFirst ? (people[holder]?.connections ?? []).map { Effect.probe($0) } : []
    return [.wait(asker.connection)] + probes
  }

  /// The answer to ``Effect/probe(_:)``. A holder that is alive keeps the name; a silent connection
  /// is closed, and with a person's last one the name goes to who asked first.
  package mutating func probed(
    _ connection: ConnectionID, isAlive: Bool, at now: Duration
  ) -> [Effect] {
    guard let holder = residents[connection]?.person else { return [] }  // it left meanwhile
    guard isAlive else {
      return disconnected(connection, at: now) + [.close(connection, .silent)]
    }
    return refuseAskers(of: holder) + crowdLives(holder, connection)
  }

  /// The holder lives and keeps its name.
  private mutating func refuseAskers(of holder: PersonID) -> [Effect] {
    (askers.removeValue(forKey: holder) ?? []).flatMap { asker in
      [
        Effect.answer(asker.connection, asker.request, .refused(.nameTaken(asker.name))),
        .proceed(asker.connection),
      ]
    }
  }

  /// The holder gave its name up: those who wait ask again, in order.
  private mutating func admitAskers(of holder: PersonID, at now: Duration) -> [Effect] {
    guard let waiting = askers.removeValue(forKey: holder) else { return [] }
    var effects: [Effect] = []
    for asker in waiting { effects += admit(asker, at: now) }
    return effects
  }

  /// Has somebody who waited ask again; what it proved who it is by may be void by now.
  mutating func admit(_ asker: Asker, at now: Duration) -> [Effect] {
    let id = asker.connection
    if let person = asker.person, registry.epoch(of: person) != asker.epoch {
      return [.answer(id, asker.request, .refused(.badToken)), .proceed(id)]
    }
    let effects = logIn(
      id, asker.request, as: asker.name, person: asker.person, asker.manner, at: now)
    return effects.contains(.wait(id)) ? effects : effects + [.proceed(id)]
  }

  /// Forgets who a connection was; nothing for one without a name.
  mutating func forget(_ id: ConnectionID, at now: Duration) -> [Effect] {
    guard let resident = residents.removeValue(forKey: id) else { return [] }
    let person = resident.person
    var effects = resident.rooms.flatMap { part(from: $0, id, person, at: now) }
    people[person]?.connections.removeAll { $0 == id }
    if let left = people[person], left.connections.isEmpty {
      people[person] = nil
      holders[left.name] = nil
      effects += admitAskers(of: person, at: now)
    }
    return effects + crowdShrinks(person, id, at: now)
  }
}
