/// What OpenSSL's errors mean for a person, and what a peer that does not speak TLS speaks.

internal import COpenSSL

enum FailureCause {
  /// The calling thread's errors, which are emptied, as one cause.
  static func taken(isEstablished: Bool) -> TLSError.Cause {
    let error = ErrorQueue.take()
    // Neither a word nor an end: the queue of ciphertext took no more.
    guard error != 0 else { return .other(reason: "the peer asks on and on, and takes no answers") }
    guard ERR_GET_LIB(error) == ERR_LIB_SSL else { return .other(reason: ErrorQueue.words(error)) }
    let reason = ERR_GET_REASON(error)
    switch reason {
    case SSL_R_UNEXPECTED_EOF_WHILE_READING:
      return isEstablished ? .truncated : .endedInHandshake
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION, SSL_R_VERSION_TOO_LOW,
      SSL_R_VERSION_TOO_HIGH, SSL_R_UNKNOWN_PROTOCOL, SSL_R_UNSUPPORTED_SSL_VERSION,
      SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_INAPPROPRIATE_FALLBACK, SSL_R_BAD_PROTOCOL_VERSION_NUMBER,
      alertBase + alertProtocolVersion:
      return .protocolVersion
    case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SUITABLE_KEY_SHARE,
      SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM,
      SSL_R_NO_SUITABLE_GROUPS, SSL_R_NO_CIPHERS_AVAILABLE:
      return .noSharedCipher
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return .certificateMissing
    case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
      return .plainTextFromPeer
    case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC, SSL_R_DECRYPTION_FAILED,
      SSL_R_BAD_DECOMPRESSION, SSL_R_DIGEST_CHECK_FAILED:
      return .damaged
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_BAD_RECORD_TYPE, SSL_R_UNEXPECTED_RECORD,
      SSL_R_UNEXPECTED_MESSAGE, SSL_R_PACKET_LENGTH_TOO_LONG, SSL_R_ENCRYPTED_LENGTH_TOO_LONG,
      SSL_R_DATA_LENGTH_TOO_LONG, SSL_R_LENGTH_MISMATCH, SSL_R_LENGTH_TOO_SHORT,
      SSL_R_BAD_LENGTH, SSL_R_BAD_PACKET, SSL_R_INVALID_ALERT, SSL_R_UNKNOWN_ALERT_TYPE,
      SSL_R_EXCESSIVE_MESSAGE_SIZE, SSL_R_APP_DATA_IN_HANDSHAKE, SSL_R_RECORD_LENGTH_MISMATCH,
      SSL_R_INVALID_CCS_MESSAGE, SSL_R_UNEXPECTED_CCS_MESSAGE, SSL_R_CCS_RECEIVED_EARLY:
      return isEstablished ? .damaged : .garbage
    case alertBase...(alertBase + 255):
      return .peerRefused(alert: Alert.words(reason - alertBase))
    default:
      return .other(reason: ErrorQueue.words(error))
    }
  }

  /// An alert that was received is noted as this and its number.
  private static let alertBase = Int32(SSL_AD_REASON_OFFSET)
  private static let alertProtocolVersion = Int32(TLS1_AD_PROTOCOL_VERSION)
}

/// The first bytes of a peer, before OpenSSL waits for a whole header of what may never have one.
enum FirstBytes {
  /// Nil where they may be TLS.
  static func cause(
    _ first: UInt8, _ bytes: UnsafeRawBufferPointer, _ role: TLSConfiguration.Role
  ) -> TLSError.Cause? {
    switch first {
    // RFC 8446 5.1: the types of records.
    case 20...23: nil
    // RFC 5246 E.2: an old client's hello, its two bytes of length with the highest bit set.
    case 0x80... where role == .server: nil
    default: bytes.prefix(16).allSatisfy(isText) ? .plainTextFromPeer : .garbage
    }
  }

  private static func isText(_ byte: UInt8) -> Bool {
    switch byte {
    // Tab to CR, then what is printed, and whatever UTF-8 has beyond ASCII.
    case 0x09...0x0D, 0x20...0x7E, 0x80...0xF4: true
    default: false
    }
  }
}
