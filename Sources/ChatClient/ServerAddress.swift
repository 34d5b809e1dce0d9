/// Where a server is. Reads and writes the spelling; resolves nothing.

/// A host and a port, spelled `HOST`, `HOST:PORT`, `[::1]:PORT`, `[::1]` or `::1`; or a Unix socket
/// of this machine, spelled `unix:PATH`.
public struct ServerAddress: Hashable, Sendable {
  /// The port that a server listens on unless told otherwise.
  public static let defaultPort = 12_345
  /// A server on this machine, at the usual port.
  public static let local = ServerAddress(host: "localhost", port: defaultPort)

  /// A name, an IPv4 address, or an IPv6 address without brackets. With a ``path``: `localhost`,
  /// whose certificate counts where TLS is spoken.
  public let host: String
  /// 1 to 65,535; 0 with a ``path``.
  public let port: Int
  /// Of a Unix socket, at most 107 bytes.
  public let path: String?

  /// Nil when the text is none of the spellings above, or the port is out of range.
  public init?(_ text: String) {
    if let path = text.after(prefix: "unix:") {
      guard (1...107).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
      self.init(host: Self.local.host, port: 0, path: String(path))
      return
    }
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    var host = Substring(text)
    var port: Substring?
    if let inner = text.after(prefix: "[") {
      guard let bracket = inner.firstIndex(of: "]") else { return nil }
      host = inner[..<bracket]
      let behind = inner[inner.index(after: bracket)...]
      guard host.contains(":"), behind.isEmpty || behind.first == ":" else { return nil }
      port = behind.isEmpty ? nil : behind.dropFirst()
    } else if colons == 1, let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || "[]/".contains($0) }) else {
      return nil
    }
    guard let port else {
      self.init(host: String(host), port: Self.defaultPort)
      return
    }
    let isNumber = !port.isEmpty && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, let number = Int(port), (1...65_535).contains(number) else { return nil }
    self.init(host: String(host), port: number)
  }

  /// Whether nobody on a network is on the way there: a Unix socket, `localhost`, 127.0.0.0/8 or
  /// ::1.
  public var isThisMachine: Bool {
    if path != nil || ["localhost", "::1"].contains(host.lowercased()) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private init(host: String, port: Int, path: String? = nil) {
    self.host = host
    self.port = port
    self.path = path
  }
}

extension ServerAddress: CustomStringConvertible {
  /// `HOST:PORT`, an IPv6 address in brackets; or `unix:PATH`.
  public var description: String {
    if let path { return "unix:\(path)" }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
