/// A range of addresses, by the bits that they begin with. Touches no socket.

internal import Glibc

/// Such as `203.0.113.0/24`, `2001:db8::/32`, or one address.
public struct Network: Hashable, Sendable {
  /// IPv4 as IPv6 has it, so that there is one form.
  private let bits: [UInt8]
  /// How many of the 128 bits count.
  private let length: Int

  /// Nil for what is no address, or has bits set behind its length.
  public init?(_ string: String) {
    let parts = string.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let (bits, isIPv4) = Self.bits(of: String(first)) else {
      return nil
    }
    var length = 128
    if parts.count == 2 {
      let most = isIPv4 ? 32 : 128
      guard let count = Int(parts[1]), String(count) == parts[1], (0...most).contains(count) else {
        return nil
      }
      length = 128 - most + count
    }
    guard Self.firstBits(length, of: bits) == bits else { return nil }
    self.bits = bits
    self.length = length
  }

  /// Whether the address is of the range; false for what is no address.
  public func contains(_ address: String) -> Bool {
    guard let (other, _) = Self.bits(of: address) else { return false }
    return Self.firstBits(length, of: other) == bits
  }

  /// As it is written: the initialiser takes it again.
  public var string: String {
    let isIPv4 = length >= 96 && bits.starts(with: Self.mapped)
    let shown = isIPv4 ? bits[12...].map { String($0) }.joined(separator: ".") : ipv6
    let (count, most) = isIPv4 ? (length - 96, 32) : (length, 128)
    return count == most ? shown : "\(shown)/\(count)"
  }

  private var ipv6: String {
    var bits = bits
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = unsafe inet_ntop(AF_INET6, &bits, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  private static func bits(of address: String) -> ([UInt8], isIPv4: Bool)? {
    var four = [UInt8](repeating: 0, count: 4)
    if unsafe inet_pton(AF_INET, address, &four) == 1 { return (mapped + four, true) }
    var sixteen = [UInt8](repeating: 0, count: 16)
    // The zone of a link's own address is of this machine alone.
    let bare = address.prefix { $0 != "%" }
    guard unsafe inet_pton(AF_INET6, String(bare), &sixteen) == 1 else { return nil }
    return (sixteen, false)
  }

  private static func firstBits(_ length: Int, of bits: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 16)
    for index in 0..<16 {
      let left = min(8, max(0, length - 8 * index))
      result[index] = left == 8 ? bits[index] : bits[index] & ~(0xFF >> UInt8(left))
    }
    return result
  }
}
