/// A range of addresses, by the bits that they begin with. Touches no socket.

/// Such as `203.0.113.0/24`, `2001:db8::/32`, or one address.
public struct Network: Hashable, Sendable {
  /// IPv4 as IPv6 has it, so that there is one form.
  private let bits: [UInt8]
  /// How many of the 128 bits count.
  private let length: Int

  /// Nil for what is no address, or has bits set behind its length.
  public init?(_ string: String) {
    let parts = string.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let bits = addressBits(first) else { return nil }
    var length = 128
    if parts.count == 2 {
      let most = first.utf8.contains(UInt8(ascii: ":")) ? 128 : 32
      guard let count = number(parts[1], upTo: most) else { return nil }
      length = 128 - most + count
    }
    guard Self.firstBits(length, of: bits) == bits else { return nil }
    self.bits = bits
    self.length = length
  }

  /// Whether the address is of the range; false for what is no address. The zone of an address of
  /// one link does not count.
  public func contains(_ address: String) -> Bool {
    guard let other = addressBits(address.prefix { $0 != "%" }) else { return false }
    return Self.firstBits(length, of: other) == bits
  }

  /// Whether it is one address of either family, as RFC 4291 2.2 writes it or as four numbers with
  /// points; without a zone, a length, or brackets around it.
  package static func isAddress(_ string: some StringProtocol) -> Bool {
    addressBits(Substring(string)) != nil
  }

  /// As it is written: the initialiser takes it again.
  public var string: String {
    if length >= 96, bits.starts(with: mapped) {
      let shown = bits[12...].map { String($0) }.joined(separator: ".")
      return length == 128 ? shown : "\(shown)/\(length - 96)"
    }
    return length == 128 ? ipv6 : "\(ipv6)/\(length)"
  }

  /// The longest run of zeros is left out, as RFC 5952 asks for.
  private var ipv6: String {
    let groups = (0..<8).map { UInt16(bits[2 * $0]) << 8 | UInt16(bits[2 * $0 + 1]) }
    var longest = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      guard group == 0 else {
        start = index + 1
        continue
      }
      if index + 1 - start > max(1, longest.count) { longest = start..<(index + 1) }
    }
    let shown = groups.map { String($0, radix: 16) }
    guard !longest.isEmpty else { return shown.joined(separator: ":") }
    return shown[..<longest.lowerBound].joined(separator: ":") + "::"
      + shown[longest.upperBound...].joined(separator: ":")
  }

  private static func firstBits(_ length: Int, of bits: [UInt8]) -> [UInt8] {
    (0..<16).map { index in
      let left = min(8, max(0, length - 8 * index))
      return left == 8 ? bits[index] : bits[index] & ~(0xFF >> UInt8(left))
    }
  }
}

/// What IPv4 begins with in IPv6.
private let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

/// The 16 bytes of an address as RFC 4291 2.2 writes it, or of four numbers with points.
private func addressBits(_ address: Substring) -> [UInt8]? {
  guard address.utf8.contains(UInt8(ascii: ":")) else {
    return fourBytes(address).map { mapped + $0 }
  }
  guard let gap = doubleColon(in: address) else {
    return groups(address).flatMap { $0.count == 16 ? $0 : nil }
  }
  // Of what stands around the gap nothing may begin or end in a colon.
  guard let front = groups(address[..<gap], endsInFour: false),
    let back = groups(address[gap...].dropFirst(2)),
    front.count + back.count <= 14, front.count.isMultiple(of: 2)
  else { return nil }
  return front + [UInt8](repeating: 0, count: 16 - front.count - back.count) + back
}

/// Groups of 16 bits between colons; the last may be an IPv4 address where that is allowed.
private func groups(_ text: Substring, endsInFour: Bool = true) -> [UInt8]? {
  if text.isEmpty { return [] }
  var bytes: [UInt8] = []
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  for (index, part) in parts.enumerated() {
    if endsInFour, index == parts.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
      guard let four = fourBytes(part) else { return nil }
      bytes += four
    } else {
      let isHex = part.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      guard (1...4).contains(part.utf8.count), isHex, let group = UInt16(part, radix: 16) else {
        return nil
      }
      bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
    }
  }
  return bytes
}

private func fourBytes(_ text: Substring) -> [UInt8]? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  let bytes = parts.compactMap { number($0, upTo: 255).map { UInt8($0) } }
  return parts.count == 4 && bytes.count == 4 ? bytes : nil
}

/// Digits alone, without a zero in front.
private func number(_ text: Substring, upTo most: Int) -> Int? {
  guard let number = Int(text), String(number) == text, (0...most).contains(number) else {
    return nil
  }
  return number
}

private func doubleColon(in text: Substring) -> Substring.Index? {
  zip(text.indices, text.indices.dropFirst()).first { text[$0] == ":" && text[$1] == ":" }?.0
}
