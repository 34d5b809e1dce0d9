/// A person's connection to a chat server, on a run loop. Prints nothing and reads no keyboard.

public import ChatModel
public import SocketStreams

/// What a connection tells. Called on the run loop's thread, one call at a time.
public protocol ChatConnectionDelegate: AnyObject {
  /// The connection has entered this state. After `closed` nothing more is told; an interruption
  /// is told like the others, and ends by itself.
  func connection(_ connection: ChatConnection, entered state: ChatState)
  /// A line of the server, safe to print. What this side says comes back too.
  func connection(_ connection: ChatConnection, received line: ServerLine)
  /// ``ChatConnection/canSay`` has become true: the time to say the next of many texts.
  func connectionCanSay(_ connection: ChatConnection)
  /// What happened, as a value, just before its line is told. Only of servers that speak JSON
  /// lines.
  ///
  /// It comes of every room that the connection is in and of every conversation, each message and
  /// change once, also after a cut; of who is writing and how far one has read there is no line.
  /// Texts and names are as they were sent, and not safe to print. Nobody's person is told: it is 0
  /// in every draft, and a conversation is known by its place.
  func connection(_ connection: ChatConnection, heard event: Event)
  /// What the server answered, as a value, just before its lines: of a question or request that
  /// was made here, and of joining. Only of servers that speak JSON lines.
  func connection(_ connection: ChatConnection, received answer: Answer, to request: Request)
}

extension ChatConnectionDelegate {
  public func connectionCanSay(_ connection: ChatConnection) {}
  public func connection(_ connection: ChatConnection, heard event: Event) {}
  public func connection(
    _ connection: ChatConnection, received answer: Answer, to request: Request
  ) {}
}

/// One connection of one person: it logs in, says texts, and tells its delegate what comes back.
///
/// ```swift
/// let connection = ChatConnection(to: .local, as: try UserName("ann"))
/// connection.delegate = screen
/// connection.open()
/// connection.say(MessageText("hello")!)
/// connection.finish()  // closes once the server has answered
/// RunLoop.current.run()
/// ```
///
/// Everything happens on the thread of the run loop given to ``open(in:forMode:)``, and everything
/// is to be called there. Texts are said in the order given. None is lost without a word: a state
/// of `closed` says how many were not answered.
///
/// With a server that speaks JSON lines a cut is no end: the connection is then interrupted, comes
/// back, shows what was said meanwhile, and says again what was not answered. Each text is kept
/// once and in its order, whatever happens on the way (docs/decisions/coming-back.md).
public final class ChatConnection {
  /// The kinds of server.
  public enum Speech: Sendable {
    /// A server of this project: JSON lines where it has them; where it turns out not to, plain,
    /// on another connection.
    case automatic
    /// A server of this project that is to be spoken to in lines of commands, at most 8 of them
    /// without an answer. A cut is the end.
    case plain
    /// A server as the tutorials bring it along: commands without an end, 100 ms apart, at most
    /// 1,024 bytes each, answered by nothing but their echo.
    case tutorial
  }

  /// Where the server is.
  public let address: ServerAddress
  /// The name to log in with.
  public let name: UserName
  /// How the connection is protected.
  public let security: ChatSecurity
  /// Told what happens. Not retained.
  public weak var delegate: (any ChatConnectionDelegate)?
  /// Where the connection stands, as the delegate was last told.
  public private(set) var state = ChatState.connecting
  /// The version of TLS that the conversation is encrypted by, such as `TLS 1.3`: known from
  /// ``ChatState/loggingIn`` on. Nil in plain text.
  public private(set) var tlsVersion: String?

  private var session: any ChatSession
  private var wire: StreamWire?
  private var alarm: Timer?
  private var alarmTime: Duration?
  private var loop: (runLoop: RunLoop, mode: RunLoop.Mode)?
  private var opening = ContinuousClock.now
  private var pending: [SessionAction] = []
  private var isPerforming = false
  private var couldSay = false

