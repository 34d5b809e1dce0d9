/// What happens in the chat: requests in, effects out. No bytes, no sockets, no store, no clock of
/// its own.

package import ChatModel

/// The whole chat as one machine. The caller carries the effects out, in order, before the next
/// call.
package struct Hub {
  package let limits: HubLimits

  /// Who is logged in, by person.
  var people: [PersonID: Person] = [:]
  /// What each connection that is logged in has of its own.
  var residents: [ConnectionID: Resident] = [:]
  /// Who holds a name.
  var holders: [UserName: PersonID] = [:]
  /// Who waits for a name whose holder is being probed, in order of asking.
  var askers: [PersonID: [Asker]] = [:]
  /// Every room that is there, conversations among them.
  var rooms: [RoomName: Room] = [:]
  /// Rooms whose count line waits for its time.
  var roomsDue: Set<RoomName> = []
  /// How fast each address makes rooms, begins conversations, and brings somebody new.
  var makers = Rates<String>()
  var beginners = Rates<String>()
  var newcomers = Rates<String>()
  /// Who follows rooms without being in them.
  var followers = Followers()
  /// How fast people who are not here say something.
  var visitors = Rates<PersonID>()
  /// What besides messages is judged by.
  package internal(set) var registry: Registry
  /// What makes the one who registers with it the owner, while there is none.
  package let ownerCode: String?
  /// What connections have asked that is decided elsewhere.
  var pending: [ConnectionID: Pending] = [:]
  /// Who waits to be let in by a further connection, while the ones there are are being probed.
  var crowds: [PersonID: Crowd] = [:]
  /// Rooms that an operator is removing: nobody sees them any more.
  var removing: Set<RoomName> = []
  /// Rooms of which nothing is left but the newest number that was given in them.
  var former: [RoomName: Int64] = [:]
  var generator: SplitMix
  let surroundings: Surroundings

  struct Person {
    var name: UserName
    var bucket: TokenBucket
    /// For what is no message: typing, marks, away.
    var signals: TokenBucket
    var connections: [ConnectionID]
    /// Why the person is not at the keyboard; nil: it is.
    var away: ShortText?
  }

  struct Resident {
    let person: PersonID
    let manner: Manner
    var rooms: [RoomName] = []
  }

  struct Asker {
    var connection: ConnectionID
    var request: RequestID?
    var name: UserName
    /// Nil for somebody new.
    var person: PersonID?
    var manner: Manner
    /// What the person's tokens were worth as it asked.
    var epoch: Int64
  }

  /// `seed` draws the numbers of new people; `known` are the rooms that a store has, each with the
  /// newest number in it, `registry` its facts; of `former` ones it has nothing but that number.
  package init(
    limits: HubLimits = HubLimits(), seed: UInt64 = 0, known: [RoomName: Int64] = [:],
    former: [RoomName: Int64] = [:], registry: Registry = Registry(),
    ownerCode: String? = nil, surroundings: Surroundings
  ) {
    self.limits = limits
    self.registry = registry
    self.ownerCode = ownerCode
    self.surroundings = surroundings
    generator = SplitMix(state: seed)
    for room in [.lobby, .audit] + registry.recordedRooms { rooms[room] = Room(room) }
    for (room, seq) in known { rooms[room] = Room(room, published: seq) }
    for (room, seq) in former where known[room] == nil {
      self.former[room] = seq
      if rooms[room] != nil { rooms[room] = newRoom(room) }
    }
  }

  /// One request of a connection that is open and not told to wait. ``Request/resume(token:_:)`` is
  /// the caller's to look into: see ``resume(_:as:epoch:_:from:_:of:at:)``. `address` is the
  /// connection's where it counts for what one address may do.
  package mutating func handle(
    _ request: Request, _ asked: RequestID? = nil, from id: ConnectionID,
    of address: String? = nil, at now: Duration
  ) -> [Effect] {
    do throws(Refused) {
      switch request {
      case .logIn(let name, let manner):
        try checkOrigin(address)
        try payForName(id, name, of: address, at: now)
        return logIn(id, asked, as: name, person: nil, manner, at: now)
      case .logInWithPassword(let name, let password, let orAsGuest, let manner):
        try checkOrigin(address)
        return logIn(id, asked, as: name, password, orAsGuest: orAsGuest, manner, at: now)
      case .register(let name, let password, let code, let manner):
        try checkOrigin(address)
        return register(id, asked, as: name, password, code: code, manner)
      case .resume: throw Refused(.badToken)
      case .operate: throw Refused(.unknownCommand)
      case .ping(let text): return [.answer(id, asked, .pong(text))]
      case .quit:
        return [.answer(id, asked, .quit)] + disconnected(id, hasFinished: true, at: now)
          + [.close(id, .quit)]
      case _:
        guard let resident = residents[id] else { throw Refused(.notLoggedIn) }
        let asker = Asking(id: id, request: asked, address: address, resident: resident, at: now)
        return try handle(request, asker)
      }
    } catch {
      return [.answer(id, asked, .refused(error.refusal))]
    }
  }

  /// A request that needs a name.
  private mutating func handle(
    _ request: Request, _ asking: Asking
  ) throws(Refused) -> [Effect] {
    // Until a ban is kept the banned are still here. Nothing of theirs is to come behind it.
    try checkBan(of: asking.person, in: nil)
    if registry.account(of: asking.person)?.isDisabled == true { throw Refused(.accountDisabled) }
    if request.costsAsTyping { try signal(asking) }
    return switch request {
    case .changePassword(let old, let new): try changePassword(asking, from: old, to: new)
    case .logOut: logOut(asking)
    case .create(let room, let isPrivate, let topic):
      try create(asking, room, isPrivate: isPrivate, topic)
    case .archive(let room): try archive(asking, room)
    case .join(.room(let room), let beginning, let code):
      try join(asking, room, beginning, code: code)
    case .join(.with(let name), let beginning, code: _): try join(asking, with: name, beginning)
    case .leave(let room): try leave(asking, room)
    case .send(let place, let text, let key, let replyTo):
      try send(asking, text, to: place, key: key, replyTo: replyTo)
    case .edit(let place, let seq, let text):
      try change(asking, .edit(of: seq, text), in: place)
    case .delete(let place, let seq): try change(asking, .deletion(of: seq), in: place)
    case .history(let place, let stretch, let limit):
      [
        .fetch(
          asking.id, asking.request, try readable(place, asking), stretch,
          limit: min(max(1, limit), limits.historyMax))
      ]
    case .search(let search): try self.search(asking, search)
    case .mark(let place, let seq): try mark(asking, place, seq)
    case .typing(let place, let isOn): try typing(asking, place, isOn)
    case .away(let text): try away(asking, text)
    case .rooms: [asking.answer(listedRooms(for: asking.person))]
    case .who(let room): [asking.answer(who(in: try readable(room, asking)))]
    case .topic(let room): [asking.answer(topic(of: try readable(room, asking)))]
    case .setTopic(let room, let topic): try setTopic(asking, room, topic)
    case .invite(let room, let uses, let seconds):
      try invite(asking, room, uses: uses, seconds: seconds)
    case .uninvite(let room, let code): try uninvite(asking, room, code)
    case .kick(let room, let name, let reason): try kick(asking, room, name, reason)
    case .sanction(let kind, let room, let subject, let reason, let seconds):
      try sanction(asking, kind, room, subject, reason, seconds: seconds)
    case .lift(let kind, let room, let subject): try lift(asking, kind, room, subject)
    case .setRole(let room, let name, let role): try setRole(asking, room, name, role)
    case .logIn, .logInWithPassword, .register, .resume, .ping, .quit, .operate:
      preconditionFailure("these need no name")
    }
  }

  /// Nobody logs in from where the server was closed to.
  func checkOrigin(_ address: String?) throws(Refused) {
    guard let address, let ban = registry.ban(on: address, at: moment) else { return }
    throw Refused(.banned(nil, ban.reason, until: ban.until))
  }

  /// Another name is told to everybody, as a word is; and somebody new is kept in mind.
  private mutating func payForName(
    _ id: ConnectionID, _ name: UserName, of address: String?, at now: Duration
  ) throws(Refused) {
    guard let resident = residents[id] else {
      guard let address, let perMinute = limits.newcomersPerMinute,
        let wait = newcomers.pay(address, perMinute: perMinute, at: now)
      else { return }
      throw Refused(.rateLimited(retryAfter: wait))
    }
    guard people[resident.person]?.name != name else { return }
    for room in [nil] + resident.rooms.map({ Optional($0) }) {
      if let (place, mute) = sanction(.mute, on: resident.person, in: room) {
        throw Refused(.muted(place, mute.reason, until: mute.until))
      }
    }
    try signal(resident.person, at: now)
  }

  /// How many addresses are remembered for the rooms that they made.
  package var addressesHeld: Int { makers.count }

  /// How many people there are for whom somebody waits to be let in.
  package var crowdsHeld: Int { crowds.count }

  /// The connection is gone or going; nothing more is told to it. `hasFinished` where it went by
  /// itself, and not by an accident that may have cost it what was last told to it.
  package mutating func disconnected(
    _ id: ConnectionID, hasFinished: Bool = false, at now: Duration
  ) -> [Effect] {
    for (holder, waiting) in askers where waiting.contains(where: { $0.connection == id }) {
      // An empty list stays: it says that the holder is being probed, and need not be once more.
      askers[holder] = waiting.filter { $0.connection != id }
    }
    for person in crowds.keys { crowds[person]?.askers.removeAll { $0.connection == id } }
    pending[id] = nil
    _ = unfollow(id)
    return (hasFinished ? markRead(id) : []) + forget(id, at: now)
  }

  /// When ``wake(at:)`` wants to be called; nil when nothing waits for the clock.
  package var nextWake: Duration? {
    var earliest: Duration?
    for name in roomsDue {
      guard let due = rooms[name]?.countLineDue else { continue }
      earliest = min(earliest ?? due, due)
    }
    return earliest
  }

  /// The time that ``nextWake`` named has come.
  package mutating func wake(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    // In the same order whenever the same happens: a simulation replays it.
    for name in roomsDue.sorted(by: { $0.string < $1.string }) {
      guard let changes = rooms[name]?.takeDueChanges(at: now), let room = rooms[name] else {
        continue
      }
      roomsDue.remove(name)
      let event = Event.membersChanged(
        name, joined: changes.joined, left: changes.left, members: room.peopleCount)
      effects.append(.tellAll(room.members, event))
    }
    return effects
  }
}

