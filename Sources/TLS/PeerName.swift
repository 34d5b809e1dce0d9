/// What a client calls its peer, as certificates and SNI spell it.

internal import COpenSSL

/// A DNS name or an IP address, from what a person typed.
enum PeerName {
  case host(String)
  case address(String)

  /// Takes `[::1]`, `fe80::1%eth0` and `chat.example.` for what they mean; nil where no certificate
  /// could bear the name.
  init?(_ text: String) {
    var name = text[...]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    let address = String(name.prefix { $0 != "%" })
    if let parsed = a2i_IPADDRESS(address) {
      ASN1_OCTET_STRING_free(parsed)
      self = .address(address)
      return
    }
    // RFC 6066 3: without the dot of a full name, and in ASCII. RFC 1035 2.3.4: 255 at most.
    if name.hasSuffix(".") { name = name.dropLast() }
    let isPrintable = name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPrintable, (1...255).contains(name.utf8.count) else { return nil }
    self = .host(String(name))
  }

  /// RFC 6125 6.4.3: a wildcard stands for a whole label.
  private static let rules = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)

  /// To be matched by OpenSSL where it validates the chain.
  func expect(in parameters: OpaquePointer?) -> Bool {
    switch self {
    case .host(let name):
      X509_VERIFY_PARAM_set_hostflags(parameters, Self.rules)
      return X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1
    case .address(let text):
      return X509_VERIFY_PARAM_set1_ip_asc(parameters, text) == 1
    }
  }

  /// The same where the chain is not validated.
  func matches(_ certificate: OpaquePointer?) -> Bool {
    switch self {
    case .host(let name):
      X509_check_host(certificate, name, name.utf8.count, Self.rules, nil) == 1
    case .address(let text):
      X509_check_ip_asc(certificate, text, 0) == 1
    }
  }
}
