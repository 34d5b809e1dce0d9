/// Taking away what was said: a person's words, or a whole room. In steps, each of which may be the
/// last if the server dies; the same request asked again goes on.

import ChatModel

extension Hub {
  /// So many messages lose their text at a time.
  private static var erasedAtOnceMax: Int { 200 }

  /// Messages of one person that are losing their text.
  struct Erasure {
    let person: PersonID
    /// Of those that were found.
    var left: Int
    var done = 0
    var trouble: StoreTrouble?
    /// Where to go on; nil: nowhere.
    let next: Int64?
  }

  /// Takes the text away from some of the person's messages, as deletions by the operator, so that
  /// everybody who has read them learns of it.
  mutating func erase(
    _ operating: Operating, _ party: ChatModel.Operation.Party, after: Int64?
  ) throws(Refused) -> [Effect] {
    let person = try person(party)
    if let after { return walk(person, after: after, operating) }
    let name = people[person]?.name ?? registry.account(of: person)?.name
    let whose = name.map { "\($0.shown), person \(person.rawValue)" } ?? "person \(person.rawValue)"
    return record(
      [], operatorLine("began to erase the words of \(whose)"), then: .walk(person), operating)
  }

  mutating func walk(
    _ person: PersonID, after: Int64, _ operating: Operating
  ) -> [Effect] {
    run(
      .walk(person, after: after, limit: Self.erasedAtOnceMax), .errand, operating)
  }

  /// What became of ``Effect/errand(_:_:)``. A room is removed to the end, whoever waits for it.
  package mutating func finished(
    _ id: ConnectionID, _ errand: Errand, _ outcome: ErrandOutcome, at now: Duration
  ) -> [Effect] {
    let waiting = pending.removeValue(forKey: id)
    let operating = Operating(id: id, request: waiting?.asked, now: now)
    let effects: [Effect]
    switch (errand, outcome) {
    case (.clear(let room), .cleared(let count)):
      effects = cleared(room, count, operating, isThere: waiting != nil)
    case (.clear(let room), .failed):
      removing.remove(room)
      effects = failed(outcome, operating)
    case (.walk(let person, after: _, limit: _), .walked(let said, let next)):
      guard waiting != nil else { return [] }
      return erase(said, of: person, next: next, operating)
    case (_, .surveyed(let status)): effects = [operating.answer(.report(.status(status)))]
    case (_, .failed): effects = failed(outcome, operating)
    case (_, .walked), (_, .cleared): preconditionFailure("an errand ends as what it is")
    }
    return waiting == nil ? effects.filter { !$0.isAnswer } : effects + [.proceed(id)]
  }

  private func failed(_ outcome: ErrandOutcome, _ operating: Operating) -> [Effect] {
    guard case .failed(let trouble) = outcome else { return [] }
    return [operating.answer(.refused(.notStored(reason: trouble)))]
  }

  // MARK: Words

  private mutating func erase(
    _ found: [ErrandOutcome.Said], of person: PersonID, next: Int64?, _ operating: Operating
  ) -> [Effect] {
    // The log says who did what, and stays.
    let said = found.filter { $0.room != .audit }
    let erasure = Erasure(person: person, left: said.count, next: next)
    guard !said.isEmpty else { return answer(erasure, operating) + [.proceed(operating.id)] }
    pending[operating.id] = Pending(asked: operating.request, step: .erase(erasure))
    return said.map { message in
      var draft = Draft(
        room: message.room, person: .operator, from: .operating,
        content: .deletion(of: message.seq))
      draft.changesOthers = true
      return .keep(draft, operating.ticket)
    }
  }

