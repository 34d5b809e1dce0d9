/// A program that speaks JSON lines: keeps its place in every room over cuts, sends again with the
/// same key what had no answer, and holds every answer and event against the ledger.

import ChatHub
import ChatModel
import ChatServer
import Dialects

final class Program: Device {
  let persona: Persona
  /// Passwords are taken from this machine alone.
  override var origin: Origin {
    persona.membership == nil ? super.origin : .loopback("127.0.0.1")
  }
  var codec = JSONClientCodec()
  var count = 0
  var outstanding: [Asked] = []
  var isLoggedIn = false
  var hasHeard = false
  /// The rooms that it is in on this link.
  var readings: [RoomName: Reading] = [:]
  /// The rooms that it wants to be in, and how far it has seen each.
  var wanted: [RoomName: Aim] = [:]
  var mine: [Say] = []
  /// Messages whose change it has asked for, without an answer yet.
  var changing: Set<Int64> = []
  var laterAt = Duration.zero
  /// Who it is on this link, as far as it was told.
  var person: PersonID?
  /// Conversations of which it has asked for what it misses.
  var talks: Set<RoomName> = []
  /// When the newest list of conversations was asked for.
  var listedSince = 0
  /// What the server calls it.
  var userName: UserName?
  var whoever: Set<PersonID> = []
  override var people: Set<PersonID> { whoever }
  let isFirst: Bool
  private let isWebSocket: Bool

  struct Aim {
    var seen: Int64?
    /// What it knows of the messages up to there.
    var known: [Int64: Content] = [:]
  }

  struct Asked {
    let id: RequestID
    let request: Request
    let say: Say?
    /// What it had seen of the room then.
    let seen: Int64?
    /// When it was asked.
    let step: Int
    var knock: Knock?
    /// Where its person stood with an account then.
    var standing: Membership.Standing?
  }

  init(_ name: String, _ persona: Persona, in world: World) {
    self.persona = persona
    isFirst = persona.devices == 0
    isWebSocket = world.dice.chance(world.plan.webSockets)
    persona.devices += 1
    super.init(name, in: world)
    wanted[.lobby] = Aim()
  }

  // MARK: Asking

  func ask(_ request: Request, _ say: Say? = nil) {
    count += 1
    let id: RequestID = count % 3 == 0 ? .text("t\(count)") : .number("\(count)")
    var line: [UInt8] = []
    codec.encode(request, id: id, into: &line)
    persona.membership?.asks(request)
    outstanding.append(
      Asked(
        id: id, request: request, say: say, seen: seen(request), step: world.step,
        standing: persona.membership?.standing(at: world.step)))
    if let room = request.knocksAt {
      let knock = Knock(room, world.step)
      persona.knocks.append(knock)
      outstanding[outstanding.count - 1].knock = knock
    }
    send(String(decoding: line, as: UTF8.self))
  }

  func seen(_ request: Request) -> Int64? {
    guard case .history(let place?, _, _) = request else { return nil }
    return room(of: place).flatMap { readings[$0]?.seen }
  }

  override func opened() {
    if isWebSocket { upgrade() }
    codec = JSONClientCodec()
    outstanding = []
    readings = [:]
    changing = []
    person = nil
    whoever = []
    talks = []
    isLoggedIn = false
    hasHeard = false
    logIn()
    // Who has a token need not wait for the answer.
    if persona.token != nil, world.dice.chance(70) { goOn() }
  }

  func logIn() {
    if let request = loginOfAccount() {
      ask(request)
    } else if let token = persona.token {
      ask(.resume(token: token, .manyRooms))
    } else if isFirst, let name = try? UserName(persona.name) {
      // The others wait for its token, or they would be somebody else.
      ask(.logIn(name, .manyRooms))
    }
  }

  /// Takes up where the last link was cut.
  func goOn() {
    // What has no answer may be sent again only from inside its room.
    for say in mine where say.isDue { wanted[say.room] = wanted[say.room] ?? Aim() }
    for (room, aim) in wanted.sorted(by: { $0.key.string < $1.key.string })
    where !isIn(room) && !isJoining(room) && isOwn(room) {
      // Of a conversation nothing is missing to begin with.
      let first = room.isMade ? Beginning.after(0) : beginning()
      ask(.join(place(of: room), aim.seen.map { .after($0) } ?? first, code: nil))
    }
    for say in mine where say.isDue && say.underWay == 0 && isOwn(say.room) { attempt(say) }
  }

