/// What went wrong with a stream, in the system's words. Gives no advice.

import SocketStreams

/// The error in a few words without a capital, such as `connection refused`.
func words(for error: any Error) -> String {
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
  return sentencePart(error.localizedDescription)
}

/// Without the capital at its beginning and the full stop at its end.
private func sentencePart(_ text: String) -> String {
  let text = text.hasSuffix(".") ? String(text.dropLast()) : text
  return text.prefix(1).lowercased() + text.dropFirst()
}
