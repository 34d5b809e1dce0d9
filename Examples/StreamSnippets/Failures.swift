/// What a stream's error is, as the guide shows it: the kinds that a program tells apart.

import SocketStreams

/// One sentence for a person.
func explanation(_ error: any Error) -> String {
  if let code = (error as? POSIXError)?.code {
    switch code {
    case .ECONNREFUSED: return "Nobody listens on that port."
    case .ETIMEDOUT: return "The host does not answer."
    case .ECONNRESET, .EPIPE: return "The peer broke the connection off."
    default: return error.localizedDescription
    }
  }
  let error = error as NSError
  if error.domain == kCFErrorDomainCFNetwork as String { return "There is no such host." }
  switch error.domain {
  case NSStreamSocketSSLErrorDomain:
    return "No secure connection. \(error.localizedDescription)"
  case NSStreamSOCKSErrorDomain:
    return "No way through the proxy. \(error.localizedDescription)"
  default:
    return error.localizedDescription
  }
}
