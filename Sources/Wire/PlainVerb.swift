/// The plain dialect's command words and how they are found. Knows nothing of reads or timers.

/// A command word; the raw value is its letters in lower case, packed, the last one lowest.
package enum PlainVerb: UInt64, CaseIterable, Sendable {
  case iam = 0x69_61_6d
  case msg = 0x6d_73_67
  case join = 0x6a_6f_69_6e
  case leave = 0x6c_65_61_76_65
  case rooms = 0x72_6f_6f_6d_73
  case who = 0x77_68_6f
  case to = 0x74_6f
  case history = 0x68_69_73_74_6f_72_79
  case since = 0x73_69_6e_63_65
  case topic = 0x74_6f_70_69_63
  case ping = 0x70_69_6e_67
  case help = 0x68_65_6c_70
  case quit = 0x71_75_69_74
  /// No word: the sender's own name stood in front of the colon.
  case ownName = 0

  /// The tutorials' two words count wherever they stand; the others only where a terminator
  /// follows.
  var isClassic: Bool { self == .iam || self == .msg }
}

/// A command word with its colon, found in some bytes.
struct PlainHead {
  let verb: PlainVerb
  /// Where the word's blanks begin.
  let start: Int
  /// Where the argument begins: behind the colon.
  let end: Int
}

/// Between a word and its colon; more is no command, so that a search cannot be made quadratic.
private let innerBlanksMax = 64

/// The head that begins exactly at `start`: optional blanks, a word in any case, blanks, a colon.
func plainHead(in bytes: Span<UInt8>, at start: Int = 0) -> PlainHead? {
  var index = start
  while index < bytes.count, isBlank(bytes[index]) { index += 1 }
  var word: UInt64 = 0
  let lettersEnd = min(bytes.count, index + 8)
  while index < lettersEnd {
    let letter = bytes[index] | 0x20
    guard letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "z") else { break }
    word = word << 8 | UInt64(letter)
    index += 1
  }
  guard word != 0, let verb = PlainVerb(rawValue: word),
    let colon = plainColon(in: bytes, at: index, blanksMax: innerBlanksMax)
  else { return nil }
  return PlainHead(verb: verb, start: start, end: colon + 1)
}

/// The first `iam` or `msg` head at or behind `start`.
func plainClassicHead(in bytes: Span<UInt8>, from start: Int) -> PlainHead? {
  var index = start
  while index < bytes.count {
    let letter = bytes[index] | 0x20
    if letter == UInt8(ascii: "i") || letter == UInt8(ascii: "m"),
      let head = plainHead(in: bytes, at: index), head.verb.isClassic
    {
      return head
    }
    index += 1
  }
  return nil
}

/// Where the argument begins if the sender's own name and `:` or ` :` stand in front.
///
/// Letters of ASCII count in any case, as they do where names are compared.
func plainOwnNameEnd(in bytes: Span<UInt8>, name: String?) -> Int? {
  guard let name else { return nil }
  var index = 0
  for byte in name.utf8 {
    guard index < bytes.count, lowered(bytes[index]) == lowered(byte) else { return nil }
    index += 1
  }
  guard index < bytes.count, let colon = plainColon(in: bytes, at: index, blanksMax: 1) else {
    return nil
  }
  return colon + 1
}

private func plainColon(in bytes: Span<UInt8>, at start: Int, blanksMax: Int) -> Int? {
  var index = start
  let blanksEnd = min(bytes.count, start + blanksMax)
  while index < blanksEnd, isBlank(bytes[index]) { index += 1 }
  return index < bytes.count && bytes[index] == UInt8(ascii: ":") ? index : nil
}

private func lowered(_ byte: UInt8) -> UInt8 {
  byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}

func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
