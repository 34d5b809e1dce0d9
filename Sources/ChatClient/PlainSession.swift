/// Speaks the plain dialect in lines, as our own server reads it. No sockets; time is passed in.

package import ChatModel

/// A conversation with our own server.
///
/// Why every line is followed by a ping: a line counts as answered when the server has dealt with
/// it, and only `* pong` says so for certain. Its echo may be altered by the server's guard, be
/// refused, be left out for a reader that is behind, or never come, as for a line of nothing but
/// controls. Pings are answered in the order of what was sent, so one pong answers the line before
/// it whatever became of that line, and ``ClientLimits/unansweredLinesMax`` can be kept exactly.
/// The login has a ping too: a refusal before its pong means that the name was not taken, and no
/// text has been sent into the void.
package struct PlainSession: ChatSession {
  private enum Entry {
    case text(MessageText, to: UserName?)
    case question(ChatQuestion)
    case topic(ShortText)
    case join(RoomName, code: String?)
    case finish
    case quit
  }

  /// What the pong of a ping tells.
  private enum Meaning {
    case loggedIn
    case lineAnswered
    case everythingAnswered
  }

  package private(set) var state = ChatState.connecting
  package private(set) var deadline: Duration?
  private let name: UserName
  private let password: Password?
  package private(set) var room: RoomName
  private var incoming = LineSplitter(bytesMax: ClientLimits.serverLineBytesMax)
  private var waiting: [Entry] = []
  private var pings: [(token: String, meaning: Meaning)] = []
  private var pingsSent = 0
  private var linesUnanswered = 0
  private var isEnding = false

  /// Stands for "unreachable", where a server hung up on another session before this one.
  private let formerEnd: ConnectionEnd?

  /// Everybody enters the lobby first; another room is joined from there.
  package init(
    name: UserName, password: Password? = nil, room: RoomName = .lobby,
    after formerEnd: ConnectionEnd? = nil
  ) {
    self.name = name
    self.password = password
    self.room = room
    self.formerEnd = formerEnd
    if room != .lobby { waiting.append(.join(room, code: nil)) }
  }

  package var canSay: Bool {
    state == .open && !isEnding && waiting.isEmpty
      && linesUnanswered < ClientLimits.unansweredLinesMax
  }

  package mutating func reached(at now: Duration) -> [SessionAction] {
    guard state == .connecting else { return [] }
    state = .securing
    return [.enter(.securing)]
  }

  package mutating func opened(at now: Duration) -> [SessionAction] {
    guard state == .connecting || state == .securing else { return [] }
    state = .loggingIn
    let secret = password.map { ":\($0.string)" } ?? ""
    let login = "iam:\(name.shown)\(secret)\n" + ping(.loggedIn)
    return [.enter(.loggingIn), .write(Array(login.utf8))]
  }

  package mutating func received(_ bytes: [UInt8], at now: Duration) -> [SessionAction] {
    guard !isClosed else { return [] }
    incoming.append(bytes)
    var actions: [SessionAction] = []
    while !isClosed, let line = incoming.nextShown() { actions += took(line, at: now) }
    return actions
  }

  package mutating func say(
    _ text: MessageText, to place: Place?, replyTo: Int64?, at now: Duration
  ) -> [SessionAction]? {
    guard replyTo == nil else { return nil }
    switch place {
    case nil: return take(.text(text, to: nil), at: now)
    case .with(let name): return take(.text(text, to: name), at: now)
    case .room(let other): return other == room ? take(.text(text, to: nil), at: now) : nil
    }
  }

  package mutating func ask(_ question: ChatQuestion, at now: Duration) -> [SessionAction]? {
    take(.question(question), at: now)
  }

  package mutating func join(
    _ room: RoomName, code: String?, at now: Duration
  ) -> [SessionAction]? {
    guard let actions = take(.join(room, code: code), at: now) else { return nil }
    self.room = room
    return actions
  }

  /// A topic can be set; all else that has an answer is not spoken of in plain.
  package mutating func request(_ request: Request, at now: Duration) -> [SessionAction]? {
    guard case .setTopic(let room, let topic?) = request, room ?? self.room == self.room else {
      return nil
    }
    return take(.topic(topic), at: now)
  }

  package mutating func finish(at now: Duration) -> [SessionAction] {
    end(with: .finish, at: now)
  }

  package mutating func quit(at now: Duration) -> [SessionAction] {
    end(with: .quit, at: now)
  }

  package mutating func ended(_ end: ConnectionEnd, at now: Duration) -> [SessionAction] {
    guard !isClosed else { return [] }
    var actions: [SessionAction] = []
    if let line = LineSplitter.shown(incoming.rest()) { actions += took(line, at: now) }
    if isClosed { return actions }
    // Nothing was left to say and all of it is answered: only the farewell is missing.
    if isEnding, state == .open, unanswered == 0 { return actions + close(.finished) }
    if state == .connecting, let formerEnd {
      return actions + close(formerEnd.closing(in: .loggingIn, unanswered: unanswered))
    }
    return actions + close(end.closing(in: state, unanswered: unanswered))
  }

  package mutating func timePassed(at now: Duration) -> [SessionAction] {
    guard !isClosed, let deadline, deadline <= now else { return [] }
    return close(unanswered == 0 ? .finished : .abandoned(unanswered: unanswered))
  }
}

