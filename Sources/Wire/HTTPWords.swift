/// The words that HTTP's lines are made of: tokens, comma lists, hosts. Pure functions.

/// RFC 9110 5.6.2: `tchar`.
func isTokenLetter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
    UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
    UInt8(ascii: "|"), UInt8(ascii: "~"):
    true
  case _: false
  }
}

/// RFC 9110 5.6.2: `token`, at least one letter.
func isToken(_ bytes: Span<UInt8>) -> Bool {
  for index in bytes.indices where !isTokenLetter(bytes[index]) { return false }
  return !bytes.isEmpty
}

/// A space or a tab: what RFC 9110 5.6.3 lets stand around a value.
func isHTTPBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// The letter in lower case, if it is one of ASCII.
func lower(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// Are they the same but for the case of their letters of ASCII?
func isSameWord(_ bytes: Span<UInt8>, _ word: String) -> Bool {
  guard bytes.count == word.utf8.count else { return false }
  var index = 0
  for letter in word.utf8 {
    guard lower(bytes[index]) == lower(letter) else { return false }
    index += 1
  }
  return true
}

/// Without the blanks around it.
func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
  var start = range.lowerBound
  var end = range.upperBound
  while start < end, isHTTPBlank(bytes[start]) { start += 1 }
  while end > start, isHTTPBlank(bytes[end - 1]) { end -= 1 }
  return start..<end
}

/// Where the members of a comma list lie, without blanks and without empty ones (RFC 9110 5.6.1.2).
func commaList(_ bytes: Span<UInt8>, in range: Range<Int>) -> [Range<Int>] {
  var members: [Range<Int>] = []
  var start = range.lowerBound
  for index in range.lowerBound...range.upperBound {
    guard index == range.upperBound || bytes[index] == UInt8(ascii: ",") else { continue }
    let member = trimmed(bytes, start..<index)
    if !member.isEmpty { members.append(member) }
    start = index + 1
  }
  return members
}

/// RFC 9112 3.2 and RFC 3986 3.2.2: a name or an address, and perhaps a port; the name may be
/// empty. Of an address in brackets only the letters are looked at.
func isHost(_ bytes: Span<UInt8>) -> Bool {
  var index = 0
  if bytes.count > 0, bytes[0] == UInt8(ascii: "[") {
    index = 1
    while index < bytes.count, isAddressLetter(bytes[index]) { index += 1 }
    guard index > 2, index < bytes.count, bytes[index] == UInt8(ascii: "]") else { return false }
    index += 1
  } else {
    while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
      if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, isHexDigit(bytes[index + 1]), isHexDigit(bytes[index + 2])
        else { return false }
        index += 3
      } else if isNameLetter(bytes[index]) {
        index += 1
      } else {
        return false
      }
    }
  }
  guard index < bytes.count else { return true }
  guard bytes[index] == UInt8(ascii: ":") else { return false }
  for place in index + 1..<bytes.count where !isDigit(bytes[place]) { return false }
  return true
}

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

private func isHexDigit(_ byte: UInt8) -> Bool { hexDigit(byte) != nil }

private func isAddressLetter(_ byte: UInt8) -> Bool {
  isHexDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
}

/// RFC 3986 2.2 and 2.3: `unreserved` and `sub-delims`.
private func isNameLetter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
    UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"),
    UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
    UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
    true
  case _: false
  }
}
