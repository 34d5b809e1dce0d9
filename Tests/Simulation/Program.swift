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
  private var codec = JSONClientCodec()
  private var count = 0
  private(set) var outstanding: [Asked] = []
  private var isLoggedIn = false
  private var hasHeard = false
  /// The rooms that it is in on this link.
  private(set) var readings: [RoomName: Reading] = [:]
  /// The rooms that it wants to be in, and how far it has seen each.
  var wanted: [RoomName: Aim] = [:]
  private var mine: [Say] = []
  /// Messages whose change it has asked for, without an answer yet.
  var changing: Set<Int64> = []
  var laterAt = Duration.zero
  /// Who it is on this link, as far as it was told.
  private(set) var person: PersonID?
  /// Conversations of which it has asked for what it misses.
  private var talks: Set<RoomName> = []
  /// When the newest list of conversations was asked for.
  var listedSince = 0
  /// What the server calls it.
  private(set) var userName: UserName?
  private var whoever: Set<PersonID> = []
  override var people: Set<PersonID> { whoever }
  private let isFirst: Bool

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

  private func seen(_ request: Request) -> Int64? {
    guard case .history(let place?, _, _) = request else { return nil }
    return room(of: place).flatMap { readings[$0]?.seen }
  }

  override func opened() {
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

  private func logIn() {
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
  private func goOn() {
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

  private func attempt(_ say: Say) {
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
  private var isLoggingOut: Bool { outstanding.contains { $0.request == .logOut } }

  override func act() {
    guard isLoggedIn, outstanding.count < world.plan.window, !isLoggingOut else { return }
    if persona.membership != nil, world.dice.chance(15) { return seeToAccount() }
    if world.dice.chance(world.plan.ruling) { return rule() }
    if world.dice.chance(world.plan.talking) { return talk() }
    let rooms = World.rooms + readings.keys.filter { !World.rooms.contains($0) }.sorted {
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
      let id = "\(persona.name)-\(persona.says.count)"
      let padding = String(repeating: "x", count: world.dice.number(0...world.plan.textBytes))
      guard let text = MessageText("\(id) \(world.mark(of: room))\(padding)"), let key = MessageKey(id) else { return }
      let say = Say(room, text, key)
      persona.says.append(say)
      mine.append(say)
      attempt(say)
    }
  }

  /// Sends again what was sent before, by this device or another: no one may hear it twice.
  private func sayAgain() {
    guard !persona.says.isEmpty else { return }
    let say = world.dice.pick(persona.says)
    if isIn(say.room) { attempt(say) }
  }

  private func join(_ room: RoomName) {
    guard !isJoining(room) else { return }
    wanted[room] = wanted[room] ?? Aim()
    let seen = readings[room]?.seen ?? wanted[room]?.seen
    // It may also look further back than it has seen already.
    let again = seen.map { Beginning.after(max(0, $0 - Int64(world.dice.number(0...5)))) }
    ask(.join(place(of: room), world.dice.chance(60) ? again ?? .now : beginning(), code: nil))
  }

  private func leave(_ room: RoomName) {
    let isLeaving = outstanding.contains { asked in
      if case .leave(room) = asked.request { true } else { false }
    }
    guard readings[room] != nil, !isJoining(room), !isLeaving, room != .lobby, !room.isMade else { return }
    wanted[room] = nil
    ask(.leave(room))
  }

  private func askForHistory(of room: RoomName) {
    guard readings[room] != nil else { return }
    let newest = max(1, Int(world.ledger.newest(room)))
    let stretch = world.dice.pick([
      Stretch.before(nil), .before(Int64(world.dice.number(1...newest))),
      .after(Int64(world.dice.number(0...newest))),
    ])
    ask(.history(place(of: room), stretch, limit: world.dice.pick([1, 5, 100, 500])))
  }

  /// Goes on where a page ended.
  private func askForMore(than page: HistoryPage, in room: RoomName, _ stretch: Stretch) {
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

  private func take(_ id: RequestID) throws(Violation) -> Asked {
    guard let first = outstanding.first, first.id == id else {
      throw Violation(
        .answersInOrder,
        "\(name) got the answer \(id) before that to \(outstanding.first?.id as Any)")
    }
    return outstanding.removeFirst()
  }

  private func answered(
    _ answer: Answer, _ asked: Asked, _ stamp: Stamp
  ) throws(Violation) {
    switch answer {
    case .loggedIn(let name, let token, let isGuest):
      userName = name
      try letIn(asked, isGuest: isGuest, stamp.step)
      persona.token = token
      persona.isExiled = false
      person = Secrets.person(in: token)
      if let person { whoever.insert(person) }
      persona.membership?.isGiven(token, asked.request, asked.standing)
      let isNew = !isLoggedIn
      isLoggedIn = true
      if isNew { goOn() }
    case .loggedOut:
      try hasLoggedOut(asked)
      isLoggedIn = false
      readings = [:]
    case .joined(let place, let seq, _, _):
      if let room = room(of: place) { joined(room, seq, asked) }
    case .left(let room): readings[room] = nil
    case .sent(_, let seq, let at, let durability):
      guard let say = asked.say else { return }
      say.underWay -= 1
      try say.answered(seq, at, in: world.ledger)
      guard durability == world.durability else {
        throw Violation(.keptFirst, "\(say.room.string) #\(seq) was called \(durability)")
      }
    case .changed(let seq): try changed(seq, asked)
    case .history(let page, let place):
      guard case .history(_, let stretch, _) = asked.request, let room = room(of: place) else {
        return
      }
      try world.ledger.check(
        page, stretch, in: room, shown: asked.seen, writtenAs: stamp.behind(asked.step))
      if page.more, world.dice.chance(80) { askForMore(than: page, in: room, stretch) }
    case .invited(let room, let code): world.codes[room, default: []].append(code)
    case .found(let findings):
      for finding in findings.messages { try found(finding, asked, stamp) }
    case .done: try hasExpelled(asked, stamp)
    case .rooms(let rooms, _):
      listedSince = asked.step
      try told(rooms)
    case .members, .pong, .quit, .refused, .topic, .report: break
    }
  }

  private func joined(_ room: RoomName, _ seq: Int64, _ asked: Asked) {
    let beginning: Beginning
    switch asked.request {
    case .join(_, let asked, _): beginning = asked
    case .create: beginning = .now
    case _: return
    }
    wanted[room] = wanted[room] ?? Aim()
    if room.isMade { talks.insert(room) }
    switch beginning {
    case .now:
      // A conversation is heard before it is joined.
      if readings[room] == nil { readings[room] = Reading(room, .at(seq), isLive: true) }
    case .after(let seen):
      let known = seen <= wanted[room]?.seen ?? 0 ? wanted[room]?.known ?? [:] : [:]
      readings[room] = Reading(room, .at(seen), isLive: false, known: known)
    case .last(let count):
      let kept = world.ledger.entries(room).count { $0.isThere && $0.message.seq <= seq }
      readings[room] = Reading(
        room,
        .newest(count: min(count, world.plan.limits.hub.historyMax), kept: kept, newest: seq),
        isLive: false)
    }
    remember(room)
  }

  /// For the next link.
  private func remember(_ room: RoomName) {
    guard let reading = readings[room], let seen = reading.seen else { return }
    wanted[room]?.seen = seen
    wanted[room]?.known = reading.known
  }

  private func refused(_ refusal: JSONRefusal, _ asked: Asked) throws(Violation) {
    if let say = asked.say {
      say.underWay -= 1
      try say.refused(in: world.ledger)
    }
    try refusedAccount(refusal.code, asked)
    try refusedChange(refusal.code, asked)
    refusedRoom(refusal.code, asked)
    if refusal.code == "rate-limited" || refusal.code == "busy" || refusal.code == "not-stored" {
      laterAt = world.now + (refusal.retryAfter ?? .milliseconds(20))
      return
    }
    switch (asked.request, refusal.code) {
    case (.logIn, "name-taken"), (.logIn, "not-allowed"), (.resume, "name-taken"),
      (.resume, "not-allowed"):
      laterAt = world.now + .milliseconds(300)
    case (_, "not-logged-in") where !isLoggedIn: break
    case (let request, let code)
    where world.plan.ruling + world.plan.talking > 0 && mayBeRefused(request, code):
      break
    case (.logInWithPassword, "bad-password"), (.logInWithPassword, "not-allowed"),
      // It waited for a place, and what it had proved is void by now.
      (.logInWithPassword, "bad-token"),
      (.register, "name-taken"), (.register, "not-allowed"), (.register, "bad-password"),
      (.changePassword, "bad-password"),
      (.changePassword, "not-allowed"):
      laterAt = world.now + .milliseconds(100)
    case (.resume, "bad-token") where persona.membership != nil: break
    // It asked before it knew that it is not in the room, or not any more.
    // Nobody was left in it, and nothing was ever said there.
    case (.history(.room(let room)?, _, _), "no-such-room")
    where world.ledger.entries(room).first?.step ?? .max > asked.step:
      break
    case (.send(.room(let room), _, _, _), "not-member"),
      (.send(.room(let room), _, _, _), "no-such-room"),
      (.edit(.room(let room), _, _), "not-member"), (.edit(.room(let room), _, _), "no-such-room"),
      (.delete(.room(let room), _), "not-member"), (.delete(.room(let room), _), "no-such-room"):
      if readings[room] != nil { fallthrough }
    case (.edit, "no-such-message"), (.delete, "no-such-message"), (.edit, "not-allowed"),
      (.delete, "not-allowed"):
      break
    case (.who, "no-such-room"): break
    case _:
      throw Violation(.spelled, "\(name) was refused \(asked.request): \(refusal)")
    }
  }

  private func told(_ event: Event, _ stamp: Stamp) throws(Violation) {
    switch event {
    case .message(let message, let place):
      try change(place, stamp, message) { reading throws(Violation) in
        try reading.shown(message, in: world.ledger, writtenAs: stamp)
      }
      try checkKey(of: message, in: place)
    case .gap(let place, let gap):
      try change(place, stamp) { reading throws(Violation) in try reading.told(gap, in: world.ledger) }
    case .caughtUp(let place, let seq):
      try change(place, stamp) { reading throws(Violation) in
        try reading.caughtUp(seq, in: world.ledger)
      }
    case .joined(let room, _, _), .left(let room, _, _), .membersChanged(let room, _, _, _):
      try change(.room(room), stamp) { _ in }
    case .kicked(let room, _, _):
      readings[room] = nil
      giveUp(room)
    case .typing(.room(let room), _, _): try hears(room, stamp)
    case .marked(let place, let seq): try told(seq, readIn: place)
    case .typing, .presence, .catchingUp, .help, .skipped, .notice, .closing:
      break
    }
  }

  private func change(
    _ place: Place, _ stamp: Stamp, _ message: Message? = nil,
    _ body: (inout Reading) throws(Violation) -> Void
  ) throws(Violation) {
    guard let room = room(of: place), var reading = readings[room] ?? begun(room, message) else {
      throw Violation(.onlyMembers, "\(name) hears of \(place) and is not in it")
    }
    try body(&reading)
    readings[room] = reading
    if !room.isMade || talks.contains(room) { remember(room) }
    try hears(room, stamp)
  }

  /// A conversation begins with what comes first of it; what was before it asks for.
  private func begun(_ room: RoomName, _ message: Message?) -> Reading? {
    guard room.isMade, let message else { return nil }
    wanted[room] = wanted[room] ?? Aim()
    return Reading(room, .at(message.seq - 1), isLive: true)
  }

  /// Whether the person may still be told of the room. Answers that were given before and wait to
  /// be sent are none of what is withdrawn.
  private func hears(_ room: RoomName, _ stamp: Stamp) throws(Violation) {
    guard world.plan.ruling > 0, let person, whoever.count == 1 else { return }
    try world.secrecy.hears(room, person, stamp, in: world.ledger)
  }

  private func found(
    _ finding: Findings.Finding, _ asked: Asked, _ stamp: Stamp
  ) throws(Violation) {
    guard let room = room(of: finding.place) else { return }
    guard let entry = world.ledger.entry(finding.message.seq, in: room) else {
      throw Violation(.keptFirst, "#\(finding.message.seq) of \(room.string) was found")
    }
    try entry.agrees(with: finding.message, writtenAs: stamp.behind(asked.step))
  }

  private func checkKey(of message: Message, in place: Place) throws(Violation) {
    guard let room = room(of: place), let entry = world.ledger.entry(message.seq, in: room) else {
      return
    }
    var isMine = false
    if case .text(let text) = entry.said { isMine = text.string.hasPrefix("\(persona.name)-") }
    guard (message.draft.key != nil) == isMine else {
      throw Violation(.onlyMembers, "\(name) was told a key wrongly: \(message)")
    }
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
    if let say = mine.first(where: { $0.isDue && isOwn($0.room) }) { return "an answer to \(say.text)" }
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
