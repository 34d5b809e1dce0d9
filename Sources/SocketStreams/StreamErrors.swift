/// The errors that a failed stream reports, spelled as clients of Apple's streams expect them.

internal import Glibc

enum StreamErrors {
  /// `POSIXError`, because on Linux a plain `NSError` of that domain does not cast to it, while
  /// this one also shows `NSPOSIXErrorDomain` and the code as an `NSError`.
  static func posix(_ code: Int32) -> any Error {
    if let known = POSIXErrorCode(rawValue: code) { return POSIXError(known) }
    return NSError(domain: NSPOSIXErrorDomain, code: Int(code))
  }

  /// Code 2 is Core Foundation's kCFHostErrorUnknown; domain number 12 is its NetDB domain.
  static func lookUp(host: String, code: Int32) -> any Error {
    NSError(
      domain: "kCFErrorDomainCFNetwork", code: 2,
      userInfo: [
        "kCFGetAddrInfoFailureKey": Int(code),
        "_kCFStreamErrorDomainKey": 12,
        "_kCFStreamErrorCodeKey": Int(code),
        NSLocalizedDescriptionKey:
          "The host \"\(host)\" was not found: \(String(cString: gai_strerror(code))).",
      ])
  }
}
