/// Cuts a long text into parts between characters. Knows nothing of lines or names.

/// The parts of a text, each of at most so many bytes.
struct PlainParts {
  private(set) var parts: [[UInt8]] = []
  private var part: [UInt8] = []
  private let bytesMax: Int

  init(_ text: String, bytesMax: Int) {
    precondition(bytesMax >= 4, "a part must have room for one scalar")
    self.bytesMax = bytesMax
    for character in text {
      let bytes = character.utf8
      if bytes.count <= bytesMax {
        append(bytes)
      } else {
        // A letter under hundreds of marks: nothing is left but to cut among them.
        for scalar in character.unicodeScalars { append(Character(scalar).utf8) }
      }
    }
    if !part.isEmpty { parts.append(part) }
  }

  private mutating func append(_ bytes: Character.UTF8View) {
    if part.count + bytes.count > bytesMax {
      parts.append(part)
      part = []
    }
    part += bytes
  }
}
