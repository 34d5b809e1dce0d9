/// What is told of people besides what they say: typing, being away, how far they have read. None
/// of it is in the way of messages, and none of it is told to a crowd.

import ChatModel

extension Hub {
  mutating func typing(
    _ asking: Asking, _ place: Place, _ isOn: Bool
  ) throws(Refused) -> [Effect] {
    guard let name = people[asking.person]?.name else { return [] }
    let others: [ConnectionID]
    let told: Place
    switch place {
    case .with(let partner):
      let (room, other) = try conversation(asking.person, with: partner)
      try checkVoice(of: asking.person, in: room)
      others = people[other]?.connections ?? []
      told = .with(name)
    case .room:
      let room = try membership(asking.resident, in: place)
      try checkVoice(of: asking.person, in: room)
      let members = isCrowd(room) ? [] : rooms[room]?.members ?? []
      others = members.filter { residents[$0]?.person != asking.person }
      told = .room(room)
    }
    try signal(asking)
    let event = Event.typing(told, name, isOn)
    return (others.isEmpty ? [] : [.tellAll(others, event)]) + [asking.answer(.done)]
  }

  mutating func away(_ asking: Asking, _ text: ShortText?) throws(Refused) -> [Effect] {
    // Who is muted does not speak that way either.
    if text != nil, let (place, mute) = sanction(.mute, on: asking.person, in: nil) {
      throw Refused(.muted(place, mute.reason, until: mute.until))
    }
    try signal(asking)
    guard let person = people[asking.person], person.away != text else {
      return [asking.answer(.done)]
    }
    people[asking.person]?.away = text
    var told: Set<ConnectionID> = Set(person.connections)
    var others = person.connections
    for room in Set(person.connections.flatMap { residents[$0]?.rooms ?? [] }).sorted(
      by: { $0.string < $1.string })
    where !isCrowd(room) && (text == nil || sanction(.mute, on: asking.person, in: room) == nil) {
      for id in rooms[room]?.members ?? [] where told.insert(id).inserted { others.append(id) }
    }
    others.removeAll { $0 == asking.id }
    return [asking.answer(.done), .tellAll(others, .presence(person.name, away: text))]
  }

  mutating func mark(
    _ asking: Asking, _ place: Place, _ seq: Int64
  ) throws(Refused) -> [Effect] {
    let room = try readable(place, asking)
    try signal(asking)
    let seq = max(0, min(seq, published(in: room)))
    let former = registry.mark(of: asking.person, in: room)
    guard former ?? 0 != seq else { return [asking.answer(.done)] }
    guard former != nil || registry.marks(of: asking.person).count < limits.marksPerPersonMax
    else { throw Refused(.tooMany(.marks, limit: limits.marksPerPersonMax)) }
    return record([.mark(room, asking.person, seq)], then: .mark(room, seq), asking)
  }

  /// The person's other connections learn how far it has read.
  func othersOf(
    _ person: PersonID, _ id: ConnectionID, marked room: RoomName, _ seq: Int64
  ) -> [Effect] {
    let others = (people[person]?.connections ?? []).filter { $0 != id }
    guard !others.isEmpty else { return [] }
    return [.tellAll(others, .marked(place(of: room, for: person), seq: seq))]
  }

  /// Above the limit joins are counted, and of this nothing is told.
  private func isCrowd(_ room: RoomName) -> Bool {
    rooms[room]?.peopleCount ?? 0 > limits.namedJoinsMembersMax
  }

  /// Takes the price of what is no message.
  mutating func signal(_ asking: Asking) throws(Refused) {
    try signal(asking.person, at: asking.now)
  }

  mutating func signal(_ person: PersonID, at now: Duration) throws(Refused) {
    guard let perSecond = limits.signalsPerSecond, var bucket = people[person]?.signals
    else { return }
    let paidAt = bucket.take(perSecond: perSecond, burst: limits.signalsBurst, at: now)
    if let paidAt { throw Refused(.rateLimited(retryAfter: paidAt - now)) }
    people[person]?.signals = bucket
  }
}
