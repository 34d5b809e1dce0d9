/// Conversations: what two people say to each other, whether both are here or not. A conversation
/// is a room that the server made, without entering and leaving.

package import ChatModel

extension Hub {
  /// The conversation of a person with whoever has this name: the account's person before anybody
  /// else; then who is here; then a guest who has gone, and whom the person has talked with.
  func conversation(
    _ person: PersonID, with name: UserName
  ) throws(Refused) -> (room: RoomName, other: PersonID) {
    guard let other = registry.person(named: name) ?? holders[name] ?? former(name, of: person)
    else { throw Refused(.notHere(name)) }
    guard other != person else { throw Refused(.oneself) }
    return (.conversation(of: person, and: other), other)
  }

  /// Of several guests who had the name in turn, the one that was talked with last is not known:
  /// the one with the smallest number stands for them, always the same.
  private func former(_ name: UserName, of person: PersonID) -> PersonID? {
    let others = registry.partners(of: person).filter { room, partner in
      registry.partnerName(of: partner, to: person, in: room) == name
    }
    return others.values.min { $0.rawValue < $1.rawValue }
  }

  mutating func send(
    _ asking: Asking, _ text: MessageText, with name: UserName, key: MessageKey?, replyTo: Int64?
  ) throws(Refused) -> [Effect] {
    guard let own = people[asking.person]?.name else { return [] }
    let (room, other) = try conversation(asking.person, with: name)
    // A guest who has gone may never come back.
    guard people[other] != nil || registry.account(of: other) != nil else {
      throw Refused(.notHere(name))
    }
    try checkVoice(of: asking.person, in: room)
    var draft = Draft(
      room: room, person: asking.person, from: own, text: text, key: key, replyTo: replyTo)
    draft.facts = try partners(in: room, asking.person, own, other)
    if registry.partners(in: room) == nil, let address = asking.address,
      let perMinute = limits.conversationsBegunPerMinute,
      let wait = beginners.pay(address, perMinute: perMinute, at: asking.now)
    {
      throw Refused(.rateLimited(retryAfter: wait))
    }
    return try keep(draft, asking)
  }

  /// What has to be set so that both can be named, also when they have gone.
  private func partners(
    in room: RoomName, _ person: PersonID, _ own: UserName, _ other: PersonID
  ) throws(Refused) -> [Fact] {
    let known = registry.partners(in: room)
    guard known != nil || registry.conversationsCount < limits.conversationsMax else {
      throw Refused(.tooMany(.conversations, limit: limits.conversationsMax))
    }
    let name = self.name(of: other, in: room)
    let names =
      person.rawValue < other.rawValue
      ? PartnerNames(lower: own, higher: name) : PartnerNames(lower: name, higher: own)
    return known == names ? [] : [.partners(room, names)]
  }

  /// What somebody is called who may have gone.
  func name(of person: PersonID, in room: RoomName) -> UserName {
    if let name = people[person]?.name ?? registry.account(of: person)?.name { return name }
    guard let (one, other) = room.people else { return .unknown }
    let partner = one == person ? other : one
    return registry.partnerName(of: person, to: partner, in: room) ?? .unknown
  }

  /// How the person names the room.
  package func place(of room: RoomName, for person: PersonID?) -> Place {
    guard let (one, other) = room.people else { return .room(room) }
    return .with(name(of: one == person ? other : one, in: room))
  }

  /// Gives the connection what it misses of a conversation; what comes later comes by itself.
  mutating func join(
    _ asking: Asking, with name: UserName, _ beginning: Beginning
  ) throws(Refused) -> [Effect] {
    let (room, _) = try conversation(asking.person, with: name)
    let answer = asking.answer(
      .joined(place(of: room, for: asking.person), seq: published(in: room), members: 2))
    return beginning == .now ? [answer] : [answer, .replay(asking.id, room, beginning)]
  }

  /// The room that a request is about, as far as the person may read it.
  func readable(_ place: Place?, _ asking: Asking) throws(Refused) -> RoomName {
    switch place {
    case .with(let name): return try conversation(asking.person, with: name).room
    case .room(let room): return try readable(room, asking)
    case nil: return try readable(nil as RoomName?, asking)
    }
  }

  /// What was said to a person with an account while it was away, for a connection that shows a
  /// conversation without asking for it.
  func missed(by person: PersonID, for id: ConnectionID) -> [Effect] {
    guard registry.account(of: person) != nil else { return [] }
    let missed = registry.conversations(of: person).compactMap { room -> (RoomName, Int64)? in
      let mark = registry.mark(of: person, in: room) ?? 0
      return published(in: room) > mark ? (room, mark) : nil
    }
    let most = Int64(limits.missedMessagesMax)
    return missed.sorted { $0.0.string < $1.0.string }.prefix(limits.missedConversationsMax)
      .map { room, mark in
        let isLong = published(in: room) - mark > most
        return .replay(id, room, isLong ? .last(Int(most)) : .after(mark))
      }
  }

  /// A person at a terminal has read what was shown to it: it left by itself.
  mutating func markRead(_ id: ConnectionID) -> [Effect] {
    guard let resident = residents[id], resident.manner == .oneRoom,
      registry.account(of: resident.person) != nil
    else { return [] }
    let rooms = registry.conversations(of: resident.person).sorted { $0.string < $1.string }
    let facts = rooms.compactMap { room -> Fact? in
      let published = published(in: room)
      return published > registry.mark(of: resident.person, in: room) ?? 0
        ? .mark(room, resident.person, published) : nil
    }
    guard !facts.isEmpty else { return [] }
    return note(facts, nil, Ticket(connection: id, request: nil))
  }
}

extension UserName {
  /// Stands for somebody whose name nobody knows any more.
  fileprivate static let unknown: UserName = {
    guard let name = try? UserName("somebody") else { preconditionFailure("a name") }
    return name
  }()
}
