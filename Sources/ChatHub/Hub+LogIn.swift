/// How a connection comes by a name, and what happens when somebody else has it.

import ChatModel

extension Hub {
  mutating func logIn(_ id: ConnectionID, as name: UserName, at now: Duration) -> [Effect] {
    let old = people[id]
    // The same name again changes nothing, not even its spelling.
    if old?.name == name { return [] }
    if let holder = holders[name] {
      return [.wait(id)] + ask(holder, for: Asker(connection: id, name: name))
    }
    var effects: [Effect] = []
    if old != nil { effects += leave(id, at: now) + admitAskers(of: id, at: now) }
    let bucket = old?.bucket ?? TokenBucket(burst: limits.messagesBurst, at: now)
    people[id] = Person(name: name, bucket: bucket)
    holders[name] = id
    effects.append(.named(id, name))
    return effects + enter(id, as: name, at: now)
  }

  /// Queues for a name whose holder may be dead; the first who asks has the holder probed.
  private mutating func ask(_ holder: ConnectionID, for asker: Asker) -> [Effect] {
    askers[holder, default: []].append(asker)
    return askers[holder]?.count == 1 ? [.probe(holder)] : []
  }

  /// The answer to ``Effect/probe(_:)``. A holder that is alive keeps the name, a silent one is
  /// closed and its name goes to who asked first.
  package mutating func probed(
    _ holder: ConnectionID, isAlive: Bool, at now: Duration
  ) -> [Effect] {
    guard people[holder] != nil else { return [] }  // it left by itself meanwhile
    guard isAlive else {
      return disconnected(holder, at: now) + [.close(holder, .silent)]
    }
    return (askers.removeValue(forKey: holder) ?? []).flatMap { asker in
      [
        Effect.tell(asker.connection, .refused(.nameTaken(asker.name))),
        .proceed(asker.connection),
      ]
    }
  }

  /// The holder gave its name up: those who wait ask again, in order.
  mutating func admitAskers(of holder: ConnectionID, at now: Duration) -> [Effect] {
    guard let waiting = askers.removeValue(forKey: holder) else { return [] }
    var effects: [Effect] = []
    for asker in waiting {
      let outcome = logIn(asker.connection, as: asker.name, at: now)
      let waitsAgain = outcome.contains(.wait(asker.connection))
      effects += outcome
      if !waitsAgain { effects.append(.proceed(asker.connection)) }
    }
    return effects
  }
}
