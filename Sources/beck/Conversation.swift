/// One run of `beck chat`: between the keyboard or pipe, the connection and the screen.

import ChatClient
import ChatModel
import Foundation

/// Runs on the main thread's run loop until the connection is closed or a signal came.
final class Conversation {
  /// How long a login may go unanswered before a word about it.
  private static let loginPatience: TimeInterval = 3

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
  private var loginHintTime: Date?

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
    screen.tell("connecting to \(connection.address)")
    connection.open()
    while status == nil, signal.number == nil {
      hintAtLogin()
      sayWhatIsThere()
      guard status == nil else { break }
      _ = RunLoop.current.run(mode: .default, before: loginHintTime ?? .distantFuture)
    }
    return signal.number.map(ExitStatus.signal) ?? status ?? ExitStatus.fine
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
    case .question(let question):
      if !connection.ask(question) {
        screen.warn("with --legacy nothing can be asked; only said")
      }
    case .unknown(let word):
      screen.warn("there is no command \(ScreenText.guarded(word)). \(TypedLine.commands)")
    }
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

  /// A tutorial's server answers no ping, and would be waited for without a word.
  private func hintAtLogin() {
    guard let time = loginHintTime, time.timeIntervalSinceNow <= 0 else { return }
    loginHintTime = nil
    screen.warn(
      "\(connection.address) has not answered yet; still waiting. "
        + "If it is a tutorial's server, try: beck chat --legacy")
  }
}

extension Conversation: ChatConnectionDelegate {
  func connection(_ connection: ChatConnection, received line: ServerLine) {
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
    case .loggingIn: loginHintTime = Date(timeIntervalSinceNow: Self.loginPatience)
    case .open:
      loginHintTime = nil
      screen.tell("open: you are \(connection.name.shown). \(TypedLine.commands)")
      input.start()
      inputHasStarted = true
    case .closed(let closing):
      // A failed write to the screen has spoken already.
      if status == nil { close(closing) }
    }
    bell.ring()
  }

  func connectionCanSay(_ connection: ChatConnection) {
    bell.ring()
  }

  private func close(_ closing: ChatClosing) {
    let words = closing.words(address: connection.address, name: connection.name.shown)
    screen.close(words, isGood: closing == .finished)
    switch closing {
    case .finished where refusals > 0 && !isKeyboard:
      screen.warn(refusals == 1 ? "something was refused" : "\(refusals) things were refused")
      status = ExitStatus.refused
    case .finished: status = ExitStatus.fine
    case .unreachable: status = ExitStatus.unreachable
    case .abandoned, .loginRefused, .endedByServer, .broken: status = ExitStatus.refused
    }
  }
}
