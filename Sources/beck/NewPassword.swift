/// Where a command takes a new password from: asked on a terminal, or read from a file. Never from
/// the command line, which others on the machine can read.

import ChatModel
import Foundation

enum NewPassword {
  static let help = """
        --password-file FILE  read the password from the first line of FILE; - is standard input.
                              Otherwise it is asked, twice, on the terminal.
    """

  static func take(for name: String, file: String?) throws(CommandProblem) -> Password {
    guard let file else { return try ask(for: name) }
    if file == "-" { return try password(StandardInput.firstLine()) }
    let line: String
    do throws(SmallFile.Problem) {
      line = try SmallFile.firstLine(file)
    } catch {
      throw .usage("cannot read the password from \(file): \(error.words)")
    }
    return try password(line)
  }

  private static func password(_ string: String) throws(CommandProblem) -> Password {
    guard let password = Password(string) else { throw .usage(Password.rule) }
    return password
  }

  private static func ask(for name: String) throws(CommandProblem) -> Password {
    guard isatty(STDIN_FILENO) == 1 else {
      throw .usage("nobody is here to be asked for the password; give --password-file")
    }
    let first = try line(asking: "new password for \(name): ")
    let password = try password(first)
    guard try line(asking: "once more: ") == first else {
      throw .usage("the two differ; nothing was done")
    }
    return password
  }

  /// A line of the terminal, which does not show it. Whatever ends the reading, it shows again what
  /// is typed next.
  private static func line(asking question: String) throws(CommandProblem) -> String {
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
      throw .refused("cannot use the terminal: \(String(cString: strerror(errno)))")
    }
    // A signal interrupts the reading, and has its effect when the terminal is as it was.
    var interrupting = sigaction()
    interrupting.__sigaction_handler.sa_handler = { _ in }
    var former = (sigaction(), sigaction())
    sigaction(SIGINT, &interrupting, &former.0)
    sigaction(SIGTERM, &interrupting, &former.1)
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    // First: what is typed as soon as the question is there is not shown, and not lost.
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    Output.error.write(question)
    let (line, isInterrupted) = read()
    tcsetattr(STDIN_FILENO, TCSANOW, &shown)
    Output.error.write("\n")
    sigaction(SIGINT, &former.0, nil)
    sigaction(SIGTERM, &former.1, nil)
    guard !isInterrupted, let line else {
      throw CommandProblem(
        sentence: "nothing was done",
        status: isInterrupted ? ExitStatus.signal(SIGINT) : ExitStatus.refused)
    }
    return line
  }

  /// Nil at the end of the input.
  private static func read() -> (line: String?, isInterrupted: Bool) {
    var bytes: [UInt8] = []
    while bytes.count < 4_096 {
      var byte: UInt8 = 0
      let count = Foundation.read(STDIN_FILENO, &byte, 1)
      if count < 0 { return (nil, errno == EINTR) }
      if count == 0 { return (bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self), false) }
      if byte == 0x0A { break }
      bytes.append(byte)
    }
    return (String(decoding: bytes, as: UTF8.self), false)
  }
}
