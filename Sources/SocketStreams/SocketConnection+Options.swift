/// What a `SocketConnection` is asked to be, and its translation into the streams' properties.

extension SocketConnection {
  /// What is asked of a connection.
  public struct Options: Sendable {
    /// Whether the bytes go through TLS; only to hosts and Unix-domain sockets.
    public var security: Security
    /// The proxy to go through; only to hosts.
    public var proxy: Proxy?
    /// How long a read may wait for the next byte. Nil: for ever.
    public var readTimeout: Duration?
    /// How long a write may wait while the socket takes nothing. Nil: for ever.
    public var writeTimeout: Duration?

    /// A connection in clear, without a proxy or limits of time.
    public init(
      security: Security = .none, proxy: Proxy? = nil, readTimeout: Duration? = nil,
      writeTimeout: Duration? = nil
    ) {
      self.security = security
      self.proxy = proxy
      self.readTimeout = readTimeout
      self.writeTimeout = writeTimeout
    }
  }

  /// Whether and how the bytes go through TLS.
  public struct Security: Sendable, Hashable {
    enum Level { case none, tls }
    var level: Level
    var peerName: String?
    var roots: Data?

    /// In clear.
    public static let none = Security(level: .none)
    /// TLS 1.2 or 1.3 with a peer that the system's certificates vouch for under the host's name.
    public static let tls = Security(level: .tls)
    /// The same on terms of one's own.
    ///
    /// - Parameters:
    ///   - peerName: The name that the certificate must bear; nil: the host's.
    ///   - roots: PEM certificates to trust besides the system's.
    public static func tls(peerName: String? = nil, roots: Data? = nil) -> Security {
      Security(level: .tls, peerName: peerName, roots: roots)
    }
  }

  /// A SOCKS proxy. It looks names up itself.
  public struct Proxy: Sendable, Hashable {
    /// The versions of the protocol.
    public enum Version: Sendable { case socks4, socks5 }

    /// The proxy's name or address.
    public var host: String
    /// The proxy's port.
    public var port: Int
    /// Version 5, unless said otherwise.
    public var version: Version
    /// Who asks.
    public var user: String?
    /// The user's word; only version 5 has it.
    public var password: String?

    /// A proxy; version 5, unless said otherwise.
    public init(
      host: String, port: Int = 1080, version: Version = .socks5, user: String? = nil,
      password: String? = nil
    ) {
      self.host = host
      self.port = port
      self.version = version
      self.user = user
      self.password = password
    }
  }
}

extension SocketConnection.Options {
  /// Sets the properties of an unopened stream. Throws where one is refused.
  func configure(_ stream: InputStream) throws {
    if let proxy {
      guard stream.setProperty(proxy.settings, forKey: .socksProxyConfigurationKey) else {
        throw SocketConnectionError.refused("a proxy at \(proxy.host):\(proxy.port)")
      }
    }
    if security.level == .tls {
      let key = kCFStreamPropertySSLSettings as Stream.PropertyKey
      guard stream.setProperty(security.settings, forKey: key) else {
        throw SocketConnectionError.refused("TLS")
      }
    }
  }
}

extension SocketConnection.Security {
  fileprivate var settings: NSDictionary {
    var settings: [String: Any] = [
      kCFStreamSSLLevel as String: kCFStreamSocketSecurityLevelNegotiatedSSL
    ]
    settings[kCFStreamSSLPeerName as String] = peerName
    settings[kSocketStreamsSSLAnchorCertificates as String] = roots
    return NSDictionary(dictionary: settings)
  }
}

extension SocketConnection.Proxy {
  fileprivate var settings: NSDictionary {
    var settings: [String: Any] = [
      kCFStreamPropertySOCKSProxyHost as String: host,
      kCFStreamPropertySOCKSProxyPort as String: port,
      kCFStreamPropertySOCKSVersion as String: version == .socks5
        ? kCFStreamSocketSOCKSVersion5 : kCFStreamSocketSOCKSVersion4,
    ]
    settings[kCFStreamPropertySOCKSUser as String] = user
    settings[kCFStreamPropertySOCKSPassword as String] = password
    return NSDictionary(dictionary: settings)
  }
}
