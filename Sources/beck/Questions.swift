/// What is asked of the person at the keyboard: a name, a password. Asks no server.

import ChatClient
import ChatModel

/// Questions to a person: the next typed line answers the first of them.
struct Questions {
  struct Question {
    let words: String
    let isSecret: Bool
    let take: (String) -> Void
  }

  private let screen: Screen
  private let echo: TerminalEcho
  private var open: Question?

  init(screen: Screen, echo: TerminalEcho) {
    self.screen = screen
    self.echo = echo
  }

  var isOpen: Bool { open != nil }

  mutating func ask(_ words: String, isSecret: Bool = false, then take: @escaping (String) -> Void)
  {
    if isSecret, !echo.hide() { screen.warn("what you type now can be seen") }
    screen.prompt(words)
    open = Question(words: words, isSecret: isSecret, take: take)
  }

  /// Gives what is to be done with the answer.
  mutating func close() -> ((String) -> Void)? {
    echo.show()
    defer { open = nil }
    return open?.take
  }
}

// Questions that lead to another.
extension Conversation {
  func askPassword(_ words: String, then take: @escaping (Password) -> Void) {
    questions.ask(words, isSecret: true) { [weak self] typed in
      guard let password = Password(typed) else {
        self?.screen.warn(Password.rule)
        return
      }
      take(password)
    }
  }

  /// A password of one's own making: typed twice, as nobody can see it.
  func askNewPassword(then take: @escaping (Password) -> Void) {
    askPassword("new password: ") { [weak self] password in
      self?.questions.ask("once more: ", isSecret: true) { typed in
        guard typed == password.string else {
          self?.screen.warn("these were two different passwords; nothing was done")
          return
        }
        take(password)
      }
    }
  }

  // MARK: Who one is

  /// The name is somebody's, or the password was not right: at the keyboard one may try again.
  func askWhoAgain() {
    guard keepsSecrets else { return askName() }
    let name = ScreenText.guarded(connection.name.shown)
    questions.ask(
      "password of \(name) (or nothing, for another name): ", isSecret: true
    ) { [weak self] typed in
      guard let self, !typed.isEmpty else {
        self?.askName()
        return
      }
      guard let password = Password(typed) else {
        screen.warn(Password.rule)
        return askWhoAgain()
      }
      connect(as: connection.name, password)
    }
  }

  private func askName() {
    questions.ask("name: ") { [weak self] typed in
      guard let self else { return }
      do throws(NameProblem) {
        connect(as: try UserName(typed), nil)
      } catch {
        screen.warn("'\(ScreenText.guarded(typed))' cannot be a name: \(error.words)")
        askName()
      }
    }
  }
}
