/// What many conversations share: trust, identity, versions. Loaded once; safe on any thread.

internal import COpenSSL

/// An OpenSSL context (`SSL_CTX`). It is not changed once it is made, and OpenSSL counts its users
/// itself, so that conversations on several threads may begin from one.
package final class TLSContext: @unchecked Sendable {
  // @unchecked because: nothing is changed after `init`, and SSL_new is safe on any thread.
  let pointer: OpaquePointer
  let configuration: TLSConfiguration

  /// Reads the certificates and the key.
  ///
  /// Throws ``TLSError/Cause/identityUnusable(reason:)``,
  /// ``TLSError/Cause/rootsUnusable(reason:)`` or ``TLSError/Cause/other(reason:)``.
  package init(_ configuration: TLSConfiguration) throws(TLSError) {
    OpenSSL.start()
    ERR_clear_error()
    defer { ERR_clear_error() }
    let isServer = configuration.role == .server
    guard let context = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
      throw TLSError(.other(reason: ErrorQueue.takeWords()))
    }
    pointer = context
    self.configuration = configuration
    copenssl_set_modes(context)
    copenssl_set_no_renegotiation(context)
    // Sessions are resumed from tickets, which cost a server no memory.
    copenssl_set_no_session_cache(context)
    guard
      copenssl_set_versions(
        context, configuration.leastVersion.number, configuration.greatestVersion.number) == 1
    else { throw TLSError(.other(reason: ErrorQueue.takeWords())) }
    SSL_CTX_set_verify(context, configuration.verifyMode, nil)
    SSL_CTX_set_cert_verify_callback(context, PeerCheck.callback, nil)
    if configuration.trustsSystem {
      // Absent files are no error here: where nothing is trusted, the handshake says so.
      SSL_CTX_set_default_verify_paths(context)
    }
    if let roots = configuration.extraRoots { try trust(roots) }
    if let identity = configuration.identity {
      try show(identity)
    } else if isServer {
      throw TLSError(.identityUnusable(reason: "a server needs a certificate and its key"))
    }
  }

  deinit { SSL_CTX_free(pointer) }

  private func trust(_ pem: [UInt8]) throws(TLSError) {
    guard let roots = Certificate.all(inPEM: pem), !roots.isEmpty else {
      throw TLSError(.rootsUnusable(reason: "there is no certificate in PEM to read"))
    }
    let store = SSL_CTX_get_cert_store(pointer)
    for root in roots {
      guard let root = Certificate(der: root), X509_STORE_add_cert(store, root.pointer) == 1 else {
        throw TLSError(.rootsUnusable(reason: ErrorQueue.takeWords()))
      }
      // Whom a server asks for, so that a person's browser offers what fits.
      if configuration.role == .server { SSL_CTX_add_client_CA(pointer, root.pointer) }
    }
    // A certificate that is trusted ends a chain, whether it is a root or not.
    X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
  }

  private func show(_ identity: TLSIdentity) throws(TLSError) {
    guard let leaf = Certificate(der: identity.chain[0]), let key = PrivateKey(der: identity.key),
      SSL_CTX_use_certificate(pointer, leaf.pointer) == 1,
      SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1
    else { throw TLSError(.identityUnusable(reason: ErrorQueue.takeWords())) }
    for issuer in identity.chain.dropFirst() {
      guard let issuer = Certificate(der: issuer),
        copenssl_add1_chain_cert(pointer, issuer.pointer) == 1
      else { throw TLSError(.identityUnusable(reason: ErrorQueue.takeWords())) }
    }
    // Without a name OpenSSL resumes no session of a client that showed a certificate.
    let name = Array("beck".utf8)
    SSL_CTX_set_session_id_context(pointer, name, UInt32(name.count))
  }
}

extension TLSVersion {
  var number: Int32 {
    switch self {
    case .v1_2: TLS1_2_VERSION
    case .v1_3: TLS1_3_VERSION
    }
  }
}

extension TLSConfiguration {
  fileprivate var verifyMode: Int32 {
    switch (role, clientCertificates) {
    case (.client, _), (.server, .asked): SSL_VERIFY_PEER
    case (.server, .required): SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
    case (.server, .notAsked): SSL_VERIFY_NONE
    }
  }
}

enum OpenSSL {
  private static let isStarted = OPENSSL_init_ssl(
    // Its farewell at the program's exit would pull the ground from under other threads that are
    // still talking; the system takes back the memory anyway.
    UInt64(OPENSSL_INIT_NO_ATEXIT), nil)

  static func start() { _ = isStarted }
}
