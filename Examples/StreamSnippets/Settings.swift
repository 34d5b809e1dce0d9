/// What is set before `open()`, as the guide shows it: TLS, a root of one's own, a SOCKS proxy.

import SocketStreams

/// TLS as for HTTPS: the system's roots, and the host's own name. False where it cannot be had.
func secure(_ input: InputStream) -> Bool {
  input.setProperty(
    StreamSocketSecurityLevel.negotiatedSSL.rawValue, forKey: .socketSecurityLevelKey)
}

/// TLS to a server whose certificate is signed by somebody that the system does not know.
func secure(_ input: InputStream, trusting root: Data, as name: String) -> Bool {
  let settings: [String: Any] = [
    kCFStreamSSLPeerName as String: name,
    kSocketStreamsSSLAnchorCertificates as String: root,
  ]
  return input.setProperty(
    settings, forKey: Stream.PropertyKey(kCFStreamPropertySSLSettings as String))
}

/// The connection goes through a SOCKS 5 proxy on this machine, which also looks the host up.
func useProxy(_ input: InputStream, port: Int) -> Bool {
  let settings: [String: Any] = [
    kCFStreamPropertySOCKSProxyHost as String: "localhost",
    kCFStreamPropertySOCKSProxyPort as String: port,
  ]
  return input.setProperty(settings, forKey: .socksProxyConfigurationKey)
}
