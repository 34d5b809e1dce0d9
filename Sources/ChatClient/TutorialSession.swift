/// Speaks to the servers that the tutorials bring along. No sockets; time is passed in.

package import ChatModel

/// A conversation with a server that takes what one read gives it for one command.
///
/// Commands have no terminator, so each is a write of its own and a pause follows it. Nothing can
/// be asked, and nothing but the echo tells that a line was heard; so after the last line it
/// listens until no echo has come for a while.
package struct TutorialSession: ChatSession {
  package private(set) var state = ChatState.connecting
  private let name: UserName
  private let echoPrefix: String
  private var incoming = LineSplitter(bytesMax: ClientLimits.serverLineBytesMax)
  private var waiting: [String] = []
  private var lastSent = Duration.zero
  private var lastHeard = Duration.zero
  private var lastEcho: Duration?
  private var unechoed = 0
  private var isFinishing = false

  package init(name: UserName) {
    self.name = name
    echoPrefix = "\(name.shown): "
  }

  package var canSay: Bool {
    state == .open && !isFinishing && waiting.count < ClientLimits.unansweredLinesMax
  }

  package var unanswered: Int { waiting.count + unechoed }

  package var deadline: Duration? {
    guard state == .open else { return nil }
    let send = waiting.isEmpty ? nil : lastSent + ClientLimits.tutorialPause
    let show = incoming.isEmpty ? nil : lastHeard + ClientLimits.tutorialLineQuiet
    return [send, show, endTime].compactMap { $0 }.min()
  }

  package mutating func reached(at now: Duration) -> [SessionAction] {
    guard state == .connecting else { return [] }
    state = .securing
    return [.enter(.securing)]
  }

  package mutating func opened(at now: Duration) -> [SessionAction] {
    guard state == .connecting || state == .securing else { return [] }
    state = .open
    lastSent = now
    lastHeard = now
    // Nothing answers a login, so the conversation is open as soon as the connection is.
    return [.enter(.loggingIn), .write(Array("iam:\(name.shown)".utf8)), .enter(.open)]
  }

  package mutating func received(_ bytes: [UInt8], at now: Duration) -> [SessionAction] {
    guard state == .open else { return [] }
    lastHeard = now
    incoming.append(bytes)
    var actions: [SessionAction] = []
    while let line = incoming.nextShown() { actions.append(took(line, at: now)) }
    return actions
  }

  /// It has but one, which has no name.
  package var room: RoomName { .lobby }

  package mutating func say(
    _ text: MessageText, to place: Place?, replyTo: Int64?, at now: Duration
  ) -> [SessionAction]? {
    guard place == nil, replyTo == nil else { return nil }
    guard !isClosed, !isFinishing else { return nil }
    waiting += Self.commands(saying: text)
    return send(at: now)
  }

  package mutating func ask(_ question: ChatQuestion, at now: Duration) -> [SessionAction]? {
    nil
  }

  package mutating func join(
    _ room: RoomName, code: String?, at now: Duration
  ) -> [SessionAction]? { nil }

  package mutating func request(_ request: Request, at now: Duration) -> [SessionAction]? { nil }

  package mutating func finish(at now: Duration) -> [SessionAction] {
    if !isClosed { isFinishing = true }
    return []
  }

  package mutating func quit(at now: Duration) -> [SessionAction] {
    guard !isClosed else { return [] }
    return close(waiting.isEmpty ? .finished : .abandoned(unanswered: waiting.count))
  }

  package mutating func ended(_ end: ConnectionEnd, at now: Duration) -> [SessionAction] {
    guard !isClosed else { return [] }
    var actions: [SessionAction] = []
    if let line = LineSplitter.shown(incoming.rest()) { actions.append(took(line, at: now)) }
    if end == .byServer, isFinishing, unanswered == 0 { return actions + close(.finished) }
    return actions + close(end.closing(in: state, unanswered: unanswered))
  }

  package mutating func timePassed(at now: Duration) -> [SessionAction] {
    guard state == .open else { return [] }
    var actions: [SessionAction] = []
    if !incoming.isEmpty, now >= lastHeard + ClientLimits.tutorialLineQuiet {
      // At most one more wait for the rest of a character: then it is shown as it is.
      let line = incoming.restOfWholeCharacters() ?? incoming.rest()
      if let shown = LineSplitter.shown(line) { actions.append(took(shown, at: now)) }
      lastHeard = now
    }
    actions += send(at: now)
    if let endTime, now >= endTime { actions += close(.finished) }
    return actions
  }
}

extension TutorialSession {
  private var isClosed: Bool {
    switch state {
    case .closed: true
    case .connecting, .securing, .loggingIn, .open, .interrupted: false
    }
  }

  /// When to stop listening, once there is nothing more to send.
  private var endTime: Duration? {
    guard isFinishing, waiting.isEmpty else { return nil }
    guard let lastEcho else {
      let quiet = max(lastHeard, lastSent) + ClientLimits.tutorialEndQuiet
      return min(quiet, lastSent + ClientLimits.tutorialEndWait)
    }
    return max(lastEcho, lastSent) + ClientLimits.tutorialEndQuiet
  }

  private mutating func took(_ line: ServerLine, at now: Duration) -> SessionAction {
    if line.text.after(prefix: echoPrefix) != nil {
      lastEcho = now
      unechoed = max(0, unechoed - 1)
    }
    return .show(line)
  }

  /// One command, if the pause after the one before is over.
  private mutating func send(at now: Duration) -> [SessionAction] {
    guard state == .open, let command = waiting.first,
      now >= lastSent + ClientLimits.tutorialPause
    else { return [] }
    waiting.removeFirst()
    unechoed += 1
    lastSent = now
    return [.write(Array(command.utf8))]
  }

  /// A text as commands of a length that such a server reads at once, cut between characters.
  private static func commands(saying text: MessageText) -> [String] {
    let verb = "msg:"
    let bytesMax = ClientLimits.tutorialCommandBytesMax
    var commands: [String] = []
    var command = verb
    for character in text.oneLine {
      // A character may be long: a letter under a hundred accents. Those are cut by scalars.
      let scalars = character.utf8.count + verb.utf8.count > bytesMax
      let pieces = scalars ? character.unicodeScalars.map { String($0) } : [String(character)]
      for piece in pieces {
        if command.utf8.count + piece.utf8.count > bytesMax {
          commands.append(command)
          command = verb
        }
        command += piece
      }
    }
    commands.append(command)
    return commands
  }

  private mutating func close(_ closing: ChatClosing) -> [SessionAction] {
    state = .closed(closing)
    return [.enter(state)]
  }
}
