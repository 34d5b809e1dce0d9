/// Speaks JSON lines, and comes back after a cut. No sockets; time is passed in.

package import ChatModel
internal import Dialects

/// A conversation with our own server, over as many connections as it takes.
///
/// Nothing said is lost, doubled or moved before another: each text has a key of its own, is sent
/// when the one before it is answered, and is sent again, with the same key, where the answer did
/// not come. Why only one is on the way: of several the first may be refused for the moment and the
/// second be taken, and then the order is gone. After a cut the session comes back by its token and
/// reads on, in each place behind the newest message that it has seen there.
package struct JSONSession: ChatSession {
  /// How far the server's silence has come.
  enum Silence {
    case none, asked, doubtful
  }

  /// What the server said before it closed the connection.
  struct Farewell {
    let reason: String
    let retryAfter: Duration?
  }

  package internal(set) var state = ChatState.connecting
  /// The server turned out not to speak JSON.
  var isForeign = false
  /// How it ended the conversation then, where it did so without a word.
  var hungUp: ConnectionEnd?
  /// The server has spoken JSON at some time.
  var isJSON = false
  var hasBeenOpen = false
  /// It is another connection than the first.
  var cameBack = false

  private(set) var name: UserName
  let password: Password?
  let replay: Int
  var token: String?

  // What is heard.
  /// The room that the conversation is in.
  var here: PlaceReading
  /// It was put out of it.
  var isOutside = false
  /// The rooms that are heard besides, in the order of their entering.
  var others: [PlaceReading] = []
  /// By the person with whom.
  var conversations: [UserName: PlaceReading] = [:]
  /// Until the server has told how far each conversation is, nothing of them counts; what is heard
  /// meanwhile is asked for then, from its number on.
  var early: [UserName: Int64]?
  /// Told again after a cut: the server may have forgotten it with the last connection.
  var awayText: ShortText?

  // What belongs to one connection.
  var codec = JSONClientCodec()
  var requests: Int64 = 0
  var asides: Int64 = 0
  var asked: [(id: RequestID, Asked)] = []
  var farewell: Farewell?
  var silence = Silence.none
  var hasSaidLast = false
  var hasSaidQuit = false

  // What outlives it.
  var waiting: [Entry] = []
  /// The text of this key was told to be late.
  var lateKey: MessageKey?
  var isFinishing = false
  var isQuitting = false
  var trouble = "the server does not answer"
  var backoff = Backoff()
  var generator: any RandomNumberGenerator

  // Times.
  var retryTime: Duration?
  var attemptEnd: Duration?
  var holdEnd: Duration?
  var silenceEnd: Duration?
  var quitEnd: Duration?
  /// When something that was said was answered for the last time, or the last text was said.
  var progressTime = Duration.zero
  var openTime = Duration.zero

  /// `replay` is how many of the newest messages are shown on entering a room, at most 500.
  package init(
    name: UserName, password: Password? = nil, room: RoomName = .lobby, replay: Int = 0,
    generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.name = name
    self.password = password
    self.replay = min(replay, HistoryPage.messagesMax)
    self.generator = generator
    here = PlaceReading(.room(room))
  }

  package var canSay: Bool {
    guard hasBeenOpen, !isClosed, !isFinishing, !isQuitting else { return false }
    return unanswered < ClientLimits.unansweredLinesMax
  }

  package var unanswered: Int {
    asked.count { $0.1.isText } + waiting.count { $0.isText }
  }

  package var deadline: Duration? {
    [retryTime, attemptEnd, holdEnd, silenceEnd, quitEnd, giveUpTime].compactMap { $0 }.min()
  }

  package var successor: (any ChatSession)? {
    guard isForeign else { return nil }
    var plain = PlainSession(name: name, password: password, room: hereRoom, after: hungUp)
    for entry in waiting { entry.pass(to: &plain) }
    if isQuitting { _ = plain.quit(at: .zero) } else if isFinishing { _ = plain.finish(at: .zero) }
    return plain
  }
}

// What the connection tells.
extension JSONSession {
  package mutating func reached(at now: Duration) -> [SessionAction] {
    guard state == .connecting else { return [] }
    return enter(.securing)
  }

  package mutating func opened(at now: Duration) -> [SessionAction] {
    guard state == .connecting || state == .securing else { return [] }
    codec = JSONClientCodec()
    let entering = enter(.loggingIn)
    guard let token else { return entering + logIn() }
    return entering + request(.resume(token: token, .manyRooms), for: .resume)
  }

  package mutating func received(_ bytes: [UInt8], at now: Duration) -> [SessionAction] {
    guard state == .loggingIn || state == .open, let first = bytes.first else { return [] }
    // The first byte decides, as on the server's side.
    guard isJSON || first == UInt8(ascii: "{") else { return turnForeign() }
    hearSomething(at: now)
    bytes.withUnsafeBytes { codec.received($0) }
    return takeHeard(at: now)
  }

  package mutating func ended(_ end: ConnectionEnd, at now: Duration) -> [SessionAction] {
    guard !isClosed, !state.isInterrupted else { return [] }
    codec.ended()
    let actions = takeHeard(at: now)
    // Its last line may have said more than its end.
    if isClosed || state.isInterrupted || isForeign { return actions }
    if isLeaving, state == .open, unanswered == 0 { return actions + close(.finished) }
    if !isJSON, state == .loggingIn, !end.isInsecure {
      hungUp = end
      return actions + turnForeign()
    }
    guard comesBack(after: end) else {
      return actions + close(end.closing(in: state, unanswered: unanswered))
    }
    return actions + interrupt(end.clause, atLeast: farewell?.retryAfter, at: now)
  }

