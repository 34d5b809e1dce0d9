/// What people do in the lobby: say, look who is there, leave.

import ChatModel

extension Hub {
  mutating func say(_ text: MessageText, from id: ConnectionID, at now: Duration) -> [Effect] {
    guard let name = people[id]?.name else { return [.tell(id, .refused(.notLoggedIn))] }
    let told = Effect.tellAll(lobby.members, .said(name, text))
    guard let perSecond = limits.messagesPerSecond,
      let paidAt = people[id]?.bucket.take(
        perSecond: perSecond, burst: limits.messagesBurst, at: now)
    else { return [told] }
    return [told, .readLater(id, until: paidAt)]
  }

  func who(_ id: ConnectionID) -> [Effect] {
    guard people[id] != nil else { return [.tell(id, .refused(.notLoggedIn))] }
    let names = lobby.members.prefix(limits.whoNamesMax).compactMap { people[$0]?.name }
    let sorted = names.sorted { $0.folded < $1.folded }
    return [.tell(id, .members(sorted, count: lobby.members.count))]
  }

  mutating func quit(_ id: ConnectionID, at now: Duration) -> [Effect] {
    disconnected(id, at: now) + [.close(id, .quit)]
  }

  /// Puts a named connection into the room and tells of it.
  mutating func enter(_ id: ConnectionID, as name: UserName, at now: Duration) -> [Effect] {
    lobby.add(id)
    return announce(
      .joined(name, members: lobby.members.count), joined: 1, alsoTo: id, at: now)
  }

  /// Forgets a person; nothing for a connection without a name.
  mutating func leave(_ id: ConnectionID, at now: Duration) -> [Effect] {
    guard let person = people.removeValue(forKey: id) else { return [] }
    holders[person.name] = nil
    lobby.remove(id)
    return announce(.left(person.name, members: lobby.members.count), left: 1, at: now)
  }

  /// Tells a join or a leave by name in a small room; in a large one counts it, and tells by name
  /// only the one who joined.
  mutating func announce(
    _ event: Event, joined: Int = 0, left: Int = 0, alsoTo joiner: ConnectionID? = nil,
    at now: Duration
  ) -> [Effect] {
    // A leave is judged by the members before it, so that the 65th's coming and going are alike.
    guard lobby.members.count + left > limits.namedJoinsMembersMax else {
      return lobby.members.isEmpty ? [] : [.tellAll(lobby.members, event)]
    }
    lobby.count(joined: joined, left: left, at: now, limits: limits)
    return joiner.map { [.tell($0, event)] } ?? []
  }
}
