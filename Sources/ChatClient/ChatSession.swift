/// What every kind of conversation has in common. No sockets; time is passed in.

package import ChatModel

/// A conversation as a machine: what comes in is a method, what is to be done is returned.
///
/// `now` is the time since the connection was made. ``JSONSession`` speaks to our own server,
/// ``PlainSession`` to one that knows no JSON, ``TutorialSession`` to those that the tutorials
/// bring along.
package protocol ChatSession {
  var state: ChatState { get }
  /// Where what is said goes, or will go once the server has let us in.
  var room: RoomName { get }
  /// Would a text said now go out soon? A text said all the same waits inside.
  var canSay: Bool { get }
  /// How many texts have no answer yet.
  var unanswered: Int { get }
  /// What takes over, on a new connection, where the server turned out to speak otherwise.
  var successor: (any ChatSession)? { get }
  /// When ``timePassed(at:)`` wants to be called, if nothing else happens before.
  var deadline: Duration? { get }

  /// The server was reached, and the connection is being secured. Comes only with TLS.
  mutating func reached(at now: Duration) -> [SessionAction]
  /// The server can be spoken to.
  mutating func opened(at now: Duration) -> [SessionAction]
  /// Bytes came, cut anywhere.
  mutating func received(_ bytes: [UInt8], at now: Duration) -> [SessionAction]
  /// Without a place it is the room that the conversation is in. Nil where the text is not taken:
  /// the conversation is ending or over, or this kind of server has no such thing.
  mutating func say(
    _ text: MessageText, to place: Place?, replyTo: Int64?, at now: Duration
  ) -> [SessionAction]?
  /// Nil where the question is not taken: ending, over, or not known to this kind of server.
  mutating func ask(_ question: ChatQuestion, at now: Duration) -> [SessionAction]?
  /// Nil where that is not taken: ending, over, or the server has no rooms.
  mutating func join(
    _ room: RoomName, code: String?, at now: Duration
  ) -> [SessionAction]?
  /// Hears another room besides. Nil where that is not taken.
  mutating func enter(
    _ room: RoomName, code: String?, at now: Duration
  ) -> [SessionAction]?
  /// Anything else. Nil where that is not taken: ending, over, or not known to this kind of server.
  mutating func request(_ request: Request, at now: Duration) -> [SessionAction]?
  /// The last text was said: close once everything is answered.
  mutating func finish(at now: Duration) -> [SessionAction]
  /// Take leave of the server, after what was said so far.
  mutating func quit(at now: Duration) -> [SessionAction]
  /// The connection ended or failed.
  mutating func ended(_ end: ConnectionEnd, at now: Duration) -> [SessionAction]
  mutating func timePassed(at now: Duration) -> [SessionAction]
}

extension ChatSession {
  package var successor: (any ChatSession)? { nil }

  package mutating func say(_ text: MessageText, at now: Duration) -> [SessionAction]? {
    say(text, to: nil, replyTo: nil, at: now)
  }

  package mutating func join(_ room: RoomName, at now: Duration) -> [SessionAction]? {
    join(room, code: nil, at: now)
  }

  package mutating func enter(
    _ room: RoomName, code: String?, at now: Duration
  ) -> [SessionAction]? {
    nil
  }
}

/// What a conversation wants done, in this order.
package enum SessionAction: Hashable {
  /// Send these bytes, in a write of their own.
  case write([UInt8])
  /// A line to show.
  case show(ServerLine)
  /// What the server tells, for programs.
  case tell(Event)
  /// What it answers to a request that was made, for programs.
  case report(Answer, to: Request)
  /// The state has changed. At `closed` and `interrupted` the streams are to be closed, at
  /// `connecting` new ones are to be opened.
  case enter(ChatState)
}

/// How a connection can end without our asking.
package enum ConnectionEnd: Hashable {
  case byServer
  /// The system's words for what went wrong.
  case failed(String)
  /// What went wrong with TLS, in words and by kind.
  case insecure(String, SecurityProblem)
  /// The bytes ended without the farewell of TLS.
  case cutOff
}

extension ConnectionEnd {
  /// What happened, as a clause.
  var clause: String {
    switch self {
    case .byServer: "the server ended the connection"
    case .failed(let words), .insecure(let words, _): words
    case .cutOff: "the connection ended without TLS's farewell"
    }
  }