  /// One of them is done with.
  mutating func erased(
    _ draft: Draft, _ ticket: Ticket, _ outcome: KeepOutcome
  ) -> [Effect] {
    var effects: [Effect] = []
    var isDone = false
    var trouble: StoreTrouble?
    switch outcome {
    case .stored(let seq, let at):
      isDone = true
      effects = publish(Message(draft, seq: seq, at: at))
    case .failed(let why): trouble = why
    // Somebody was faster, or it had its time.
    case .noSuchMessage, .notYours, .duplicate, .keyReused: break
    }
    let id = ticket.connection
    guard let waiting = pending[id], case .erase(var erasure) = waiting.step else { return effects }
    erasure.left -= 1
    erasure.done += isDone ? 1 : 0
    erasure.trouble = erasure.trouble ?? trouble
    pending[id] = Pending(asked: waiting.asked, step: .erase(erasure))
    guard erasure.left == 0 else { return effects }
    pending[id] = nil
    // No time is needed for it.
    let operating = Operating(id: id, request: waiting.asked, now: .zero)
    return effects + answer(erasure, operating) + [.proceed(id)]
  }

  private func answer(_ erasure: Erasure, _ operating: Operating) -> [Effect] {
    if let trouble = erasure.trouble {
      return [operating.answer(.refused(.notStored(reason: trouble)))]
    }
    let report = Report.erased(erasure.person, messages: erasure.done, next: erasure.next)
    return [operating.answer(.report(report))]
  }

  // MARK: Rooms

  mutating func archive(_ operating: Operating, _ room: RoomName) throws(Refused) -> [Effect] {
    try checkThere(room)
    guard room != .lobby else { throw Refused(.operation(.permanent(room))) }
    guard !registry.isArchived(room) else { throw Refused(.operation(.alreadyArchived(room))) }
    let record = RoomRecord(isPrivate: registry.isPrivate(room), isArchived: true)
    return self.record(
      [.room(room, record)], operatorLine("archived \(room.string)"), then: .answer(.done),
      operating)
  }

  /// First nobody can enter it or say anything more, also after a crash. Then its messages go, and
  /// last what says who may read them: a private room's words are nobody else's in between.
  mutating func removeRoom(_ operating: Operating, _ room: RoomName) throws(Refused) -> [Effect] {
    try checkThere(room)
    guard room != .lobby else { throw Refused(.operation(.permanent(room))) }
    removing.insert(room)
    let record = RoomRecord(isPrivate: registry.isPrivate(room), isArchived: true)
    return self.record(
      [.room(room, record)], operatorLine("began to remove \(room.string)"), then: .clear(room),
      operating)
  }

  /// Everybody is put out, and what was said goes.
  mutating func clear(_ room: RoomName, _ operating: Operating, isThere: Bool) -> [Effect] {
    var effects: [Effect] = []
    for id in rooms[room]?.members ?? [] {
      guard let person = residents[id]?.person else { continue }
      residents[id]?.rooms.removeAll { $0 == room }
      effects += [.withdraw(id, room)] + part(from: room, id, person, at: operating.now)
      effects.append(.tell(id, .kicked(room, by: .operating, nil)))
    }
    for id in rooms[room]?.followers ?? [] {
      effects += endFollowing(id, .putOut(room, by: .operating, nil))
    }
    guard isThere else { return effects + [.errand(operating.id, .clear(room))] }
    return effects + run(.clear(room), .errand, operating)
  }

  private mutating func cleared(
    _ room: RoomName, _ count: Int, _ operating: Operating, isThere: Bool
  ) -> [Effect] {
    let line = operatorLine("removed \(room.string) with \(count) messages")
    let facts = registry.facts(of: room)
    let sequel = Record.Sequel.forget(room, messages: count)
    guard isThere else { return note(facts, line, then: sequel, operating.ticket) }
    return record(facts, line, then: sequel, operating)
  }

  /// It is no more. Made again, it goes on with the numbers where it ended.
  mutating func forget(_ room: RoomName) {
    removing.remove(room)
    roomsDue.remove(room)
    guard let published = rooms.removeValue(forKey: room)?.published else { return }
    if published > 0 { former[room] = published }
  }
}

extension Effect {
  fileprivate var isAnswer: Bool {
    if case .answer = self { true } else { false }
  }
}
