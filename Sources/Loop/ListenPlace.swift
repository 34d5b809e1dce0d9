/// Where a listener listens: an address of the network, or a path of this machine. Opens nothing.

/// `127.0.0.1:12345`, `[::1]:12345` or `unix:/run/beck.sock`.
package enum ListenPlace: Hashable, Sendable, CustomStringConvertible {
  case tcp(SocketAddress)
  /// A Unix socket at this path, absolute or from the working directory; who may connect is decided
  /// by the path's permissions (unix(7)). Every peer is on this machine.
  case unix(path: String)

  /// The most bytes that such a path has: `sun_path` of unix(7), its NUL not counted.
  package static let pathBytesMax = 107

  private static let unixPrefix = "unix:"

  /// Nil for anything that is none of the three.
  package init?(_ text: String) {
    if text.hasPrefix(Self.unixPrefix) {
      let path = text.dropFirst(Self.unixPrefix.count)
      guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
      self = .unix(path: String(path))
    } else {
      guard let address = SocketAddress(text) else { return nil }
      self = .tcp(address)
    }
  }

  /// Nil for a path.
  package var address: SocketAddress? {
    if case .tcp(let address) = self { address } else { nil }
  }

  /// Nil for an address.
  package var path: String? {
    if case .unix(let path) = self { path } else { nil }
  }

  package var description: String {
    switch self {
    case .tcp(let address): "\(address)"
    case .unix(let path): Self.unixPrefix + path
    }
  }
}
