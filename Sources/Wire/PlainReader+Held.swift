/// The reader's actions on what it holds: rules 6, 7 and 9, where no terminator came.

extension PlainReader {
  /// The read is used up: rule 9, else rule 6.
  mutating func settle(as name: String?) -> PlainHeard? {
    phase = .idle
    wait = .forever
    guard !held.isEmpty else { return nil }
    guard isHeldTooLong(as: name) else {
      wait = patience(as: name)
      return nil
    }
    isDiscarding = true
    switch mode {
    case .line:
      // Only its terminator can come now, so it counts as ended already.
      noteEnded(plainHead(in: held.span))
      forgetHeld()
      return .tooLong
    case .undecided, .raw:
      mode = .raw
      wait = .quiet
      phase = .overflowing
      return nil
    }
  }

  /// Rule 6.
  private func patience(as name: String?) -> Wait {
    guard beginsCommand(as: name) else { return .forever }
    switch mode {
    case .undecided, .raw:
      return plainEndsInsideCharacter(held.span) ? .character : .quiet
    case .line:
      return wasLastReadTyped || hasEndedMessage ? .forever : .line
    }
  }

  /// Does what is held begin with `iam:`, `msg:` or the sender's own name?
  func beginsCommand(as name: String?) -> Bool {
    if let head = plainHead(in: held.span) { return head.verb.isClassic }
    return plainOwnNameEnd(in: held.span, name: name) != nil
  }

  /// Runs one command of what is held; an `iam` ends where the next command begins (rule 7).
  mutating func runHeld(as name: String?, then after: Phase) -> PlainHeard? {
    let context = PlainCommandContext(mode: mode, isEnded: false, name: name)
    let end = heldCommandEnd()
    let heard = PlainHeard(held.span.extracting(heldCursor..<end), context)
    heldCursor = end
    if end == held.count {
      forgetHeld()
      phase = after
    }
    return heard
  }

  private func heldCommandEnd() -> Int {
    let bytes = held.span
    guard let head = plainHead(in: bytes, at: heldCursor), head.verb == .iam else {
      return held.count
    }
    return plainClassicHead(in: bytes, from: head.end)?.start ?? held.count
  }

  /// Rule 9, for each command that rule 7 would find.
  private func isHeldTooLong(as name: String?) -> Bool {
    let bytes = held.span
    guard bytes.count > Self.argumentBytesMax else { return false }
    guard bytes.count < Self.heldBytesMax else { return true }
    let head = plainHead(in: bytes)
    var verb = head.map { $0.verb } ?? .ownName
    var start = head?.end ?? plainOwnNameEnd(in: bytes, name: name) ?? 0
    while verb == .iam, let next = plainClassicHead(in: bytes, from: start) {
      if next.start - start > Self.argumentBytesMax { return true }
      verb = next.verb
      start = next.end
    }
    return bytes.count - start > Self.argumentBytesMax
  }
}
