/// Codes that show who made a message: HMAC (RFC 2104) with SHA-256. No TLS here.

internal import COpenSSL

package enum MessageCode {
  /// 32 bytes.
  package static func sha256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let made = HMAC(
      EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count)
    precondition(made != nil && count == 32, "HMAC fails only where memory is gone")
    return Array(code.prefix(Int(count)))
  }

  /// SHA-256 (FIPS 180-4), which needs no key: 32 bytes.
  package static func digest(of message: [UInt8]) -> [UInt8] { digest(of: message, EVP_sha256()) }

  /// SHA-1 (FIPS 180-4), 20 bytes: for the handshake of WebSockets alone, which keeps no secret by
  /// it.
  package static func sha1(of message: [UInt8]) -> [UInt8] { digest(of: message, EVP_sha1()) }

  private static func digest(of message: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let made = EVP_Digest(message, message.count, &digest, &count, algorithm, nil)
    precondition(made == 1, "a digest fails only where memory is gone")
    return Array(digest.prefix(Int(count)))
  }

  /// Compares without telling by its time where the first difference is.
  package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }
}
