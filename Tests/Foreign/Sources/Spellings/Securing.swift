/// The ways in which programs set and ask properties: TLS, proxies, the socket. Each way by its
/// name; the tests see that the stream gets key and value, whatever it then makes of them.

import SocketStreams

/// Sets one property; `expected` is the key's spelling and what the value must say.
public struct Setting {
  public let name: String
  public let key: String
  public let value: String
  public let apply: (InputStream, OutputStream) -> Bool
}

// MARK: TLS in one word

public let levels: [Setting] = [
  Setting(
    name: "a raw value", key: "kCFStreamPropertySocketSecurityLevel",
    value: "kCFStreamSocketSecurityLevelTLSv1"
  ) { inputStream, outputStream in
    inputStream.setProperty(
      StreamSocketSecurityLevel.tlSv1.rawValue, forKey: .socketSecurityLevelKey)
    return outputStream.setProperty(
      StreamSocketSecurityLevel.tlSv1.rawValue, forKey: Stream.PropertyKey.socketSecurityLevelKey)
  },
  Setting(
    name: "a struct", key: "kCFStreamPropertySocketSecurityLevel",
    value: "kCFStreamSocketSecurityLevelNegotiatedSSL"
  ) { inputStream, outputStream in
    outputStream.setProperty(
      StreamSocketSecurityLevel.negotiatedSSL, forKey: .socketSecurityLevelKey)
    return inputStream.setProperty(
      StreamSocketSecurityLevel.negotiatedSSL, forKey: .socketSecurityLevelKey)
  },
  Setting(
    name: "a struct as an object", key: "kCFStreamPropertySocketSecurityLevel",
    value: "kCFStreamSocketSecurityLevelTLSv1"
  ) { inputStream, _ in
    inputStream.setProperty(
      StreamSocketSecurityLevel.tlSv1 as AnyObject,
      forKey: Stream.PropertyKey.socketSecurityLevelKey)
  },
  Setting(
    name: "a string", key: "kCFStreamPropertySocketSecurityLevel",
    value: "kCFStreamSocketSecurityLevelNegotiatedSSL"
  ) { _, outputStream in
    outputStream.setProperty(
      kCFStreamSocketSecurityLevelNegotiatedSSL as String,
      forKey: Stream.PropertyKey(rawValue: kCFStreamPropertySocketSecurityLevel as String))
  },
  Setting(
    name: "a constant of C", key: "kCFStreamPropertySocketSecurityLevel",
    value: "kCFStreamSocketSecurityLevelNegotiatedSSL"
  ) { inputStream, _ in
    inputStream.setProperty(
      kCFStreamSocketSecurityLevelNegotiatedSSL,
      forKey: kCFStreamPropertySocketSecurityLevel as Stream.PropertyKey)
  },
  Setting(
    name: "C's call", key: "kCFStreamPropertySocketSecurityLevel",
    value: "kCFStreamSocketSecurityLevelTLSv1"
  ) { inputStream, outputStream in
    let key = CFStreamPropertyKey(rawValue: kCFStreamPropertySocketSecurityLevel)
    CFWriteStreamSetProperty(outputStream, key, kCFStreamSocketSecurityLevelTLSv1)
    return CFReadStreamSetProperty(inputStream, key, kCFStreamSocketSecurityLevelTLSv1)
  },
]

// MARK: TLS by a dictionary

/// As a web-socket client has it: switched on and off by members, set on both streams.
public final class SecureTransport {
  public var disableSSLCertValidation = true
  public var overrideTrustHostname = true
  public var desiredTrustHostname: String?

  public init() {}

  public func configure(_ inputStream: InputStream, _ outputStream: OutputStream) {
    inputStream.setProperty(
      StreamSocketSecurityLevel.negotiatedSSL as AnyObject,
      forKey: Stream.PropertyKey.socketSecurityLevelKey)
    outputStream.setProperty(
      StreamSocketSecurityLevel.negotiatedSSL as AnyObject,
      forKey: Stream.PropertyKey.socketSecurityLevelKey)
    var settings = [NSObject: NSObject]()
    if disableSSLCertValidation {
      settings[kCFStreamSSLValidatesCertificateChain] = NSNumber(value: false)
    }
    if overrideTrustHostname {
      if let hostname = desiredTrustHostname {
        settings[kCFStreamSSLPeerName] = hostname as NSString
      } else {
        settings[kCFStreamSSLPeerName] = kCFNull
      }
    }
    inputStream.setProperty(
      settings, forKey: kCFStreamPropertySSLSettings as Stream.PropertyKey)
    outputStream.setProperty(
      settings, forKey: kCFStreamPropertySSLSettings as Stream.PropertyKey)
  }
}