/// Who asks for something, by which connection, and when.
struct Asking {
  let id: ConnectionID
  let request: RequestID?
  /// Where it counts for what one address may do.
  let address: String?
  let resident: Hub.Resident
  let now: Duration

  init(
    id: ConnectionID, request: RequestID?, address: String?, resident: Hub.Resident,
    at now: Duration
  ) {
    self.id = id
    self.request = request
    self.address = address
    self.resident = resident
    self.now = now
  }

  var person: PersonID { resident.person }
  var ticket: Ticket { Ticket(connection: id, request: request) }

  func answer(_ answer: Answer) -> Effect { .answer(id, request, answer) }
}

extension Request {
  /// Whether it costs as typing does: what is told to many or kept without being a message, and the
  /// longest list.
  fileprivate var costsAsTyping: Bool {
    switch self {
    case .create, .archive, .join, .leave, .invite, .uninvite, .kick, .sanction, .lift, .setRole,
      .rooms:
      true
    case .logIn, .logInWithPassword, .register, .changePassword, .logOut, .resume, .send, .edit,
      .delete, .history, .search, .mark, .typing, .away, .who, .topic, .setTopic, .ping, .quit,
      .operate:
      false
    }
  }
}

/// What ends the handling of a request with a refusal.
struct Refused: Error {
  let refusal: Refusal

  init(_ refusal: Refusal) { self.refusal = refusal }
}

/// A small generator of numbers that a seed decides (Steele, Lea and Flood's SplitMix64).
package struct SplitMix: RandomNumberGenerator {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
