/// What one side asks of a conversation. Plain values; nothing is loaded or checked here.

/// The versions of TLS that are spoken. Older ones are broken (RFC 8996).
package enum TLSVersion: Sendable, Hashable, CaseIterable {
  case v1_2
  case v1_3
}

/// What one side asks of a conversation. Equal configurations share a ``TLSContext``.
package struct TLSConfiguration: Sendable, Hashable {
  package enum Role: Sendable, Hashable {
    case client
    case server
  }

  /// Whether a server asks who its clients are.
  package enum ClientCertificates: Sendable, Hashable {
    case notAsked
    /// A client may come without one; one that it shows must be good.
    case asked
    case required
  }

  package var role: Role = .client

  /// Whether a client matches its name for the peer with the certificate. Without a name nothing
  /// is matched.
  package var checksName = true

  /// Whether the peer's certificate must lead to something that is trusted, be valid today and be
  /// made for this. A name is checked without this, too.
  package var validatesChain = true

  package var leastVersion: TLSVersion = .v1_2
  package var greatestVersion: TLSVersion = .v1_3

  /// Own certificate chain and key: a server must have them, a client shows them when asked.
  package var identity: TLSIdentity?

  /// PEM certificates to trust besides the system's, one behind the other. Each is trusted as it
  /// is: a root, an authority below one, or a single peer's own.
  package var extraRoots: [UInt8]?

  /// Whether what the system trusts is trusted: OpenSSL's default file and folder, or those that
  /// the environment names in SSL_CERT_FILE and SSL_CERT_DIR.
  package var trustsSystem = true

  /// A server's alone.
  package var clientCertificates: ClientCertificates = .notAsked

  package init(role: Role = .client) {
    self.role = role
  }
}
