/// One command of the plain dialect, decoded. Does not know how its bytes came together.

/// A command's word and argument.
package struct PlainCommand: Hashable, Sendable {
  package var verb: PlainVerb
  /// Decoded, with U+FFFD for what is no UTF-8; blanks and control characters trimmed; maybe empty.
  package var argument: String
  /// Did a terminator end it?
  package var isEnded: Bool

  package init(verb: PlainVerb, argument: String, isEnded: Bool) {
    self.verb = verb
    self.argument = argument
    self.isEnded = isEnded
  }
}

/// What the reader makes of the bytes.
package enum PlainHeard: Hashable, Sendable {
  case command(PlainCommand)
  /// Something was written that is no command.
  case unknown
  /// A command of a connection in line mode was longer than the limit; nothing of it is run.
  case tooLong
}

/// How to read the bytes of one command.
struct PlainCommandContext {
  let mode: PlainReader.Mode
  let isEnded: Bool
  let name: String?
}

extension PlainHeard {
  /// Rules 8 and 9 for one command's bytes; nil if there is nothing but blanks and control
  /// characters.
  init?(_ given: Span<UInt8>, _ context: PlainCommandContext) {
    // Blanks in front belong to no command: they count towards no limit, however the reads were
    // cut.
    var blanks = 0
    while blanks < given.count, isBlank(given[blanks]) { blanks += 1 }
    let bytes = given.extracting(blanks...)
    let head = plainHead(in: bytes)
    let start = head?.end ?? plainOwnNameEnd(in: bytes, name: context.name)
    var argument = bytes.extracting((start ?? 0)...)
    if argument.count > PlainReader.argumentBytesMax {
      switch context.mode {
      case .line:
        self = .tooLong
        return
      case .raw, .undecided:
        let kept = plainCut(argument, bytesMax: PlainReader.argumentBytesMax)
        argument = argument.extracting(..<kept)
      }
    }
    let verb = head.map { $0.verb } ?? .ownName
    if start != nil, context.isEnded || verb.isClassic || verb == .ownName {
      let text = plainText(argument)
      self = .command(PlainCommand(verb: verb, argument: text, isEnded: context.isEnded))
    } else if hasText(bytes) {
      self = .unknown
    } else {
      return nil
    }
  }
}

/// Decodes and trims.
private func plainText(_ bytes: Span<UInt8>) -> String {
  var start = 0
  var end = bytes.count
  while start < end, isTrimmed(bytes[start]) { start += 1 }
  while end > start, isTrimmed(bytes[end - 1]) { end -= 1 }
  let text = unsafe bytes.extracting(start..<end).withUnsafeBufferPointer { kept in
    unsafe String(decoding: kept, as: UTF8.self)
  }
  guard end > start, bytes[start] >= 0x80 || bytes[end - 1] >= 0x80 else { return text }
  return trimmedOfWideBlanks(text)
}

/// Blanks and control characters beyond ASCII, such as U+00A0 or U+0085.
private func trimmedOfWideBlanks(_ text: String) -> String {
  let scalars = text.unicodeScalars
  guard let first = scalars.firstIndex(where: { !isTrimmed($0) }),
    let last = scalars.lastIndex(where: { !isTrimmed($0) })
  else { return "" }
  guard first > scalars.startIndex || scalars.index(after: last) < scalars.endIndex else {
    return text
  }
  return String(scalars[first...last])
}

private func hasText(_ bytes: Span<UInt8>) -> Bool {
  for index in bytes.indices where !isTrimmed(bytes[index]) { return true }
  return false
}

private func isTrimmed(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

private func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x80
    ? isTrimmed(UInt8(scalar.value))
    : scalar.value < 0xA0 || scalar.properties.isWhitespace
}
