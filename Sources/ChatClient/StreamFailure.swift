/// What went wrong with a stream, in the system's words. Gives no advice.

import SocketStreams

extension ConnectionEnd {
  /// What a stream's error means for the conversation.
  package init(_ error: any Error) {
    let error = error as NSError
    guard error.domain == NSStreamSocketSSLErrorDomain else {
      self = .failed(words(for: error))
      return
    }
    // Numbers of Secure Transport (SecureTransport.h).
    switch error.code {
    case -9816: self = .cutOff  // errSSLClosedNoNotify
    case -9814, -9815: self = .insecure(words(for: error), .outOfDate)  // errSSLCertExpired, …
    case -9843: self = .insecure(words(for: error), .wrongHost)  // errSSLHostNameMismatch
    case -9812: self = .insecure(words(for: error), .notTrusted)  // errSSLUnknownRootCert
    case -9807, -9808: self = .insecure(words(for: error), .badCertificate)  // errSSLBadCert, …
    case -9836, -9801: self = .insecure(words(for: error), .nothingInCommon)  // errSSLNegotiation…
    case -9800, -9802, -9806: self = .insecure(words(for: error), .noTLS)  // errSSLProtocol, …
    default: self = .insecure(words(for: error), .other)
    }
  }
}

/// The error in a few words without a capital, such as `connection refused`. Safe to print: a
/// server's certificate may be quoted in it.
package func words(for error: any Error) -> String {
  let error = error as NSError
  if error.domain == NSPOSIXErrorDomain {
    return sentencePart(String(cString: strerror(Int32(truncatingIfNeeded: error.code))))
  }
  // How the streams tell that a name was not found: CFNetwork's error 2 with the resolver's code.
  if let code = error.userInfo["kCFGetAddrInfoFailureKey"] as? Int,
    let words = gai_strerror(Int32(truncatingIfNeeded: code))
  {
    return sentencePart(String(cString: words))
  }
  return sentencePart(ScreenText.guarded(error.localizedDescription))
}

/// Without the capital at its beginning and the full stop at its end.
private func sentencePart(_ text: String) -> String {
  let text = text.hasSuffix(".") ? String(text.dropLast()) : text
  return text.prefix(1).lowercased() + text.dropFirst()
}
