/// Somebody at a terminal, in line mode: in one room at a time, without keys. Knows a message by
/// its text.

import ChatModel

class Typist: Device {
  private var isLoggedIn = false
  /// When to try another name; nil while the last may still be answered.
  private var again: Duration?
  private var said = 0
  fileprivate var pings: [String] = []
  private var asked = 0
  fileprivate var reading: Reading?
  /// What it is called at the moment, or asks to be: others want the same names.
  private var userName = ""
  private static let userNames = ["ty", "tyra", "tyson"]

  override func opened() {
    isLoggedIn = false
    pings = []
    again = nil
    reading = nil
    logIn()
  }

  private func logIn() {
    userName = world.dice.pick(Self.userNames)
    type("iam:\(userName)")
  }

  /// The first lines arrive whole: a tutorial's client is told by the times between its bytes.
  fileprivate func type(_ text: String) { send("\(text)\n", isWhole: !isLoggedIn || said < 2) }

  override func tend() {
    guard !isLoggedIn, let again, world.now >= again else { return }
    self.again = nil
    logIn()
  }

  override func act() {
    guard isLoggedIn, pings.count < world.plan.window else { return }
    switch world.dice.number(1...100) {
    case ...60: speak()
    case ...70: type("join:\(world.dice.pick(World.rooms).string)")
    case ...80: ping()
    case ...90: if !world.plan.hasDamage && !world.plan.hasRetention { type("history:10") }
    case ...96: type("who:")
    default: type("iam:\(world.dice.pick(Self.userNames))")
    }
  }

  fileprivate func speak() {
    said += 1
    let padding = String(repeating: "y", count: world.dice.number(0...world.plan.textBytes))
    type("msg:\(name)-\(said) \(padding)")
  }

  private func ping() {
    asked += 1
    pings.append("\(asked)")
    type("ping:\(asked)")
  }

  override func heard(_ line: String, writtenAs stamp: Stamp) throws(Violation) {
    if line.hasSuffix(" has joined") {
      if line == "\(userName) has joined" { isLoggedIn = true }
    } else if line.hasPrefix("* pong ") {
      guard let first = pings.first, line == "* pong \(first)" else {
        throw Violation(.answersInOrder, "\(name) got '\(line)' before \(pings.first ?? "any")")
      }
      pings.removeFirst()
    } else if line.hasPrefix("* you are in ") {
      try entered(line)
    } else if line.hasPrefix("* #") {
      try told(gap: line)
    } else if let words = Textless(line) {
      try shown(words, stamp)
    } else if line.hasPrefix("[") {
      try looked(line)
    } else if let colon = line.firstRange(of: ": "), !line.hasPrefix("* "),
      !line.hasPrefix("! ")
    {
      try shown(bare(line[colon.upperBound...]), stamp)
    } else if line.hasSuffix(" is taken; log in with another name: iam:NAME") {
      again = world.now + .milliseconds(500)
    }
  }

  /// "* you are in tea: 3 here, newest #44"
  private func entered(_ line: String) throws(Violation) {
    let words = line.split(separator: " ")
    guard words.count > 4, let room = RoomName(String(words[4].dropLast())) else {
      throw Violation(.spelled, line)
    }
    // Also before it was shown anything it is in the lobby, perhaps behind.
    guard reading?.room ?? .lobby != room else { return }
    let seq = line.firstRange(of: "#").flatMap { Int64(line[$0.upperBound...]) } ?? 0
    begin(room, after: seq)
  }

  fileprivate var isShownChanges: Bool { true }

  fileprivate func begin(_ room: RoomName, after seq: Int64) {
    reading = Reading(room, .at(seq), isLive: true, isShownChanges: isShownChanges)
  }