  package mutating func timePassed(at now: Duration) -> [SessionAction] {
    guard !isClosed else { return [] }
    if isOver(quitEnd, now) { return close(leaving) }
    if isOver(giveUpTime, now) { return close(.gaveUp(trouble, unanswered: unanswered)) }
    if isOver(retryTime, now) {
      retryTime = nil
      attemptEnd = now + ClientLimits.attemptMax
      return enter(.connecting)
    }
    if isOver(attemptEnd, now) { return interrupt("the server does not answer", at: now) }
    if isOver(holdEnd, now) {
      holdEnd = nil
      return send(at: now)
    }
    return isOver(silenceEnd, now) ? breakSilence(at: now) : []
  }
}

// What the person wants.
extension JSONSession {
  package mutating func say(
    _ text: MessageText, to place: Place?, replyTo: Int64?, at now: Duration
  ) -> [SessionAction]? {
    take(.text(text, place ?? .room(room), key(), replyTo: replyTo), at: now)
  }

  package mutating func ask(_ question: ChatQuestion, at now: Duration) -> [SessionAction]? {
    take(.question(question, room), at: now)
  }

  package mutating func join(
    _ room: RoomName, code: String?, at now: Duration
  ) -> [SessionAction]? {
    take(.join(room, code: code, stays: false), at: now)
  }

  package mutating func enter(
    _ room: RoomName, code: String?, at now: Duration
  ) -> [SessionAction]? {
    take(.join(room, code: code, stays: true), at: now)
  }

  package mutating func request(_ request: Request, at now: Duration) -> [SessionAction]? {
    guard let request = taken(request) else { return nil }
    return take(.request(request), at: now)
  }

  package mutating func finish(at now: Duration) -> [SessionAction] {
    guard !isClosed, !isLeaving else { return [] }
    isFinishing = true
    progressTime = now
    // What is lost was answered: there is nothing to come back for.
    if state.isInterrupted, waiting.isEmpty { return close(.finished) }
    return send(at: now)
  }

  package mutating func quit(at now: Duration) -> [SessionAction] {
    guard !isClosed, !isQuitting else { return [] }
    isQuitting = true
    quitEnd = now + ClientLimits.quitWait
    return state.isInterrupted ? close(leaving) : send(at: now)
  }

  private mutating func take(_ entry: Entry, at now: Duration) -> [SessionAction]? {
    guard !isClosed, !isLeaving else { return nil }
    waiting.append(entry)
    return send(at: now)
  }

  /// The room that the next text is meant for, though the server may not have let us in yet.
  package var room: RoomName {
    waiting.reversed().firstNonNil(\.goal)
      ?? asked.reversed().firstNonNil { $0.1.entry?.goal } ?? hereRoom
  }

  /// 128 random bits.
  private mutating func key() -> MessageKey {
    let words = (0..<2).map { _ in
      String(UInt64.random(in: .min ... .max, using: &generator), radix: 36)
    }
    guard let key = MessageKey(words.joined(separator: "-")) else {
      preconditionFailure("27 letters are no key")
    }
    return key
  }
}

// Where it stands.
extension JSONSession {
  var isClosed: Bool {
    if case .closed = state { true } else { false }
  }

  var isLeaving: Bool { isFinishing || isQuitting }

  var leaving: ChatClosing {
    unanswered == 0 ? .finished : .abandoned(unanswered: unanswered)
  }

  /// Before anything was ever answered there is no hurry: the server may be slow to take the name.
  private var giveUpTime: Duration? {
    isFinishing && hasBeenOpen && !isClosed ? progressTime + ClientLimits.finishWait : nil
  }

  func isOver(_ end: Duration?, _ now: Duration) -> Bool { end.map { $0 <= now } ?? false }

  mutating func enter(_ state: ChatState) -> [SessionAction] {
    self.state = state
    return [.enter(state)]
  }

  mutating func close(_ closing: ChatClosing) -> [SessionAction] {
    (retryTime, attemptEnd, holdEnd, silenceEnd, quitEnd) = (nil, nil, nil, nil, nil)
    return enter(.closed(closing))
  }

  /// Another kind of session takes over. Not with a password: a tutorial's server would show it to
  /// everybody, as a part of the name.
  mutating func turnForeign() -> [SessionAction] {
    guard password == nil else {
      let words = "no JSON lines are spoken there, and in others the password was not sent"
      return close(.broken(words, unanswered: unanswered))
    }
    isForeign = true
    return []
  }

  /// It has an account now, or another password for it: its former tokens are void.
  mutating func registered(as name: UserName, _ token: String) {
    self.name = name
    self.token = token
  }

  /// Leaves the connection, and comes back after a while.
  mutating func interrupt(
    _ words: String, atLeast least: Duration? = nil, at now: Duration
  ) -> [SessionAction] {
    if state == .open, now - openTime >= ClientLimits.goodConnection { backoff.reset() }
    let (again, lost) = underWay
    waiting = again + waiting
    asked = []
    early = nil
    farewell = nil
    (hasSaidLast, hasSaidQuit) = (false, false)
    (attemptEnd, holdEnd, silenceEnd) = (nil, nil, nil)
    trouble = words
    let wait = backoff.next(atLeast: least ?? .zero, using: &generator)
    retryTime = now + wait
    return lost.map { .show(.refusal($0.lostWords)) }
      + enter(.interrupted(words, retryAfter: wait))
  }
}
