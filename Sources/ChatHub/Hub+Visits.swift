/// Rooms from outside: who reads them, follows them and speaks there without being in them.

package import ChatModel

/// Whom a good token is of. Whether it is void by now is looked at by the hub.
package struct Visitor: Hashable, Sendable {
  /// Who may be here by other connections too.
  package let person: PersonID
  /// What the person was called when the token was made.
  package let name: UserName
  /// What the person's tokens were worth then.
  package let epoch: Int64

  package init(person: PersonID, name: UserName, epoch: Int64) {
    self.person = person
    self.name = name
    self.epoch = epoch
  }
}

extension Hub {
  /// One request of a connection that nobody is logged in by; `visitor` is nil for whoever has not
  /// said who it is, and may read public rooms alone. No dialect's number is answered with it.
  /// `address` is the connection's where it counts for what one address may do.
  package mutating func visit(
    _ visit: Visit, by visitor: Visitor?, from id: ConnectionID, of address: String? = nil,
    at now: Duration
  ) -> [Effect] {
    do throws(Refused) {
      try checkOrigin(address)
      try checkVisitor(visitor)
      switch visit {
      case .page(let room, let stretch, let limit):
        try readable(room, visitor: visitor?.person)
        let limit = min(max(1, limit), limits.historyMax)
        return [.fetch(id, nil, room, stretch, limit: limit)]
      case .follow(let room, let beginning):
        try readable(room, visitor: visitor?.person)
        try checkFollowing(visitor?.person)
        if isChanging(visitor: visitor?.person, in: room) { break }
        return follow(id, room, beginning, as: visitor)
      case .say(let room, let text, let key, let replyTo):
        guard let visitor else { throw Refused(.notLoggedIn) }
        try readable(room, visitor: visitor.person)
        if isChanging(visitor: visitor.person, in: room) { break }
        try checkVoice(of: visitor.person, in: room)
        let name = try name(of: visitor)
        try payForMessage(of: visitor.person, at: now)
        let draft = Draft(
          room: room, person: visitor.person, from: name, text: text, key: key, replyTo: replyTo)
        return [.keep(draft, Ticket(connection: id, request: nil))]
      }
    } catch {
      return [.answer(id, nil, .refused(error.refusal))]
    }
    // What may still be put back lets nobody in: it is waited for, then all is judged anew.
    return record([], then: .visit(visit, visitor, from: address), for: id, nil)
  }

  /// Whether a visitor may read what is said in the room; nil is whoever has not said who it is.
  package func mayRead(_ room: RoomName, visitor: PersonID?) -> Bool {
    if let visitor, registry.account(of: visitor)?.isDisabled == true { return false }
    return (try? readable(room, visitor: visitor)) != nil
  }

  // MARK: Who may

  /// A token is good for as long as the person could log in by it.
  private func checkVisitor(_ visitor: Visitor?) throws(Refused) {
    guard let visitor else { return }
    guard visitor.epoch == registry.epoch(of: visitor.person) else { throw Refused(.badToken) }
    if let refusal = exclusion(of: visitor.person) { throw Refused(refusal) }
  }

  /// One token brings so many followers at once as it brings other connections.
  private func checkFollowing(_ visitor: PersonID?) throws(Refused) {
    guard let visitor, followers.connections(of: visitor).count >= limits.connectionsPerPersonMax
    else { return }
    throw Refused(.tooManyConnections(limit: limits.connectionsPerPersonMax))
  }

  /// Nobody visits what the server made, and whoever has not said who it is no private room: both
  /// are absent.
  private func readable(_ room: RoomName, visitor: PersonID?) throws(Refused) {
    guard !room.isMade, rooms[room] != nil else { throw Refused(.noSuchRoom(room)) }
    if let visitor { return try readable(room, by: visitor) }
    guard !registry.isPrivate(room), !removing.contains(room) else {
      throw Refused(.noSuchRoom(room))
    }
  }

  private func isChanging(visitor: PersonID?, in room: RoomName) -> Bool {
    guard let visitor else { return registry.isUnderWay(.room(room)) }
    return registry.isChanging(visitor) || isChanging(visitor, in: room)
  }

  /// What the person is called here, or would be if it came by its token.
  private func name(of visitor: Visitor) throws(Refused) -> UserName {
    if let name = people[visitor.person]?.name { return name }
    let name = registry.account(of: visitor.person)?.name ?? visitor.name
    for holder in [registry.person(named: name), holders[name]] {
      if let holder, holder != visitor.person { throw Refused(.nameTaken(name)) }
    }
    return name
  }

  /// As programs are, visitors are refused what is too fast.
  private mutating func payForMessage(
    of person: PersonID, at now: Duration
  ) throws(Refused) {
    guard let perSecond = limits.messagesPerSecond else { return }
    let burst = limits.messagesBurst
    guard var bucket = people[person]?.bucket else {
      if let wait = visitors.pay(person, perSecond: perSecond, burst: burst, at: now) {
        throw Refused(.rateLimited(retryAfter: wait))
      }
      return
    }
    if let paidAt = bucket.take(perSecond: perSecond, burst: burst, at: now) {
      throw Refused(.rateLimited(retryAfter: paidAt - now))
    }
    people[person]?.bucket = bucket
  }

  // MARK: Following

  /// Has a connection told what is said in a room, for as long as it lasts: it asks nothing more.
  private mutating func follow(
    _ id: ConnectionID, _ room: RoomName, _ beginning: Beginning, as visitor: Visitor?
  ) -> [Effect] {
    var effects: [Effect] = []
    if let visitor { effects.append(.named(id, visitor.person, visitor.name)) }
    followers.add(id, to: room, as: visitor?.person)
    rooms[room]?.addFollower(id)
    let state = rooms[room]
    effects.append(
      .answer(
        id, nil,
        .joined(
          .room(room), seq: state?.published ?? 0, members: state?.peopleCount ?? 0,
          topic: registry.topic(of: room))))
    if beginning != .now { effects.append(.replay(id, room, beginning)) }
    return effects
  }

  /// Gives the room that the connection followed; nil: none.
  mutating func unfollow(_ id: ConnectionID) -> RoomName? {
    guard let room = followers.remove(id) else { return nil }
    rooms[room]?.removeFollower(id)
    dropIfNothing(room)
    return room
  }

  /// Whether one of the person's connections follows the room, or any.
  func isFollowing(_ person: PersonID, in room: RoomName?) -> Bool {
    followers.connections(of: person).contains { room == nil || followers.room(of: $0) == room }
  }

  /// The person follows the room no more, or none; nothing more of it reaches those connections.
  mutating func endFollowing(
    of person: PersonID, in room: RoomName?, _ reason: ClosingReason
  ) -> [Effect] {
    var effects: [Effect] = []
    for id in followers.connections(of: person)
    where room == nil || followers.room(of: id) == room {
      effects += endFollowing(id, reason)
    }
    return effects
  }

  mutating func endFollowing(_ id: ConnectionID, _ reason: ClosingReason) -> [Effect] {
    guard let room = unfollow(id) else { return [] }
    pending[id] = nil
    return [.withdraw(id, room), .close(id, reason)]
  }
}
