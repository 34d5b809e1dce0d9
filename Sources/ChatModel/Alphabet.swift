/// Which of the three alphabets that look alike a letter belongs to. Ranges of our own, no tables.

/// Latin, Greek and Cyrillic share shapes: a name that mixes two may pose as another.
enum Alphabet {
  case latin, greek, cyrillic

  /// Nil for anything that is a letter of none of the three.
  init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2AF,
      0x1D00...0x1D25, 0x1D6B...0x1D77, 0x1D79...0x1DBF, 0x1E00...0x1EFF, 0x2C60...0x2C7F,
      0xA722...0xA787, 0xA78B...0xA7FF, 0xAB30...0xAB64, 0xFB00...0xFB06, 0xFF21...0xFF3A,
      0xFF41...0xFF5A:
      self = .latin
    case 0x370...0x373, 0x376...0x37D, 0x37F, 0x386, 0x388...0x3E1, 0x3F0...0x3FF,
      0x1D26...0x1D2A, 0x1F00...0x1FFF:
      self = .greek
    case 0x400...0x52F, 0x1C80...0x1C8F, 0x1D2B, 0x1D78, 0x2DE0...0x2DFF, 0xA640...0xA69F:
      self = .cyrillic
    case _:
      return nil
    }
  }
}

func mixesAlphabets(_ name: String) -> Bool {
  var seen: Alphabet?
  for scalar in name.unicodeScalars {
    guard let alphabet = Alphabet(scalar) else { continue }
    if let seen, seen != alphabet { return true }
    seen = alphabet
  }
  return false
}
