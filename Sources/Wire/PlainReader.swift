/// Finds the plain dialect's commands in one connection's reads. Knows no socket, no clock, no
/// chat.
///
/// The rules bear the numbers of docs/wire/plain.md, "Framing". The clients of this dialect mostly
/// send no terminator, so what a command is depends on how the bytes were cut and when they came.

/// One connection's reader: give it each read, then pull commands until there are none.
package struct PlainReader {
  /// How this connection marks the ends of its commands, as far as is known.
  package enum Mode: Sendable { case undecided, raw, line }

  /// Where we are; the bytes lie beside it.
  enum Phase {
    /// Nothing to do before the next read, the timer or the end of the stream.
    case idle
    /// A read was taken up; nothing is known of it yet.
    case arrived
    /// The read begins with a command, so the one held is run first.
    case flushing
    /// The read is cut at its terminators.
    case splitting
    /// The read is used up; is what is held too long, and how long to wait for more?
    case settling
    /// The timer fired or the stream ended: what is held is run.
    case running
    /// What is held is too long: it is run cut, and what follows it is discarded.
    case overflowing
  }

  /// How long to wait, after the last read, before what is held is run.
  enum Wait { case forever, quiet, character, line }

  struct Read {
    var bytes: [UInt8]
    var at: Duration
  }

  /// The most a command may take after its word and colon.
  package static let argumentBytesMax = 4_096
  /// The most that is held of commands which no terminator has ended yet.
  static let heldBytesMax = 3 * argumentBytesMax
  /// A read of at most this many bytes may be a key typed by hand.
  static let typedBytesMax = 2
  /// So many typed reads in a row make a connection a typed one.
  static let typedReads: UInt8 = 3

  package internal(set) var mode = Mode.undecided

  var phase = Phase.idle
  var wait = Wait.forever
  /// Everything up to the next terminator (or, if the mode is raw, quiet moment) is dropped.
  var isDiscarding = false
  /// A terminator has ended a `msg` on this connection at least once.
  var hasEndedMessage = false
  var hasStreamEnded = false
  /// The last read was at most `typedBytesMax` long.
  var wasLastReadTyped = false
  /// How many reads lie in `held`, as far as they were all typed and count up to `typedReads`.
  var typedReadsHeld: UInt8 = 0
  /// A read in `held` was longer than a typed one.
  var hasLongRead = false

  /// The command that is not finished; never begins with a blank.
  var held: [UInt8] = []
  /// How much of `held` has been run; not 0 only between two commands of one run.
  var heldCursor = 0
  /// The read that is being split, and how far.
  var read: [UInt8] = []
  var readCursor = 0
  /// When the last read came.
  var readAt = Duration.zero
  /// Reads that came before the ones in front of them were pulled empty; nearly always none.
  var waiting: [Read] = []

  package init() {}

  /// One read, as it came.
  package mutating func received(_ bytes: UnsafeRawBufferPointer, at now: Duration) {
    guard bytes.count > 0 else { return }
    let copy = unsafe [UInt8](bytes)
    if phase == .idle, waiting.isEmpty {
      take(Read(bytes: copy, at: now))
    } else {
      waiting.append(Read(bytes: copy, at: now))
    }
  }

  /// How many bytes are kept for this connection at the moment.
  package var bytesHeld: Int {
    waiting.reduce(held.count + read.count) { sum, read in sum + read.bytes.count }
  }

  /// When to call ``deadlinePassed(at:)``; nil while there is something to pull.
  package var deadline: Duration? {
    guard phase == .idle else { return nil }
    switch wait {
    case .forever: return nil
    case .quiet: return readAt + .milliseconds(50)
    case .character: return readAt + .milliseconds(500)
    case .line: return readAt + .milliseconds(1_000)
    }
  }

  /// The timer fired; too early a call does nothing.
  package mutating func deadlinePassed(at now: Duration) {
    guard let deadline, now >= deadline else { return }
    wait = .forever
    if isDiscarding {
      isDiscarding = false
    } else {
      if mode == .undecided { mode = .raw }
      phase = .running
    }
  }

  /// The stream has ended: what is held is run if it begins like a command.
  package mutating func ended() { hasStreamEnded = true }

  /// The next command; `name` is the sender's own as it is shown, once there is one.
  package mutating func next(as name: String?) -> PlainHeard? {
    while true {
      let heard: PlainHeard?
      switch phase {
      case .idle:
        guard takeUpMore(as: name) else { return nil }
        heard = nil
      case .arrived:
        arrive()
        heard = nil
      case .flushing:
        heard = runHeld(as: name, then: .arrived)
      case .splitting:
        heard = split(as: name)
      case .settling:
        heard = settle(as: name)
      case .running, .overflowing:
        heard = runHeld(as: name, then: .idle)
      }
      if let heard { return heard }
    }
  }
}
