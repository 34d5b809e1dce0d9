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
  var rooms: [RoomName: Room] = [.lobby: Room(.lobby)]
  /// Rooms whose count line waits for its time.
  var roomsDue: Set<RoomName> = []
  var makers = RoomMakers()
  /// What besides messages is judged by.
  package internal(set) var registry: Registry
  /// What makes the one who registers with it the owner, while there is none.
  package let ownerCode: String?
  /// What connections have asked that is decided elsewhere.
  var pending: [ConnectionID: Pending] = [:]
  var generator: SplitMix

  struct Person {
    var name: UserName
    var bucket: TokenBucket
    var connections: [ConnectionID]
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
  }

  /// `seed` draws the numbers of new people; `known` are the rooms that a store has, `registry` its
  /// facts.
  package init(
    limits: HubLimits = HubLimits(), seed: UInt64 = 0, known: [RoomState] = [],
    registry: Registry = Registry(), ownerCode: String? = nil
  ) {
    self.limits = limits
    self.registry = registry
    self.ownerCode = ownerCode
    generator = SplitMix(state: seed)
    for room in known { rooms[room.name] = Room(room.name, published: room.seq) }
  }

  /// One request of a connection that is open and not told to wait. ``Request/resume(token:_:)`` is
  /// the caller's to look into: see ``resume(_:as:epoch:_:from:_:at:)``. `address` is the
  /// connection's where it counts for what one address may do.
  package mutating func handle(
    _ request: Request, _ asked: RequestID? = nil, from id: ConnectionID,
    of address: String? = nil, at now: Duration
  ) -> [Effect] {
    switch request {
    case .logIn(let name, let manner):
      return logIn(id, asked, as: name, person: nil, manner, at: now)
    case .logInWithPassword(let name, let password, let orAsGuest, let manner):
      return logIn(id, asked, as: name, password, orAsGuest: orAsGuest, manner, at: now)
    case .register(let name, let password, let code, let manner):
      return register(id, asked, as: name, password, code: code, manner)
    case .resume: return [.answer(id, asked, .refused(.badToken))]
    case .ping(let text): return [.answer(id, asked, .pong(text))]
    case .quit:
      return [.answer(id, asked, .quit)] + disconnected(id, at: now) + [.close(id, .quit)]
    case .join, .leave, .send, .history, .rooms, .who, .changePassword, .logOut:
      guard let resident = residents[id] else {
        return [.answer(id, asked, .refused(.notLoggedIn))]
      }
      do throws(Refused) {
        return try handle(request, asked, from: id, of: address, resident, at: now)
      } catch {
        return [.answer(id, asked, .refused(error.refusal))]
      }
    }
  }

  /// A request that needs a name.
  private mutating func handle(
    _ request: Request, _ asked: RequestID?, from id: ConnectionID, of address: String?,
    _ resident: Resident, at now: Duration
  ) throws(Refused) -> [Effect] {
    switch request {
    case .join(let room, let beginning):
      try join(id, of: address, asked, resident, room, beginning, at: now)
    case .leave(let room): try leave(id, asked, resident, room, at: now)
    case .send(let room, let text, let key, let replyTo):
      try send(
        text, to: room, key: key, replyTo: replyTo, Ticket(connection: id, request: asked),
        resident, at: now)
    case .history(let room, let stretch, let limit):
      [
        .fetch(
          id, asked, try known(room, resident), stretch,
          limit: min(max(1, limit), limits.historyMax))
      ]
    case .rooms: [.answer(id, asked, .rooms(listedRooms, count: rooms.count))]
    case .who(let room): [.answer(id, asked, who(in: try known(room, resident)))]
    case .changePassword(let old, let new):
      try changePassword(id, asked, resident, from: old, to: new)
    case .logOut: logOut(id, asked, resident)
    case .logIn, .logInWithPassword, .register, .resume, .ping, .quit:
      preconditionFailure("these need no name")
    }
  }

  /// How many addresses are remembered for the rooms that they made.
  package var addressesHeld: Int { makers.count }

  /// The connection is gone or going; nothing more is told to it.
  package mutating func disconnected(_ id: ConnectionID, at now: Duration) -> [Effect] {
    for (holder, waiting) in askers where waiting.contains(where: { $0.connection == id }) {
      // An empty list stays: it says that the holder is being probed, and need not be once more.
      askers[holder] = waiting.filter { $0.connection != id }
    }
    pending[id] = nil
    return forget(id, at: now)
  }

  /// When ``wake(at:)`` wants to be called; nil when nothing waits for the clock.
  package var nextWake: Duration? {
    roomsDue.reduce(nil) { earliest, name in
      guard let due = rooms[name]?.countLineDue else { return earliest }
      return min(earliest ?? due, due)
    }
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
