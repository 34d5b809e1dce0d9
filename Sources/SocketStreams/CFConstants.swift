/// The constants of Core Foundation's and CFNetwork's socket streams, spelled as Apple spells them,
/// and a few of our own, which begin with `kSocketStreams`.
/// Holds no behaviour: what a stream does with a key or a value is in its properties.

// Strings and numbers are made anew at each use, so that threads share no object through them.

/// The default allocator; means nothing on Linux.
public let kCFAllocatorDefault: CFAllocator? = nil
/// The system's allocator; means nothing on Linux.
public let kCFAllocatorSystemDefault: CFAllocator? = nil

/// True, as an object.
public var kCFBooleanTrue: CFBoolean! { NSNumber(value: true) }
/// False, as an object.
public var kCFBooleanFalse: CFBoolean! { NSNumber(value: false) }
/// "None" where a dictionary needs a value, as in ``kCFStreamSSLPeerName``.
public var kCFNull: CFNull! { NSNull() }

// MARK: Files and memory

/// What a memory stream has taken so far: `Data`.
public var kCFStreamPropertyDataWritten: CFString { "kCFStreamPropertyDataWritten" }
/// Where a file stream is: a number of bytes.
public var kCFStreamPropertyFileCurrentOffset: CFString { "kCFStreamPropertyFileCurrentOffset" }

// MARK: The socket

/// The socket's descriptor: `Data` that holds an `Int32`; nil before the connection.
public var kCFStreamPropertySocketNativeHandle: CFString { "kCFStreamPropertySocketNativeHandle" }
/// The host as it was named to the maker of the pair: a `String`.
public var kCFStreamPropertySocketRemoteHostName: CFString {
  "kCFStreamPropertySocketRemoteHostName"
}
/// The port as it was named to the maker of the pair: a number.
public var kCFStreamPropertySocketRemotePortNumber: CFString {
  "kCFStreamPropertySocketRemotePortNumber"
}
/// A Boolean: whether the socket is closed once both streams are. Nil stands for the default: true
/// where the streams made the socket, false where they were given it.
public var kCFStreamPropertyShouldCloseNativeSocket: CFString {
  "kCFStreamPropertyShouldCloseNativeSocket"
}

/// What the traffic is for; one of the values below. Kept, and without effect on Linux.
public var kCFStreamNetworkServiceType: CFString { "kCFStreamNetworkServiceType" }
/// A service type: control of calls. Deprecated by Apple.
public var kCFStreamNetworkServiceTypeVoIP: CFString { "kCFStreamNetworkServiceTypeVoIP" }
/// A service type: moving pictures.
public var kCFStreamNetworkServiceTypeVideo: CFString { "kCFStreamNetworkServiceTypeVideo" }
/// A service type: what nobody waits for.
public var kCFStreamNetworkServiceTypeBackground: CFString {
  "kCFStreamNetworkServiceTypeBackground"
}
/// A service type: voices.
public var kCFStreamNetworkServiceTypeVoice: CFString { "kCFStreamNetworkServiceTypeVoice" }
/// A service type: control of calls.
public var kCFStreamNetworkServiceTypeCallSignaling: CFString {
  "kCFStreamNetworkServiceTypeCallSignaling"
}

// MARK: TLS, by one word

/// The security level as one word; the same as `Stream.PropertyKey.socketSecurityLevelKey`.
public var kCFStreamPropertySocketSecurityLevel: CFString {
  "kCFStreamPropertySocketSecurityLevel"
}
/// A security level: no TLS.
public var kCFStreamSocketSecurityLevelNone: CFString { "kCFStreamSocketSecurityLevelNone" }
/// A security level that Apple deprecated; nobody speaks SSL 2 any more.
public var kCFStreamSocketSecurityLevelSSLv2: CFString { "kCFStreamSocketSecurityLevelSSLv2" }
/// A security level that Apple deprecated; nobody speaks SSL 3 any more.
public var kCFStreamSocketSecurityLevelSSLv3: CFString { "kCFStreamSocketSecurityLevelSSLv3" }
/// A security level: TLS.
public var kCFStreamSocketSecurityLevelTLSv1: CFString { "kCFStreamSocketSecurityLevelTLSv1" }
/// A security level: the best that both sides have.
public var kCFStreamSocketSecurityLevelNegotiatedSSL: CFString {
  "kCFStreamSocketSecurityLevelNegotiatedSSL"
}

// MARK: TLS, by a dictionary