// What comes in.
extension PlainSession {
  private mutating func took(_ line: ServerLine, at now: Duration) -> [SessionAction] {
    switch line {
    case .pong(let token):
      guard let index = pings.firstIndex(where: { $0.token == token }) else {
        return [.show(line)]
      }
      let answered = pings[...index].map(\.meaning)
      pings.removeFirst(index + 1)
      return answered.flatMap { answeredPing($0, at: now) }
    case .refusal(let words) where state == .loggingIn:
      return [.show(line)] + close(.loginRefused(words, .nameTaken))
    case .said, .replayed, .past, .saidPrivately, .joined, .left, .notice, .refusal, .other:
      return [.show(line)]
    }
  }

  private mutating func answeredPing(_ meaning: Meaning, at now: Duration) -> [SessionAction] {
    switch meaning {
    case .loggedIn:
      state = .open
      return [.enter(.open)] + send(at: now)
    case .lineAnswered:
      linesUnanswered -= 1
      return send(at: now)
    case .everythingAnswered:
      return close(.finished)
    }
  }
}

// What goes out.
extension PlainSession {
  private var isClosed: Bool {
    switch state {
    case .closed: true
    case .connecting, .securing, .loggingIn, .open, .interrupted: false
    }
  }

  /// Texts that no pong vouches for: on the way, or not even sent.
  package var unanswered: Int {
    linesUnanswered
      + waiting.count {
        if case .text = $0 { true } else { false }
      }
  }

  private mutating func take(_ entry: Entry, at now: Duration) -> [SessionAction]? {
    guard !isClosed, !isEnding else { return nil }
    waiting.append(entry)
    return send(at: now)
  }

  private mutating func end(with entry: Entry, at now: Duration) -> [SessionAction] {
    guard let actions = take(entry, at: now) else { return [] }
    isEnding = true
    return actions
  }

  /// Sends what waits, as far as the unanswered lines allow; all of it in one write.
  private mutating func send(at now: Duration) -> [SessionAction] {
    guard state == .open else { return [] }
    var bytes: [UInt8] = []
    var taken = 0
    for entry in waiting {
      if case .text = entry, linesUnanswered == ClientLimits.unansweredLinesMax { break }
      taken += 1
      bytes += spelling(of: entry, at: now).utf8
    }
    waiting.removeFirst(taken)
    return bytes.isEmpty ? [] : [.write(bytes)]
  }

  private mutating func spelling(of entry: Entry, at now: Duration) -> String {
    switch entry {
    case .text(let text, to: let other):
      linesUnanswered += 1
      let verb = other.map { "to:\($0.shown):" } ?? "msg:"
      return "\(verb)\(text.oneLine)\n" + ping(.lineAnswered)
    case .topic(let topic): return "topic:\(ScreenText.oneLine(topic.string))\n"
    case .join(let room, let code):
      return "join:\(room.string)\(code.map { ":\(ScreenText.oneLine($0))" } ?? "")\n"
    case .question(.topic): return "topic:\n"
    case .question(.who): return "who:\n"
    case .question(.rooms): return "rooms:\n"
    case .question(.history(let count)): return "history:\(count)\n"
    case .question(.help): return "help:\n"
    case .question(.ping(let text)): return "ping:\(ScreenText.guarded(text))\n"
    case .finish: return ping(.everythingAnswered)
    case .quit:
      deadline = now + ClientLimits.quitWait
      return "quit:\n"
    }
  }

  private mutating func ping(_ meaning: Meaning) -> String {
    pingsSent += 1
    let token = "beck-\(pingsSent)"
    pings.append((token, meaning))
    return "ping:\(token)\n"
  }

  private mutating func close(_ closing: ChatClosing) -> [SessionAction] {
    state = .closed(closing)
    deadline = nil
    return [.enter(state)]
  }
}
