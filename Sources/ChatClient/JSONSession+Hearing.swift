/// What the server says to a JSON session, and what follows from it.

import ChatModel
import Dialects

extension JSONSession {
  /// As far as it goes on this connection.
  mutating func takeHeard(at now: Duration) -> [SessionAction] {
    var actions: [SessionAction] = []
    while state == .loggingIn || state == .open, !isForeign, let heard = codec.next() {
      actions += took(heard, at: now)
    }
    return actions
  }

  private mutating func took(
    _ heard: JSONClientCodec.Heard, at now: Duration
  ) -> [SessionAction] {
    switch heard {
    case .answer(let answer, let id):
      isJSON = true
      guard let asked = settle(id) else { return [] }
      return answered(answer, asked, at: now)
    case .refused(let refusal, let id):
      // What an older server answers to JSON is no answer to a request.
      guard let asked = id.flatMap({ settle($0) }) else { return stray(refusal) }
      isJSON = true
      return refused(refusal, asked, at: now)
    case .event(let event):
      isJSON = true
      return took(event).map { .show($0) }
    case .notice(let text):
      return [.show(.notice(ScreenText.oneLine(text)))]
    case .closing(let reason, let message, let retryAfter):
      isJSON = true
      farewell = Farewell(reason: reason, retryAfter: retryAfter)
      return message.isEmpty ? [] : [.show(.notice(ScreenText.oneLine(message)))]
    case .malformed(let reason):
      guard isJSON else {
        isForeign = true
        return []
      }
      return close(.broken("the server is not understood: \(reason)", unanswered: unanswered))
    }
  }

  private mutating func settle(_ id: RequestID) -> Asked? {
    asked.firstIndex { $0.id == id }.map { asked.remove(at: $0).1 }
  }

  private mutating func stray(_ refusal: JSONRefusal) -> [SessionAction] {
    guard isJSON else {
      isForeign = true
      return []
    }
    return [.show(.refusal(ScreenText.oneLine(refusal.message)))]
  }

  // MARK: Answers

  private mutating func answered(
    _ answer: Answer, _ asked: Asked, at now: Duration
  ) -> [SessionAction] {
    switch asked {
    case .logIn, .resume:
      if case .loggedIn(_, let token, _) = answer { self.token = token }
      return enterRoom()
    case .enter(let beginning):
      if case .joined(_, let seq, _) = answer {
        // An older history was put in its place, or a new one was begun.
        if case .after(let seen) = beginning, seq < seen {
          reading.doubt()
          return enterRoom()
        }
        reading.entered(beginning, seq: seq)
      }
      attemptEnd = nil
      hasBeenOpen = true
      openTime = now
      let entering = enter(.open)
      hearSomething(at: now)
      return entering + send(at: now)
    case .entry(let entry, let beginning):
      advance(at: now)
      if case .history(let page) = answer, case .question(.history(let count)) = entry {
        return took(page, of: entry, left: Self.pageLimit(count), newer: []) + send(at: now)
      }
      var actions: [SessionAction] = []
      if case .joined(let room, let seq, _) = answer, let beginning {
        actions = moved(to: room, beginning, seq: seq)
      }
      actions += entry.isText ? [] : ServerLine.lines(of: answer).map { .show($0) }
      return actions + send(at: now)
    case .olderPage(let entry, let left, let newer):
      advance(at: now)
      guard case .history(let page) = answer else { return [] }
      return took(page, of: entry, left: left, newer: newer) + send(at: now)
    case .lastWord:
      return close(.finished)
    case .aside, .quit:
      return []
    }
  }

  private mutating func enterRoom() -> [SessionAction] {
    let beginning = reading.beginning(replay: replay)
    return request(.join(reading.room, beginning), for: .enter(beginning))
  }

  /// A terminal shows one room: the one before is left once the new one is entered.
  private mutating func moved(
    to room: RoomName, _ beginning: Beginning, seq: Int64
  ) -> [SessionAction] {
    guard room != reading.room else { return [] }
    let former = reading.room
    reading = RoomReading(room)
    reading.entered(beginning, seq: seq)
    return request(.leave(former), for: .aside)
  }

  /// Something was answered, so the server is well.
  private mutating func advance(at now: Duration) {
    progressTime = now
    lateKey = nil
    backoff.reset()
  }

