/// One TLS conversation: ciphertext in, plaintext out, and back. Owns no socket, thread or clock.

internal import COpenSSL

/// What ``TLSEngine/read(into:)`` gave.
package enum TLSRead: Hashable, Sendable {
  /// So many bytes, at least one.
  case bytes(Int)
  /// Nothing before more ciphertext comes.
  case needsMore
  /// The peer sent its close-notify: nothing comes any more.
  case ended
}

/// One side of a conversation.
///
/// Whoever drives it, after every step: sends what is to be sent; until the handshake is done moves
/// it on; then reads and writes. It takes in ciphertext only while ``isReadable`` is false: what
/// was decrypted and not read is what holds a fast peer back.
///
/// One caller at a time, on any thread. No closure given to it may call it.
package final class TLSEngine {
  private let context: TLSContext
  private let ssl: OpaquePointer
  private let peerName: String?
  var incoming = ByteQueue()
  var outgoing = ByteQueue()
  private(set) var hasTransportEnded = false
  package private(set) var isEstablished = false
  private var hasBegun = false
  private var hasEnded = false
  private var isFinished = false
  private var failure: TLSError?
  /// What is wrong with the peer's certificate, while OpenSSL still looks for the words.
  private var verdict: TLSError.Cause?

  /// `peerName` is a client's name for its peer: a DNS name, or an IP address in digits (brackets
  /// and a zone are passed over). Sent as SNI unless it is an address, and where
  /// ``TLSConfiguration/checksName`` is set, matched with the peer's certificate (RFC 6125). For a
  /// server it is only what errors call the client.
  ///
  /// Throws ``TLSError/Cause/other(reason:)`` for a name that no certificate could bear.
  package init(_ context: TLSContext, peerName: String?) throws(TLSError) {
    ERR_clear_error()
    self.context = context
    self.peerName = peerName
    guard let ssl = SSL_new(context.pointer) else {
      throw TLSError(.other(reason: ErrorQueue.takeWords()), peerName: peerName)
    }
    self.ssl = ssl
    guard let bio = makeBIO() else {
      throw TLSError(.other(reason: ErrorQueue.takeWords()), peerName: peerName)
    }
    SSL_set_bio(ssl, bio, bio)
    switch context.configuration.role {
    case .client:
      SSL_set_connect_state(ssl)
      if let peerName { try expect(peerName) }
    case .server:
      SSL_set_accept_state(ssl)
    }
  }

  deinit { SSL_free(ssl) }

  private func expect(_ peerName: String) throws(TLSError) {
    guard let name = PeerName(peerName) else {
      throw TLSError(.other(reason: "no certificate can bear this name"), peerName: peerName)
    }
    if case .host(let name) = name { _ = copenssl_set_server_name(ssl, name) }
    let configuration = context.configuration
    if configuration.checksName, configuration.validatesChain,
      !name.expect(in: SSL_get0_param(ssl))
    {
      throw TLSError(.other(reason: ErrorQueue.takeWords()), peerName: peerName)
    }
  }

  // MARK: Ciphertext

  /// How much ciphertext a ``receive(minimum:_:)`` from a socket has room for, at least.
  package static let receiveRoom = 64 * 1024

  /// Takes in ciphertext: lends room for `minimum` bytes or more; `body` says how many it put there
  /// (0 or less: none), which is also the result. Not on and on while ``isReadable`` is true.
  package func receive(
    minimum: Int = TLSEngine.receiveRoom, _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    precondition(
      incoming.count <= Self.ciphertextMax, "ciphertext was taken in on and on, and nothing read")
    let count = body(incoming.room(minimum))
    if count > 0 { incoming.append(count) } else { incoming.removeFirst(0) }
    // After an end nothing counts any more.
    if hasEnded || failure != nil { incoming.removeAll() }
    return count
  }

  /// The transport has ended. Without the peer's close-notify before, that is a truncation.
  package func receiveEnd() { hasTransportEnded = true }

  package var bytesToSend: Int { outgoing.count }

  /// Gives out ciphertext: lends all that is to be sent; `body` says how many bytes of it went (0
  /// or less: none), which is also the result. With nothing to send `body` is not called.
  package func send(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    guard !outgoing.isEmpty else { return 0 }
    let count = body(outgoing.bytes)
    if count > 0 { outgoing.removeFirst(count) }
    return count
  }

  // MARK: Handshake

  /// Moves the handshake on; true once it is done. A client's first call makes its hello.
  ///
  /// Throws what went wrong, and the same at every call from then on; the alert for the peer is
  /// then among what is to be sent.
  package func handshake() throws(TLSError) -> Bool {
    if let failure { throw failure }
    if isEstablished { return true }
    if !hasBegun, let first = incoming.bytes.first {
      hasBegun = true
      if let cause = FirstBytes.cause(first, incoming.bytes, context.configuration.role) {
        try fail(cause)
      }
    }
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    guard result == 1 else {
      note(result)
      if hasEnded { try fail(.endedInHandshake) }
      if let failure { throw failure }
      return false
    }
    isEstablished = true
    // Looking for certificates in vain leaves errors, even where all went well.
    ERR_clear_error()
    if isFinished { SSL_shutdown(ssl) }
    return true
  }

  /// The negotiated version, `TLSv1.3`; nil before the handshake is done.
  package var version: String? {
    isEstablished ? String(cString: SSL_get_version(ssl)) : nil
  }

  /// What the peer has shown of itself, in DER: its own certificate first. Empty for none.
  package var peerCertificates: [[UInt8]] {
    guard let leaf = Certificate(owning: SSL_get1_peer_certificate(ssl)) else { return [] }
    var all = [leaf.der]
    let chain = SSL_get_peer_cert_chain(ssl)
    for index in 0..<max(0, copenssl_certificate_count(chain)) {
      guard let certificate = copenssl_certificate(chain, index) else { continue }
      let der = Certificate.der(certificate)
      // A client's chain begins with the leaf, a server's behind it.
      if index > 0 || der != all[0] { all.append(der) }
    }
    return all
  }

  /// Called back by OpenSSL in the middle of a handshake. False ends it.
  func judge(_ store: OpaquePointer?) -> Bool {
    let configuration = context.configuration
    if configuration.validatesChain {
      if X509_verify_cert(store) == 1 { return true }
      verdict = PeerCheck.cause(store, peerName: peerName)
      return false
    }
    X509_STORE_CTX_set_error(store, X509_V_OK)
    guard configuration.role == .client, configuration.checksName, let peerName else { return true }
    let leaf = X509_STORE_CTX_get0_cert(store)
    if PeerName(peerName)?.matches(leaf) == true { return true }
    X509_STORE_CTX_set_error(store, X509_V_ERR_HOSTNAME_MISMATCH)
    verdict = PeerCheck.wrongHost(leaf, peerName: peerName)
    return false
  }

  // MARK: Plaintext

  /// Gives out what was said, as much as `room` (not empty) takes. What was decrypted before an end
  /// or a failure comes before it. Before the handshake is done: ``TLSRead/needsMore``.
  package func read(into room: UnsafeMutableRawBufferPointer) throws(TLSError) -> TLSRead {
    precondition(!room.isEmpty, "a read has room for at least a byte")
    var total = 0
    while isOpen, total < room.count, hasMore {
      var count = 0
      ERR_clear_error()
      let result = SSL_read_ex(ssl, room.baseAddress! + total, room.count - total, &count)
      guard result == 1 else {
        note(result)
        break
      }
      total += count
    }
    if total > 0 { return .bytes(total) }
    if let failure { throw failure }
    return hasEnded ? .ended : .needsMore
  }

  /// What ``read(into:)`` would give without more ciphertext; takes nothing. Of bytes it says how
  /// many there are at least. Decrypts one record where it cannot know without.
  package func peek() throws(TLSError) -> TLSRead {
    if isOpen, SSL_pending(ssl) == 0, hasMore {
      var byte: UInt8 = 0
      var count = 0
      ERR_clear_error()
      let result = SSL_peek_ex(ssl, &byte, 1, &count)
      if result != 1 { note(result) }
    }
    if let failure { throw failure }
    if hasEnded { return .ended }
    let count = isEstablished ? Int(SSL_pending(ssl)) : 0
    return count > 0 ? .bytes(count) : .needsMore
  }

  /// Whether ``read(into:)`` would give something without more ciphertext: bytes, the end, or the
  /// failure.
  package var isReadable: Bool { (try? peek()) != .needsMore }

  /// How much plaintext one ``write(_:)`` takes: four records.
  package static let writeMax = 64 * 1024

  /// How much ciphertext may wait before ``write(_:)`` takes no more.
  package static let bytesToSendMax = 256 * 1024

  /// Takes plaintext and says how much, ``writeMax`` at most. Takes nothing while the handshake is
  /// not done, or while more than ``bytesToSendMax`` wait to be sent. Not after ``finish()``.
  package func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSError) -> Int {
    precondition(!isFinished, "nothing is said after the end was told")
    if let failure { throw failure }
    guard isEstablished, !plaintext.isEmpty, outgoing.count <= Self.bytesToSendMax else {
      return 0
    }
    var count = 0
    ERR_clear_error()
    let result = SSL_write_ex(
      ssl, plaintext.baseAddress, min(plaintext.count, Self.writeMax), &count)
    if result == 1 { return count }
    note(result)
    if let failure { throw failure }
    return 0
  }

  /// Tells the peer that nothing more is said (close-notify), once; reading goes on. Before the
  /// handshake is done it is told as soon as that is.
  package func finish() {
    guard !isFinished else { return }
    isFinished = true
    guard isEstablished, failure == nil else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
    ERR_clear_error()
  }

  // MARK: Ends

  private var isOpen: Bool { isEstablished && !hasEnded && failure == nil }

  /// Whether OpenSSL has anything to work on.
  private var hasMore: Bool { !incoming.isEmpty || hasTransportEnded || SSL_pending(ssl) > 0 }

  /// What a call that gave nothing means for the conversation.
  private func note(_ result: Int32) {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: ERR_clear_error()
    case SSL_ERROR_ZERO_RETURN:
      hasEnded = true
      incoming.removeAll()
    default:
      let cause = verdict ?? FailureCause.taken(isEstablished: isEstablished)
      failure = TLSError(cause, peerName: peerName)
      incoming.removeAll()
    }
  }

  private func fail(_ cause: TLSError.Cause) throws(TLSError) -> Never {
    let error = TLSError(cause, peerName: peerName)
    failure = error
    incoming.removeAll()
    throw error
  }
}
