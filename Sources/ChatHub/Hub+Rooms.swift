/// Rooms: who enters and leaves, who is there, and who is told of it.

import ChatModel

extension Hub {
  mutating func join(
    _ asking: Asking, _ room: RoomName, _ beginning: Beginning, code: String?
  ) throws(Refused) -> [Effect] {
    if asking.resident.rooms.contains(room) {
      return enter(asking.id, asking.request, room, beginning, at: asking.now)
    }
    var admission: [Fact] = []
    if !isShown(room, to: asking.person) {
      admission = try self.admission(of: asking.person, to: room, code: code)
    }
    // Whoever may not know of the room is not told of a ban either.
    try checkBan(of: asking.person, in: room)
    if asking.resident.manner == .manyRooms { try checkRooms(of: asking.resident, with: room) }
    if rooms[room] == nil { try payForNewRoom(asking.address, at: asking.now) }
    // What may still be put back lets nobody in: it is waited for, too.
    guard admission.isEmpty, !isChanging(asking.person, in: room) else {
      return record(admission, then: .enter(room, beginning), asking)
    }
    return enter(asking.id, asking.request, room, beginning, at: asking.now)
  }

  /// Whether what lets the person into the room may still be put back.
  func isChanging(_ person: PersonID, in room: RoomName) -> Bool {
    registry.isUnderWay(.room(room)) || registry.isUnderWay(.member(room, person))
      || [room, nil].contains { place in
        let ban = Sanction.Key(.ban, in: place, of: .person(person))
        return registry.isUnderWay(.sanction(ban))
      }
  }

  /// Puts a connection into a room that it may enter, and answers its request.
  mutating func enter(
    _ id: ConnectionID, _ asked: RequestID?, _ room: RoomName, _ beginning: Beginning,
    at now: Duration
  ) -> [Effect] {
    guard let resident = residents[id] else { return [] }
    // Banned, or put out, while the invitation was being kept.
    do throws(Refused) {
      guard isShown(room, to: resident.person) else { throw Refused(.notInvited(room)) }
      try checkBan(of: resident.person, in: room)
    } catch {
      return [.answer(id, asked, .refused(error.refusal))]
    }
    var effects: [Effect] = []
    let isThere = resident.rooms.contains(room)
    if !isThere, resident.manner == .oneRoom {
      effects += resident.rooms.flatMap { leave($0, id, at: now) }
    }
    let entering = isThere ? [] : enter(room, id, resident.person, at: now)
    let state = rooms[room]
    effects.append(
      .answer(
        id, asked,
        .joined(
          .room(room), seq: state?.published ?? 0, members: state?.peopleCount ?? 0,
          topic: registry.topic(of: room))))
    if beginning != .now { effects.append(.replay(id, room, beginning)) }
    return effects + entering
  }

  /// A person is in a room once, with however many connections.
  func checkRooms(of resident: Resident, with room: RoomName) throws(Refused) {
    let connections = people[resident.person]?.connections ?? []
    let present = Set(connections.flatMap { residents[$0]?.rooms ?? [] })
    guard present.contains(room) || present.count < limits.roomsPerPersonMax else {
      throw Refused(.tooManyRooms(limit: limits.roomsPerPersonMax))
    }
  }

  mutating func payForNewRoom(_ address: String?, at now: Duration) throws(Refused) {
    // Of those that the server made none is counted.
    guard rooms.count - registry.conversationsCount - 1 < limits.roomsMax else {
      throw Refused(.noRoomForRooms(limit: limits.roomsMax))
    }
    guard let address, let perMinute = limits.roomsMadePerMinute else { return }
    if let wait = makers.pay(address, perMinute: perMinute, at: now) {
      throw Refused(.rateLimited(retryAfter: wait))
    }
  }

  mutating func leave(_ asking: Asking, _ room: RoomName?) throws(Refused) -> [Effect] {
    let room = try membership(asking.resident, in: room)
    return leave(room, asking.id, at: asking.now) + [asking.answer(.left(room))]
  }

  func who(in name: RoomName) -> Answer {
    let room = rooms[name]
    let members = room?.somePeople(limits.whoNamesMax).compactMap { person in
      people[person].map { shown in
        let isMuted = sanction(.mute, on: person, in: name) != nil
        return Member(
          shown.name, role: role(of: person, in: name), away: isMuted ? nil : shown.away)
      }
    }
    return .members(
      name, (members ?? []).sorted { $0.name.folded < $1.name.folded },
      count: room?.peopleCount ?? 0)
  }

