/// What may be wrong with a name, in words, and the search for it.

/// Why a name cannot be one.
public enum NameProblem: Error, Hashable, Sendable {
  case empty
  /// Too long is refused, never cut: clients know their own messages by the name.
  case tooLong(limit: Int)
  /// A control character or line separator.
  case control
  /// A character that turns the direction of writing.
  case bidirectional
  /// A character that shows nothing.
  case zeroWidth
  /// One of `:` `(` `)`, which mark where a name ends and what it is.
  case punctuation(Character)
  /// The first character marks a notice, a refusal, a room or the like.
  case beginning(Character)
  /// The name would read as a notice: it ends in these words.
  case ending(String)
  /// The name is a command word.
  case commandWord(String)
  /// Letters of two alphabets that look alike.
  case mixedAlphabets

  /// What is wrong, as a clause.
  public var words: String {
    switch self {
    case .empty: "a name is missing"
    case .tooLong(let limit): "the name is too long (at most \(limit) bytes)"
    case .control: "a name cannot hold control characters"
    case .bidirectional: "a name cannot turn the direction of writing"
    case .zeroWidth: "a name cannot hold invisible characters"
    case .punctuation(let character): "a name cannot hold \(character)"
    case .beginning(let character): "a name cannot begin with \(character)"
    case .ending(let words): "a name cannot end in \"\(words)\""
    case .commandWord(let word): "\(word) is a command and cannot be a name"
    case .mixedAlphabets: "a name cannot mix Latin, Greek and Cyrillic letters"
    }
  }
}

/// What nobody could see in a name.
func invisibility(of scalar: Unicode.Scalar) -> NameProblem? {
  switch scalar.value {
  case 0x20...0x7E:
    return nil
  case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029:
    return .control
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
    return .bidirectional
  case 0x2800:
    // A pattern of Braille without a dot: Unicode takes it for a sign, and nobody sees it.
    return .zeroWidth
  case 0xFE0E, 0xFE0F:
    // They choose between text and picture for the character before, and fold away.
    return nil
  case _:
    let isInvisible =
      scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.generalCategory == .format
    return isInvisible ? .zeroWidth : nil
  }
}

private let punctuation: Set<Unicode.Scalar> = [":", "(", ")"]
private let beginnings: Set<Unicode.Scalar> = ["*", "!", "[", "(", "#", "@", "+", "{", "<"]
private let endings = [" has joined", " has left"]
private let commandWords: Set<String> = [
  "iam", "msg", "join", "leave", "rooms", "who", "to", "history", "since", "topic", "ping", "help",
  "quit",
]

/// What would let a name pass for something else.
///
/// The folded form is searched, so that a wide bracket or a capital letter is no way around.
func nameProblem(inFolded name: String) -> NameProblem? {
  if let first = name.unicodeScalars.first, beginnings.contains(first) {
    return .beginning(Character(first))
  }
  for scalar in name.unicodeScalars where punctuation.contains(scalar) {
    return .punctuation(Character(scalar))
  }
  // By bytes: a letter that joins the blank behind it into one character is no way around.
  for ending in endings where name.utf8.reversed().starts(with: ending.utf8.reversed()) {
    return .ending(String(ending.dropFirst()))
  }
  if commandWords.contains(name) { return .commandWord(name) }
  return mixesAlphabets(name) ? .mixedAlphabets : nil
}
