/// Fuzzes a whole connection: detection, reads, time, logins, and every line that could come of it.

import ChatModel
import Dialects

func fuzzDialect(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  var talk = FuzzedTalk(answers: input.byte())
  while !input.isEmpty {
    let choice = input.byte()
    switch choice >> 5 {
    case 0...4: talk.read(input.bytes(1 + Int(choice & 0x1F)))
    case 5: talk.read([UInt8](repeating: input.byte(), count: (1 + Int(choice & 0x1F)) * 397))
    case 6: talk.pass(milliseconds: Int(choice & 7))
    case _ where choice & 0x10 != 0: talk.answerVisit()
    case _: talk.pull(atMost: choice & 1 == 0 ? .max : 1 + Int(choice & 3))
    }
  }
  talk.end()
  return 0
}

/// One connection, with what must hold of it after each step.
private struct FuzzedTalk {
  private var dialect = Dialect()
  private var now = Duration.zero
  private var name: UserName?
  /// Whether each login in turn is answered, and each visit of a room at once, a bit each.
  private var answers: UInt8
  /// What was asked of a room, and the store or the hub has still to say.
  private var visit: Visit?
  /// The bytes of the reads that were not pulled yet, or wait behind that.
  private var unpulled = 0
  private var isOver = false

  init(answers: UInt8) { self.answers = answers }

  mutating func read(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { dialect.received($0, at: now) }
    unpulled += bytes.count
    checkMemory()
    // A server pauses a connection's reads while its requests wait; so much may still come.
    if unpulled > 64 << 10 {
      answerVisit()
      pull(atMost: .max)
    }
  }

  mutating func pass(milliseconds choice: Int) {
    now += .milliseconds([1, 49, 50, 499, 500, 999, 1_000, 5_000][choice])
    // Reads that were not pulled in time may leave a deadline that has passed already.
    let wasDry = unpulled == 0
    dialect.deadlinePassed(at: now)
    pull(atMost: .max)
    if wasDry, let deadline = dialect.deadline {
      precondition(deadline > now, "a passed deadline comes again")
    }
  }

  mutating func end() {
    dialect.ended()
    pull(atMost: .max)
    while visit != nil {
      answerVisit()
      pull(atMost: .max)
    }
    precondition(dialect.bytesHeld == 0, "something is held past the end")
    precondition(dialect.deadline == nil, "a timer runs past the end")
  }

  mutating func pull(atMost most: Int) {
    var pulled = 0
    while pulled < most {
      guard let heard = dialect.next() else {
        if visit == nil { unpulled = 0 }
        break
      }
      precondition(visit == nil, "a request was heard before the one in front had its answer")
      pulled += 1
      take(heard)
      precondition(pulled <= unpulled + 2 * heldBytesMax, "more was heard than was sent")
    }
    checkMemory()
  }

  private func checkMemory() {
    precondition(dialect.bytesHeld <= heldBytesMax + unpulled, "too much is held")
  }

  private mutating func take(_ heard: Heard) {
    precondition(!isOver, "something was heard after the farewell")
    switch heard {
    case .request(let request, _):
      take(request)
    case .help:
      checkLines(.help, lines: nil, rawPrefix: "* ")
    case .answer(let answer, let id):
      checkLines(answer, to: id, lines: 1, rawPrefix: "! ")
    case .farewell(let bytes):
      // An idle connection of HTTP is closed without a word.
      precondition(!bytes.isEmpty || dialect.form == .silent, "a farewell says something")
      isOver = true
    case .write(let bytes):
      precondition(!bytes.isEmpty, "what is written is something")
    case .web(let request):
      take(request)
    case .tooManyMistakes(let limit):
      checkLines(.closing(.tooManyMistakes(limit: limit)), lines: 1)
      isOver = true
    case .close:
      isOver = true
    }
  }

