/// Who may do what: the one place where rights are judged. docs/moderation.md has the table.

package import ChatModel

extension Hub {
  /// What the person is in the room, or on the whole server where it is nil. Who runs the server
  /// rules in every public room, and in a private one only where it was admitted.
  func role(of person: PersonID, in room: RoomName?) -> Role? {
    let server = registry.account(of: person)?.role
    guard let room else { return server }
    if room == .audit { return server == .owner ? .owner : nil }
    let own = registry.role(of: person, in: room)
    if own == nil, registry.isPrivate(room) { return nil }
    return [own, server].compactMap { $0 }.max()
  }

  /// Whether the person may know that the room is there, if it is.
  package func isShown(_ room: RoomName, to person: PersonID) -> Bool {
    if room == .audit { return registry.account(of: person)?.role == .owner }
    if let (one, other) = room.people { return person == one || person == other }
    if removing.contains(room) { return false }
    return !registry.isPrivate(room) || registry.role(of: person, in: room) != nil
  }

  /// Whether the person may read what is said in the room.
  package func mayRead(_ room: RoomName, _ person: PersonID) -> Bool {
    (rooms[room] != nil || room.people != nil) && isShown(room, to: person)
      && sanction(.ban, on: person, in: room) == nil
  }

  /// The rooms that are hidden from the person or closed to it, of those that people made; and
  /// those that it may read of the ones that the server made.
  func sight(of person: PersonID) -> Sight {
    var hidden: Set<RoomName> = []
    for room in registry.recordedRooms where !isShown(room, to: person) { hidden.insert(room) }
    if registry.isSanctioned(person) {
      for (key, sanction) in registry.sanctions(on: person) where key.kind == .ban {
        if let room = key.room, sanction.isInForce(at: moment) { hidden.insert(room) }
      }
    }
    var made = registry.conversations(of: person)
    if isShown(.audit, to: person) { made.insert(.audit) }
    return Sight(hidden: hidden, made: made)
  }

  /// A room that the person may read: absent, private and forbidden ones are refused, the first two
  /// in the same words.
  func readable(_ room: RoomName, by person: PersonID) throws(Refused) {
    guard rooms[room] != nil, isShown(room, to: person) else {
      throw Refused(.noSuchRoom(room))
    }
    try checkBan(of: person, in: room)
  }

  /// What is said to somebody who may read a room no more; nil: who has not said who it is.
  package func refusalToRead(_ room: RoomName, by person: PersonID?) -> Refusal {
    guard let person else { return .noSuchRoom(room) }
    if let refusal = exclusion(of: person) { return refusal }
    do throws(Refused) {
      try readable(room, by: person)
    } catch {
      return error.refusal
    }
    return .noSuchRoom(room)
  }

  func checkBan(of person: PersonID, in room: RoomName?) throws(Refused) {
    if let (place, ban) = sanction(.ban, on: person, in: room) {
      throw Refused(.banned(place, ban.reason, until: ban.until))
    }
  }

  /// Whoever is muted says nothing there; nobody says anything in an archived room.
  func checkVoice(of person: PersonID, in room: RoomName) throws(Refused) {
    if let (place, mute) = sanction(.mute, on: person, in: room) {
      throw Refused(.muted(place, mute.reason, until: mute.until))
    }
    try checkOpen(room)
  }

  func checkOpen(_ room: RoomName) throws(Refused) {
    guard !registry.isArchived(room), room != .audit else { throw Refused(.archived(room)) }
  }

  func checkRole(_ least: Role, of person: PersonID, in room: RoomName?) throws(Refused) {
    guard let role = role(of: person, in: room), role >= least else {
      throw Refused(.needsRole(least))
    }
  }

  /// Moderators rule over those whose role is lower, never over themselves.
  func checkRule(
    of person: PersonID, over other: PersonID, _ name: UserName, in room: RoomName?
  ) throws(Refused) {
    guard person != other else { throw Refused(.oneself) }
    guard let own = role(of: person, in: room) else { throw Refused(.needsRole(.moderator)) }
    if let role = role(of: other, in: room), role >= own { throw Refused(.roleTooHigh(name)) }
  }

  /// The sanction that is in force on the person there, that of the room before that of the
  /// server; and where it holds.
  func sanction(
    _ kind: Sanction.Kind, on person: PersonID, in room: RoomName?
  ) -> (RoomName?, Sanction)? {
    guard registry.isSanctioned(person) else { return nil }
    for place in room == nil ? [nil] : [room, nil] {
      let key = Sanction.Key(kind, in: place, of: .person(person))
      if let sanction = registry.sanction(key), sanction.isInForce(at: moment) {
        return (place, sanction)
      }
    }
    return nil
  }

  var moment: Moment { surroundings.moment() }
}
