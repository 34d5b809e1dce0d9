/// A program as a child process, with everything that goes in and comes out. Knows no program.

import CTestSupport
import Foundation

/// One run of a program.
package final class ChildProcess {
  package enum Input {
    /// A file that holds this.
    case file(String)
    case pipe
    /// A terminal, of which the test is the keyboard.
    case keyboard
  }

  package struct Ending {
    package let status: Int32
    package let output: String
    package let errors: String
  }

  package private(set) var output = Intake()
  package private(set) var errors = Intake()
  private var inputEnd: Int32 = -1
  package private(set) var pid: Int32 = 0
  private var hasEnded = false

  /// The first word is looked for as a shell does.
  package init(
    running words: [String], input: Input = .file(""), terminalOutput: Bool = false,
    environment: [String: String] = [:]
  ) throws {
    let (childInput, inputEnd) = try Self.open(input)
    self.inputEnd = inputEnd
    let (outputEnd, childOutput) = terminalOutput ? try Self.terminal() : try Self.pipe()
    let (errorEnd, childError) = try Self.pipe()
    output = Intake(descriptor: outputEnd)
    errors = Intake(descriptor: errorEnd)
    defer { for end in [childInput, childOutput, childError] { close(end) } }
    pid = try Self.spawn(
      words, environment: environment, descriptors: [childInput, childOutput, childError])
  }

  deinit {
    if !hasEnded {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    if inputEnd >= 0 { close(inputEnd) }
  }

  package func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard write(inputEnd, bytes, bytes.count) == bytes.count else {
      throw Failure.system("typing")
    }
  }

  /// Types as much of this as is taken, until nothing has been for a while; says how much was.
  package func typeUntilStuck(_ line: String, atMost bytesMax: Int) -> Int {
    _ = fcntl(inputEnd, F_SETFL, O_NONBLOCK)
    let bytes = Array(line.utf8)
    var taken = 0
    while taken < bytesMax {
      var wish = pollfd(fd: inputEnd, events: Int16(POLLOUT), revents: 0)
      guard poll(&wish, 1, 500) == 1 else { break }
      taken += max(0, write(inputEnd, bytes, bytes.count))
    }
    return taken
  }

  package func endInput() {
    close(inputEnd)
    inputEnd = -1
  }

  /// The reader of its output goes away.
  package func stopReadingOutput() {
    output = Intake()
  }

  package func send(_ signal: Int32) {
    kill(pid, signal)
  }

  /// Has it ended already? It is still to be asked for its ending.
  package var isGone: Bool {
    var information = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    guard waitid(P_PID, id_t(pid), &information, options) == 0 else { return true }
    return information.si_signo != 0
  }

  /// Everything it wrote, and its exit status. A signal that killed it counts negative.
  package func ending() throws -> Ending {
    try output.readToEnd()
    try errors.readToEnd()
    var status: Int32 = 0
    guard waitpid(pid, &status, 0) == pid else { throw Failure.system("waitpid") }
    hasEnded = true
    let signal = status & 0x7F
    return Ending(
      status: signal == 0 ? (status >> 8) & 0xFF : -signal, output: output.text,
      errors: errors.text)
  }
}

// How it is started.
extension ChildProcess {
  private static func spawn(
    _ words: [String], environment: [String: String], descriptors: [Int32]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    // Other tests' descriptors are none of its business: it would keep their connections open.
    ctest_addclosefrom(&actions, Int32(descriptors.count))
    // Whatever the tests were started with, the child has its signals as at a terminal.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    var variables = ProcessInfo.processInfo.environment
    for name in ["USER", "NO_COLOR", "TERM"] { variables[name] = nil }
    // Under the thread sanitizer a program waits a second before it ends, unless told not to.
    variables["TSAN_OPTIONS"] =
      [variables["TSAN_OPTIONS"], "atexit_sleep_ms=0"].compactMap { $0 }.joined(separator: ":")
    variables.merge(environment) { $1 }
    let arguments = words.map { strdup($0) }
    let pairs = variables.map { strdup("\($0.key)=\($0.value)") }
    defer { for string in arguments + pairs { free(string) } }
    var pid: pid_t = 0
    let problem = posix_spawnp(
      &pid, words[0], &actions, &attributes, arguments + [nil], pairs + [nil])
    guard problem == 0 else {
      throw Failure("\(words[0]): \(String(cString: strerror(problem)))")
    }
    return pid
  }

  /// The child's end, and ours or -1.
  private static func open(_ input: Input) throws -> (Int32, Int32) {
    switch input {
    case .file(let text):
      var path = Array("/tmp/beck-input-\(String(repeating: "X", count: 6))".utf8CString)
      let file = ctest_mkostemp_cloexec(&path)
      guard file >= 0 else { throw Failure.system("mkostemp") }
      unlink(path)
      let bytes = Array(text.utf8)
      guard write(file, bytes, bytes.count) == bytes.count, lseek(file, 0, SEEK_SET) == 0 else {
        throw Failure.system("write")
      }
      return (file, -1)
    case .pipe:
      return try pipe()
    case .keyboard:
      let (ours, childs) = try terminal()
      return (childs, ours)
    }
  }

  /// The end to read from, and the end to write to.
  private static func pipe() throws -> (Int32, Int32) {
    // At once to this process alone: any other thread may be starting a process.
    var ends: [Int32] = [-1, -1]
    guard ctest_pipe2_cloexec(&ends) == 0 else { throw Failure.system("pipe") }
    return (ends[0], ends[1])
  }

  /// The keyboard's and screen's end, and the program's. The calls are those of Linux's ptmx(4),
  /// as the toolchain's `Glibc` module has no `posix_openpt`.
  private static func terminal() throws -> (Int32, Int32) {
    let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
    let tellNumber: UInt = 0x8004_5430  // TIOCGPTN
    let ours = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: Int32 = 0
    guard ours >= 0, ioctl(ours, unlock, &locked) == 0, ioctl(ours, tellNumber, &number) == 0
    else { throw Failure.system("/dev/ptmx") }
    let childs = Foundation.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard childs >= 0 else { throw Failure.system("/dev/pts/\(number)") }
    return (ours, childs)
  }
}
