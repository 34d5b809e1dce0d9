/// How facts change: set at once, so that what comes behind is judged by them; answered when they
/// are kept; put back where they could not be.

package import ChatModel

extension Hub {
  /// Sets facts and has them kept, behind all that is to be kept already.
  mutating func record(
    _ facts: [Fact], then sequel: Record.Sequel, for id: ConnectionID, _ asked: RequestID?
  ) -> [Effect] {
    let record = Record(facts: facts, former: registry.begin(facts), sequel: sequel)
    pending[id] = Pending(asked: asked, step: .record)
    return [.record(record, Ticket(connection: id, request: asked))]
  }

  /// These could not be kept, in the order of their effects: the last are put back first. Before
  /// anything else is asked, and before ``recorded(_:_:_:at:)`` of each.
  package mutating func takeBack(_ records: [Record]) {
    for record in records.reversed() {
      for fact in record.former { registry.set(fact) }
    }
  }

  /// What became of ``Effect/record(_:_:)``, in the order of those effects; `trouble` is nil where
  /// the facts are kept.
  package mutating func recorded(
    _ record: Record, _ ticket: Ticket, _ trouble: StoreTrouble?, at now: Duration
  ) -> [Effect] {
    registry.end(record.facts, isKept: trouble == nil)
    // Nil where the connection has gone meanwhile: what is kept is true all the same.
    let isThere = pending.removeValue(forKey: ticket.connection) != nil
    if let trouble {
      return isThere
        ? [.answer(ticket.connection, ticket.request, .refused(.notStored(reason: trouble)))] : []
    }
    switch record.sequel {
    case .logIn(let person, let name, let manner):
      guard isThere else { return rename(person, name, at: now) }
      return logIn(
        ticket.connection, ticket.request, as: name, person: person, manner, at: now)
    case .renew(let person):
      let effects = endConnections(of: person, but: ticket.connection, at: now)
      guard isThere, let name = people[person]?.name else { return effects }
      return effects + [.answerLogin(ticket.connection, ticket.request, person, name)]
    case .logOut(let person):
      let effects = endConnections(of: person, but: ticket.connection, at: now)
      return isThere
        ? effects + logOut(ticket.connection, at: now)
          + [.answer(ticket.connection, ticket.request, .loggedOut)] : effects
    }
  }

  /// Whether the person has no account that is kept.
  package func isGuest(_ person: PersonID) -> Bool {
    registry.keptAccount(of: person) == nil
  }

  /// The connection bears no name any more.
  private mutating func logOut(_ id: ConnectionID, at now: Duration) -> [Effect] {
    let rooms = (residents[id]?.rooms ?? []).map { Effect.forget(id, $0) }
    return rooms + forget(id, at: now) + [.unnamed(id)]
  }

  /// Whoever else speaks for the person has to prove it again.
  private mutating func endConnections(
    of person: PersonID, but one: ConnectionID, at now: Duration
  ) -> [Effect] {
    var effects: [Effect] = []
    for id in people[person]?.connections ?? [] where id != one {
      effects += disconnected(id, at: now) + [.close(id, .loggedOut)]
    }
    return effects
  }
}
