/// A hub among people who ask for anything at any time, by seed, and a store that is late and may
/// fail. Holds what is shown against what is kept, and says what is wrong.

import ChatModel

@testable import ChatHub

struct Mischief {
  private var hub: Hub
  private let wall = Wall()
  private var now = Duration.zero
  var dice: SplitMix
  private(set) var wrong: [String] = []

  /// What the store has kept.
  private var kept: [Fact.Key: Fact] = [:]
  private var numbers: [RoomName: Int64] = [:]
  /// What it is to keep, in order.
  private var queue: [Effect] = []
  private var works: [(ConnectionID, PasswordWork)] = []
  private var probes: [ConnectionID] = []
  var codes: [String] = []

  /// What is known of a connection that is open.
  private struct Peer {
    var waits = false
    var underWay = 0
    var person: PersonID?
    var address: String?
    var unanswered: Set<String> = []
    /// It asks for rooms from outside, one thing after the other.
    var isVisitor = false
    var visits = 0
  }
  private var peers: [ConnectionID: Peer] = [:]
  private var generation: UInt32 = 0
  private var asked = 0
  /// Where most of the next request is to be.
  var here: RoomName?

  init(seed: UInt64) {
    dice = SplitMix(state: seed)
    var limits = HubLimits()
    limits.connectionsPerPersonMax = 3
    limits.namedJoinsMembersMax = 4
    limits.messagesPerSecond = nil
    limits.signalsPerSecond = nil
    limits.roomsMadePerMinute = nil
    let facts =
      Staff.accounts + [
        .room(room("den"), RoomRecord(isPrivate: true)),
        .member(room("den"), Staff.boss.person, .owner),
        .member(room("den"), Staff.mod.person, .moderator),
        .room(room("tea"), RoomRecord(isPrivate: false)),
        .member(room("tea"), Staff.pat.person, .owner),
      ]
    for fact in facts { kept[fact.key] = fact }
    hub = Hub(
      limits: limits, seed: seed, registry: Registry(facts), surroundings: wall.surroundings)
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps where wrong.isEmpty { step() }
    settle()
    judge()
  }

  // MARK: One thing after the other

  private mutating func step() {
    switch Int.random(in: 0..<20, using: &dice) {
    case 0: wall.moment.milliseconds += Int64.random(in: -5_000...20_000, using: &dice)
    case 1, 2: keepSome(fails: Int.random(in: 0..<3, using: &dice) == 0)
    case 3, 4: workOnPassword()
    case 5: answerProbe(isAlive: Bool.random(using: &dice))
    case 6 where Bool.random(using: &dice): if let id = anyPeer() { drop(id) }
    case 7: come()
    case _:
      guard let id = anyPeer(), let peer = peers[id], !peer.waits else { break }
      if peer.isVisitor {
        visit(id)
      } else {
        ask(id, peer.person == nil ? .logIn(name(), .manyRooms) : request(of: id))
      }
    }
    now += .milliseconds(Int.random(in: 0..<50, using: &dice))
    while let wake = hub.nextWake, wake <= now { perform(hub.wake(at: now)) }
  }

  /// In the same order whenever the same happens.
  private mutating func anyPeer() -> ConnectionID? {
    peers.keys.sorted { $0.generation < $1.generation }.randomElement(using: &dice)
  }

