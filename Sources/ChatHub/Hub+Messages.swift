/// Messages and changes: what may be said, and what is shown once it is kept. Nobody is shown a
/// message that a crash could take back.

package import ChatModel

extension Hub {
  mutating func send(
    _ asking: Asking, _ text: MessageText, to place: Place?, key: MessageKey?, replyTo: Int64?
  ) throws(Refused) -> [Effect] {
    if case .with(let name) = place {
      return try send(asking, text, with: name, key: key, replyTo: replyTo)
    }
    let room = try membership(asking.resident, in: place)
    try checkVoice(of: asking.person, in: room)
    guard let name = people[asking.person]?.name else { return [] }
    let draft = Draft(
      room: room, person: asking.person, from: name, text: text, key: key, replyTo: replyTo)
    return try keep(draft, asking)
  }

  /// Another text for a message, or none: one's own, or as a moderator anybody's.
  mutating func change(
    _ asking: Asking, _ content: Content, in place: Place
  ) throws(Refused) -> [Effect] {
    guard let name = people[asking.person]?.name else { return [] }
    let room: RoomName
    var changesOthers = false
    switch place {
    case .with(let other):
      room = try conversation(asking.person, with: other).room
      guard rooms[room] != nil else { throw Refused(.noSuchMessage(content.about ?? 0)) }
    case .room:
      room = try membership(asking.resident, in: place)
      changesOthers = role(of: asking.person, in: room).map { $0 >= .moderator } ?? false
    }
    // A text can be taken away also by whoever may say nothing.
    if case .deletion = content {
      try checkOpen(room)
    } else {
      try checkVoice(of: asking.person, in: room)
    }
    var draft = Draft(room: room, person: asking.person, from: name, content: content)
    draft.changesOthers = changesOthers
    return try keep(draft, asking)
  }

  /// Has something kept that was judged, for its price.
  mutating func keep(_ draft: Draft, _ asking: Asking) throws(Refused) -> [Effect] {
    let paidAt = try pay(asking.resident, at: asking.now)
    let keep = Effect.keep(draft, asking.ticket)
    return paidAt.map { [keep, .readLater(asking.id, until: $0)] } ?? [keep]
  }

  /// Takes the price of a message. People at a terminal may run into debt, and are read again at
  /// the time given; programs are refused instead.
  private mutating func pay(
    _ resident: Resident, at now: Duration
  ) throws(Refused) -> Duration? {
    guard let perSecond = limits.messagesPerSecond, var bucket = people[resident.person]?.bucket
    else { return nil }
    let paidAt = bucket.take(perSecond: perSecond, burst: limits.messagesBurst, at: now)
    if let paidAt, resident.manner == .manyRooms {
      throw Refused(.rateLimited(retryAfter: paidAt - now))
    }
    people[resident.person]?.bucket = bucket
    return paidAt
  }

  /// What became of ``Effect/keep(_:_:)``, in the order of those effects. The sender hears first,
  /// then everybody who is in the room now.
  package mutating func kept(
    _ draft: Draft, _ ticket: Ticket, _ outcome: KeepOutcome, _ durability: Durability
  ) -> [Effect] {
    if draft.person == .operator { return erased(draft, ticket, outcome) }
    let answer = { (answer: Answer) in Effect.answer(ticket.connection, ticket.request, answer) }
    switch outcome {
    case .failed(let trouble): return [answer(.refused(.notStored(reason: trouble)))]
    case .keyReused: return [answer(.refused(.keyReused))]
    case .noSuchMessage: return [answer(.refused(.noSuchMessage(draft.content.about ?? 0)))]
    case .notYours: return [answer(.refused(.notYours(draft.content.about ?? 0)))]
    case .duplicate(let seq, let at, let room):
      return [answer(.sent(place(of: room, for: draft.person), seq: seq, at: at, durability))]
    case .stored(let seq, let at):
      for fact in draft.facts { registry.set(fact) }
      let said: Answer =
        switch draft.content {
        case .text, .gone:
          .sent(place(of: draft.room, for: draft.person), seq: seq, at: at, durability)
        case .edit, .deletion: .changed(seq: seq)
        case .topic: .done
        }
      return [answer(said)] + publish(Message(draft, seq: seq, at: at))
    }
  }

  /// Shows what is kept to everybody whom it is for.
  mutating func publish(_ message: Message) -> [Effect] {
    let room = message.draft.room
    if rooms[room] == nil { rooms[room] = newRoom(room) }
    rooms[room]?.published = message.seq
    if let (one, other) = room.people {
      return [(one, other), (other, one)].compactMap { person, partner in
        guard let connections = people[person]?.connections else { return nil }
        return .publish(connections, message, in: .with(self.name(of: partner, in: room)))
      }
    }
    let told = Effect.publish(rooms[room]?.members ?? [], message, in: .room(room))
    guard let followers = rooms[room]?.followers, !followers.isEmpty else { return [told] }
    return [told, .publish(followers, message, in: .room(room))]
  }

  /// The newest message of a room that anybody was shown; what is behind it comes by itself.
  package func published(in room: RoomName) -> Int64 { rooms[room]?.published ?? 0 }

  /// Whether there is such a room or conversation, whoever may know of it.
  package func has(_ room: RoomName) -> Bool { rooms[room] != nil }

  mutating func search(_ asking: Asking, _ search: Search) throws(Refused) -> [Effect] {
    try signal(asking)
    let room: RoomName? =
      switch search.place {
      case nil: nil
      case let place?: try readable(place, asking)
      }
    return [
      .search(asking.id, asking.request, search, in: room, sight(of: asking.person))
    ]
  }
}
