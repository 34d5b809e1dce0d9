/// How facts change: set at once, so that what comes behind is judged by them; answered when they
/// are kept; put back where they could not be.

package import ChatModel

extension Hub {
  /// Sets facts and has them kept, behind all that is to be kept already; with a line of the log
  /// of moderation where there is one.
  mutating func record(
    _ facts: [Fact], _ line: Draft? = nil, then sequel: Record.Sequel, for id: ConnectionID,
    _ asked: RequestID?
  ) -> [Effect] {
    pending[id] = Pending(asked: asked, step: .record)
    return note(facts, line, then: sequel, Ticket(connection: id, request: asked))
  }

  mutating func record(
    _ facts: [Fact], _ line: Draft? = nil, then sequel: Record.Sequel, _ asking: Asking
  ) -> [Effect] {
    record(facts, line, then: sequel, for: asking.id, asking.request)
  }

  /// The same of facts that nobody waits for.
  mutating func note(
    _ facts: [Fact], _ line: Draft?, then sequel: Record.Sequel = .nothing, _ ticket: Ticket
  ) -> [Effect] {
    let record = Record(
      facts: facts, line: line, former: registry.begin(facts), sequel: sequel)
    return [.record(record, ticket)]
  }

  /// These could not be kept, in the order of their effects: the last are put back first. Before
  /// anything else is asked, and before ``recorded(_:_:_:at:)`` of each.
  package mutating func takeBack(_ records: [Record]) {
    for record in records.reversed() {
      for fact in record.former { registry.set(fact) }
    }
  }

  /// What became of ``Effect/record(_:_:)``, in the order of those effects.
  package mutating func recorded(
    _ record: Record, _ ticket: Ticket, _ outcome: RecordOutcome, at now: Duration
  ) -> [Effect] {
    let id = ticket.connection
    // Nil where the connection has gone meanwhile: what is kept is true all the same.
    let isThere = pending.removeValue(forKey: id) != nil
    var effects: [Effect] = []
    switch outcome {
    case .failed(let trouble):
      registry.end(record.facts, isKept: false)
      dropRooms(of: record)
      stopRemoving(record.sequel)
      return isThere ? [.answer(id, ticket.request, .refused(.notStored(reason: trouble)))] : []
    case .kept: break
    case .keptLine(let seq, let at):
      if let line = record.line { effects += publish(Message(line, seq: seq, at: at)) }
    }
    registry.end(record.facts, isKept: true)
    return effects + follow(record.sequel, ticket, isThere: isThere, at: now)
  }

  private mutating func follow(
    _ sequel: Record.Sequel, _ ticket: Ticket, isThere: Bool, at now: Duration
  ) -> [Effect] {
    let id = ticket.connection
    let answer = { (answer: Answer) -> [Effect] in
      isThere ? [.answer(id, ticket.request, answer)] : []
    }
    switch sequel {
    case .nothing: return []
    case .answer(let what): return answer(what)
    case .logIn(let person, let name, let manner):
      guard isThere else { return rename(person, name, at: now) }
      return logIn(id, ticket.request, as: name, person: person, manner, at: now)
    case .renew(let person):
      let effects = endConnections(of: person, but: id, .loggedOut, at: now)
      guard isThere, let name = people[person]?.name else { return effects }
      return effects + [.answerLogin(id, ticket.request, person, name)]
    case .logOut(let person):
      let effects = endConnections(of: person, but: id, .loggedOut, at: now)
      return isThere ? effects + logOut(id, at: now) + answer(.loggedOut) : effects
    case .enter(let room, let beginning):
      guard isThere else { return [] }
      return enter(id, ticket.request, room, beginning, at: now)
    case .mark(let room, let seq):
      let others = residents[id].map { othersOf($0.person, id, marked: room, seq) } ?? []
      return others + answer(.done)
    case .expel(let person, let room, let by, let reason, let ban):
      return expel(person, from: room, by: by, reason, ban, at: now) + answer(.done)
    case .close(let network, let ban):
      return [.closeNetwork(network, .banned(ban.reason, until: ban.until))] + answer(.done)
    case .revoke(let person):
      return endConnections(of: person, but: id, .loggedOut, at: now) + answer(.done)
    case .token(let person, let name, let days):
      return isThere ? [.answerToken(id, ticket.request, person, name, days: days)] : []
    case .walk(let person):
      guard isThere else { return [] }
      return walk(person, after: 0, Operating(id: id, request: ticket.request, now: now))
    case .clear(let room):
      return clear(
        room, Operating(id: id, request: ticket.request, now: now), isThere: isThere)
    case .forget(let room, let messages):
      forget(room)
      return answer(.report(.roomRemoved(messages: messages)))
    case .visit(let visit, let visitor, let address):
      guard isThere else { return [] }
      return self.visit(visit, by: visitor, from: id, of: address, at: now)
    case .endAccount(let person):
      return endConnections(of: person, but: id, .accountEnded, at: now) + answer(.done)
    }
  }

  /// A room that could not be made is none.
  private mutating func dropRooms(of record: Record) {
    for case .room(let room, _) in record.facts {
      if registry.record(of: room) == nil, rooms[room]?.isNothing == true { rooms[room] = nil }
    }
  }

  /// A room that could not be removed is seen again: archived, once its removal was begun.
  private mutating func stopRemoving(_ sequel: Record.Sequel) {
    switch sequel {
    case .clear(let room), .forget(let room, messages: _): removing.remove(room)
    case _: break
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
    of person: PersonID, but one: ConnectionID, _ reason: ClosingReason, at now: Duration
  ) -> [Effect] {
    var effects: [Effect] = []
    for id in people[person]?.connections ?? [] where id != one {
      effects += disconnected(id, at: now) + [.close(id, reason)]
    }
    return effects + endFollowing(of: person, in: nil, reason)
      + [.withdrawAnswers(of: person, in: nil, inChat: false)]
  }
}
