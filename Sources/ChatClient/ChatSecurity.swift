/// Whether a conversation is encrypted, and whom it trusts then. Opens nothing.

public import Foundation
import SocketStreams

/// How the bytes of a connection are protected on their way.
public enum ChatSecurity: Hashable, Sendable {
  /// Not at all: whoever is on the way can read along, and change what is said.
  case plainText
  /// TLS 1.2 or 1.3 from the first byte.
  ///
  /// The server's certificate must lead to an authority that the system trusts (as `SSL_CERT_FILE`
  /// and `SSL_CERT_DIR` say, where they are set) or to one of `trusting`, and must be made out to
  /// the host as ``ServerAddress`` spells it, a name or an address (RFC 6125). Where any of this
  /// fails nothing is said, and the connection closes with ``ChatClosing/notSecured(_:_:)``.
  /// Nothing ever goes in plain text instead.
  case tls(trusting: TrustedCertificates? = nil)

  /// False where the package was built without its trait `TLS`. A connection that asks for TLS
  /// closes then with ``SecurityProblem/unavailable``.
  public static var isTLSAvailable: Bool {
    #if TLS
      true
    #else
      false
    #endif
  }
}

/// Certificates to trust besides the system's: authorities, or a single server's own.
public struct TrustedCertificates: Hashable, Sendable {
  /// One certificate in PEM behind the other; text and keys between them are passed over.
  public let pem: Data

  /// Nil where there is no certificate to read, or one of them is damaged; in a build without TLS
  /// always.
  public init?(pem: Data) {
    self.pem = pem
    // The streams themselves are asked, by a pair that is never opened.
    var input: InputStream?
    Stream.getStreamsToHost(
      withName: ServerAddress.local.host, port: ServerAddress.local.port, inputStream: &input,
      outputStream: nil)
    guard let input, ChatSecurity.tls(trusting: self).isTaken(by: input) else { return nil }
  }
}

extension ChatSecurity {
  /// Asks a stream, and so its pair, to be secured like this. False where that cannot be had.
  func isTaken(by stream: Stream) -> Bool {
    guard case .tls(let certificates) = self else { return true }
    var settings: [String: Any] = [
      kCFStreamSSLLevel as String: StreamSocketSecurityLevel.negotiatedSSL.rawValue
    ]
    if let certificates {
      settings[kSocketStreamsSSLAnchorCertificates as String] = certificates.pem
    }
    return stream.setProperty(
      settings, forKey: Stream.PropertyKey(rawValue: kCFStreamPropertySSLSettings as String))
  }
}

extension Stream {
  /// `TLS 1.3`; nil before the handshake is done, and without TLS.
  var tlsVersion: String? {
    let key = Stream.PropertyKey(rawValue: kSocketStreamsSSLProtocolVersion as String)
    // OpenSSL's spelling is TLSv1.3.
    return (property(forKey: key) as? String)?.replacingOccurrences(of: "TLSv", with: "TLS ")
  }
}
