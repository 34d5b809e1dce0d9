/// The code of docs/guides/chat-through-tls.md: a connection whose certificates a file vouches for.

public import ChatClient
public import ChatModel
public import Foundation

/// Logs in by TLS, trusting the certificates in `file` besides the system's.
public func securedConnection(
  to address: ServerAddress, as name: UserName, trusting file: URL
) throws -> ChatConnection {
  let security: ChatSecurity
  if let root = TrustedCertificates(pem: try Data(contentsOf: file)) {
    security = .tls(trusting: root)
  } else {
    security = .tls()  // what the system trusts
  }
  let connection = ChatConnection(to: address, as: name, security: security)
  return connection
}
