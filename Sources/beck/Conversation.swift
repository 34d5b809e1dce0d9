/// One run of `beck chat`: between the keyboard or pipe, the connection and the screen.

import ChatClient
import ChatModel
import Foundation

/// Runs on the main thread's run loop until the connection is closed or a signal came.
final class Conversation {
  /// How long a server may leave something unanswered before a word about it.
  private static let patience: TimeInterval = 3

  private let connection: ChatConnection
  private let screen: Screen
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

  init(over connection: ChatConnection) {
    self.connection = connection
    bell = RunLoopBell()
    signal = EndingSignal(bell: bell)
    input = StandardInput(bell: bell)
    screen = Screen(tellsState: isKeyboard)
  }

  /// Gives the exit status.
  func run() -> Int32 {
    // A reader of our output that went away is told by the write that fails.
    Foundation.signal(SIGPIPE, SIG_IGN)
    connection.delegate = self
    let way = connection.security == .plainText ? "" : " by TLS"
    screen.tell("connecting to \(connection.address)\(way)")
    connection.open()
    while status == nil, signal.number == nil {
      hintAtSilence()
      sayWhatIsThere()
      guard status == nil else { break }
      _ = RunLoop.current.run(mode: .default, before: hintTime ?? .distantFuture)
    }
    guard let number = signal.number else { return status ?? ExitStatus.fine }
    let unanswered = connection.unanswered
    if status == nil, unanswered > 0 { screen.warn(ChatClosing.unanswered(unanswered)) }
    return ExitStatus.signal(number)
  }

  /// Says lines as long as the connection takes them; the others stay where they are.
  private func sayWhatIsThere() {
    guard inputHasStarted, !inputHasEnded else { return }
    while connection.canSay, status == nil, signal.number == nil {
      if let line = lines.next() {
        take(line)
        continue
      }
      switch input.take() {
      case .bytes(let bytes): lines.append(bytes)
      case .nothingYet: return
      case .end:
        inputHasEnded = true
        if let line = lines.rest() { take(line) }
        connection.finish()
        return
      }
    }
  }

  private func take(_ line: LineSplitter.Line) {
    lineNumber += 1
    switch line {
    case .tooLong(let bytes):
      refuse(bytes: bytes)
    case .whole(let bytes):
      let line = String(decoding: bytes, as: UTF8.self)
      if isKeyboard { obey(TypedLine(line)) } else if !line.isBlank { say(line) }
    }
  }

  private func obey(_ line: TypedLine) {
    switch line {
    case .text(let text): say(text)
    case .quit: connection.quit()
    case .blank: break
    case .misused(let words): screen.warn(words)
    case .question(let question): if !connection.ask(question) { complainOfLegacy() }
    case .join(let room): if !connection.join(room) { complainOfLegacy() }
    case .unknown(let word):
      screen.warn("there is no command \(ScreenText.guarded(word)). \(TypedLine.commands)")
    }
  }

  private func complainOfLegacy() {
    screen.warn("with --legacy nothing can be asked; only said")
  }

  private func say(_ line: String) {
    guard let text = MessageText(line) else { return refuse(bytes: line.utf8.count) }
    connection.say(text)
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
      : "If it is a tutorial's server, try: beck chat --legacy; or --plain"
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
    case .connecting: break
    case .securing: setHint()
    case .loggingIn:
      setHint()
      if let version = connection.tlsVersion {
        screen.tell("connected to \(connection.address), encrypted by \(version)")
      }
    case .open:
      hintTime = nil
      if inputHasStarted { return comeBack() }
      screen.tell("open: you are \(connection.name.shown). \(TypedLine.commands)")
      input.start()
      inputHasStarted = true
    case .interrupted(let words, let wait):
      hintTime = nil
      tellInterruption(words, wait)
    case .closed(let closing):
      // A failed write to the screen has spoken already.
      if status == nil { close(closing) }
    }
    bell.ring()
  }

  func connectionCanSay(_ connection: ChatConnection) {
    bell.ring()
  }

  /// Only the first time; what a server that has answered is slow in is another thing.
  private func setHint() {
    if !inputHasStarted { hintTime = Date(timeIntervalSinceNow: Self.patience) }
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
    case .finished, .abandoned, .loginRefused, .roomRefused, .unreachable, .notSecured, .cutOff,
      .gaveUp:
      break
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
