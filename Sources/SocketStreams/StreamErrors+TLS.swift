/// TLS failures as errors of streams: Apple's codes, our sentences.

#if TLS
  internal import TLS

  extension StreamErrors {
    /// Domain `NSStreamSocketSSLErrorDomain`; the code is Secure Transport's (SecureTransport.h)
    /// for the cause; the words are in the localized description.
    static func tls(_ error: TLSError) -> any Error {
      let code = error.cause.secureTransportCode
      return NSError(
        domain: NSStreamSocketSSLErrorDomain, code: code,
        userInfo: [
          "_kCFStreamErrorDomainKey": 3,
          "_kCFStreamErrorCodeKey": code,
          NSLocalizedDescriptionKey: sentence(error),
        ])
    }

    /// `the peer left` as `The peer left.`; a host at its beginning stays as it is spelled.
    private static func sentence(_ error: TLSError) -> String {
      let words = error.description
      if let name = error.peerName, words.hasPrefix("\(name) ") { return words + "." }
      return words.prefix(1).uppercased() + words.dropFirst() + "."
    }
  }

  extension TLSError.Cause {
    fileprivate var secureTransportCode: Int {
      switch self {
      case .certificateExpired: -9814  // errSSLCertExpired
      case .certificateNotYetValid: -9815  // errSSLCertNotYetValid
      case .wrongHost: -9843  // errSSLHostNameMismatch
      case .selfSigned, .unknownAuthority: -9812  // errSSLUnknownRootCert
      case .brokenChain: -9807  // errSSLXCertChainInvalid
      case .certificateRejected, .certificateMissing: -9808  // errSSLBadCert
      case .peerRefused: -9802  // errSSLFatalAlert
      case .protocolVersion: -9836  // errSSLPeerProtocolVersion
      case .noSharedCipher: -9801  // errSSLNegotiation
      case .plainTextFromPeer, .garbage: -9800  // errSSLProtocol
      case .damaged: -9845  // errSSLDecryptionFail
      case .truncated: -9816  // errSSLClosedNoNotify
      case .endedInHandshake: -9806  // errSSLClosedAbort
      case .identityUnusable, .rootsUnusable, .other: -9810  // errSSLInternal
      }
    }
  }
#endif