  /// Answers what is asked over HTTP, which goes on behind it; what is asked of a room perhaps
  /// later.
  private mutating func take(_ request: WebRequest) {
    var out: [UInt8] = []
    switch request.action {
    case .file(let file):
      precondition(file.path.hasPrefix("/") || file.path == "*", "a file has a path")
      dialect.encode(HTTPReply(404, "nothing"), into: &out)
    case .readiness: dialect.encode(HTTPReply(200, "ready"), into: &out)
    case .upgrade(_, let isNamed):
      dialect.upgrade(accept: "proof", isNamed: isNamed, at: now, into: &out)
    case .visit(let visit, let token):
      if case .say = visit { precondition(token != nil, "nobody says something") }
      self.visit = visit
      if takeBit() { answerVisit() }
      return
    }
    precondition(out.starts(with: "HTTP/1.1 ".utf8), "an answer begins with its status")
  }

  /// What was asked of a room is answered, if something was.
  mutating func answerVisit() {
    guard let visit else { return }
    self.visit = nil
    precondition(dialect.deadline == nil, "nobody is too slow who waits for an answer")
    var out: [UInt8] = []
    switch visit {
    case .page(let room, let stretch, let limit):
      precondition((1...500).contains(limit), "a page has 1 to 500 messages")
      let page = HistoryPage(room: room, messages: [], more: false)
      dialect.encode(
        page, of: stretch, in: .room(room), bytesMax: 1 << 16, to: nil, into: &out)
    case .follow(let room, _):
      dialect.encode(.joined(.room(room), seq: 3, members: 2), to: nil, into: &out)
    case .say(let room, _, key: _, replyTo: _):
      dialect.encode(.refused(.noSuchRoom(room)), to: nil, into: &out)
    }
    precondition(out.starts(with: "HTTP/1.1 ".utf8), "an answer begins with its status")
  }

  /// The next of ``answers``.
  private mutating func takeBit() -> Bool {
    defer { answers = answers >> 1 | answers << 7 }
    return answers & 1 == 1
  }

  private mutating func take(_ request: Request) {
    switch request {
    case .logIn(let wanted, _):
      checkLines(.joined(.lobby, wanted, members: 2), lines: 1)
      checkLines(.left(.lobby, wanted, members: 1), lines: 1)
      checkLines(.refused(.nameTaken(wanted)), lines: 1)
      checkLines(
        .members(.lobby, [Member(wanted), Member(wanted, role: .owner)], count: 3), lines: 1)
      guard takeBit() else { return }
      name = wanted
      dialect.loggedIn(as: wanted)
    case .send(let place, let text, let key, let replyTo):
      guard let name else { return }
      let draft = Draft(
        room: .lobby, person: PersonID(rawValue: 7), from: name, text: text, key: key,
        replyTo: replyTo)
      checkSaid(draft, in: place ?? .room(.lobby))
    case .edit(let place, of: let seq, let text):
      guard let name else { return }
      let draft = Draft(
        room: .lobby, person: PersonID(rawValue: 7), from: name, content: .edit(of: seq, text))
      checkLines(.message(Message(draft, seq: 44, at: at), in: place), lines: 1)
    case .setTopic(let room, let topic):
      checkTopic(room ?? .lobby, topic)
    case .kick(let room, let whom, let reason):
      checkLines(.kicked(room ?? .lobby, by: whom, reason), lines: 1)
      checkLines(.closing(.kicked(by: whom, reason)), lines: 1)
    case .sanction(_, let room, _, let reason, seconds: _):
      checkLines(.refused(.banned(room, reason, until: at)), lines: 1, rawPrefix: "! ")
      checkLines(.refused(.muted(room, reason, until: nil)), lines: 1, rawPrefix: "! ")
    case .away(let text):
      guard let name else { return }
      checkLines(.presence(name, away: text), lines: 1)
      checkLines(.members(.lobby, [Member(name, away: text)], count: 1), lines: 1)
    case .ping(let text):
      checkLines(.pong(text), lines: 1, rawPrefix: "* pong")
    case .join(let place, _, code: _):
      checkLines(.joined(place, seq: 3, members: 2), lines: 1, rawPrefix: "* you are in ")
      checkLines(.catchingUp(place), lines: 1)
    case .history(_, _, let limit):
      precondition((1...500).contains(limit), "a page has 1 to 500 messages")
    case .logInWithPassword(let wanted, let password, _, _),
      .register(let wanted, let password, _, _):
      precondition(Password.bytes.contains(password.string.utf8.count), "a password has a length")
      checkLines(.refused(.nameHasAccount(wanted)), lines: 1)
    case .resume, .changePassword, .logOut, .leave, .rooms, .who, .quit, .create, .archive,
      .delete, .search, .mark, .typing, .topic, .invite, .uninvite, .lift, .setRole,
      .operate:
      break
    }
  }