  func isJoining(_ room: RoomName) -> Bool {
    outstanding.contains { asked in
      if case .join(let place, _, _) = asked.request { self.room(of: place) == room } else { false }
    }
  }

  /// A conversation is of two people, and a device may have become somebody else.
  func isOwn(_ room: RoomName) -> Bool {
    guard let (one, other) = room.people else { return true }
    return one == person || other == person
  }

  /// In a conversation one is without asking; it has then asked for what it misses.
  func isIn(_ room: RoomName) -> Bool {
    readings[room] != nil && isOwn(room) && (!room.isMade || talks.contains(room))
  }

  func beginning() -> Beginning {
    world.dice.pick([.now, .after(0), .last(world.dice.number(1...30))])
  }

  func attempt(_ say: Say) {
    guard outstanding.count < max(world.plan.window, 4) else { return }
    say.underWay += 1
    ask(.send(place(of: say.room), say.text, key: say.key, replyTo: nil), say)
  }

  override func tend() {
    guard world.now >= laterAt else { return }
    guard isLoggedIn else {
      if outstanding.isEmpty { logIn() }
      return
    }
    if outstanding.count < world.plan.window, !isLoggingOut { goOn() }
  }

  /// What it asks behind a logout would be asked by nobody.
  var isLoggingOut: Bool { outstanding.contains { $0.request == .logOut } }

  override func act() {
    guard isLoggedIn, outstanding.count < world.plan.window, !isLoggingOut else { return }
    if persona.membership != nil, world.dice.chance(15) { return seeToAccount() }
    if world.dice.chance(world.plan.ruling) { return rule() }
    if world.dice.chance(world.plan.talking) { return talk() }
    let rooms =
      World.rooms
      + readings.keys.filter { !World.rooms.contains($0) }.sorted {
        $0.string < $1.string
      }
    let room = world.dice.pick(rooms)
    switch world.dice.number(1...100) {
    case ...50: speak(in: room)
    case ...58: change(in: room)
    case ...70: if World.rooms.contains(room) || isIn(room) { join(room) }
    case ...74: leave(room)
    case ...82: askForHistory(of: room)
    case ...84: if let name = persona.anotherName() { ask(.logIn(name, .manyRooms)) }
    case ...88: ask(.ping(""))
    case ...90: ask(.rooms)
    case ...92: ask(.who(.lobby))
    default: sayAgain()
    }
  }

  func speak(in room: RoomName) {
    for _ in 0..<world.dice.number(1...max(1, world.plan.window / 2))
    where isIn(room) && outstanding.count < world.plan.window {
      guard let say = persona.say(in: room, world) else { return }
      mine.append(say)
      attempt(say)
    }
  }

  /// Sends again what was sent before, by this device or another: no one may hear it twice.
  func sayAgain() {
    guard !persona.says.isEmpty else { return }
    let say = world.dice.pick(persona.says)
    if isIn(say.room) { attempt(say) }
  }

  func join(_ room: RoomName) {
    guard !isJoining(room) else { return }
    wanted[room] = wanted[room] ?? Aim()
    let seen = readings[room]?.seen ?? wanted[room]?.seen
    // It may also look further back than it has seen already.
    let again = seen.map { Beginning.after(max(0, $0 - Int64(world.dice.number(0...5)))) }
    ask(.join(place(of: room), world.dice.chance(60) ? again ?? .now : beginning(), code: nil))
  }

  func leave(_ room: RoomName) {
    let isLeaving = outstanding.contains { asked in
      if case .leave(room) = asked.request { true } else { false }
    }
    guard readings[room] != nil, !isJoining(room), !isLeaving, room != .lobby, !room.isMade else {
      return
    }
    wanted[room] = nil
    ask(.leave(room))
  }

