/// Why a conversation failed, in one sentence for a person. Knows nothing of OpenSSL.

/// Why a conversation failed, and with whom.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Cause: Hashable, Sendable {
    /// A certificate of the chain is past its time: the peer's own where `issuer` is nil, else that
    /// of the authority named so. `on` is a day in UTC, `2026-11-30`.
    case certificateExpired(on: String, issuer: String?)
    /// Likewise for one whose time begins on a later day.
    case certificateNotYetValid(before: String, issuer: String?)
    /// The certificate is for others: the first few of their names, and `...` where there are more.
    case wrongHost(expected: String, named: [String])
    /// The peer vouches for itself, and it is not trusted by itself.
    case selfSigned
    /// The chain leads to an authority that is not trusted.
    case unknownAuthority(issuer: String)
    /// The chain does not hold together: a part was not sent, a signature is wrong, an issuer is no
    /// authority or may not have another below it. `reason` is a clause.
    case brokenChain(reason: String)
    /// Any other fault of the certificate; `reason` is OpenSSL's.
    case certificateRejected(reason: String)
    /// A server that must have a client's certificate got none.
    case certificateMissing
    /// The peer sent a fatal alert: its words in RFC 8446, 6.2.
    case peerRefused(alert: String)
    /// No version that both would speak.
    case protocolVersion
    /// No cipher, group or kind of signature that both would use.
    case noSharedCipher
    /// The peer speaks, but in plain text.
    case plainTextFromPeer
    /// What the peer sends is no TLS.
    case garbage
    /// A record was changed on its way, or is no record of this conversation.
    case damaged
    /// The transport ended without the peer's close-notify: something may be missing.
    case truncated
    /// The peer closed before the conversation had begun.
    case endedInHandshake
    /// The own certificate chain or key cannot be used.
    case identityUnusable(reason: String)
    /// The certificates to trust cannot be used.
    case rootsUnusable(reason: String)
    case other(reason: String)
  }

  package let cause: Cause
  /// The peer's name as the caller gave it.
  package let peerName: String?

  package init(_ cause: Cause, peerName: String? = nil) {
    self.cause = cause
    self.peerName = peerName
  }

  /// `the certificate of chat.example expired on 2026-11-30`
  package var description: String {
    let peer = peerName ?? "the peer"
    switch cause {
    case .certificateExpired(let day, let issuer):
      return "the certificate of \(Self.holder(issuer, below: peer)) expired on \(day)"
    case .certificateNotYetValid(let day, let issuer):
      return "the certificate of \(Self.holder(issuer, below: peer)) is not valid before \(day)"
    case .wrongHost(let expected, let names) where names.isEmpty:
      return "the certificate that \(expected) shows names no host at all"
    case .wrongHost(let expected, let names):
      return
        "the certificate that \(expected) shows is for \(names.joined(separator: ", ")), not for it"
    case .selfSigned:
      return "the certificate of \(peer) is signed by itself and not trusted here"
    case .unknownAuthority(let issuer):
      return "the certificate of \(peer) leads to \"\(issuer)\", an authority not trusted here"
    case .brokenChain(let reason):
      return "the certificate chain of \(peer) is broken: \(reason)"
    case .certificateRejected(let reason):
      return "the certificate of \(peer) is not accepted: \(reason)"
    case .certificateMissing:
      return "\(peer) shows no certificate, and one is required"
    case .peerRefused(let alert):
      return "\(peer) refused the TLS conversation: \(alert)"
    case .protocolVersion:
      return "\(peer) speaks no version of TLS that is allowed here"
    case .noSharedCipher:
      return "\(peer) and this side have no cipher in common"
    case .plainTextFromPeer:
      return "\(peer) answers in plain text where TLS is expected"
    case .garbage:
      return "what \(peer) sends is not TLS"
    case .damaged:
      return "what \(peer) sent was changed on its way"
    case .truncated:
      return "the connection to \(peer) ended without a TLS close; something may be missing"
    case .endedInHandshake:
      return "\(peer) closed the connection during the TLS handshake"
    case .identityUnusable(let reason):
      return "the own certificate cannot be used: \(reason)"
    case .rootsUnusable(let reason):
      return "the certificates to trust cannot be used: \(reason)"
    case .other(let reason):
      return "the TLS conversation with \(peer) failed: \(reason)"
    }
  }

  private static func holder(_ issuer: String?, below peer: String) -> String {
    guard let issuer else { return peer }
    return "\"\(issuer)\", which vouches for \(peer),"
  }
}
