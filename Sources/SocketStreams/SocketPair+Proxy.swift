/// Reads the SOCKS settings of a pair. Speaks with no proxy: the connect attempt does.

extension SocketPair {
  /// Under the lock. Nil takes the proxy back. False when a value is not of its key's kind, once
  /// the connecting has begun, and for a pair that connects to no host.
  func setProxy(_ value: AnyObject?) -> Bool {
    guard case .remote(.host) = origin, case .idle = phase else { return false }
    guard let value, !(value is NSNull) else {
      (settings.proxy, settings.proxySettings) = (nil, nil)
      return true
    }
    guard let dictionary = value as? NSDictionary, let proxy = SOCKSProxy(dictionary) else {
      return false
    }
    (settings.proxy, settings.proxySettings) = (proxy, dictionary)
    return true
  }
}

extension SOCKSProxy {
  /// From the keys that Apple's systems take and those that Foundation on Linux spells instead.
  init?(_ settings: NSDictionary) {
    self.init(host: "", port: 1080)
    for (key, value) in settings {
      guard take(spelling(ofKey: key), value as AnyObject) else { return nil }
    }
    guard !host.isEmpty else { return nil }
  }

  private mutating func take(_ key: String, _ value: AnyObject) -> Bool {
    switch key {
    case "SOCKSProxy", "NSStreamSOCKSProxyKey":
      return Self.set(&host, value as? String)
    case "SOCKSPort", "NSStreamSOCKSPortKey":
      let number = (value as? NSNumber)?.intValue ?? (value as? String).flatMap { Int($0) }
      return Self.set(&port, number.flatMap { UInt16(exactly: $0) })
    case "kCFStreamPropertySOCKSVersion":
      let spelling = (value as? StreamSOCKSProxyVersion)?.rawValue ?? (value as? String)
      return Self.set(&version, spelling.flatMap(Self.version))
    case "kCFStreamPropertySOCKSUser": return Self.set(&user, value as? String)
    case "kCFStreamPropertySOCKSPassword": return Self.set(&password, value as? String)
    case "SocketStreamsSOCKSTimeout":
      let seconds = (value as? NSNumber)?.doubleValue
      return Self.set(&limit, seconds.flatMap { $0 > 0 && $0 < 1e9 ? .seconds($0) : nil })
    case _: return true
    }
  }

  private static func set<Value>(_ field: inout Value, _ value: Value?) -> Bool {
    guard let value else { return false }
    field = value
    return true
  }

  private static func version(_ spelling: String) -> Version? {
    switch spelling {
    case StreamSOCKSProxyVersion.version4.rawValue: .v4
    case StreamSOCKSProxyVersion.version5.rawValue: .v5
    case _: nil
    }
  }
}
