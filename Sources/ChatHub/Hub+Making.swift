/// Rooms that stay: made, described, opened to others by invitations, archived.

import ChatModel

extension Hub {
  mutating func create(
    _ asking: Asking, _ room: RoomName, isPrivate: Bool, _ topic: ShortText?
  ) throws(Refused) -> [Effect] {
    guard rooms[room] == nil else { throw Refused(.roomTaken(room)) }
    if topic != nil { try checkVoice(of: asking.person, in: room) }
    try checkRooms(of: asking.resident, with: room)
    try payForNewRoom(asking.address, at: asking.now)
    rooms[room] = newRoom(room)
    var facts: [Fact] = [
      .room(room, RoomRecord(isPrivate: isPrivate)), .member(room, asking.person, .owner),
    ]
    if let topic { facts.append(.topic(room, topic)) }
    return record(facts, then: .enter(room, .now), asking)
  }

  mutating func archive(_ asking: Asking, _ room: RoomName) throws(Refused) -> [Effect] {
    try readable(room, by: asking.person)
    try checkRole(.owner, of: asking.person, in: room)
    // Everybody comes in there, and there is no way back.
    guard room != .lobby else { throw Refused(.operation(.permanent(room))) }
    try checkOpen(room)
    let record = RoomRecord(isPrivate: registry.isPrivate(room), isArchived: true)
    return self.record(
      [.room(room, record)], line(asking, "archived \(room.string)"), then: .answer(.done), asking)
  }

  func topic(of room: RoomName) -> Answer { .topic(room, registry.topic(of: room)) }

  mutating func setTopic(
    _ asking: Asking, _ room: RoomName?, _ topic: ShortText?
  ) throws(Refused) -> [Effect] {
    let room = try membership(asking.resident, in: room)
    try checkRole(.moderator, of: asking.person, in: room)
    try checkVoice(of: asking.person, in: room)
    guard let name = people[asking.person]?.name else { return [] }
    var draft = Draft(room: room, person: asking.person, from: name, content: .topic(topic))
    draft.facts = [.topic(room, topic)]
    return try keep(draft, asking)
  }

  // MARK: Invitations

  mutating func invite(
    _ asking: Asking, _ room: RoomName, uses: Int?, seconds: Int?
  ) throws(Refused) -> [Effect] {
    try checkInviting(asking, room)
    let code = surroundings.makeCode()
    let invitation = Invitation(
      usesLeft: uses.map { max(1, $0) }, until: seconds.map { moment.adding(seconds: $0) })
    var facts: [Fact] = [.invitation(room, surroundings.hashOfCode(code), invitation)]
    // Those that are good for nothing any more make room.
    let known = registry.invitations(to: room)
    let spent = known.filter { !$0.value.isGood(at: moment) }.map(\.key)
      .sorted { $0.string < $1.string }
    guard known.count - spent.count < limits.invitationsPerRoomMax else {
      throw Refused(.tooMany(.invitations, limit: limits.invitationsPerRoomMax))
    }
    facts += spent.map { .invitation(room, $0, nil) }
    return record(facts, then: .answer(.invited(room, code: code)), asking)
  }

  mutating func uninvite(
    _ asking: Asking, _ room: RoomName, _ code: String
  ) throws(Refused) -> [Effect] {
    try checkInviting(asking, room)
    let hash = surroundings.hashOfCode(code)
    guard registry.invitation(hash, to: room) != nil else {
      throw Refused(.noSuchInvitation(room))
    }
    return record([.invitation(room, hash, nil)], then: .answer(.done), asking)
  }

  private func checkInviting(_ asking: Asking, _ room: RoomName) throws(Refused) {
    try readable(room, by: asking.person)
    try checkRole(.moderator, of: asking.person, in: room)
    try checkOpen(room)
    guard registry.isPrivate(room) else { throw Refused(.notPrivate(room)) }
  }

  /// What has to be set so that somebody enters a private room for the first time.
  func admission(
    of person: PersonID, to room: RoomName, code: String?
  ) throws(Refused) -> [Fact] {
    guard let code, room != .audit, !removing.contains(room) else {
      throw Refused(.notInvited(room))
    }
    let hash = surroundings.hashOfCode(code)
    guard let invitation = registry.invitation(hash, to: room), invitation.isGood(at: moment)
    else { throw Refused(.notInvited(room)) }
    var facts: [Fact] = [.member(room, person, .member)]
    if let uses = invitation.usesLeft {
      var used = invitation
      used.usesLeft = uses - 1
      facts.append(.invitation(room, hash, uses > 1 ? used : nil))
    }
    return facts
  }
}

extension Invitation {
  func isGood(at moment: Moment) -> Bool { until.map { moment < $0 } ?? true }
}

extension Moment {
  func adding(seconds: Int) -> Moment {
    let added = Int64(seconds).multipliedReportingOverflow(by: 1_000)
    let sum = milliseconds.addingReportingOverflow(added.partialValue)
    // Beyond what a clock can show is the end of time.
    let end: Int64 = seconds < 0 ? .min : .max
    return Moment(milliseconds: added.overflow || sum.overflow ? end : sum.partialValue)
  }
}