  /// The room that a request is about, which need not be one that the connection is in.
  func readable(_ room: RoomName?, _ asking: Asking) throws(Refused) -> RoomName {
    guard let room = room ?? asking.resident.rooms.first else { throw Refused(.inNoRoom) }
    try readable(room, by: asking.person)
    return room
  }

  /// The room that a request is about, which the connection must be in.
  func membership(_ resident: Resident, in place: Place?) throws(Refused) -> RoomName {
    guard case .room(let room) = place else {
      return try membership(resident, in: nil as RoomName?)
    }
    return try membership(resident, in: room)
  }

  func membership(_ resident: Resident, in room: RoomName?) throws(Refused) -> RoomName {
    guard let room = room ?? resident.rooms.first else { throw Refused(.inNoRoom) }
    // Until it is kept who is banned, or put out of a private room, is still in it.
    try readable(room, by: resident.person)
    guard resident.rooms.contains(room) else { throw Refused(.notMember(room)) }
    return room
  }

  // MARK: In and out

  /// Puts a connection into a room that it is not in, and tells of the person's coming.
  mutating func enter(
    _ name: RoomName, _ id: ConnectionID, _ person: PersonID, at now: Duration
  ) -> [Effect] {
    residents[id]?.rooms.append(name)
    if rooms[name] == nil { rooms[name] = newRoom(name) }
    guard rooms[name]?.add(id, of: person) == true, let shown = people[person]?.name,
      let room = rooms[name]
    else { return [] }
    return announce(
      .joined(name, shown, members: room.peopleCount), in: name, joined: 1, alsoTo: id, at: now)
  }

  private mutating func leave(
    _ room: RoomName, _ id: ConnectionID, at now: Duration
  ) -> [Effect] {
    guard let person = residents[id]?.person else { return [] }
    residents[id]?.rooms.removeAll { $0 == room }
    return [.forget(id, room)] + part(from: room, id, person, at: now)
  }

  /// Takes a connection out of a room and tells of the person's leaving.
  mutating func part(
    from name: RoomName, _ id: ConnectionID, _ person: PersonID, at now: Duration
  ) -> [Effect] {
    guard let isLast = rooms[name]?.remove(id, of: person), let room = rooms[name] else {
      return []
    }
    if room.members.isEmpty {
      roomsDue.remove(name)
      rooms[name]?.forgetChanges()
      dropIfNothing(name)
      return []
    }
    guard isLast, let shown = people[person]?.name else { return [] }
    return announce(.left(name, shown, members: room.peopleCount), in: name, left: 1, at: now)
  }

  /// A room that nobody is in or follows, and in which nothing was ever said, is no more.
  mutating func dropIfNothing(_ room: RoomName) {
    if rooms[room]?.isNothing == true, !isLasting(room) { rooms[room] = nil }
  }

  /// Whether the room is there without anybody in it, and without a word said.
  private func isLasting(_ room: RoomName) -> Bool {
    room == .lobby || room == .audit || registry.record(of: room) != nil
  }

  /// One that is not there; where there was one of its name, its numbers go on.
  func newRoom(_ name: RoomName) -> Room { Room(name, behind: former[name] ?? 0) }

  mutating func announceRenamed(
    _ old: UserName, _ new: UserName, in name: RoomName, at now: Duration
  ) -> [Effect] {
    let count = rooms[name]?.peopleCount ?? 0
    return announce(.left(name, old, members: count), in: name, left: 1, at: now)
      + announce(.joined(name, new, members: count), in: name, joined: 1, at: now)
  }

  /// Tells a join or a leave by name in a small room; in a large one counts it, and tells by name
  /// only the one who joined.
  private mutating func announce(
    _ event: Event, in name: RoomName, joined: Int = 0, left: Int = 0,
    alsoTo joiner: ConnectionID? = nil, at now: Duration
  ) -> [Effect] {
    guard let room = rooms[name] else { return [] }
    // A leave is judged by the members before it, so that the 65th's coming and going are alike.
    guard room.peopleCount + left > limits.namedJoinsMembersMax else {
      return [.tellAll(room.members, event)]
    }
    rooms[name]?.count(joined: joined, left: left, at: now, limits: limits)
    roomsDue.insert(name)
    return joiner.map { [.tell($0, event)] } ?? []
  }
}
