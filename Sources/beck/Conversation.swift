/// One run of `beck chat`: between the keyboard or pipe, the connection and the screen.

import ChatClient
import ChatModel
import Foundation

/// Runs on the main thread's run loop until the connection is closed or a signal came.
final class Conversation {
  /// How long a server may leave something unanswered before a word about it.
  private static let patience: TimeInterval = 3

  /// How to reach the server; as somebody else on a second attempt.
  struct Way {
    let connection: (UserName, Password?) -> ChatConnection
    let name: UserName
    let password: Password?
    let showsNumbers: Bool
  }

  private let way: Way
  private(set) var connection: ChatConnection
  let screen: Screen
  var questions: Questions
  private let echo = TerminalEcho()
  private let bell: RunLoopBell
  private let signal: EndingSignal
  private let input: StandardInput
  private var lines = LineSplitter(bytesMax: MessageText.bytesMax)
  private let isKeyboard = isatty(STDIN_FILENO) == 1

  private var status: Int32?
  private var lineNumber = 0
  private var refusals = 0
  private var inputHasStarted = false
  private var inputHasEnded = false
  private var hintTime: Date?
  private var hasHeard = false
  private var isInterrupted = false
  private var hasBeenOpen = false
  /// It has an account: how far it has read its conversations is told to the server.
  private var hasAccount = false
  private var unmarked: [UserName: Int64] = [:]

  init(on way: Way) {
    self.way = way
    connection = way.connection(way.name, way.password)
    hasAccount = way.password != nil
    bell = RunLoopBell()
    signal = EndingSignal(bell: bell, echo: echo)
    input = StandardInput(bell: bell)
    screen = Screen(tellsState: isKeyboard, showsNumbers: way.showsNumbers)
    questions = Questions(screen: screen, echo: echo)
  }

  /// Gives the exit status.
  func run() -> Int32 {
    // A reader of our output that went away is told by the write that fails.
    Foundation.signal(SIGPIPE, SIG_IGN)
    defer { echo.show() }
    open()
    while status == nil, signal.number == nil {
      hintAtSilence()
      sayWhatIsThere()
      tellWhatIsRead()
      guard status == nil else { break }
      _ = RunLoop.current.run(mode: .default, before: hintTime ?? .distantFuture)
    }
    guard let number = signal.number else { return status ?? ExitStatus.fine }
    let unanswered = connection.unanswered
    if status == nil, unanswered > 0 { screen.warn(ChatClosing.unanswered(unanswered)) }
    return ExitStatus.signal(number)
  }

  private func open() {
    connection.delegate = self
    let way = connection.security == .plainText ? "" : " by TLS"
    screen.tell("connecting to \(connection.address)\(way)")
    connection.open()
  }

  /// Another attempt, in place of one that has ended.
  func connect(as name: UserName, _ password: Password?) {
    connection = way.connection(name, password)
    hasAccount = password != nil
    open()
  }

  /// Whether nobody can read a password on its way.
  var keepsSecrets: Bool {
    connection.address.isThisMachine || connection.security != .plainText
  }

  /// Takes lines as long as somebody waits for them; the others stay where they are.
  private func sayWhatIsThere() {
    guard inputHasStarted, !inputHasEnded else { return }
    while questions.isOpen || connection.canSay, status == nil, signal.number == nil {
      if let line = lines.next() {
        take(line)
        continue
      }
      switch input.take() {
      case .bytes(let bytes): lines.append(bytes)
      case .nothingYet: return
      case .end: return end()
      }
    }
  }

  private func end() {
    inputHasEnded = true
    if let line = lines.rest() { take(line) }
    _ = questions.close()
    if case .closed = connection.state { status = ExitStatus.refused } else { connection.finish() }
  }

  private func startInput() {
    guard !inputHasStarted else { return }
    input.start()
    inputHasStarted = true
  }

  private func take(_ line: LineSplitter.Line) {
    lineNumber += 1
    switch line {
    case .tooLong(let bytes):
      refuse(bytes: bytes)
    case .whole(let bytes):
      let line = String(decoding: bytes, as: UTF8.self)
      if let answered = questions.close() {
        answered(line)
      } else if isKeyboard {
        obey(TypedLine(line, in: connection.room))
      } else if !line.isBlank {
        say(line)
      }
    }
  }

  private func obey(_ line: TypedLine) {
    switch line {
    case .text(let text): say(text)
    case .aside(let text, to: let place, replyTo: let seq): say(text, to: place, replyTo: seq)
    case .quit: connection.quit()
    case .blank: break
    case .misused(let words): screen.warn(words)
    case .question(let question): heed(connection.ask(question))
    case .join(let room, code: let code): heed(connection.join(room, code: code))
    case .request(let request): heed(connection.request(request))
    case .register(code: let code): register(code: code)
    case .changePassword: changePassword()
    case .unknown(let word):
      screen.warn("there is no command \(ScreenText.guarded(word)). \(TypedLine.commands)")
    }
  }

  private func register(code: String?) {
    guard keepsSecrets else { return complainOfNetwork() }
    askNewPassword { [weak self] password in
      guard let self else { return }
      heed(
        connection.request(.register(connection.name, password, code: code, .manyRooms)))
    }
  }

  private func changePassword() {
    guard keepsSecrets else { return complainOfNetwork() }
    askPassword("password: ") { [weak self] old in
      self?.askNewPassword { [weak self] new in
        guard let self else { return }
        heed(connection.request(.changePassword(old: old, new: new)))
      }
    }
  }

  private func complainOfNetwork() {
    screen.warn("others could read a password on its way there; come by --tls")
  }

