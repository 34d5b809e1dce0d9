/// Rooms: who enters and leaves, who is there, and who is told of it.

import ChatModel

extension Hub {
  mutating func join(
    _ id: ConnectionID, of address: String?, _ asked: RequestID?, _ resident: Resident,
    _ room: RoomName, _ beginning: Beginning, at now: Duration
  ) throws(Refused) -> [Effect] {
    var effects: [Effect] = []
    let isThere = resident.rooms.contains(room)
    if !isThere {
      if resident.manner == .manyRooms { try checkRooms(of: resident.person, with: room) }
      if rooms[room] == nil { try payForNewRoom(address, at: now) }
      if resident.manner == .oneRoom {
        effects += resident.rooms.flatMap { leave($0, id, at: now) }
      }
    }
    let entering = isThere ? [] : enter(room, id, resident.person, at: now)
    let state = rooms[room]
    effects.append(
      .answer(
        id, asked,
        .joined(room, seq: state?.published ?? 0, members: state?.peopleCount ?? 0)))
    if beginning != .now { effects.append(.replay(id, room, beginning)) }
    return effects + entering
  }

  /// A person is in a room once, with however many connections.
  private func checkRooms(of person: PersonID, with room: RoomName) throws(Refused) {
    let connections = people[person]?.connections ?? []
    let present = Set(connections.flatMap { residents[$0]?.rooms ?? [] })
    guard present.contains(room) || present.count < limits.roomsPerPersonMax else {
      throw Refused(.tooManyRooms(limit: limits.roomsPerPersonMax))
    }
  }

  private mutating func payForNewRoom(_ address: String?, at now: Duration) throws(Refused) {
    guard rooms.count < limits.roomsMax else {
      throw Refused(.noRoomForRooms(limit: limits.roomsMax))
    }
    guard let address, let perMinute = limits.roomsMadePerMinute else { return }
    if let wait = makers.pay(address, perMinute: perMinute, at: now) {
      throw Refused(.rateLimited(retryAfter: wait))
    }
  }

  mutating func leave(
    _ id: ConnectionID, _ asked: RequestID?, _ resident: Resident, _ room: RoomName?,
    at now: Duration
  ) throws(Refused) -> [Effect] {
    let room = try membership(of: resident, in: room)
    return leave(room, id, at: now) + [.answer(id, asked, .left(room))]
  }

  /// Those with most people first, then by name.
  var listedRooms: [RoomState] {
    var list = RoomList(most: limits.roomsListedMax)
    for room in rooms.values {
      list.add(RoomState(name: room.name, members: room.peopleCount, seq: room.published))
    }
    return list.finish()
  }

  func who(in name: RoomName) -> Answer {
    let room = rooms[name]
    let members = room?.somePeople(limits.whoNamesMax).compactMap { person in
      people[person].map { Member($0.name, role: registry.account(of: person)?.role) }
    }
    return .members(
      name, (members ?? []).sorted { $0.name.folded < $1.name.folded },
      count: room?.peopleCount ?? 0)
  }

  /// The room that a request is about, which need not be one that the connection is in.
  func known(_ room: RoomName?, _ resident: Resident) throws(Refused) -> RoomName {
    guard let room = room ?? resident.rooms.first else { throw Refused(.inNoRoom) }
    guard rooms[room] != nil else { throw Refused(.noSuchRoom(room)) }
    return room
  }

  /// The room that a request is about, which the connection must be in.
  func membership(of resident: Resident, in room: RoomName?) throws(Refused) -> RoomName {
    let room = try known(room, resident)
    guard resident.rooms.contains(room) else { throw Refused(.notMember(room)) }
    return room
  }

  // MARK: In and out

  /// Puts a connection into a room that it is not in, and tells of the person's coming.
  mutating func enter(
    _ name: RoomName, _ id: ConnectionID, _ person: PersonID, at now: Duration
  ) -> [Effect] {
    residents[id]?.rooms.append(name)
    let isNew = rooms[name, default: Room(name)].add(id, of: person)
    guard isNew, let shown = people[person]?.name, let room = rooms[name] else { return [] }
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

  /// Takes a connection out of a room and tells of the person's leaving. A room that is empty and
  /// in which nothing was ever said is no more.
  mutating func part(
    from name: RoomName, _ id: ConnectionID, _ person: PersonID, at now: Duration
  ) -> [Effect] {
    guard let isLast = rooms[name]?.remove(id, of: person), let room = rooms[name] else {
      return []
    }
    if room.members.isEmpty {
      roomsDue.remove(name)
      rooms[name]?.forgetChanges()
      if room.published == 0, name != .lobby { rooms[name] = nil }
      return []
    }
    guard isLast, let shown = people[person]?.name else { return [] }
    return announce(.left(name, shown, members: room.peopleCount), in: name, left: 1, at: now)
  }

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
