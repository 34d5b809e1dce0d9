/// Who may speak HTTP with a server, by which names. Knows no request.

internal import ChatModel

/// One for all connections of a server: a class, so that each keeps no more than where it is.
package final class WebSettings: Sendable {
  /// Names by which this server may be called besides `localhost` and addresses: the machine's own,
  /// and what the operator gave. Lowercase.
  private let names: Set<String>
  /// Pages of these origins may ask too, such as `https://chat.example.org`.
  private let origins: Set<String>

  /// Names in any case and without a port; origins as browsers send them (RFC 6454 7).
  package init(names: [String] = [], origins: [String] = []) {
    self.names = Set(names.map { $0.lowercased() })
    self.origins = Set(origins)
  }

  /// Whether a request with this `Host` may be for us. By any other name a page elsewhere could
  /// point its own name at this machine and read what only this machine's people may (DNS
  /// rebinding).
  func isOurs(host: String) -> Bool {
    let name = Self.withoutPort(host).lowercased()
    return name == "localhost" || name.hasSuffix(".localhost") || Self.isAddress(name)
      || names.contains(name)
  }

  /// Whether a page of this origin may ask: our own, which is that of `host`, and those listed.
  func admits(origin: String, host: String) -> Bool {
    if origins.contains(origin) { return true }
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
    }
    return false
  }

  /// Whether a page of another origin may read the answer.
  func isListed(_ origin: String) -> Bool { origins.contains(origin) }

  // MARK: What they are made of

  /// Whether a server can be called so: ASCII, without a port.
  package static func isName(_ name: some StringProtocol) -> Bool {
    name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      !label.isEmpty
        && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }
  }

  /// Whether browsers can send it so (RFC 6454 7): a scheme, a host in small letters and perhaps a
  /// port other than the scheme's own; no path, no slash at its end.
  package static func isOrigin(_ origin: String) -> Bool {
    for (scheme, own) in [("http://", 80), ("https://", 443)] where origin.hasPrefix(scheme) {
      let place = origin.dropFirst(scheme.count)
      let host = withoutPort(String(place))
      let port = place.dropFirst(host.count)
      if !port.isEmpty {
        guard let number = UInt16(port.dropFirst()), port == ":\(number)", number > 0,
          number != own
        else { return false }
      }
      return host == host.lowercased() && (isName(host) || isAddress(String(host)))
    }
    return false
  }

  private static func withoutPort(_ host: String) -> Substring {
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return host[...end] }
    return host.prefix { $0 != ":" }
  }

  /// An address of either family, in brackets where it has colons (RFC 3986 3.2.2): a name can be
  /// pointed elsewhere, an address cannot.
  private static func isAddress(_ host: String) -> Bool {
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let address = isBracketed ? host.dropFirst().dropLast() : host[...]
    return isBracketed == address.contains(":") && Network.isAddress(address)
  }
}