  /// Prepares a connection; nothing happens before ``open(in:forMode:)``.
  ///
  /// Whose name has an account gives its password, which goes as it is to whoever is at `address`:
  /// see ``ServerAddress/isThisMachine``. A tutorial's server takes none. `room` is the room to
  /// enter; a tutorial's server has but one. `replay` is how many of the messages that are there
  /// already are told on entering a room, the newest, at most 500; only a server that speaks JSON
  /// lines is asked for them. Where it is above 0 an account is also told what it has not marked as
  /// read of its conversations, at most 50 messages of each.
  public init(
    to address: ServerAddress, as name: UserName, password: Password? = nil,
    speech: Speech = .automatic, security: ChatSecurity = .plainText, room: RoomName = .lobby,
    replay: Int = 0
  ) {
    self.address = address
    self.name = name
    self.security = security
    session =
      switch speech {
      case .automatic:
        JSONSession(name: name, password: password, room: room, replay: max(0, replay))
      case .plain: PlainSession(name: name, password: password, room: room)
      case .tutorial: TutorialSession(name: name)
      }
  }

  deinit {
    alarm?.invalidate()
    wire?.close()
  }

  /// Begins to connect and returns at once. A second call does nothing.
  public func open(in runLoop: RunLoop = .current, forMode mode: RunLoop.Mode = .default) {
    guard loop == nil else { return }
    loop = (runLoop, mode)
    opening = .now
    connect()
  }

  /// True while few texts have no answer: one said now goes out soon. To say many, wait for
  /// ``ChatConnectionDelegate/connectionCanSay(_:)`` in between, or all of them are kept in memory.
  public var canSay: Bool { session.canSay }

  /// How many texts were said and have no answer yet.
  public var unanswered: Int { session.unanswered }

  /// The room where what is said now is said: the one that was joined last.
  public var room: RoomName { session.room }

  /// Says a text in the room, in another one that was entered, or to one person alone; `replyTo` is
  /// the number of a message of the same place that it answers. False where it is not taken: the
  /// connection is ending or closed, or the server speaks no JSON lines and has no such thing.
  @discardableResult public func say(
    _ text: MessageText, to place: Place? = nil, replyTo: Int64? = nil
  ) -> Bool {
    perform(session.say(text, to: place, replyTo: replyTo, at: now))
  }

  /// Asks the server; the answer comes as lines. False where the question is not taken: the
  /// connection is ending or closed, or the server is a tutorial's, which can be asked nothing.
  @discardableResult public func ask(_ question: ChatQuestion) -> Bool {
    perform(session.ask(question, at: now))
  }

  /// Goes into another room and leaves the one before; what is said from now on is said there, and
  /// refused where the room cannot be entered. A private room takes the code of an invitation the
  /// first time. False where that is not taken: the connection is ending or closed, or the server
  /// is a tutorial's.
  @discardableResult public func join(_ room: RoomName, code: String? = nil) -> Bool {
    perform(session.join(room, code: code, at: now))
  }

  /// Hears another room besides: its events come, and no lines of it. After a cut it is heard on.
  /// `.leave` is the request to hear it no more. False where that is not taken: the connection is
  /// ending or closed, or the server speaks no JSON lines.
  @discardableResult public func enter(_ room: RoomName, code: String? = nil) -> Bool {
    perform(session.enter(room, code: code, at: now))
  }

  /// Asks for anything else: changing and deleting messages, topics, rooms of one's own,
  /// invitations, moderation, marks, typing, being away, searches, registering, another password,
  /// logging out, which ends the connection.
  ///
  /// Requests keep their order among texts, and are made again after a cut where that does no harm;
  /// otherwise a refusal says that it is not known what became of it. False where it is not taken:
  /// the connection is ending or closed; the server speaks no JSON lines (in plain only a topic
  /// can be set); or it is a login, a join, a text, a ping or a farewell, which have methods of
  /// their own here.
  @discardableResult public func request(_ request: Request) -> Bool {
    perform(session.request(request, at: now))
  }