  func askForHistory(of room: RoomName) {
    guard readings[room] != nil else { return }
    let newest = max(1, Int(world.ledger.newest(room)))
    let stretch = world.dice.pick([
      Stretch.before(nil), .before(Int64(world.dice.number(1...newest))),
      .after(Int64(world.dice.number(0...newest))),
    ])
    ask(.history(place(of: room), stretch, limit: world.dice.pick([1, 5, 100, 500])))
  }

  /// Goes on where a page ended.
  func askForMore(than page: HistoryPage, in room: RoomName, _ stretch: Stretch) {
    guard readings[room] != nil, outstanding.count < world.plan.window else { return }
    switch stretch {
    case .after(let seq):
      let end = max(page.messages.last?.seq ?? seq, page.gap?.upperBound ?? seq)
      ask(.history(place(of: room), .after(end), limit: 100))
    case .before:
      guard let first = page.messages.first?.seq ?? page.gap?.lowerBound else { return }
      let start = min(first, page.gap?.lowerBound ?? first)
      ask(.history(place(of: room), .before(start), limit: 100))
    }
  }

  // MARK: Hearing

  override func heard(_ line: String, writtenAs stamp: Stamp) throws(Violation) {
    // Refused before it said a word, and so before the server knew what it speaks.
    if !hasHeard, line.hasPrefix("! more than ") { return }
    hasHeard = true
    let bytes = Array("\(line)\n".utf8)
    bytes.withUnsafeBytes { codec.received($0) }
    while let heard = codec.next() {
      switch heard {
      case .answer(let answer, let id):
        let asked = try take(id)
        asked.knock?.end = stamp.step
        try answered(answer, asked, stamp)
      case .refused(let refusal, let id):
        guard let id else { throw Violation(.spelled, "a refusal of nothing: \(line)") }
        let asked = try take(id)
        asked.knock?.end = stamp.step
        try refused(refusal, asked)
      case .event(let event): try told(event, stamp)
      case .notice, .closing: break
      case .malformed(let why): throw Violation(.spelled, "\(why): \(line)")
      }
    }
  }

  func take(_ id: RequestID) throws(Violation) -> Asked {
    guard let first = outstanding.first, first.id == id else {
      throw Violation(
        .answersInOrder,
        "\(name) got the answer \(id) before that to \(outstanding.first?.id as Any)")
    }
    return outstanding.removeFirst()
  }

  override func closed() {
    for asked in outstanding {
      persona.membership?.isCutOff(asked.request)
      asked.say?.underWay -= 1
      asked.say?.isUnknown = true
    }
    outstanding = []
    readings = [:]
    changing = []
    isLoggedIn = false
  }

  override func mayKnow(_ room: RoomName, _ stamp: Stamp) -> Bool {
    persona.knocks.contains { $0.room == room && ($0.step...$0.end).contains(stamp.step) }
  }

  override func isRefusal(_ line: String) -> Bool {
    line.hasPrefix("! ") || line.firstRange(of: #""error":{"code":"#) != nil
  }

  // MARK: The end

  override func calmedDown() {
    laterAt = .zero
    guard !isLoggingOut else { return }
    for room in readings.keys.sorted(by: { $0.string < $1.string }) { speak(in: room) }
    if isLoggedIn, world.plan.talking > 0 { ask(.rooms) }
  }

  override var lacks: String? {
    if persona.isExiled, !isLoggedIn { return nil }
    guard isLoggedIn else { return "a name" }
    if let asked = outstanding.first { return "an answer to \(asked.id)" }
    if let say = mine.first(where: { $0.isDue && isOwn($0.room) }) {
      return "an answer to \(say.text)"
    }
    for room in wanted.keys where isOwn(room) {
      let newest = world.ledger.newest(room)
      guard isIn(room), let reading = readings[room] else {
        return "its place in \(room.string)"
      }
      guard reading.isLive else { return "the word that it is live in \(room.string)" }
      guard let seen = reading.seen, seen >= newest else {
        return "what follows #\(reading.seen ?? 0) of \(room.string), up to #\(newest)"
      }
    }
    return nil
  }

  override func looksBack() throws(Violation) {
    for (room, reading) in readings {
      if let seq = reading.mistake(in: world.ledger) {
        throw Violation(.noHole, "\(name) never learnt what #\(seq) of \(room.string) is by now")
      }
    }
  }
}
