/// Where a SOCKS proxy is and how to speak with it. Connects to nothing.

package struct SOCKSProxy: Sendable, Equatable {
  package enum Version: Sendable, Equatable, CustomStringConvertible {
    /// SOCKS 4; 4a where the destination is a name.
    case v4
    /// RFC 1928, with the user and password of RFC 1929.
    case v5

    package var description: String {
      switch self {
      case .v4: "4"
      case .v5: "5"
      }
    }
  }

  package var host: String
  package var port: UInt16
  package var version: Version
  /// SOCKS 4 sends it as the user's identity; nil and empty mean none.
  package var user: String?
  /// SOCKS 5 only, beside a user.
  package var password: String?
  /// How long the whole conversation may take, from when the proxy is connected to.
  package var limit: Duration

  package init(
    host: String, port: UInt16, version: Version = .v5, user: String? = nil,
    password: String? = nil, limit: Duration = .seconds(30)
  ) {
    self.host = host
    self.port = port
    self.version = version
    self.user = user
    self.password = password
    self.limit = limit
  }
}