  /// Closes once everything said so far is answered; once two minutes have passed without any
  /// answer, with ``ChatClosing/gaveUp(_:unanswered:)``.
  public func finish() {
    perform(session.finish(at: now))
  }

  /// Takes leave of the server after what was said so far, and closes within two seconds.
  public func quit() {
    perform(session.quit(at: now))
  }
}

// The machinery: what happens is told to the session, and what it wants is done.
extension ChatConnection {
  private var now: Duration { ContinuousClock.now - opening }

  private func connect() {
    guard let loop else { return }
    wire?.close()
    let wire = StreamWire(to: address, security: security)
    wire.onEvent = { [weak self] event in self?.handle(event) }
    self.wire = wire
    wire.open(in: loop.runLoop, forMode: loop.mode)
  }

  private func handle(_ event: StreamWire.Event) {
    switch event {
    case .reached: perform(session.reached(at: now))
    case .opened(let tlsVersion):
      self.tlsVersion = tlsVersion
      perform(session.opened(at: now))
    case .received(let bytes): perform(session.received(bytes, at: now))
    case .ended(let end): perform(session.ended(end, at: now))
    }
  }

  /// Does what the session wants. A delegate may call back in the middle: what comes of that is
  /// done after the rest, so that lines keep their order.
  @discardableResult private func perform(_ actions: [SessionAction]?) -> Bool {
    guard let actions else { return false }
    pending += actions
    guard !isPerforming else { return true }
    isPerforming = true
    repeat {
      let actions = pending
      pending = []
      for action in actions { perform(action) }
      if let successor = session.successor {
        session = successor
        perform(.enter(.connecting))
      }
      tellWhetherToSay()
    } while !pending.isEmpty
    isPerforming = false
    setAlarm()
    return true
  }

  private func perform(_ action: SessionAction) {
    switch action {
    case .write(let bytes):
      wire?.send(bytes)
    case .show(let line):
      delegate?.connection(self, received: line)
    case .tell(let event):
      delegate?.connection(self, heard: event)
    case .report(let answer, let request):
      delegate?.connection(self, received: answer, to: request)
    case .enter(let state):
      self.state = state
      switch state {
      case .connecting: connect()
      case .interrupted: wire?.close()
      case .closed:
        wire?.close()
        alarm?.invalidate()
        alarm = nil
      case .securing, .loggingIn, .open: break
      }
      delegate?.connection(self, entered: state)
    }
  }

  private func tellWhetherToSay() {
    let can = session.canSay
    defer { couldSay = can }
    if can, !couldSay { delegate?.connectionCanSay(self) }
  }

  /// Sees to it that the session is woken at its deadline.
  ///
  /// One timer, moved: on Linux Foundation never frees a `Timer` once it was made, not even after
  /// `invalidate()`.
  private func setAlarm() {
    guard session.deadline != alarmTime else { return }
    alarmTime = session.deadline
    let wait = alarmTime.map { ($0 - now) / .seconds(1) }
    let date = wait.map { Date(timeIntervalSinceNow: $0) } ?? .distantFuture
    if let alarm {
      alarm.fireDate = date
    } else if wait != nil, let loop {
      let bound = LoopBound(self)
      let timer = Timer(fire: date, interval: Self.never, repeats: true) { _ in
        bound.object?.alarmRang()
      }
      loop.runLoop.add(timer, forMode: loop.mode)
      alarm = timer
    }
  }

  /// A timer that repeats stays valid when it has rung; in seconds, some thirty years.
  private static let never: TimeInterval = 1_000_000_000

  private func alarmRang() {
    alarmTime = nil
    // A timer may ring a little early; the session then only names its deadline again.
    perform(session.timePassed(at: now))
  }
}
