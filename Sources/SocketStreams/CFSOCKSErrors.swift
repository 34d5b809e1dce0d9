/// The parts of a SOCKS error's code, in the spelling of Apple's CFSocketStream.h. Declares names
/// only; `StreamErrors.socks` makes the codes.

/// Which list a SOCKS error's code is of: one of the subdomains below. Only for an error of the
/// domain `kCFStreamErrorDomainSOCKS`, or the same `NSStreamSOCKSErrorDomain` code taken apart.
public func CFSocketStreamSOCKSGetErrorSubdomain(_ error: UnsafePointer<CFStreamError>) -> Int32 {
  error.pointee.error >> 16 & 0xFFFF
}

/// The code within its subdomain.
public func CFSocketStreamSOCKSGetError(_ error: UnsafePointer<CFStreamError>) -> Int32 {
  error.pointee.error & 0xFFFF
}

/// A subdomain: the three general codes below, and from 100 on what went wrong without the proxy
/// having said so: it ended the connection (100), took too long (101), broke off (109), or the
/// settings cannot be said in its protocol (102 to 108). The error's description says which.
public let kCFStreamErrorSOCKSSubDomainNone = 0
/// A subdomain: the code is the first byte of an answer in another version of SOCKS, or in none.
public let kCFStreamErrorSOCKSSubDomainVersionCode = 1
/// A subdomain: the code is SOCKS 4's, 91 to 93 if the proxy keeps to them.
public let kCFStreamErrorSOCKS4SubDomainResponse = 2
/// A subdomain: the code is the one with which the proxy refused user and password (RFC 1929).
public let kCFStreamErrorSOCKS5SubDomainUserPass = 3
/// A subdomain: the code is the authentication that the proxy asked for; 255 for none of ours.
public let kCFStreamErrorSOCKS5SubDomainMethod = 4
/// A subdomain: the code is SOCKS 5's reply (RFC 1928, section 6).
public let kCFStreamErrorSOCKS5SubDomainResponse = 5

/// A general code: the reply held an address of unknown type.
public let kCFStreamErrorSOCKS5BadResponseAddr = 1
/// A general code: the proxy said what makes no sense where it said it.
public let kCFStreamErrorSOCKS5BadState = 2
/// A general code; not seen here.
public let kCFStreamErrorSOCKSUnknownClientVersion = 3

/// A code of SOCKS 4: the request was rejected or failed.
public let kCFStreamErrorSOCKS4RequestFailed = 91
/// A code of SOCKS 4: the proxy cannot ask this machine who the user is.
public let kCFStreamErrorSOCKS4IdentdFailed = 92
/// A code of SOCKS 4: this machine names another user.
public let kCFStreamErrorSOCKS4IdConflict = 93

/// A code of SOCKS 5's methods: none of those offered.
public let kSOCKS5NoAcceptableMethod = 255
