/// What a program makes of answers and events: each is held against the ledger.

import ChatHub
import ChatModel
import ChatServer
import Dialects

extension Program {
  func answered(
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

  func joined(_ room: RoomName, _ seq: Int64, _ asked: Asked) {
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
  func remember(_ room: RoomName) {
    guard let reading = readings[room], let seen = reading.seen else { return }
    wanted[room]?.seen = seen
    wanted[room]?.known = reading.known
  }

  func refused(_ refusal: JSONRefusal, _ asked: Asked) throws(Violation) {
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
      (.resume, "not-allowed"), (.logIn, "muted"):
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

  func told(_ event: Event, _ stamp: Stamp) throws(Violation) {
    switch event {
    case .message(let message, let place):
      try change(place, stamp, message) { reading throws(Violation) in
        try reading.shown(message, in: world.ledger, writtenAs: stamp)
      }
      try checkKey(of: message, in: place)
    case .gap(let place, let gap):
      try change(place, stamp) { reading throws(Violation) in
        try reading.told(gap, in: world.ledger)
      }
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

  func change(
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
  func begun(_ room: RoomName, _ message: Message?) -> Reading? {
    guard room.isMade, let message else { return nil }
    wanted[room] = wanted[room] ?? Aim()
    return Reading(room, .at(message.seq - 1), isLive: true)
  }

  /// Whether the person may still be told of the room. Answers that were given before and wait to
  /// be sent are none of what is withdrawn.
  func hears(_ room: RoomName, _ stamp: Stamp) throws(Violation) {
    guard world.plan.ruling > 0, let person, whoever.count == 1 else { return }
    try world.secrecy.hears(room, person, stamp, in: world.ledger)
  }

  func found(
    _ finding: Findings.Finding, _ asked: Asked, _ stamp: Stamp
  ) throws(Violation) {
    guard let room = room(of: finding.place) else { return }
    guard let entry = world.ledger.entry(finding.message.seq, in: room) else {
      throw Violation(.keptFirst, "#\(finding.message.seq) of \(room.string) was found")
    }
    try entry.agrees(with: finding.message, writtenAs: stamp.behind(asked.step))
  }

  func checkKey(of message: Message, in place: Place) throws(Violation) {
    guard let room = room(of: place), let entry = world.ledger.entry(message.seq, in: room) else {
      return
    }
    var isMine = false
    if case .text(let text) = entry.said { isMine = text.string.hasPrefix("\(persona.name)-") }
    guard (message.draft.key != nil) == isMine else {
      throw Violation(.onlyMembers, "\(name) was told a key wrongly: \(message)")
    }
  }
}
