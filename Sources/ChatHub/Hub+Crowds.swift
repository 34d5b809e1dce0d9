/// A person with as many connections as one may have: some of them may be dead, and make room for
/// the one that comes back.

import ChatModel

extension Hub {
  /// Who waits to be let in, and whose answer is still awaited.
  struct Crowd {
    var askers: [Asker] = []
    var probed: Set<ConnectionID>
  }

  /// Has all of the person's connections probed; the asker takes the place of the first that is
  /// silent, and is refused when none is.
  mutating func queue(_ asker: Asker, behind person: PersonID) -> [Effect] {
    if crowds[person] != nil {
      crowds[person]?.askers.append(asker)
      return [.wait(asker.connection)]
    }
    let connections = people[person]?.connections ?? []
    crowds[person] = Crowd(askers: [asker], probed: Set(connections))
    return [.wait(asker.connection)] + connections.map { .probe($0) }
  }

  /// One of the connections lives.
  mutating func crowdLives(_ person: PersonID, _ id: ConnectionID) -> [Effect] {
    guard crowds[person]?.probed.remove(id) != nil else { return [] }
    return finishCrowd(person)
  }

  /// One of the connections has gone: whoever came first takes its place.
  mutating func crowdShrinks(_ person: PersonID, _ id: ConnectionID, at now: Duration) -> [Effect] {
    guard crowds[person] != nil else { return [] }
    crowds[person]?.probed.remove(id)
    var effects: [Effect] = []
    while people[person]?.connections.count ?? 0 < limits.connectionsPerPersonMax,
      let asker = crowds[person]?.askers.first
    {
      crowds[person]?.askers.removeFirst()
      effects += admit(asker, at: now)
    }
    return effects + finishCrowd(person)
  }

  /// Once all are known to live or have gone, nobody who still waits has a place.
  private mutating func finishCrowd(_ person: PersonID) -> [Effect] {
    guard crowds[person]?.probed.isEmpty == true, let crowd = crowds.removeValue(forKey: person)
    else { return [] }
    let limit = limits.connectionsPerPersonMax
    return crowd.askers.flatMap { asker in
      [
        Effect.answer(
          asker.connection, asker.request, .refused(.tooManyConnections(limit: limit))),
        .proceed(asker.connection),
      ]
    }
  }
}