/// A dictionary with the keys below. Setting it on one stream configures the pair.
public var kCFStreamPropertySSLSettings: CFString { "kCFStreamPropertySSLSettings" }
/// A key of the SSL settings: a security level.
public var kCFStreamSSLLevel: CFString { "kCFStreamSSLLevel" }
/// A key of the SSL settings: the name that the peer's certificate must bear; ``kCFNull`` for any.
public var kCFStreamSSLPeerName: CFString { "kCFStreamSSLPeerName" }
/// A key of the SSL settings, a Boolean: whether the peer's certificate must be trusted.
public var kCFStreamSSLValidatesCertificateChain: CFString {
  "kCFStreamSSLValidatesCertificateChain"
}
/// A key of the SSL settings, a Boolean: whether this side answers, not asks.
public var kCFStreamSSLIsServer: CFString { "kCFStreamSSLIsServer" }
/// A key of the SSL settings: this side's own certificate and key, a list of one `StreamIdentity`.
public var kCFStreamSSLCertificates: CFString { "kCFStreamSSLCertificates" }
/// A key of the SSL settings that Apple deprecated. Taken, and without effect.
public var kCFStreamSSLAllowsAnyRoot: CFString { "kCFStreamSSLAllowsAnyRoot" }
/// A key of the SSL settings that Apple deprecated. Taken, and without effect.
public var kCFStreamSSLAllowsExpiredCertificates: CFString {
  "kCFStreamSSLAllowsExpiredCertificates"
}
/// A key of the SSL settings that Apple deprecated. Taken, and without effect.
public var kCFStreamSSLAllowsExpiredRoots: CFString { "kCFStreamSSLAllowsExpiredRoots" }
/// The peer's certificates as DER: a list of `Data`, its own first; nil before the handshake is
/// done. Apple deprecated it for a type of its own Security framework, which Linux lacks.
public var kCFStreamPropertySSLPeerCertificates: CFString {
  "kCFStreamPropertySSLPeerCertificates"
}
/// A key of our own in the SSL settings: PEM certificates to trust besides the system's, as `Data`
/// or a `String`.
public var kSocketStreamsSSLAnchorCertificates: CFString { "SocketStreamsSSLAnchorCertificates" }
/// A property of our own: the TLS version in use, `TLSv1.3`; nil before the handshake is done.
public var kSocketStreamsSSLProtocolVersion: CFString { "SocketStreamsSSLProtocolVersion" }

// MARK: SOCKS proxies

/// A dictionary with the keys below; the same as `Stream.PropertyKey.socksProxyConfigurationKey`.
public var kCFStreamPropertySOCKSProxy: CFString { "kCFStreamPropertySOCKSProxy" }
/// A key of the SOCKS settings: the proxy's name or address. Its spelling is Apple's; Foundation's
/// `StreamSOCKSProxyConfiguration.hostKey` has another on Linux.
public var kCFStreamPropertySOCKSProxyHost: CFString { "SOCKSProxy" }
/// A key of the SOCKS settings: the proxy's port, a number. Its spelling is Apple's; Foundation's
/// `StreamSOCKSProxyConfiguration.portKey` has another on Linux.
public var kCFStreamPropertySOCKSProxyPort: CFString { "SOCKSPort" }
/// A key of the SOCKS settings: one of the two versions. Without it, 5.
public var kCFStreamPropertySOCKSVersion: CFString { "kCFStreamPropertySOCKSVersion" }
/// A version of SOCKS: 4.
public var kCFStreamSocketSOCKSVersion4: CFString { "kCFStreamSocketSOCKSVersion4" }
/// A version of SOCKS: 5 (RFC 1928).
public var kCFStreamSocketSOCKSVersion5: CFString { "kCFStreamSocketSOCKSVersion5" }
/// A key of the SOCKS settings: a user's name (RFC 1929).
public var kCFStreamPropertySOCKSUser: CFString { "kCFStreamPropertySOCKSUser" }
/// A key of the SOCKS settings: that user's password.
public var kCFStreamPropertySOCKSPassword: CFString { "kCFStreamPropertySOCKSPassword" }
/// A key of our own in the SOCKS settings: how many seconds the conversation with the proxy may
/// take, once it is connected to; a number above 0. Without it, 30.
public var kSocketStreamsSOCKSTimeout: CFString { "SocketStreamsSOCKSTimeout" }

// MARK: Errors

/// The domain of failed host look-ups: the error's code is 2, and its user info holds
/// ``kCFGetAddrInfoFailureKey``.
public var kCFErrorDomainCFNetwork: CFString { "kCFErrorDomainCFNetwork" }
/// A key of user info: getaddrinfo's code, in Linux's numbers (EAI_NONAME is -2).
public var kCFGetAddrInfoFailureKey: CFString { "kCFGetAddrInfoFailureKey" }

// MARK: Error domains, as numbers

/// Errors of TLS.
public let kCFStreamErrorDomainSSL: Int32 = 3
/// Errors of HTTP; not seen here.
public let kCFStreamErrorDomainHTTP: Int32 = 4
/// Errors of SOCKS proxies.
public let kCFStreamErrorDomainSOCKS: Int32 = 5
/// Errors of FTP; not seen here.
public let kCFStreamErrorDomainFTP: Int32 = 6
/// Errors of service discovery; not seen here.
public let kCFStreamErrorDomainNetServices: Int32 = 10
/// Errors of Mach; not seen on Linux.
public let kCFStreamErrorDomainMach: Int32 = 11
/// Errors of host look-ups; the code is getaddrinfo's.
public let kCFStreamErrorDomainNetDB: Int32 = 12
/// Errors of the system's configuration; not seen on Linux.
public let kCFStreamErrorDomainSystemConfiguration: Int32 = 13
