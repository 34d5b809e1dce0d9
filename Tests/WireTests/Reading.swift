/// One reader on a clock moved by hand, and what it heard in words. Waits for nothing.

import Wire

/// Feeds a reader, pulls it dry after each step, and moves the clock.
struct Reading {
  private(set) var reader = PlainReader()
  private(set) var now = Duration.zero
  /// A command as `verb:argument`, with a line feed behind it if a terminator ended it; `?` for
  /// what is unknown, `too long` for what was not run.
  private(set) var heard: [String] = []
  /// The sender's own name; with `followsLogins` the last one that was asked for.
  var name: String?
  var followsLogins = false

  init(as name: String? = nil) { self.name = name }

  /// A connection that has logged in without a terminator and waited: raw mode.
  static func raw(as name: String = "Bob") -> Reading {
    var reading = Reading(as: name)
    reading.read("iam:\(name)")
    reading.pass(50)
    reading.heard = []
    return reading
  }

  /// A connection that has ended its login with a terminator: line mode.
  static func line(as name: String = "Bob") -> Reading {
    var reading = Reading(as: name)
    reading.read("iam:\(name)\n")
    reading.heard = []
    return reading
  }

  /// A connection that bears the name, but whose mode nothing has shown yet.
  static func undecided(as name: String = "Bob") -> Reading { Reading(as: name) }

  /// One read, `milliseconds` after the last step, timers first.
  mutating func read(_ bytes: [UInt8], after milliseconds: Int = 0) {
    if milliseconds > 0 { pass(milliseconds) }
    bytes.withUnsafeBytes { reader.received($0, at: now) }
    pull()
  }

  mutating func read(_ text: String, after milliseconds: Int = 0) {
    read(Array(text.utf8), after: milliseconds)
  }

  /// Lets time pass; a deadline that falls on the last instant counts as passed.
  mutating func pass(_ milliseconds: Int) {
    let end = now + .milliseconds(milliseconds)
    while let deadline = reader.deadline, deadline <= end {
      now = max(now, deadline)
      reader.deadlinePassed(at: now)
      pull()
    }
    now = end
  }

  mutating func end() {
    reader.ended()
    pull()
  }

  /// How long after the last step the timer goes off.
  var wait: Int? {
    reader.deadline.map { Int(($0 - now) / .milliseconds(1)) }
  }

  private mutating func pull() {
    while let next = reader.next(as: name) {
      heard.append(words(next))
      if followsLogins, case .command(let command) = next, command.verb == .iam {
        name = command.argument
      }
    }
  }
}

func words(_ heard: PlainHeard) -> String {
  switch heard {
  case .command(let command):
    "\(command.verb):\(command.argument)\(command.isEnded ? "\n" : "")"
  case .unknown: "?"
  case .tooLong: "too long"
  }
}

/// A text of so many bytes.
func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
