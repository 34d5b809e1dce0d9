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
      return took(event, at: now)
    case .notice(let text):
      return [.show(.notice(ScreenText.oneLine(text)))]
    case .closing(let reason, let message, let retryAfter):
      isJSON = true
      farewell = Farewell(reason: reason, retryAfter: retryAfter)
      guard !message.isEmpty else { return [] }
      let words = ScreenText.oneLine(message)
      return [.show(isExpelled ? .refusal(words) : .notice(words))]
    case .malformed(let reason):
      guard isJSON else { return turnForeign() }
      return close(.broken("the server is not understood: \(reason)", unanswered: unanswered))
    }
  }

  private mutating func settle(_ id: RequestID) -> Asked? {
    asked.firstIndex { $0.id == id }.map { asked.remove(at: $0).1 }
  }

  private mutating func stray(_ refusal: JSONRefusal) -> [SessionAction] {
    guard isJSON else { return turnForeign() }
    return [.show(.refusal(ScreenText.oneLine(refusal.message)))]
  }

  // MARK: Answers

  private mutating func answered(
    _ answer: Answer, _ asked: Asked, at now: Duration
  ) -> [SessionAction] {
    switch asked {
    case .logIn, .resume:
      guard case .loggedIn(_, let token, let isGuest) = answer else { return [] }
      self.token = token
      let isNobody = if case .logIn = asked { isGuest } else { false }
      return loggedIn(isNobody: isNobody, at: now)
    case .enter(let beginning):
      return entered(answer, beginning, at: now)
    case .resumePlace(let place, let beginning):
      guard case .joined(_, let seq, _, _) = answer else { return [] }
      return resumed(place, beginning, seq: seq)
    case .list(let isFirst):
      guard case .rooms(let rooms, _) = answer else { return [] }
      return tookList(rooms, isFirst: isFirst)
    case .entry(let entry, let request, let beginning):
      advance(at: now)
      return answered(answer, entry, request, beginning) + send(at: now)
    case .olderPage(let entry, let left, let newer):
      advance(at: now)
      guard case .history(let page, in: let place) = answer else { return [] }
      return took(page, in: place, of: entry, left: left, newer: newer) + send(at: now)
    case .lastWord:
      return close(.finished)
    case .aside, .quit:
      return []
    }
  }

  private mutating func entered(
    _ answer: Answer, _ beginning: Beginning, at now: Duration
  ) -> [SessionAction] {
    guard case .joined(_, let seq, _, let topic) = answer else { return [] }
    // An older history was put in its place, or a new one was begun.
    if case .after(let seen) = beginning, seq < seen {
      here.doubt()
      return enterRoom()
    }
    here.entered(beginning, seq: seq)
    // Who has been here knows it.
    let shown = hasBeenOpen ? nil : topic
    let lines = shown.map { ServerLine.lines(of: .topic(hereRoom, $0), to: .rooms) } ?? []
    return opened(byEntering: lines, at: now)
  }

  /// The conversation is open; after an entry there may be something to show.
  mutating func opened(byEntering lines: [ServerLine]?, at now: Duration) -> [SessionAction] {
    attemptEnd = nil
    cameBack = hasBeenOpen
    hasBeenOpen = true
    openTime = now
    let entering = enter(.open)
    hearSomething(at: now)
    return entering + (lines ?? []).map { .show($0) } + send(at: now)
  }

  private mutating func answered(
    _ answer: Answer, _ entry: Entry, _ request: Request, _ beginning: Beginning?
  ) -> [SessionAction] {
    switch (answer, request) {
    case (.history(let page, in: let place), .history(_, .before(nil), limit: let limit)):
      return [.report(answer, to: request)]
        + took(page, in: place, of: entry, left: limit, newer: [])
    case (.rooms(let rooms, _), .topic(let room)):
      let topic = rooms.first { room.map { .room($0) } == $0.place }?.topic
      return report(.topic(room ?? hereRoom, topic), to: request)
    case (.joined(.room(let room), let seq, _, _), .join):
      let stays = if case .join(_, code: _, stays: true) = entry { true } else { false }
      return moved(to: room, beginning ?? .now, seq: seq, stays: stays)
        + report(answer, to: request)
    case (.joined(.room(let room), let seq, _, _), .create):
      return moved(to: room, .now, seq: seq, stays: false) + report(answer, to: request)
    case (.left(let room), _):
      left(room)
    case (.loggedIn(let name, let token, isGuest: _), _):
      registered(as: name, token)
    case (.loggedOut, _):
      token = nil
      return report(answer, to: request) + close(leaving)
    case (.done, .away(let text)):
      awayText = text
    case _: break
    }
    return entry.isText ? [] : report(answer, to: request)
  }

  /// For programs, and in words.
  private func report(_ answer: Answer, to request: Request) -> [SessionAction] {
    [.report(answer, to: request)]
      + ServerLine.lines(of: answer, to: request).map { .show($0) }
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
      here.doubt()
      for index in others.indices { others[index].doubt() }
      return logIn()
    case .list:
      return tookList([], isFirst: false)
    case .resumePlace(let place, _) where !refusal.isPassing:
      // Who is not here any more has another name, or none.
      guard case .room(let room) = place else {
        self[place] = nil
        return []
      }
      left(room)
      return [.show(.refusal(words))]
    case .logIn, .resume, .enter, .resumePlace:
      // Somebody else may have the name by now, and leave again.
      let mayPass = hasBeenOpen && [.notAllowed, .nameTaken].contains(refusal.known)
      if refusal.isPassing || mayPass {
        return interrupt(words, atLeast: refusal.retryAfter, at: now)
      }
      let closing: ChatClosing =
        if case .enter = asked {
          .roomRefused(words)
        } else {
          .loginRefused(words, LoginProblem(refusal.known))
        }
      return [.show(.refusal(words))] + close(closing)
    case .entry(let entry, _, _), .olderPage(let entry, _, _):
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
    guard refusal.isPassing || isReturning(refusal, at: now) else {
      advance(at: now)
      return [.show(.refusal(entry.complaint(words)))] + send(at: now)
    }
    // What is of the moment is not worth holding up anything.
    if case .request(let request) = entry, request.isSignal { return [] }
    trouble = words
    waiting.insert(entry, at: 0)
    holdEnd = now + (refusal.retryAfter ?? backoff.next(using: &generator))
    guard case .text(let text, _, let key, replyTo: _) = entry, refusal.retryAfter == nil,
      lateKey != key
    else { return [] }
    lateKey = key
    return [.show(.notice("\(ScreenText.quoted(text)) has to wait: \(words)"))]
  }

  /// After a cut the other person may be about to come back, too.
  private func isReturning(_ refusal: JSONRefusal, at now: Duration) -> Bool {
    refusal.known == .notHere && cameBack && now - openTime < ClientLimits.othersReturn
  }

  // MARK: Events

  private mutating func took(_ event: Event, at now: Duration) -> [SessionAction] {
    let isHeard: Bool
    switch event {
    case .message(let message, in: let place): return took(message, in: place)
    case .joined(let room, _, _), .left(let room, _, _), .membersChanged(let room, _, _, _):
      isHeard = isShown(.room(room))
    case .gap(let place, _):
      isHeard = isShown(place)
    case .caughtUp(let place, let seq):
      self[place]?.caughtUp(seq)
      isHeard = false
    case .kicked(let room, by: _, _):
      left(room)
      isHeard = true
    case .presence: isHeard = true
    case .typing, .marked: isHeard = false
    case .catchingUp, .help, .skipped, .notice, .closing:
      preconditionFailure("no JSON says this as an event")
    }
    let lines = isHeard ? ServerLine.lines(of: event) : []
    return [.tell(event)] + lines.map { .show($0) }
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
    case .kicked, .banned, .accountEnded: return false
    // The reasons that a later server may have are as final as an unknown refusal.
    case .quit, .loggedOut, .tooManyMistakes, nil: return farewell.retryAfter != nil
    }
  }

  /// Whether the server has shown the person the door.
  private var isExpelled: Bool {
    switch farewell.flatMap({ JSONClosingCode(rawValue: $0.reason) }) {
    case .kicked, .banned, .accountEnded: true
    case .quit, .shutdown, .silent, .crowded, .loggedOut, .tooManyConnections, .tooManyMistakes,
      nil:
      false
    }
  }
}

extension JSONRefusal {
  /// The same request can succeed later.
  fileprivate var isPassing: Bool {
    retryAfter != nil || [.rateLimited, .busy, .notStored].contains(known)
  }
}

extension LoginProblem {
  fileprivate init(_ code: JSONErrorCode?) {
    self =
      switch code {
      case .nameTaken: .nameTaken
      case .badPassword: .badPassword
      case _: .other
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
