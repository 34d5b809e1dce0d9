/// The alerts of TLS in words. OpenSSL's own table lacks those of TLS 1.3.

enum Alert {
  /// RFC 8446 6, and RFC 5246 7.2 for those that only TLS 1.2 has.
  static func words(_ number: Int32) -> String {
    switch number {
    case 10: "unexpected message"
    case 20: "bad record MAC"
    case 21: "decryption failed"
    case 22: "record overflow"
    case 30: "decompression failure"
    case 40: "handshake failure"
    case 41: "no certificate"
    case 42: "bad certificate"
    case 43: "unsupported certificate"
    case 44: "certificate revoked"
    case 45: "certificate expired"
    case 46: "certificate unknown"
    case 47: "illegal parameter"
    case 48: "unknown CA"
    case 49: "access denied"
    case 50: "decode error"
    case 51: "decrypt error"
    case 60: "export restriction"
    case 70: "protocol version"
    case 71: "insufficient security"
    case 80: "internal error"
    case 86: "inappropriate fallback"
    case 90: "user canceled"
    case 100: "no renegotiation"
    case 109: "missing extension"
    case 110: "unsupported extension"
    case 111: "certificate unobtainable"
    case 112: "unrecognized name"
    case 113: "bad certificate status response"
    case 114: "bad certificate hash value"
    case 115: "unknown PSK identity"
    case 116: "certificate required"
    case 120: "no application protocol"
    default: "alert \(number)"
    }
  }
}
