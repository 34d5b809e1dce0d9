/// An IPv4 or IPv6 address as a value, without a port. Looks nothing up.

internal import Glibc

package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  package enum Family: Hashable, Sendable, CaseIterable {
    case ipv6
    case ipv4
  }

  /// In network order: 4 of IPv4, 16 of IPv6.
  package let bytes: [UInt8]
  /// The interface of a link-local IPv6 address; otherwise 0.
  package let scope: UInt32

  package var family: Family { bytes.count == 4 ? .ipv4 : .ipv6 }

  private init(bytes: [UInt8], scope: UInt32 = 0) {
    self.bytes = bytes
    self.scope = scope
  }

  /// An address in its full written form (`192.0.2.1`, `2001:db8::1`), without brackets and
  /// without an interface.
  package init?(_ literal: String) {
    guard !literal.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, literal, &bytes) == 1 {
      self.init(bytes: Array(bytes.prefix(4)))
    } else if inet_pton(AF_INET6, literal, &bytes) == 1 {
      self.init(bytes: bytes)
    } else {
      return nil
    }
  }

  /// The address within one entry of a resolver's list; nil for other families.
  init?(_ entry: addrinfo) {
    guard let address = entry.ai_addr else { return nil }
    let raw = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
    switch entry.ai_family {
    case AF_INET where raw.count >= MemoryLayout<sockaddr_in>.size:
      let whole = raw.loadUnaligned(as: sockaddr_in.self)
      self.init(bytes: withUnsafeBytes(of: whole.sin_addr) { Array($0) })
    case AF_INET6 where raw.count >= MemoryLayout<sockaddr_in6>.size:
      let whole = raw.loadUnaligned(as: sockaddr_in6.self)
      self.init(
        bytes: withUnsafeBytes(of: whole.sin6_addr) { Array($0) }, scope: whole.sin6_scope_id)
    default: return nil
    }
  }

  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = family == .ipv4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
    let written = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return scope == 0 ? written : "\(written)%\(scope)"
  }

  /// Calls `body` with the kernel's form of the address and `port`.
  func withSocketAddress<Value>(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    switch family {
    case .ipv4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
      return withSocketPointer(to: address, body)
    case .ipv6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
      return withSocketPointer(to: address, body)
    }
  }
}

/// Calls `body` with any kind of socket address as the kernel's calls take it.
func withSocketPointer<Address, Value>(
  to address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
) -> Value {
  withUnsafeBytes(of: address) { bytes in
    // The buffer of a value is never empty, and so never nil.
    body(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count))
  }
}