public let dictionaries: [Setting] = [
  Setting(
    name: "keys as strings", key: "kCFStreamPropertySSLSettings",
    value: "kCFStreamSSLValidatesCertificateChain=0"
  ) { inputStream, outputStream in
    let settings: [String: Any] = [
      kCFStreamSSLValidatesCertificateChain as String: kCFBooleanFalse!
    ]
    let key = Stream.PropertyKey(rawValue: kCFStreamPropertySSLSettings as String)
    outputStream.setProperty(settings, forKey: key)
    return inputStream.setProperty(settings, forKey: key)
  },
  Setting(
    name: "keys as objects", key: "kCFStreamPropertySSLSettings",
    value: "kCFStreamSSLLevel=kCFStreamSocketSecurityLevelNegotiatedSSL "
      + "kCFStreamSSLPeerName=<null> kCFStreamSSLValidatesCertificateChain=0"
  ) { inputStream, outputStream in
    let settings =
      [
        kCFStreamSSLValidatesCertificateChain: kCFBooleanFalse!,
        kCFStreamSSLPeerName: kCFNull!,
        kCFStreamSSLLevel: kCFStreamSocketSecurityLevelNegotiatedSSL,
      ] as [NSObject: AnyObject]
    CFReadStreamSetProperty(
      inputStream, CFStreamPropertyKey(rawValue: kCFStreamPropertySSLSettings),
      settings as CFDictionary)
    return CFWriteStreamSetProperty(
      outputStream, CFStreamPropertyKey(rawValue: kCFStreamPropertySSLSettings),
      settings as CFTypeRef?)
  },
  Setting(
    name: "a dictionary of C", key: "kCFStreamPropertySSLSettings",
    value: "kCFStreamSSLIsServer=1 kCFStreamSSLPeerName=example.org"
  ) { inputStream, _ in
    let settings: CFDictionary = NSDictionary(
      objects: ["example.org" as NSString, kCFBooleanTrue!],
      forKeys: [kCFStreamSSLPeerName, kCFStreamSSLIsServer])
    return inputStream.setProperty(
      settings, forKey: kCFStreamPropertySSLSettings as Stream.PropertyKey)
  },
  Setting(
    name: "deprecated keys", key: "kCFStreamPropertySSLSettings",
    value: "kCFStreamSSLAllowsAnyRoot=1 kCFStreamSSLAllowsExpiredCertificates=1 "
      + "kCFStreamSSLAllowsExpiredRoots=1"
  ) { inputStream, _ in
    let settings = NSMutableDictionary(capacity: 3)
    settings[kCFStreamSSLAllowsAnyRoot] = true as NSNumber
    settings.setObject(kCFBooleanTrue!, forKey: kCFStreamSSLAllowsExpiredCertificates)
    settings.setObject(NSNumber(value: true), forKey: kCFStreamSSLAllowsExpiredRoots as NSString)
    return CFReadStreamSetProperty(
      inputStream, CFStreamPropertyKey(kCFStreamPropertySSLSettings), settings)
  },
  Setting(
    name: "hashable keys", key: "kCFStreamPropertySSLSettings",
    value: "kCFStreamSSLLevel=kCFStreamSocketSecurityLevelTLSv1"
  ) { _, outputStream in
    let settings: [AnyHashable: Any] = [kCFStreamSSLLevel: kCFStreamSocketSecurityLevelTLSv1]
    return outputStream.setProperty(
      settings, forKey: .init(rawValue: kCFStreamPropertySSLSettings as String))
  },
]

// MARK: Proxies