  // MARK: Refusals

  private mutating func refused(
    _ refusal: JSONRefusal, _ asked: Asked, at now: Duration
  ) -> [SessionAction] {
    let words = ScreenText.oneLine(refusal.message)
    switch asked {
    case .resume where refusal.known == .badToken:
      // The server has lost its memory, or the token its time.
      token = nil
      reading.doubt()
      return request(.logIn(name, .manyRooms), for: .logIn)
    case .logIn, .resume, .enter:
      // Somebody else may have the name by now, and leave again.
      let mayPass = hasBeenOpen && [.notAllowed, .nameTaken].contains(refusal.known)
      if refusal.isPassing || mayPass {
        return interrupt(words, atLeast: refusal.retryAfter, at: now)
      }
      let closing: ChatClosing =
        if case .enter = asked { .roomRefused(words) } else { .loginRefused(words) }
      return [.show(.refusal(words))] + close(closing)
    case .entry(let entry, _), .olderPage(let entry, _, _):
      return refused(refusal, words, entry, at: now)
    // There is no refusing these; at least all before is answered.
    case .lastWord:
      return close(.finished)
    case .aside, .quit:
      return []
    }
  }

  private mutating func refused(
    _ refusal: JSONRefusal, _ words: String, _ entry: Entry, at now: Duration
  ) -> [SessionAction] {
    guard refusal.isPassing else {
      advance(at: now)
      return [.show(.refusal(entry.complaint(words)))] + send(at: now)
    }
    trouble = words
    waiting.insert(entry, at: 0)
    holdEnd = now + (refusal.retryAfter ?? backoff.next(using: &generator))
    guard case .text(let text, _, let key) = entry, refusal.retryAfter == nil, lateKey != key
    else { return [] }
    lateKey = key
    return [.show(.notice("\(ScreenText.quoted(text)) has to wait: \(words)"))]
  }

  // MARK: Events

  /// Only the room that the conversation is in is shown.
  private mutating func took(_ event: Event) -> [ServerLine] {
    switch event {
    case .joined(let room, _, _), .left(let room, _, _), .membersChanged(let room, _, _, _),
      .gap(let room, _):
      return room == reading.room ? ServerLine.lines(of: event) : []
    case .message(let message):
      guard message.draft.room == reading.room else { return [] }
      switch reading.take(message) {
      case .known: return []
      case .replayed: return [.replayed(message)]
      case .live: return [.said(message)]
      }
    case .caughtUp(let room, let seq):
      if room == reading.room { reading.caughtUp(seq) }
      return []
    case .catchingUp, .help, .skipped, .notice, .closing:
      preconditionFailure("no JSON says this as an event")
    }
  }

  // MARK: Ends

  /// Whether the connection's end is a cut, and not the end of everything.
  func comesBack(after end: ConnectionEnd) -> Bool {
    if case .insecure(_, let problem) = end, problem.isLasting { return false }
    guard let farewell else { return hasBeenOpen && !isQuitting }
    guard !isQuitting else { return false }
    switch JSONClosingCode(rawValue: farewell.reason) {
    case .shutdown, .crowded: return true
    case .silent, .tooManyConnections: return hasBeenOpen
    // The reasons that a later server may have are as final as an unknown refusal.
    case .quit, .loggedOut, .tooManyMistakes, nil: return farewell.retryAfter != nil
    }
  }
}

extension JSONRefusal {
  /// The same request can succeed later.
  fileprivate var isPassing: Bool {
    retryAfter != nil || [.rateLimited, .busy, .notStored].contains(known)
  }
}

extension JSONSession.Entry {
  /// A refusal with what was refused.
  fileprivate func complaint(_ words: String) -> String {
    switch self {
    case .text(let text, _, _): "\(ScreenText.quoted(text)) was not said: \(words)"
    case .question, .join: words
    }
  }
}

extension SecurityProblem {
  /// Trying again would not help, or would help those who want to read along.
  fileprivate var isLasting: Bool {
    switch self {
    case .outOfDate, .wrongHost, .notTrusted, .badCertificate, .plainText, .nothingInCommon,
      .unavailable:
      true
    // A relay before a server that is just starting.
    case .noTLS, .other: false
    }
  }
}
