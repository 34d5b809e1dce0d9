/// Messages: what may be said, and what is shown once it is kept. Nobody is shown a message that a
/// crash could take back.

package import ChatModel

extension Hub {
  mutating func send(
    _ text: MessageText, to room: RoomName?, key: MessageKey?, replyTo: Int64?, _ ticket: Ticket,
    _ resident: Resident, at now: Duration
  ) throws(Refused) -> [Effect] {
    let room = try membership(of: resident, in: room)
    guard let name = people[resident.person]?.name else { return [] }
    let paidAt = try pay(resident, at: now)
    let draft = Draft(
      room: room, person: resident.person, from: name, text: text, key: key, replyTo: replyTo)
    let keep = Effect.keep(draft, ticket)
    return paidAt.map { [keep, .readLater(ticket.connection, until: $0)] } ?? [keep]
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
    switch outcome {
    case .failed(let trouble):
      return [.answer(ticket.connection, ticket.request, .refused(.notStored(reason: trouble)))]
    case .duplicate(let seq, let at, let room):
      return [
        .answer(ticket.connection, ticket.request, .sent(room, seq: seq, at: at, durability))
      ]
    case .keyReused:
      return [.answer(ticket.connection, ticket.request, .refused(.keyReused))]
    case .stored(let seq, let at):
      let answer = Effect.answer(
        ticket.connection, ticket.request, .sent(draft.room, seq: seq, at: at, durability))
      rooms[draft.room, default: Room(draft.room)].published = seq
      let members = rooms[draft.room]?.members ?? []
      return [answer, .publish(members, Message(draft, seq: seq, at: at))]
    }
  }

  /// The newest message of a room that anybody was shown; what is behind it comes by itself.
  package func published(in room: RoomName) -> Int64 { rooms[room]?.published ?? 0 }
}
