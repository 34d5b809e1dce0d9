/// What can go wrong between a stream and its SOCKS proxy, as the errors that clients see.

internal import Glibc

package enum SOCKSFailure: Error, Equatable, Sendable {
  // The proxy refused.
  /// SOCKS 4's code, 91 to 93 or one that the protocol does not know.
  case refused4(code: UInt8)
  /// RFC 1928, section 6.
  case refused5(code: UInt8)
  /// RFC 1929: any code but 0.
  case authenticationRefused(code: UInt8)
  case noAcceptableMethod(hadUser: Bool)

  // The proxy does not speak SOCKS, or no longer.
  /// The first byte of its reply.
  case wrongVersion(UInt8)
  case garbled(String)
  case badAddress(type: UInt8)
  case ended
  /// An errno of the connection to the proxy.
  case broken(Int32)
  /// The limit passed.
  case silent(Duration)

  // The protocol has no words for what was asked.
  case nameLength(bytes: Int)
  case nameHoldsNUL
  case userTooLong(bytes: Int)
  case userHoldsNUL
  case passwordTooLong(bytes: Int)
  case ipv6OverVersion4(String)
  case cannotReachPath(String)
}

extension StreamErrors {
  /// `NSStreamSOCKSErrorDomain`. The code is made as Apple's CFSocketStream.h has it: a subdomain
  /// in the upper 16 bits and its own code in the lower ones (see `CFSocketStreamSOCKSGetError`).
  static func socks(
    _ failure: SOCKSFailure, proxy: SOCKSProxy, destination: String = ""
  ) -> any Error {
    let (subdomain, code) = failure.number
    var information: [String: Any] = [
      "_kCFStreamErrorDomainKey": 5,
      "_kCFStreamErrorCodeKey": subdomain << 16 | code,
      NSLocalizedDescriptionKey:
        failure.sentence(of: proxy, destination),
    ]
    if case .silent = failure { information[NSUnderlyingErrorKey] = posix(ETIMEDOUT) }
    if case .broken(let code) = failure { information[NSUnderlyingErrorKey] = posix(code) }
    return NSError(
      domain: NSStreamSOCKSErrorDomain, code: subdomain << 16 | code, userInfo: information)
  }
}

/// As people write it.
func hostAndPort(_ host: String, _ port: UInt16) -> String {
  host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
}

extension SOCKSFailure {
  fileprivate var number: (subdomain: Int, code: Int) {
    switch self {
    case .wrongVersion(let first): (kCFStreamErrorSOCKSSubDomainVersionCode, Int(first))
    case .refused4(let code): (kCFStreamErrorSOCKS4SubDomainResponse, Int(code))
    case .authenticationRefused(let code): (kCFStreamErrorSOCKS5SubDomainUserPass, Int(code))
    case .noAcceptableMethod: (kCFStreamErrorSOCKS5SubDomainMethod, kSOCKS5NoAcceptableMethod)
    case .refused5(let code): (kCFStreamErrorSOCKS5SubDomainResponse, Int(code))
    case .badAddress: (0, kCFStreamErrorSOCKS5BadResponseAddr)
    case .garbled: (0, kCFStreamErrorSOCKS5BadState)
    case .ended: (0, 100)
    case .silent: (0, 101)
    case .nameLength: (0, 102)
    case .nameHoldsNUL: (0, 103)
    case .userTooLong: (0, 104)
    case .userHoldsNUL: (0, 105)
    case .passwordTooLong: (0, 106)
    case .ipv6OverVersion4: (0, 107)
    case .cannotReachPath: (0, 108)
    case .broken: (0, 109)
    }
  }

  /// One sentence that begins with the proxy.
  fileprivate func sentence(of whole: SOCKSProxy, _ destination: String) -> String {
    let proxy = "The SOCKS proxy \(hostAndPort(whole.host, whole.port))"
    return switch self {
    case .refused4(let code):
      "\(proxy) could not reach \(destination): \(Self.words4(code)) (code \(code))."
    case .refused5(let code):
      "\(proxy) could not reach \(destination): \(Self.words5(code)) (code \(code))."
    case .authenticationRefused: "\(proxy) refused the user and password."
    case .noAcceptableMethod(hadUser: false):
      "\(proxy) wants a user and password, or another authentication than none."
    case .noAcceptableMethod(hadUser: true):
      "\(proxy) accepts neither a user and password nor no authentication."
    case .wrongVersion(let first):
      "\(proxy) does not speak SOCKS \(whole.version): its answer began with the byte \(first)."
    case .garbled(let what): "\(proxy) answered what is not SOCKS: \(what)."
    case .badAddress(let type): "\(proxy) answered with an address of unknown type \(type)."
    case .ended: "\(proxy) ended the connection before it had reached \(destination)."
    case .broken(let code): "\(proxy) broke the connection off: \(String(cString: strerror(code)))."
    case .silent(let limit):
      "\(proxy) took longer than \(limit) to connect to \(destination)."
    case .nameLength(let count):
      "\(proxy) cannot be given a host name of \(count) bytes; 1 to 255 can be said."
    case .nameHoldsNUL: "\(proxy) cannot be given a host name that holds a NUL."
    case .userTooLong(let count):
      "\(proxy) cannot be given a user of \(count) bytes; 255 can be said."
    case .userHoldsNUL: "\(proxy) cannot be given a user that holds a NUL with SOCKS 4."
    case .passwordTooLong(let count):
      "\(proxy) cannot be given a password of \(count) bytes; 255 can be said."
    case .ipv6OverVersion4(let host):
      "\(proxy) cannot be asked for \(host): SOCKS 4 has no IPv6 addresses; use SOCKS 5."
    case .cannotReachPath(let path):
      "\(proxy) cannot reach \(path): sockets of this machine need no proxy."
    }
  }

  private static func words4(_ code: UInt8) -> String {
    switch code {
    case 91: "the request was rejected or failed"
    case 92: "it cannot ask this machine who the user is"
    case 93: "this machine names another user"
    default: "the reason is unknown"
    }
  }

  /// RFC 1928, section 6.
  private static func words5(_ code: UInt8) -> String {
    switch code {
    case 1: "the proxy has a failure"
    case 2: "its rules do not allow the connection"
    case 3: "the network is unreachable"
    case 4: "the host is unreachable"
    case 5: "the connection was refused"
    case 6: "the packets' time to live ran out"
    case 7: "it does not make connections"
    case 8: "it does not know this type of address"
    default: "the reason is unknown"
    }
  }
}