  /// Whether the connection has taken it.
  private func heed(_ isTaken: Bool) {
    guard !isTaken, status == nil else { return }
    screen.warn("that cannot be asked here: it needs a server that speaks JSON lines")
  }

  /// How far conversations were shown, once for many messages.
  private func tellWhatIsRead() {
    guard hasAccount, isKeyboard, !unmarked.isEmpty, connection.state == .open else { return }
    for (name, seq) in unmarked { connection.request(.mark(.with(name), seq)) }
    unmarked = [:]
  }

  private func say(_ line: String, to place: Place? = nil, replyTo: Int64? = nil) {
    guard let text = MessageText(line) else { return refuse(bytes: line.utf8.count) }
    heed(connection.say(text, to: place, replyTo: replyTo))
  }

  private func refuse(bytes: Int) {
    refusals += 1
    screen.warn(
      "line \(lineNumber) was not sent: it has \(bytes) bytes, and a message has at most "
        + "\(MessageText.bytesMax)")
  }

  /// A tutorial's server answers no ping, and a plain-text one no TLS: both would be waited for
  /// without a word.
  private func hintAtSilence() {
    guard let time = hintTime, time.timeIntervalSinceNow <= 0 else { return }
    hintTime = nil
    let advice =
      connection.state == .securing
      ? "If it is a plain-text port, it never will: --tls needs one for TLS"
      : "If it is a tutorial's server, try: beck chat --legacy; if it takes lines, --plain"
    screen.warn("\(connection.address) has not answered yet; still waiting. \(advice)")
  }
}

extension Conversation: ChatConnectionDelegate {
  func connection(_ connection: ChatConnection, received line: ServerLine) {
    hasHeard = true
    if case .refusal = line { refusals += 1 }
    guard let problem = screen.show(line) else { return }
    // As a shell counts a program that nobody listens to; it is no news to anyone.
    if problem == EPIPE {
      status = ExitStatus.signal(SIGPIPE)
    } else {
      screen.warn("cannot write: \(String(cString: strerror(problem)))")
      status = ExitStatus.refused
    }
    bell.ring()
  }

  func connection(_ connection: ChatConnection, entered state: ChatState) {
    switch state {
    case .connecting:
      if !isInterrupted {
        screen.tell("no JSON lines are spoken there; going on in plain, where a cut is the end")
      }
    case .securing: setHint()
    case .loggingIn:
      setHint()
      if let version = connection.tlsVersion {
        screen.tell("connected to \(connection.address), encrypted by \(version)")
      }
    case .open:
      hintTime = nil
      if hasBeenOpen { return comeBack() }
      hasBeenOpen = true
      screen.tell("open: you are \(connection.name.shown). \(TypedLine.commands)")
      startInput()
    case .interrupted(let words, let wait):
      hintTime = nil
      tellInterruption(words, wait)
    case .closed(let closing):
      // A failed write to the screen has spoken already.
      if status == nil, !triesAgain(after: closing) { close(closing) }
    }
    bell.ring()
  }

  func connectionCanSay(_ connection: ChatConnection) {
    bell.ring()
  }

  func connection(_ connection: ChatConnection, heard event: Event) {
    guard case .message(let message, in: .with(let name)) = event else { return }
    unmarked[name] = message.seq
  }

  func connection(_ connection: ChatConnection, received answer: Answer, to request: Request) {
    if case .loggedIn(_, token: _, isGuest: false) = answer { hasAccount = true }
  }

  /// Somebody at the keyboard can say who else they are.
  private func triesAgain(after closing: ChatClosing) -> Bool {
    guard isKeyboard, !hasBeenOpen, !inputHasEnded, case .loginRefused(_, let problem) = closing,
      problem != .other
    else { return false }
    hintTime = nil
    askWhoAgain()
    startInput()
    return true
  }

  /// Only the first time; what a server that has answered is slow in is another thing.
  private func setHint() {
    if !hasBeenOpen { hintTime = Date(timeIntervalSinceNow: Self.patience) }
  }

  /// The first failure is trouble, the others are the same trouble still.
  private func tellInterruption(_ words: String, _ wait: Duration) {
    let tenths = Int((wait / .milliseconds(100)).rounded(.up))
    let seconds = "\(tenths / 10).\(tenths % 10)"
    if isInterrupted {
      screen.tell("\(words); trying again in \(seconds) s")
    } else {
      screen.warn("interrupted: \(words); trying again in \(seconds) s")
    }
    isInterrupted = true
  }

  private func comeBack() {
    guard isInterrupted else { return }
    isInterrupted = false
    screen.warn("connected again")
    bell.ring()
  }

  private func close(_ closing: ChatClosing) {
    var words = closing.words(address: connection.address, name: connection.name.shown)
    switch closing {
    case .endedByServer, .broken:
      // What servers do that were waiting for a TLS hello.
      if connection.security == .plainText, !hasHeard { words += "; if it is for TLS, try: --tls" }
    case .loginRefused, .roomRefused, .notSecured:
      // Coming back may fail where the first coming did not.
      let unanswered = connection.unanswered
      if unanswered > 0 { words += "; \(ChatClosing.unanswered(unanswered))" }
    case .finished, .abandoned, .unreachable, .cutOff, .gaveUp: break
    }
    screen.close(words, isGood: closing == .finished)
    switch closing {
    case .finished where refusals > 0 && !isKeyboard:
      screen.warn(refusals == 1 ? "something was refused" : "\(refusals) things were refused")
      status = ExitStatus.refused
    case .finished: status = ExitStatus.fine
    case .unreachable, .notSecured: status = ExitStatus.unreachable
    case .abandoned, .loginRefused, .roomRefused, .endedByServer, .broken, .cutOff, .gaveUp:
      status = ExitStatus.refused
    }
  }
}
