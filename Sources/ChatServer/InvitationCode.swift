/// Codes of invitations: made here, known by their digests alone.

package import ChatModel
import TLS

package enum InvitationCode {
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567")

  /// 128 bits by chance, as 26 letters and digits (RFC 4648's base 32, in small letters).
  package static func random() -> String {
    var bits = UInt128.random(in: .min ... .max)
    var code = ""
    for _ in 0..<26 {
      code.append(letters[Int(truncatingIfNeeded: bits & 31)])
      bits >>= 5
    }
    return code
  }

  /// What is kept of a code. Letters count in any case: people read codes to each other.
  package static func hash(_ code: String) -> CodeHash {
    let digits = MessageCode.digest(of: Array(code.lowercased().utf8)).map { byte in
      let hex = String(byte, radix: 16)
      return byte < 16 ? "0" + hex : hex
    }
    guard let hash = CodeHash(digits.joined()) else { preconditionFailure("64 digits are 64") }
    return hash
  }
}