  private func checkSaid(_ draft: Draft, in place: Place) {
    let message = Message(draft, seq: 44, at: at, edited: draft.replyTo == nil ? nil : at)
    let name = draft.from.shown
    let page = HistoryPage(room: draft.room, messages: [message], more: false)
    switch place {
    case .room:
      checkLines(.message(message, in: place), lines: 1, rawPrefix: "\(name): ")
      checkLines(
        .history(page, in: place), lines: 1, rawPrefix: "[2026-11-30 02:10 #44] \(name): ")
    case .with(let other):
      let mark = "\(name) (private to \(other.shown)): "
      checkLines(.message(message, in: place), lines: 1, rawPrefix: mark)
      checkLines(.history(page, in: place), lines: 1)
    }
  }

  private func checkTopic(_ room: RoomName, _ topic: ShortText?) {
    let draft = Draft(
      room: room, person: PersonID(rawValue: 7), from: name ?? nobody, content: .topic(topic))
    checkLines(.message(Message(draft, seq: 44, at: at), in: .room(room)), lines: 1)
    checkLines(.topic(room, topic), lines: 1, rawPrefix: "* ")
    var state = RoomState(place: .room(room), members: 1, seq: 1)
    state.topic = topic
    checkLines(.rooms([state], count: 1), lines: nil, rawPrefix: "* ")
  }
}

private let at = Moment(milliseconds: 1_796_004_600_123)

private let nobody: UserName = {
  guard let name = try? UserName("nobody") else { preconditionFailure("this is a name") }
  return name
}()

/// A few texts of 4,096 bytes, and more than a line of JSON: what is unfinished, with room for
/// several commands in one read; or a request of HTTP with head and body.
private let heldBytesMax = 88 << 10

/// To line mode and in JSON so many lines; to raw clients at most 1,000 bytes each, and each with
/// its prefix.
private func checkLines(_ event: Event, lines: Int?, rawPrefix: String = "") {
  for form in [Form.line, .raw, .json] {
    var bytes: [UInt8] = []
    Encoder.encode(event, for: form, isOwn: true, into: &bytes)
    check(bytes, form, lines: lines, rawPrefix: rawPrefix)
  }
}

private func checkLines(
  _ answer: Answer, to id: RequestID? = .number("1"), lines: Int?, rawPrefix: String = ""
) {
  for form in [Form.line, .raw, .json] {
    var bytes: [UInt8] = []
    Encoder.encode(answer, to: id, for: form, into: &bytes)
    check(bytes, form, lines: lines, rawPrefix: rawPrefix)
  }
}

private func check(_ given: [UInt8], _ form: Form, lines: Int?, rawPrefix: String) {
  var bytes = given
  if bytes.isEmpty { return }
  precondition(bytes.removeLast() == 0x0A, "a line has no end")
  let written = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  if form != .raw, let lines { precondition(written.count == lines, "a line was forged") }
  for line in written {
    precondition(!line.isEmpty, "an empty line")
    if form == .raw {
      precondition(line.count < 1_000, "a long raw line")
      precondition(line.starts(with: rawPrefix.utf8), "a part without its prefix")
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      preconditionFailure("a line that is no UTF-8")
    }
    precondition(!text.unicodeScalars.contains(where: isForbidden), "a control got through")
  }
}

private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x09: false
  case 0x00...0x1F, 0x7F...0x9F: true
  case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  case _: false
  }
}