public let proxies: [Setting] = [
  Setting(
    name: "C's keys", key: "kCFStreamPropertySOCKSProxy",
    value: "SOCKSPort=1080 SOCKSProxy=127.0.0.1"
  ) { inputStream, outputStream in
    let proxy =
      [
        kCFStreamPropertySOCKSProxyHost: "127.0.0.1" as CFString,
        kCFStreamPropertySOCKSProxyPort: 1080 as CFNumber,
      ] as CFDictionary
    let key = CFStreamPropertyKey(rawValue: kCFStreamPropertySOCKSProxy)
    CFReadStreamSetProperty(inputStream, key, proxy)
    return CFWriteStreamSetProperty(outputStream, key, proxy)
  },
  Setting(
    name: "a user", key: "kCFStreamPropertySOCKSProxy",
    value: "SOCKSPort=9050 SOCKSProxy=localhost kCFStreamPropertySOCKSPassword=secret "
      + "kCFStreamPropertySOCKSUser=ada "
      + "kCFStreamPropertySOCKSVersion=kCFStreamSocketSOCKSVersion5"
  ) { inputStream, _ in
    let proxyDict: [String: Any] = [
      kCFStreamPropertySOCKSProxyHost as String: "localhost",
      kCFStreamPropertySOCKSProxyPort as String: 9050,
      kCFStreamPropertySOCKSVersion as String: kCFStreamSocketSOCKSVersion5,
      kCFStreamPropertySOCKSUser as String: "ada",
      kCFStreamPropertySOCKSPassword as String: "secret",
    ]
    return inputStream.setProperty(
      proxyDict, forKey: kCFStreamPropertySOCKSProxy as Stream.PropertyKey)
  },
  Setting(
    name: "Foundation's keys", key: "kCFStreamPropertySOCKSProxy",
    value: "NSStreamSOCKSPortKey=1080 NSStreamSOCKSProxyKey=localhost "
      + "kCFStreamPropertySOCKSVersion=kCFStreamSocketSOCKSVersion4"
  ) { inputStream, outputStream in
    let configuration: [String: Any] = [
      StreamSOCKSProxyConfiguration.hostKey.rawValue: "localhost",
      StreamSOCKSProxyConfiguration.portKey.rawValue: NSNumber(value: 1080),
      StreamSOCKSProxyConfiguration.versionKey.rawValue: StreamSOCKSProxyVersion.version4.rawValue,
    ]
    outputStream.setProperty(configuration, forKey: .socksProxyConfigurationKey)
    return inputStream.setProperty(
      configuration, forKey: Stream.PropertyKey.socksProxyConfigurationKey)
  },
]

// MARK: The socket

public let sockets: [Setting] = [
  Setting(
    name: "a call", key: "kCFStreamNetworkServiceType", value: "kCFStreamNetworkServiceTypeVoIP"
  ) { inputStream, _ in
    inputStream.setProperty(
      StreamNetworkServiceTypeValue.voIP.rawValue, forKey: Stream.PropertyKey.networkServiceType)
  },
  Setting(
    name: "in the background", key: "kCFStreamNetworkServiceType",
    value: "kCFStreamNetworkServiceTypeBackground"
  ) { inputStream, outputStream in
    CFReadStreamSetProperty(
      inputStream, CFStreamPropertyKey(rawValue: kCFStreamNetworkServiceType),
      kCFStreamNetworkServiceTypeBackground)
    return outputStream.setProperty(
      StreamNetworkServiceTypeValue.background, forKey: .networkServiceType)
  },
  Setting(name: "kept open", key: "kCFStreamPropertyShouldCloseNativeSocket", value: "0") {
    inputStream, _ in
    inputStream.setProperty(
      kCFBooleanFalse,
      forKey: Stream.PropertyKey(rawValue: kCFStreamPropertyShouldCloseNativeSocket as String))
  },
  Setting(name: "closed with them", key: "kCFStreamPropertyShouldCloseNativeSocket", value: "1") {
    input, output in
    CFReadStreamSetProperty(
      input as CFReadStream, CFStreamPropertyKey(kCFStreamPropertyShouldCloseNativeSocket),
      kCFBooleanTrue)
    return CFWriteStreamSetProperty(
      output as CFWriteStream, CFStreamPropertyKey(kCFStreamPropertyShouldCloseNativeSocket),
      kCFBooleanTrue)
  },
]

// MARK: Asking

/// What one asks of streams that are connected.
public struct Facts: Equatable {
  public var handles: [Int32] = []
  public var host: String?
  public var port: Int?
  public var unknown: String?

  public init(_ inputStream: InputStream, _ outputStream: OutputStream) {
    let key = Stream.PropertyKey(kCFStreamPropertySocketNativeHandle as String)
    let property = inputStream.property(forKey: key)
    if let data = property as? Data {
      handles.append(data.withUnsafeBytes { $0.load(as: Int32.self) })
    }
    if let property = CFReadStreamCopyProperty(inputStream, .socketNativeHandle) {
      let data = property as! Data
      handles.append(data.withUnsafeBytes { $0.load(as: CFSocketNativeHandle.self) })
    }
    if let data = CFWriteStreamCopyProperty(
      outputStream, CFStreamPropertyKey(rawValue: kCFStreamPropertySocketNativeHandle))
      as? NSData
    {
      var handle: Int32 = 0
      data.getBytes(&handle, length: MemoryLayout<Int32>.size)
      handles.append(handle)
    }
    host =
      outputStream.property(
        forKey: kCFStreamPropertySocketRemoteHostName as Stream.PropertyKey) as? String
    port =
      (CFReadStreamCopyProperty(inputStream, .socketRemotePortNumber) as? NSNumber)?.intValue
    unknown = inputStream.property(forKey: Stream.PropertyKey("no such key")) as? String
  }
}
