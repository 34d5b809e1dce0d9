/// Catches the signals that end a program, so that it can end cleanly. Ends nothing by itself at
/// first.

import Foundation

/// Whether a signal has asked the program to end.
///
/// The signals are blocked and a thread waits for them: nothing runs in a signal handler.
/// Unchecked because `caught` is touched only under the lock.
final class EndingSignal: @unchecked Sendable {
  /// Ctrl-C, a polite kill, and a terminal that went away.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private let lock = NSLock()
  private let bell: RunLoopBell
  private let echo: TerminalEcho
  private var caught: Int32?

  /// Rings the bell at the first signal. To be made before any other thread: a thread inherits
  /// what is blocked from its maker.
  ///
  /// However the program ends then, the terminal shows again what is typed.
  init(bell: RunLoopBell, echo: TerminalEcho) {
    self.bell = bell
    self.echo = echo
    var blocked = Self.set
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
    let thread = Thread { self.wait() }
    thread.name = "signals"
    thread.start()
  }

  /// The signal's number, once there was one.
  var number: Int32? { lock.withLock { caught } }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }

  private func wait() {
    var set = Self.set
    var number: Int32 = 0
    guard sigwait(&set, &number) == 0 else { return }
    lock.withLock { caught = number }
    bell.ring()
    // The main thread may be stuck where the bell does not reach it: writing to a pipe that
    // nobody reads. It has a second.
    _ = poll(nil, 0, 1_000)
    echo.show()
    _exit(ExitStatus.signal(number))
  }
}