  var isInsecure: Bool {
    if case .insecure = self { true } else { false }
  }

  /// What it means for a conversation that had come so far.
  package func closing(in state: ChatState, unanswered: Int) -> ChatClosing {
    switch (self, state) {
    case (.failed(let words), .connecting): .unreachable(words)
    // Whoever hangs up on a TLS hello most likely speaks no TLS.
    case (.failed(let words), .securing): .notSecured(words, .noTLS)
    case (.byServer, .securing): .notSecured("the server ended the connection", .noTLS)
    case (.insecure(let words, let problem), .connecting),
      (.insecure(let words, let problem), .securing),
      // With TLS 1.3 a server's refusal arrives when the client's side is done already.
      (.insecure(let words, let problem), .loggingIn):
      .notSecured(words, problem)
    case (.byServer, _): .endedByServer(unanswered: unanswered)
    case (.failed(let words), _), (.insecure(let words, _), _):
      .broken(words, unanswered: unanswered)
    case (.cutOff, _): .cutOff(unanswered: unanswered)
    }
  }
}

/// The limits of the client, in one place.
package enum ClientLimits {
  /// Lines sent to a plain server whose answer is outstanding; to a JSON server there is one, and
  /// the others up to this wait here.
  package static let unansweredLinesMax = 8
  /// A plain line of the server longer than this, in bytes, is not shown. Ours are under 5,000.
  package static let serverLineBytesMax = 65_536
  /// Of a conversation that went on while the person was away so many are shown at most.
  package static let missedMessagesMax: Int64 = 50
  /// For so long after a cut, what is said to somebody who is not here is said again.
  package static let othersReturn = Duration.seconds(10)
  /// The first wait after a cut is a random time up to this.
  package static let backoffFirst = Duration.milliseconds(500)
  /// Each further wait is a random time up to twice as much, and never more than this.
  package static let backoffMax = Duration.seconds(30)
  /// A connection that lasted so long, or had something answered, was a good one: the next cut
  /// counts as the first again.
  package static let goodConnection = Duration.seconds(10)
  /// How long another connection may take from its beginning until the room is entered.
  package static let attemptMax = Duration.seconds(30)
  /// After so much silence of the server it is asked whether it is there.
  package static let silenceMax = Duration.seconds(30)
  /// How long it may take to answer that, twice: the first time the program itself may have been
  /// asleep.
  package static let signOfLifeWait = Duration.seconds(10)
  /// Once the last text was said: how long to go on without any answer.
  package static let finishWait = Duration.seconds(120)
  /// How long `quit:` may take to be followed by the end of the connection.
  package static let quitWait = Duration.seconds(2)
  /// The most that one command to a tutorial's server may take, in bytes.
  package static let tutorialCommandBytesMax = 1_024
  /// The time between two commands to a tutorial's server: it takes one read for one command.
  package static let tutorialPause = Duration.milliseconds(100)
  /// After this much quiet an unterminated line of a tutorial's server counts as whole.
  package static let tutorialLineQuiet = Duration.milliseconds(50)
  /// How long to listen after the last echo of a tutorial's server, or with none, after the last
  /// bytes.
  package static let tutorialEndQuiet = Duration.seconds(2)
  /// How long to listen at most after the last command, in a room that is never quiet.
  package static let tutorialEndWait = Duration.seconds(10)
}

extension LineSplitter {
  /// The next line of the server as something to show; empty lines are nothing.
  package mutating func nextShown() -> ServerLine? {
    while let line = next() {
      if let shown = Self.shown(line) { return shown }
    }
    return nil
  }

  /// What a line of the server is to a reader; nil for an empty one.
  package static func shown(_ line: Line?) -> ServerLine? {
    switch line {
    case nil: return nil
    case .tooLong(let bytes):
      return .notice("a line of \(bytes) bytes from the server is too long to show")
    case .whole(let bytes):
      let text = ScreenText.guarded(bytes)
      return text.isEmpty ? nil : ServerLine(text)
    }
  }
}

extension MessageText {
  /// As it goes over the wire: whatever would end a line there is a space.
  package var oneLine: String {
    guard string.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
      return string
    }
    let enders: Set<Unicode.Scalar> = ["\n", "\r", "\0"]
    var line = String.UnicodeScalarView()
    for scalar in string.unicodeScalars { line.append(enders.contains(scalar) ? " " : scalar) }
    return String(line)
  }
}