  private func told(gap line: String) throws(Violation) {
    let numbers = line.matches(of: /#(\d+)/).compactMap { Int64($0.1) }
    guard let first = numbers.first, let last = numbers.last, first <= last else {
      throw Violation(.spelled, line)
    }
    try reading?.told(first...last, in: world.ledger)
  }

  /// A line of history: "[2026-11-30 02:10 #44] ann: hi"
  private func looked(_ line: String) throws(Violation) {
    guard let match = line.wholeMatch(of: /\[[^#]*#(\d+)\] [^:(]*(:| \(deleted\)) ?(.*)/),
      let seq = Int64(match.1)
    else { throw Violation(.spelled, line) }
    let isTrue: Bool
    if match.2 == ":" {
      isTrue = world.ledger.places(of: bare(match.3)).contains { $0.seq == seq }
    } else {
      isTrue = World.rooms.contains {
        world.ledger.entry(seq, in: $0)?.message.draft.content == .gone
      }
    }
    guard isTrue else {
      throw Violation(.oneOrder, "\(name) was shown in the history: \(line)")
    }
  }

  private func bare(_ text: Substring) -> String {
    String(text.hasSuffix(" (edited)") ? text.dropLast(" (edited)".count) : text)
  }

  /// A message: the next of its text, or the newest that was kept when its bytes were written. A
  /// text is kept again where it was said again after the first had gone, and a raw client hears
  /// late.
  fileprivate func shown(_ text: String, _ stamp: Stamp) throws(Violation) {
    let places = world.ledger.places(of: text)
    let seen = reading?.seen ?? 0
    guard
      let place = places.first(where: { $0.room == reading?.room && $0.seq > seen })
        ?? places.last(where: { world.ledger.isKept($0.seq, in: $0.room, at: stamp.step) })
        ?? places.last,
      let entry = world.ledger.entry(place.seq, in: place.room)
    else { throw Violation(.keptFirst, "\(name) was shown '\(text)', which is not kept") }
    if reading == nil {
      // In the lobby with the login, from some message on.
      guard place.room == .lobby else {
        throw Violation(.onlyMembers, "\(name) hears of \(place.room.string) before joining it")
      }
      begin(.lobby, after: place.seq - 1)
    }
    guard reading?.room == place.room else {
      throw Violation(.onlyMembers, "\(name) hears of \(place.room.string), not being in it")
    }
    try entry.allows(text, writtenAs: stamp)
    try note(entry.message, stamp)
  }

  fileprivate func note(_ message: Message, _ stamp: Stamp) throws(Violation) {
    try reading?.shown(message, in: world.ledger, writtenAs: stamp)
  }

  /// What has no text of its own: the next that reads like this, or the newest.
  private func shown(_ words: Textless, _ stamp: Stamp) throws(Violation) {
    guard let reading else { return }  // in the lobby, from nobody knows where
    let entries = world.ledger.entries(reading.room).filter { words.isOf($0.message.draft) }
    let seen = reading.seen ?? 0
    guard let entry = entries.first(where: { $0.message.seq > seen }) ?? entries.last else {
      throw Violation(.keptFirst, "\(name) was shown what is not kept: \(words)")
    }
    try note(entry.message, stamp)
  }

  override func closed() {
    isLoggedIn = false
    pings = []
  }

  override func calmedDown() {
    if isLoggedIn { speak() }
  }

  override var lacks: String? {
    guard isLoggedIn else { return "a name" }
    if let ping = pings.first { return "a pong to \(ping)" }
    guard let reading, let seen = reading.seen else { return nil }
    return reading.next(after: seen, in: world.ledger).map {
      "#\($0.message.seq) of \(reading.room.string), which follows #\(seen)"
    }
  }
}

/// A change, or a message without its text, as line mode tells of it: without its number.
private enum Textless {
  case edit(of: Int64, String)
  case deletion(of: Int64)
  /// Nil: there is none any more.
  case topic(String?)
  case gone(String)

  /// Nil for every other line; also for the topic as an answer tells it.
  init?(_ line: String) {
    // Most lines are none of these; a regular expression is read anew each time.
    guard
      line.hasPrefix("* ") && (line.contains("#") || line.contains(" topic of "))
        || line.hasSuffix(" (deleted)")
    else { return nil }
    if let match = line.wholeMatch(of: /\* [^:]+ changed #(\d+): (.*)/), let seq = Int64(match.1) {
      self = .edit(of: seq, String(match.2))
    } else if let match = line.wholeMatch(of: /\* [^:]+ deleted #(\d+)/),
      let seq = Int64(match.1)
    {
      self = .deletion(of: seq)
    } else if let match = line.wholeMatch(of: /\* topic of [^:]+, by [^:]+: (.*)/) {
      self = .topic(String(match.1))
    } else if line.wholeMatch(of: /\* [^:]+ took the topic of [^:]+ away/) != nil {
      self = .topic(nil)
    } else if let match = line.wholeMatch(of: /([^:*!\[][^:]*) \(deleted\)/) {
      self = .gone(String(match.1))
    } else {
      return nil
    }
  }

  func isOf(_ draft: Draft) -> Bool {
    switch (self, draft.content) {
    case (.edit(let seq, let text), .edit(let of, let new)): seq == of && text == new.string
    case (.deletion(let seq), .deletion(let of)): seq == of
    case (.topic(let topic), .topic(let new)): topic == new?.string
    case (.gone(let name), .gone): name == draft.from.shown
    case _: false
    }
  }
}

/// A tutorial's client: unterminated commands, paced lines, and a word about what it was too slow
/// for in place of catching up.
final class Tutorial: Typist {
  override var isShownChanges: Bool { false }
  /// Lines that it was told were skipped since it was shown a message.
  private var skipped = 0
  private var quietUntil = Duration.zero

  override func opened() {
    skipped = 0
    quietUntil = world.now + .seconds(1)
    super.opened()
  }

  /// One read each, and far enough apart for the quiet timer.
  override func type(_ text: String) {
    quietUntil = world.now + .milliseconds(700)
    send(text, isWhole: true)
  }

  override func act() {
    if world.now >= quietUntil { speak() }
  }

  override func heard(_ line: String, writtenAs stamp: Stamp) throws(Violation) {
    guard line.hasPrefix("* "), line.hasSuffix(" lines skipped") else {
      return try super.heard(line, writtenAs: stamp)
    }
    guard let count = Int(line.dropFirst(2).dropLast(" lines skipped".count)) else {
      throw Violation(.spelled, line)
    }
    skipped += count
  }

  /// Nor does it lack the last lines, where it was told of so many.
  override var lacks: String? {
    guard let lacks = super.lacks, let seen = reading?.seen else { return super.lacks }
    let missed = world.ledger.rest(after: seen, in: .lobby).count { $0.isForAll }
    return missed <= skipped && pings.isEmpty ? nil : lacks
  }

  /// May leave out as many as it was told of.
  override func note(_ message: Message, _ stamp: Stamp) throws(Violation) {
    if let seen = reading?.seen, seen < message.seq {
      let ledger = world.ledger
      let missed = ledger.entries(message.draft.room)[
        ledger.index(after: seen, in: message.draft.room)...
      ].prefix { $0.message.seq < message.seq }.filter { $0.message.draft.content.isMessage }
      guard missed.count <= skipped else {
        throw Violation(
          .noHole, "\(name) lacks \(missed.count) lines and was told of \(skipped)")
      }
      if !missed.isEmpty { begin(.lobby, after: message.seq - 1) }
    }
    skipped = 0
    try super.note(message, stamp)
  }
}
