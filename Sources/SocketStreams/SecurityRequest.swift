/// What clients ask of TLS on a pair, read from the spellings that properties have. Knows no TLS.

/// The level of `socketSecurityLevelKey` and the settings of `kCFStreamPropertySSLSettings`.
struct SecurityRequest: Equatable {
  enum Level: Equatable {
    case none
    /// TLS 1.2 or 1.3, the newest that both sides have. Older ones cannot be had.
    case negotiated

    var spelling: String {
      switch self {
      case .none: StreamSocketSecurityLevel.none.rawValue
      case .negotiated: StreamSocketSecurityLevel.negotiatedSSL.rawValue
      }
    }
  }

  enum PeerName: Equatable {
    /// The host that the pair was made for.
    case host
    case name(String)
    case unchecked
  }

  var level = Level.none
  var peerName = PeerName.host
  var validatesChain = true
  var isServer = false
  /// PEM certificates to trust besides the system's.
  var anchors: Data?
  /// As `kCFStreamSSLCertificates` holds them.
  var certificates: [AnyObject] = []

  static func == (one: SecurityRequest, other: SecurityRequest) -> Bool {
    one.level == other.level && one.peerName == other.peerName
      && one.validatesChain == other.validatesChain && one.isServer == other.isServer
      && one.anchors == other.anchors
      && one.certificates.elementsEqual(other.certificates, by: ===)
  }

  /// Nil for what is no level, or one that cannot be had: SSL 2 and 3 are broken.
  static func level(_ value: AnyObject?) -> Level? {
    let spelling = (value as? StreamSocketSecurityLevel)?.rawValue ?? (value as? String)
    switch spelling {
    case StreamSocketSecurityLevel.none.rawValue: return Level.none
    case StreamSocketSecurityLevel.negotiatedSSL.rawValue,
      StreamSocketSecurityLevel.tlSv1.rawValue:
      return .negotiated
    case _: return nil
    }
  }

  /// Takes a dictionary of settings over. False, and nothing taken, when a value is not of its
  /// key's kind. Settings that would only loosen and that Apple has withdrawn count for nothing.
  mutating func take(_ settings: NSDictionary) -> Bool {
    var changed = SecurityRequest(level: level == .none ? .negotiated : level)
    for (key, value) in settings {
      guard changed.take(spelling(ofKey: key), value as AnyObject) else { return false }
    }
    self = changed
    return true
  }

  private mutating func take(_ key: String, _ value: AnyObject) -> Bool {
    switch key {
    case "kCFStreamSSLLevel":
      guard let level = Self.level(value) else { return false }
      self.level = level
    case "kCFStreamSSLPeerName":
      switch value {
      case is NSNull: peerName = .unchecked
      case let name as String: peerName = .name(name)
      case _: return false
      }
    case "kCFStreamSSLValidatesCertificateChain":
      guard let flag = value as? NSNumber else { return false }
      validatesChain = flag.boolValue
    case "kCFStreamSSLIsServer":
      guard let flag = value as? NSNumber else { return false }
      isServer = flag.boolValue
    case "kCFStreamSSLCertificates":
      guard let list = value as? NSArray else { return false }
      certificates = list.map { $0 as AnyObject }
    case "SocketStreamsSSLAnchorCertificates":
      guard let data = value as? Data ?? (value as? String)?.data(using: .utf8) else {
        return false
      }
      anchors = data
    case _: break
    }
    return true
  }
}