  private mutating func come() {
    generation += 1
    let id = ConnectionID(slot: 1, generation: generation)
    let address = ["203.0.113.7", "198.51.100.9", nil].randomElement(using: &dice) ?? nil
    peers[id] = Peer(address: address)
    let manner: Manner = Bool.random(using: &dice) ? .oneRoom : .manyRooms
    let person = hub.people.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &dice)
    switch Int.random(in: 0..<6, using: &dice) {
    case 4, 5:
      peers[id]?.isVisitor = true
      visit(id)
    case 0: ask(id, .logInWithPassword(name(), Self.secret, orAsGuest: false, manner))
    case 1, 2:
      // A token of somebody who is here, or of one of the staff.
      let staff = Staff.allCases.randomElement(using: &dice)?.person ?? Staff.pat.person
      let person = Bool.random(using: &dice) ? staff : person ?? staff
      let number = nextRequest(id)
      let epoch = hub.registry.keptEpoch(of: person)
      perform(
        hub.resume(
          person, as: name(), epoch: epoch, manner, from: id, number, of: address, at: now))
    case _: ask(id, .logIn(name(), manner))
    }
  }

  /// By a token of somebody who is here or of one of the staff, by a void one, or by none.
  private mutating func visit(_ id: ConnectionID) {
    // Whoever follows asks nothing more.
    guard let peer = peers[id], peer.visits == 0, hub.followers.room(of: id) == nil else { return }
    peers[id]?.visits = 1
    let people = hub.people.keys.sorted { $0.rawValue < $1.rawValue }
    let person = (people + Staff.allCases.map(\.person)).randomElement(using: &dice)
    let visitor = person.flatMap { person -> Visitor? in
      let epoch = hub.registry.keptEpoch(of: person)
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: return nil
      case 1: return Visitor(person: person, name: name(), epoch: epoch + 1)
      case _: return Visitor(person: person, name: name(), epoch: epoch)
      }
    }
    perform(hub.visit(visit(), by: visitor, from: id, of: peer.address, at: now))
  }

  func rooms(of id: ConnectionID) -> [RoomName] { hub.residents[id]?.rooms ?? [] }

  private mutating func drop(_ id: ConnectionID) {
    peers[id] = nil
    perform(hub.disconnected(id, hasFinished: Bool.random(using: &dice), at: now))
  }

  private mutating func nextRequest(_ id: ConnectionID) -> RequestID {
    asked += 1
    peers[id]?.unanswered.insert("\(asked)")
    return .number("\(asked)")
  }

  /// As the exchange does: behind what is not answered only messages are taken.
  private mutating func ask(_ id: ConnectionID, _ request: Request) {
    guard let peer = peers[id] else { return }
    if peer.underWay > 0 { guard case .send = request else { return } }
    let number = nextRequest(id)
    perform(hub.handle(request, number, from: id, of: peer.address, at: now))
  }

  private mutating func workOnPassword() {
    guard !works.isEmpty else { return }
    let (id, work) = works.removeFirst()
    perform(hub.hashed(id, outcome(of: work), at: now))
  }

  private mutating func answerProbe(isAlive: Bool) {
    guard !probes.isEmpty else { return }
    perform(hub.probed(probes.removeFirst(), isAlive: isAlive, at: now))
  }

  // MARK: The store

  private mutating func keepSome(fails: Bool) {
    let count = min(queue.count, Int.random(in: 1...6, using: &dice))
    guard count > 0 else { return }
    var batch = Array(queue.prefix(count))
    queue.removeFirst(count)
    guard fails else { return batch.forEach { keep($0) } }
    // What was judged by facts that are not kept is not kept either.
    if batch.contains(where: { if case .record = $0 { true } else { false } }) {
      batch += queue
      queue = []
    }
    hub.takeBack(batch.records.map(\.record))
    for item in batch {
      switch item {
      case .record(let record, let ticket):
        answered(ticket)
        perform(hub.recorded(record, ticket, .failed(.diskFull), at: now))
      case .keep(let draft, let ticket):
        answered(ticket)
        perform(hub.kept(draft, ticket, .failed(.diskFull), .stored))
      case _: break
      }
    }
  }

  private mutating func keep(_ item: Effect) {
    switch item {
    case .record(let record, let ticket):
      set(record.facts)
      answered(ticket)
      let outcome: RecordOutcome =
        record.line == nil ? .kept : .keptLine(seq: next(in: .audit), at: wall.moment)
      perform(hub.recorded(record, ticket, outcome, at: now))
    case .keep(let draft, let ticket):
      if isBanned(draft.person, draft.room) {
        wrong.append("kept behind a ban: \(draft)")
      }
      set(draft.facts)
      answered(ticket)
      let outcome = KeepOutcome.stored(seq: next(in: draft.room), at: wall.moment)
      perform(hub.kept(draft, ticket, outcome, .stored))
    case _: break
    }
  }

  private mutating func next(in room: RoomName) -> Int64 {
    numbers[room, default: 0] += 1
    return numbers[room, default: 0]
  }

  private mutating func set(_ facts: [Fact]) {
    for fact in facts { kept[fact.key] = fact.isRemoval ? nil : fact }
  }

  private mutating func answered(_ ticket: Ticket) { peers[ticket.connection]?.underWay -= 1 }

  // MARK: Effects

  private mutating func perform(_ effects: [Effect]) {
    for (id, event) in effects.told { show(event, to: id) }
    for effect in effects {
      switch effect {
      case .answer(let id, let request, let answer):
        if case .invited(_, let code) = answer { codes.append(code) }
        answers(id, request)
      case .answerLogin(let id, let request, _, _), .fetch(let id, let request, _, _, limit: _),
        .answerToken(let id, let request, _, _, days: _),
        .search(let id, let request, _, in: _, _):
        answers(id, request)
      case .named(let id, let person, _): peers[id]?.person = person
      case .unnamed(let id): peers[id]?.person = nil
      case .keep(_, let ticket), .record(_, let ticket):
        queue.append(effect)
        peers[ticket.connection]?.underWay += 1
      case .hash(let id, let work): works.append((id, work))
      case .probe(let id): probes.append(id)
      case .wait(let id): peers[id]?.waits = true
      case .proceed(let id): peers[id]?.waits = false
      case .close(let id, _): peers[id] = nil
      case .closeNetwork(let network, _):
        for (id, peer) in peers.sorted(by: { $0.key.generation < $1.key.generation })
        where peer.address.map({ network.contains($0) }) == true {
          drop(id)
        }
      case .tell, .tellAll, .publish, .replay, .forget, .withdraw, .withdrawAnswers, .readLater,
        .errand:
        break
      }
    }
  }

  private mutating func answers(_ id: ConnectionID, _ request: RequestID?) {
    if request == nil, let visits = peers[id]?.visits {
      if visits == 0 { wrong.append("a visit of \(id) is answered twice") }
      peers[id]?.visits = 0
    }
    guard case .number(let number) = request, peers[id] != nil else { return }
    if peers[id]?.unanswered.remove(number) == nil { wrong.append("\(number) is answered twice") }
  }

  /// Whoever is told of a room may be there by what is kept.
  private mutating func show(_ event: Event, to id: ConnectionID) {
    guard let room = event.room, let person = peers[id]?.person else { return }
    if case .kicked = event { return }
    // The line that takes an owner away is the last one that it reads.
    if room == .audit { return }
    if isHidden(room, from: person) { wrong.append("told of a hidden room: \(event) to \(id)") }
    if isBanned(person, room) { wrong.append("told behind a ban: \(event) to \(id)") }
  }

  private func isHidden(_ room: RoomName, from person: PersonID) -> Bool {
    guard case .room(_, let record?) = kept[.room(room)], record.isPrivate else { return false }
    return kept[.member(room, person)] == nil
  }

  private func isBanned(_ person: PersonID, _ room: RoomName) -> Bool {
    [room, nil].contains { place in
      let key = Sanction.Key(.ban, in: place, of: .person(person))
      guard case .sanction(_, let ban?) = kept[.sanction(key)] else { return false }
      return ban.until == nil
    }
  }

  // MARK: The end

  private mutating func settle() {
    for _ in 0..<200 where !(queue.isEmpty && works.isEmpty && probes.isEmpty) {
      keepSome(fails: false)
      workOnPassword()
      answerProbe(isAlive: true)
    }
  }

  private mutating func judge() {
    if hub.registry != Registry(Array(kept.values)) {
      wrong.append("facts differ from the store's")
    }
    for (id, peer) in peers
    where !peer.unanswered.isEmpty || peer.waits || peer.underWay != 0 || peer.visits != 0 {
      wrong.append("\(id) is not answered: \(peer)")
    }
    if !hub.pending.isEmpty { wrong.append("pending: \(hub.pending)") }
    if hub.askers.values.contains(where: { !$0.isEmpty }) { wrong.append("askers: \(hub.askers)") }
    if !hub.crowds.isEmpty { wrong.append("crowds: \(hub.crowds)") }
    for (person, one) in hub.people {
      if hub.holders[one.name] != person { wrong.append("\(one.name.shown) is not held") }
      if one.connections.isEmpty { wrong.append("\(one.name.shown) is nowhere") }
      for id in one.connections where hub.residents[id]?.person != person || peers[id] == nil {
        wrong.append("\(id) is not \(one.name.shown)")
      }
    }
    for (id, resident) in hub.residents {
      for room in resident.rooms where hub.rooms[room]?.members.contains(id) != true {
        wrong.append("\(id) believes to be in \(room.string)")
      }
    }
    judgeFollowers()
    if hub.holders.count != hub.people.count { wrong.append("names without people") }
    for room in hub.rooms.values {
      for id in room.members {
        guard let resident = hub.residents[id], resident.rooms.contains(room.name) else {
          wrong.append("\(id) is in \(room.name.string) and does not know it")
          continue
        }
        if !hub.isShown(room.name, to: resident.person) || isBanned(resident.person, room.name) {
          wrong.append("\(id) may not be in \(room.name.string)")
        }
      }
      if room.isNothing, room.name != .lobby, room.name != .audit,
        hub.registry.record(of: room.name) == nil
      {
        wrong.append("\(room.name.string) is nothing")
      }
    }
  }

  /// Whoever follows may read, by what is kept.
  private mutating func judgeFollowers() {
    var count = 0
    for room in hub.rooms.values {
      for id in room.followers {
        count += 1
        let person = hub.followers.person(of: id)
        if hub.followers.room(of: id) != room.name || peers[id] == nil {
          wrong.append("\(id) follows \(room.name.string) and does not know it")
        }
        let isBanned = person.map { self.isBanned($0, room.name) } ?? false
        if isBanned || !hub.mayRead(room.name, visitor: person) {
          wrong.append("\(id) may not follow \(room.name.string)")
        }
      }
    }
    if count != hub.followers.count { wrong.append("\(hub.followers.count) follow \(count) times") }
  }
}

extension Event {
  fileprivate var room: RoomName? {
    switch self {
    case .joined(let room, _, members: _), .left(let room, _, members: _),
      .membersChanged(let room, joined: _, left: _, members: _), .kicked(let room, by: _, _):
      room
    case .message(_, in: .room(let room)), .typing(.room(let room), _, _),
      .marked(.room(let room), seq: _):
      room
    case _: nil
    }
  }
}
