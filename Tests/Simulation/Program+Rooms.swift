/// What a program does about rooms that are not everybody's: makes them, lets others in, puts them
/// out, and asks for what it may not have.

import ChatModel
import ChatServer

extension Program {
  // MARK: Asking

  /// Does something that needs a right, whether it has that or not.
  func rule() {
    let rooms = World.secretRooms + World.ownedRooms + [.lobby]
    let ruled = rooms.filter { room in
      person.flatMap { world.ledger.role(of: $0, in: room) } ?? .member >= .moderator
    }
    if let (room, name) = slowReader(in: ruled), world.dice.chance(30) {
      return ask(.sanction(.ban, room, .name(name), nil, seconds: nil))
    }
    switch world.dice.number(1...100) {
    case ...15: make(world.dice.pick(World.secretRooms + World.ownedRooms))
    case ...35: enter()
    case ...45: pry(into: world.dice.pick(rooms))
    case ...50: moderate(world.dice.pick(rooms))
    case _ where ruled.isEmpty: enter()
    case _:
      let room = world.dice.pick(ruled)
      guard World.secretRooms.contains(room), world.dice.chance(40) else {
        return moderate(world.dice.chance(5) ? nil : room)
      }
      ask(
        .invite(
          room, uses: world.dice.pick([1, 2, nil]), seconds: world.dice.pick([nil, nil, 1, 30])))
    }
  }

  private func make(_ room: RoomName) {
    guard world.ledger.record(of: room) == nil, !isJoining(room), readings[room] == nil else {
      return
    }
    ask(.create(room, isPrivate: World.secretRooms.contains(room), topic: nil))
  }

  private func enter() {
    let room = world.dice.pick(World.secretRooms + World.ownedRooms)
    // Where nothing is, a join would make something.
    guard world.ledger.record(of: room) != nil, readings[room] == nil, !isJoining(room) else {
      return
    }
    let codes = world.codes[room] ?? []
    ask(
      .join(
        .room(room), beginning(),
        code: codes.isEmpty || world.dice.chance(10) ? nil : world.dice.pick(codes)))
  }

  /// Asks for what only those get who were admitted.
  private func pry(into room: RoomName) {
    guard world.ledger.record(of: room) != nil || room == .lobby else { return }
    let text = persona.anotherText(world.mark(of: room), 3)
    let somebody = target(in: room)
    switch world.dice.number(1...8) {
    case 1: ask(.who(room))
    case 2: ask(.history(.room(room), .before(nil), limit: 10))
    case 3: if let somebody { ask(.kick(room, somebody, nil)) }
    case 4: ask(.search(Search("anything", in: world.dice.chance(50) ? .room(room) : nil)))
    case 5: ask(.mark(.room(room), 1))
    case 6: ask(.typing(.room(room), true))
    case 7: ask(.invite(room, uses: 1, seconds: nil))
    case _: if let text { ask(.edit(.room(room), of: 1, text)) }
    }
  }

  private func moderate(_ room: RoomName?) {
    guard let target = target(in: room) else { return }
    let seconds = world.dice.pick([nil, nil, 1, 20])
    switch world.dice.number(1...100) {
    case ...30: ask(.sanction(.ban, room, .name(target), nil, seconds: seconds))
    case ...45: ask(.sanction(.mute, room, .name(target), nil, seconds: seconds))
    case ...60: ask(.kick(room, target, nil))
    case ...75: ask(.lift(world.dice.pick([.ban, .mute]), room, .name(target)))
    case ...90: if room != nil { ask(.setRole(room, target, world.dice.pick(Role.allCases))) }
    case _:
      if let room { ask(.setTopic(room, ShortText("\(world.mark(of: room))a topic"))) }
    }
  }

  /// Somebody in one of these rooms who has more on its way than its kernel takes.
  private func slowReader(in rooms: [RoomName]) -> (RoomName, UserName)? {
    for case let other as Program in world.devices where other.persona !== persona {
      guard let outbox = other.link?.connection?.outbox, outbox.bytes > outbox.bytesUnderWay,
        let name = other.userName, let room = rooms.first(where: { other.readings[$0] != nil })
      else { continue }
      return (room, name)
    }
    return nil
  }

