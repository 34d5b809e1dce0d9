/// Secures a pair: before its opening, or in the middle of a conversation (STARTTLS).

#if TLS
  internal import TLS
#endif

extension SocketPair {
  func setSecurityLevel(_ value: AnyObject?) -> Bool {
    guard let level = SecurityRequest.level(value) else { return false }
    var request = locked { settings.security }
    request.level = level
    return secure(request)
  }

  /// Nil takes the settings back and with them TLS.
  func setSecuritySettings(_ value: AnyObject?) -> Bool {
    var request = locked { settings.security }
    if let value {
      guard let dictionary = value as? NSDictionary, request.take(dictionary) else { return false }
    } else {
      request = SecurityRequest()
    }
    guard secure(request) else { return false }
    locked { settings.securitySettings = value as? NSDictionary }
    return true
  }

  /// True when the pair's bytes go as `request` says from now on, or will from the start.
  private func secure(_ request: SecurityRequest) -> Bool {
    #if TLS
      var terms: TLSTerms?
      if request.level != .none {
        guard let possible = TLSTerms(request, host: hostName) else { return false }
        terms = possible
      }
      return locked { adopt(request, terms) }
    #else
      return request.level == .none
    #endif
  }

  /// The host that the pair was made for; no other origin has a name.
  var hostName: String? {
    if case .remote(.host(let host, _)) = origin { return host }
    return nil
  }

  #if TLS
    private func adopt(_ request: SecurityRequest, _ terms: TLSTerms?) -> Bool {
      if case .memory = origin { return terms == nil }
      switch phase {
      case .idle, .connecting: break
      case .failed: return false
      case .connected(let channel) where channel is SecureChannel:
        return request == settings.security
      case .connected(let channel):
        guard failure == nil, let socket = channel.descriptor else { return false }
        if let terms { exchangeChannel(for: SecureChannel(socket, terms)) }
      }
      settings.security = request
      settings.terms = terms
      return true
    }
  #endif

  /// The channel for a socket that has just been connected.
  func makeChannel(_ socket: Descriptor) -> any Channel {
    #if TLS
      if let terms = settings.terms { return SecureChannel(socket, terms) }
    #endif
    return PlainChannel(socket)
  }

  /// What the certificate and the version turned out to be; nil before the handshake.
  var secured: (version: String, certificates: [Data])? {
    #if TLS
      return locked { (channel as? SecureChannel)?.outcome }
    #else
      return nil
    #endif
  }
}

#if TLS
  /// What a conversation is begun with.
  struct TLSTerms {
    let context: TLSContext
    let peerName: String?

    /// Nil when the request cannot be met.
    init?(_ request: SecurityRequest, host: String?) {
      var configuration = TLSConfiguration(role: request.isServer ? .server : .client)
      configuration.validatesChain = request.validatesChain
      // A name in a certificate that anybody may have made says nothing, and Secure Transport does
      // not look at it either.
      configuration.checksName = request.validatesChain
      switch request.peerName {
      case .host: peerName = host
      case .name(let name): peerName = name
      case .unchecked:
        peerName = host
        configuration.checksName = false
      }
      configuration.extraRoots = request.anchors.map { [UInt8]($0) }
      if let first = request.certificates.first {
        guard let identity = first as? StreamIdentity, request.certificates.count == 1 else {
          return nil
        }
        configuration.identity = identity.identity
      } else if request.isServer {
        return nil
      }
      guard let context = try? TLSContext.shared(for: configuration) else { return nil }
      self.context = context
    }
  }

  /// A certificate chain and its private key, as an element of `kCFStreamSSLCertificates`: what
  /// `SecIdentity` is on Apple's systems.
  public final class StreamIdentity: NSObject {
    let identity: TLSIdentity

    /// From PEM text: the certificate, then those between it and its root; and the key.
    ///
    /// Throws an error of `NSStreamSocketSSLErrorDomain`, with a sentence, when either is not
    /// readable or they do not belong together.
    public init(certificateChain: Data, privateKey: Data) throws {
      do throws(TLSError) {
        identity = try TLSIdentity(pem: [UInt8](certificateChain), key: [UInt8](privateKey))
      } catch { throw StreamErrors.tls(error) }
    }

    /// From a PKCS #12 file's bytes, as `SecPKCS12Import` takes them.
    ///
    /// Throws an error of `NSStreamSocketSSLErrorDomain`, with a sentence, when the password is
    /// wrong or the file lacks a certificate or its key.
    public init(pkcs12: Data, password: String) throws {
      do throws(TLSError) {
        identity = try TLSIdentity(pkcs12: [UInt8](pkcs12), password: password)
      } catch { throw StreamErrors.tls(error) }
    }
  }
#endif
