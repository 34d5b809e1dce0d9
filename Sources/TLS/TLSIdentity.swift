/// A certificate chain and its private key, read and checked once. Says nothing about trust.

internal import COpenSSL

/// Who one side is: certificates in DER, the own one first and its issuers behind it, and the key.
package struct TLSIdentity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  let chain: [[UInt8]]
  let key: [UInt8]

  /// Reads PEM: the own certificate first, then its issuers (the root may be left out), and a
  /// private key of any kind that OpenSSL reads, under a password or not.
  ///
  /// Throws ``TLSError/Cause/identityUnusable(reason:)``.
  package init(pem chain: [UInt8], key: [UInt8], password: String? = nil) throws(TLSError) {
    guard let chain = Certificate.all(inPEM: chain), !chain.isEmpty else {
      throw TLSError(.identityUnusable(reason: "there is no certificate in PEM to read"))
    }
    guard let key = Self.readKey(key, password: password) else {
      throw TLSError(
        .identityUnusable(
          reason: "there is no private key in PEM to read, or its password is missing or wrong"))
    }
    try self.init(chain: chain, key: key.der)
  }

  /// Reads a PKCS #12 file, as `openssl pkcs12 -export` and a key chain write it.
  ///
  /// Throws ``TLSError/Cause/identityUnusable(reason:)``.
  package init(pkcs12 file: [UInt8], password: String) throws(TLSError) {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let parsed = withMemoryBIO(file, { d2i_PKCS12_bio($0, nil) }) else {
      throw TLSError(.identityUnusable(reason: "this is no PKCS #12 file"))
    }
    defer { PKCS12_free(parsed) }
    var keyPointer: OpaquePointer?
    var leafPointer: OpaquePointer?
    var others: OpaquePointer?
    guard PKCS12_parse(parsed, password, &keyPointer, &leafPointer, &others) == 1 else {
      throw TLSError(.identityUnusable(reason: Self.problem(parsed, password)))
    }
    defer { copenssl_free_certificates(others) }
    // Both are taken over before either is missed.
    let key = PrivateKey(owning: keyPointer)
    let leaf = Certificate(owning: leafPointer)
    guard let key, let leaf else {
      throw TLSError(.identityUnusable(reason: "the PKCS #12 file lacks a certificate or its key"))
    }
    try self.init(chain: Self.chain(from: leaf.pointer, among: others), key: key.der)
  }

  private init(chain: [[UInt8]], key: [UInt8]) throws(TLSError) {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let leaf = Certificate(der: chain[0]), let owned = PrivateKey(der: key) else {
      throw TLSError(.identityUnusable(reason: ErrorQueue.takeWords()))
    }
    guard X509_check_private_key(leaf.pointer, owned.pointer) == 1 else {
      throw TLSError(
        .identityUnusable(reason: "the key does not belong to the first certificate"))
    }
    self.chain = chain
    self.key = key
  }

  /// Without the key, which is nobody's to see.
  package var description: String { "an identity of \(chain.count) certificates" }
  package var customMirror: Mirror { Mirror(self, children: ["certificates": chain.count]) }

  private static func readKey(_ pem: [UInt8], password: String?) -> PrivateKey? {
    // Without a function of ours OpenSSL would ask at the terminal.
    let tell:
      @convention(c) (
        UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
      ) -> Int32 = { room, size, _, password in
        guard let password, let room else { return -1 }
        let text = password.assumingMemoryBound(to: CChar.self)
        var count: Int32 = 0
        while text[Int(count)] != 0 {
          guard count < size else { return -1 }
          room[Int(count)] = text[Int(count)]
          count += 1
        }
        return count
      }
    ERR_clear_error()
    defer { ERR_clear_error() }
    func read(_ password: UnsafeMutableRawPointer?) -> OpaquePointer? {
      withMemoryBIO(pem) { PEM_read_bio_PrivateKey($0, nil, tell, password) }
    }
    guard var password = password?.utf8CString else { return PrivateKey(owning: read(nil)) }
    return PrivateKey(owning: password.withUnsafeMutableBytes { read($0.baseAddress) })
  }

  private static func problem(_ file: OpaquePointer, _ password: String) -> String {
    let error = ErrorQueue.take()
    if PKCS12_verify_mac(file, password, -1) != 1 { return "the password is wrong" }
    // What older tools encrypt with (RC2) is OpenSSL's no more.
    return "the PKCS #12 file cannot be read: \(ErrorQueue.words(error))"
  }

  /// The leaf, its issuer, that one's issuer, as far as they are there; the file has any order.
  private static func chain(from leaf: OpaquePointer, among others: OpaquePointer?) -> [[UInt8]] {
    var chain = [leaf]
    var rest = (0..<max(0, copenssl_certificate_count(others))).compactMap {
      copenssl_certificate(others, $0)
    }
    while let next = rest.firstIndex(where: { X509_check_issued($0, chain.last) == X509_V_OK }) {
      chain.append(rest.remove(at: next))
    }
    return chain.map { Certificate.der($0) }
  }
}
