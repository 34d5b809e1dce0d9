/// A numeric address and port to listen on, and the address of a peer. Looks no names up.

internal import CUV
import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// Numeric, without brackets: `127.0.0.1`, `::1`.
  package let host: String
  package let port: UInt16
  package var isIPv6: Bool { host.contains(":") }

  /// Nil when `host` is not a numeric address.
  package init?(host: String, port: UInt16) {
    var four = in_addr()
    var six = in6_addr()
    guard inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1 else {
      return nil
    }
    self.host = host
    self.port = port
  }

  /// `127.0.0.1:12345` or `[::1]:12345`; nil for anything else.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { return nil }
    } else if host.contains(":") {
      return nil  // without brackets one cannot tell the port from the address
    }
    self.init(host: String(host), port: port)
  }

  package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether only this machine can reach or be it.
  package var isLoopback: Bool {
    host.hasPrefix("127.") || host == "::1" || host.hasPrefix("::ffff:127.")
  }

  func withSockAddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    let size: Int
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      size = MemoryLayout<sockaddr_in6>.size
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in6.self) }
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      size = MemoryLayout<sockaddr_in>.size
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
    }
    return withUnsafeBytes(of: &storage) {
      body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }
  }

  /// What the kernel wrote; nil for other families.
  init?(_ storage: sockaddr_storage) {
    var storage = storage
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = Int32(storage.ss_family)
    let port: UInt16? = withUnsafeBytes(of: &storage) { bytes in
      switch family {
      case AF_INET:
        var address = bytes.load(as: sockaddr_in.self)
        inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(text.count))
        return UInt16(bigEndian: address.sin_port)
      case AF_INET6:
        var address = bytes.load(as: sockaddr_in6.self)
        inet_ntop(AF_INET6, &address.sin6_addr, &text, socklen_t(text.count))
        return UInt16(bigEndian: address.sin6_port)
      default: return nil
      }
    }
    guard let port else { return nil }
    let end = text.firstIndex(of: 0) ?? text.endIndex
    self.init(
      host: String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self),
      port: port)
  }
}
