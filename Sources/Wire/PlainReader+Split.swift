/// The reader's actions on a read: rules 2 to 5, where terminators and the next command cut.

extension PlainReader {
  mutating func take(_ next: Read) {
    read = next.bytes
    readCursor = 0
    readAt = next.at
    wait = .forever
    wasLastReadTyped = read.count <= Self.typedBytesMax
    phase = .arrived
  }

  /// Is there a read, or the end of the stream, to go on with?
  mutating func takeUpMore(as name: String?) -> Bool {
    if !waiting.isEmpty {
      take(waiting.removeFirst())
      // An idle connection keeps no room for what it once had to wait for.
      if waiting.isEmpty { waiting = [] }
      return true
    }
    guard hasStreamEnded else { return false }
    hasStreamEnded = false
    wait = .forever
    if !isDiscarding, beginsCommand(as: name) {
      phase = .running
      return true
    }
    forgetHeld()
    return false
  }

  /// Rules 2 and 3.
  mutating func arrive() {
    if isDiscarding {
      discard()
      return
    }
    if !held.isEmpty, mode != .line, let head = plainHead(in: read.span), head.verb.isClassic {
      phase = .flushing
      return
    }
    if mode == .undecided { countRead() }
    phase = .splitting
  }

  private mutating func countRead() {
    if !wasLastReadTyped { hasLongRead = true }
    guard !hasLongRead else { return }
    typedReadsHeld += 1
    if typedReadsHeld == Self.typedReads { mode = .line }
  }

  /// Rule 9: drops up to the next terminator.
  private mutating func discard() {
    guard let stop = plainTerminator(in: read.span, from: 0) else {
      read = []
      wait = mode == .line ? .forever : .quiet
      phase = .idle
      return
    }
    isDiscarding = false
    readCursor = plainTerminatorsEnd(in: read.span, from: stop)
    phase = .splitting
  }

  /// Rules 4 and 5, for the next terminator of the read.
  mutating func split(as name: String?) -> PlainHeard? {
    guard let stop = plainTerminator(in: read.span, from: readCursor) else {
      holdRest()
      phase = .settling
      return nil
    }
    let next = plainTerminatorsEnd(in: read.span, from: stop)
    let start = readCursor
    readCursor = next
    guard runs(at: start..<stop, next: next) else {
      hold(start..<stop)
      if !held.isEmpty, held.count < Self.heldBytesMax { held.append(0x20) }
      return nil
    }
    if mode == .undecided { mode = .line }
    let context = PlainCommandContext(mode: mode, isEnded: true, name: name)
    if !held.isEmpty {
      hold(start..<stop)
      let command = held
      forgetHeld()
      noteEnded(plainHead(in: command.span))
      return PlainHeard(command.span, context)
    }
    noteEnded(plainHead(in: read.span.extracting(start..<stop)))
    return PlainHeard(read.span.extracting(start..<stop), context)
  }

  /// Rule 6 asks whether a terminator has ever ended a `msg`.
  mutating func noteEnded(_ head: PlainHead?) {
    if head?.verb == .msg { hasEndedMessage = true }
  }

  /// Rule 4: does a terminator end what stands before it, or is it inside a message of many lines?
  private func runs(at range: Range<Int>, next: Int) -> Bool {
    if mode == .line || next == read.count { return true }
    if let follows = plainHead(in: read.span, at: next), follows.verb.isClassic { return true }
    let before =
      held.isEmpty
      ? plainHead(in: read.span.extracting(range)) : headAcross(range)
    guard let before else { return false }
    return before.verb != .msg
  }

  /// The head of what is held and the read together.
  private func headAcross(_ range: Range<Int>) -> PlainHead? {
    if let head = plainHead(in: held.span) { return head }
    // The word may be cut between two reads, but then only little is held.
    guard held.count <= Self.headBytesMax else { return nil }
    let most = min(range.count, Self.headBytesMax)
    let both = held + read[range.lowerBound..<range.lowerBound + most]
    return plainHead(in: both.span)
  }

  private static let headBytesMax = 128

  private mutating func holdRest() {
    if held.isEmpty, readCursor == 0, let first = read.first, !isBlank(first) {
      held = read
    } else {
      hold(readCursor..<read.count)
    }
    read = []
  }

  private mutating func hold(_ range: Range<Int>) {
    var start = range.lowerBound
    if held.isEmpty {
      while start < range.upperBound, isBlank(read[start]) { start += 1 }
    }
    // What is over the limit anyhow need not be kept.
    let end = min(range.upperBound, start + max(0, Self.heldBytesMax - held.count))
    held += read[start..<end]
  }

  mutating func forgetHeld() {
    held = []
    heldCursor = 0
    typedReadsHeld = 0
    hasLongRead = false
  }
}
