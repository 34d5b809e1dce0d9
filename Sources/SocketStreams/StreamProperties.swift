/// The streams' properties, which both halves of a pair share. What TLS and SOCKS settings mean is
/// said elsewhere.

extension Stream {
  /// Sets a property from any value that Swift can hold: a `String`, a struct, an object. False
  /// when the stream does not take it.
  @discardableResult @_disfavoredOverload
  public func setProperty(_ property: Any?, forKey key: Stream.PropertyKey) -> Bool {
    let object: AnyObject? = property.map { $0 as AnyObject }
    return setProperty(object, forKey: key)
  }
}

/// A key of a dictionary of settings as text: a string, or one of Foundation's structs around one,
/// such as `StreamSOCKSProxyConfiguration`. Apple's systems bridge the latter; Linux does not.
func spelling(ofKey key: Any) -> String {
  (key as? any RawRepresentable)?.rawValue as? String ?? String(describing: key)
}

/// What clients have set on a pair.
struct StreamSettings {
  /// Nil: what is usual for the pair's origin.
  var closesSocket: Bool?
  /// Kept for who asks; Linux knows no such thing.
  var serviceType: AnyObject?

  var proxy: SOCKSProxy?
  /// As last set, for who asks.
  var proxySettings: NSDictionary?
  var security = SecurityRequest()
  /// As last set, for who asks.
  var securitySettings: NSDictionary?
  #if TLS
    var terms: TLSTerms?
  #endif

  func closesSocket(byDefault usual: Bool) -> Bool { closesSocket ?? usual }
}

extension SocketPair {
  func property(forKey key: Stream.PropertyKey) -> AnyObject? {
    switch key.rawValue {
    case "kCFStreamPropertySocketNativeHandle":
      return locked({ socket }).map { socket in
        withUnsafeBytes(of: socket.number) { NSData(data: Data($0)) }
      }
    case "kCFStreamPropertySocketRemoteHostName":
      return hostName.map { NSString(string: $0) }
    case "kCFStreamPropertySocketRemotePortNumber":
      if case .remote(.host(_, let port)) = origin { return NSNumber(value: Int(port)) }
      return nil
    case "kCFStreamPropertyShouldCloseNativeSocket":
      return locked { NSNumber(value: settings.closesSocket(byDefault: ownsSocketByDefault)) }
    case Stream.PropertyKey.networkServiceType.rawValue:
      return locked { settings.serviceType }
    case Stream.PropertyKey.socksProxyConfigurationKey.rawValue:
      return locked { settings.proxySettings }
    case Stream.PropertyKey.socketSecurityLevelKey.rawValue:
      return NSString(string: locked { settings.security.level.spelling })
    case "kCFStreamPropertySSLSettings": return locked { settings.securitySettings }
    case "kCFStreamPropertySSLPeerCertificates":
      return secured.map { NSArray(array: $0.certificates.map { NSData(data: $0) }) }
    case "SocketStreamsSSLProtocolVersion": return secured.map { NSString(string: $0.version) }
    default: return nil
    }
  }

  /// True only for what the stream does.
  func setProperty(_ value: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    switch key.rawValue {
    case "kCFStreamPropertyShouldCloseNativeSocket": return locked { setClosesSocket(value) }
    case Stream.PropertyKey.networkServiceType.rawValue:
      locked { settings.serviceType = value }
      return true
    case Stream.PropertyKey.socketSecurityLevelKey.rawValue: return setSecurityLevel(value)
    case "kCFStreamPropertySSLSettings": return setSecuritySettings(value)
    case Stream.PropertyKey.socksProxyConfigurationKey.rawValue: return locked { setProxy(value) }
    default: return false
    }
  }

  private var ownsSocketByDefault: Bool {
    if case .native = origin { return false }
    return true
  }

  /// Under the lock: the socket, before the opening too where the pair was made of one.
  private var socket: Descriptor? {
    if case .native(let socket) = origin { return socket }
    return channel?.descriptor
  }

  private func setClosesSocket(_ value: AnyObject?) -> Bool {
    guard value == nil || value is NSNull || value is NSNumber else { return false }
    settings.closesSocket = (value as? NSNumber)?.boolValue
    socket?.isBorrowed = !settings.closesSocket(byDefault: ownsSocketByDefault)
    return true
  }
}
