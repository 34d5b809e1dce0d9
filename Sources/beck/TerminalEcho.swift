/// Keeps a terminal from showing what is typed, for as long as a password is. Reads nothing.

import Foundation

/// The echo of the terminal at standard input.
///
/// Unchecked because `shown` is touched only under the lock.
final class TerminalEcho: @unchecked Sendable {
  private let lock = NSLock()
  /// How the terminal was set; nil while it shows what is typed.
  private var shown: termios?

  /// Shows nothing but the end of the line. False where there is no terminal to tell.
  func hide() -> Bool {
    lock.withLock {
      guard shown == nil else { return true }
      var settings = termios()
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
      let former = settings
      settings.c_lflag &= ~tcflag_t(ECHO)
      settings.c_lflag |= tcflag_t(ECHONL)
      guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return false }
      shown = former
      return true
    }
  }

  /// As it was; also for other threads, on the way out of the program.
  func show() {
    lock.withLock {
      guard var settings = shown else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      shown = nil
    }
  }
}