  /// Rather somebody who is there, and to whom something of the room is on its way.
  private func target(in room: RoomName?) -> UserName? {
    let others = world.devices.compactMap { $0 as? Program }.filter { $0.persona !== persona }
    let busy = others.filter { other in
      guard let room, other.readings[room] != nil else { return false }
      return other.isStalled || !other.outstanding.isEmpty
    }
    let choice = busy.isEmpty || world.dice.chance(40) ? others : busy
    return choice.isEmpty || world.dice.chance(3) ? userName : world.dice.pick(choice).userName
  }

  // MARK: Hearing

  /// Somebody was put out, as it is answered.
  func hasExpelled(_ asked: Asked, _ stamp: Stamp) throws(Violation) {
    guard case .sanction(.ban, let room?, .name(let target), _, nil) = asked.request else { return }
    for (key, history) in world.ledger.told {
      guard case .sanction(let place) = key, place.room == room, place.kind == .ban,
        let other = place.subject.person, let last = history.last, last.step >= asked.step,
        // Not one that came later, which this answer says nothing of.
        last.step <= stamp.step,
        case .sanction(_, let ban?) = last.fact, ban.until == nil, ban.name == target
      else { continue }
      let expulsion = Expulsion(key: key, kept: last.step, answered: stamp.step)
      try world.secrecy.isOut(other, room, expulsion, in: world.ledger)
    }
  }

  /// It cannot get into a room, or say anything there.
  func refusedRoom(_ code: String, _ asked: Asked) {
    switch (asked.request, code) {
    case (.join(let place, _, _), "banned"), (.join(let place, _, _), "no-such-room"):
      if let room = room(of: place), readings[room] == nil { giveUp(room) }
    case (.send(let place?, _, _, _), "banned"), (.send(let place?, _, _, _), "muted"),
      (.send(let place?, _, _, _), "not-allowed"), (.send(let place?, _, _, _), "not-here"):
      asked.say?.isAbandoned = true
      if code == "banned", let room = room(of: place) { wanted[room] = nil }
    case (.logIn, "banned"), (.resume, "banned"), (.logInWithPassword, "banned"),
      (.register, "banned"):
      persona.isExiled = true
      laterAt = world.now + .seconds(1)
    case _: break
    }
  }

  func giveUp(_ room: RoomName) {
    wanted[room] = nil
    for say in persona.says where say.room == room && say.first == nil { say.isAbandoned = true }
  }

  /// What a request may be refused with where people have rights over others.
  func mayBeRefused(_ request: Request, _ code: String) -> Bool {
    // Off the server, as soon as that is decided.
    if code == "banned" { return true }
    // Another name is something said, too.
    if code == "muted", case .logIn = request { return true }
    return switch request {
    case .create: ["name-taken", "not-allowed"].contains(code)
    case .invite, .uninvite, .kick, .sanction, .lift, .setRole, .setTopic, .archive:
      [
        "no-such-room", "not-allowed", "not-here", "banned", "muted", "not-member", "bad-request",
      ].contains(code)
    case .send, .edit, .delete:
      ["no-such-room", "not-member", "banned", "muted", "not-here"].contains(code)
        || code == "not-allowed"
    case .join, .history, .who, .topic, .mark, .typing, .search, .leave:
      ["no-such-room", "not-member", "banned", "muted", "not-here"].contains(code)
    case _: false
    }
  }
}

/// A request that lets its person in, or does not: while it is under way nobody can say which.
final class Knock {
  let room: RoomName
  let step: Int
  /// The step in which its answer was handed over.
  var end = Int.max

  init(_ room: RoomName, _ step: Int) {
    self.room = room
    self.step = step
  }
}

extension Request {
  /// The secret room that it asks to be let into.
  var knocksAt: RoomName? {
    switch self {
    case .create(let room, isPrivate: true, _), .join(.room(let room), _, code: .some): room
    case _: nil
    }
  }
}
