/// Judges a peer's certificate chain when OpenSSL asks, and says what is wrong with it.

internal import COpenSSL

enum PeerCheck {
  /// Called in the middle of a handshake, with the chain that the peer sent.
  static let callback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
    store, _ in
    guard
      let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
      let engine = TLSEngine.of(SSL_get_rbio(OpaquePointer(ssl)))
    else { return 0 }
    return engine.judge(store) ? 1 : 0
  }

  /// What is wrong, after OpenSSL found something wrong.
  static func cause(_ store: OpaquePointer?, peerName: String?) -> TLSError.Cause {
    let error = X509_STORE_CTX_get_error(store)
    let depth = X509_STORE_CTX_get_error_depth(store)
    let certificate = X509_STORE_CTX_get_current_cert(store)
    let issuer = shown(X509_get_issuer_name(certificate))
    let subject = shown(X509_get_subject_name(certificate))
    switch error {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return .certificateExpired(
        on: day(X509_get0_notAfter(certificate)), issuer: depth == 0 ? nil : subject)
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return .certificateNotYetValid(
        before: day(X509_get0_notBefore(certificate)), issuer: depth == 0 ? nil : subject)
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      return wrongHost(X509_STORE_CTX_get0_cert(store), peerName: peerName)
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return .selfSigned
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return .unknownAuthority(issuer: subject)
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      // A certificate that came alone under an issuer nobody knows: either that one is not trusted,
      // or a part is missing. Whoever tells where to fetch the issuer does not mean a root.
      return depth == 0 && tellsWhereIssuerIs(certificate)
        ? .brokenChain(reason: "the certificate of \"\(issuer)\" was not sent")
        : .unknownAuthority(issuer: issuer)
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return .brokenChain(reason: "\"\(issuer)\" has not signed what is said to be from it")
    case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN:
      return .brokenChain(reason: "\"\(subject)\" is no authority")
    case X509_V_ERR_PATH_LENGTH_EXCEEDED:
      return .brokenChain(reason: "\"\(subject)\" may not have so many authorities below it")
    case X509_V_ERR_CERT_CHAIN_TOO_LONG:
      return .brokenChain(reason: "it is too long")
    default:
      return .certificateRejected(
        reason: String(cString: X509_verify_cert_error_string(Int(error))))
    }
  }

  static func wrongHost(_ certificate: OpaquePointer?, peerName: String?) -> TLSError.Cause {
    .wrongHost(expected: peerName ?? "the peer", named: CertificateNames.of(certificate))
  }

  /// A name's common name, else its organisation, else all of it that is there.
  static func shown(_ name: OpaquePointer?) -> String {
    for kind in [NID_commonName, NID_organizationalUnitName, NID_organizationName] {
      let index = X509_NAME_get_index_by_NID(name, kind, -1)
      guard index >= 0,
        let text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index))
      else { continue }
      return CertificateNames.text(text)
    }
    return "an issuer without a name"
  }

  private static func tellsWhereIssuerIs(_ certificate: OpaquePointer?) -> Bool {
    guard let places = X509_get_ext_d2i(certificate, NID_info_access, nil, nil) else {
      return false
    }
    let accesses = OpaquePointer(places)
    defer { AUTHORITY_INFO_ACCESS_free(accesses) }
    return (0..<copenssl_access_count(accesses)).contains {
      copenssl_access_kind(accesses, $0) == NID_ad_ca_issuers
    }
  }

  /// `2026-11-30`, in UTC.
  private static func day(_ time: UnsafePointer<ASN1_TIME>?) -> String {
    guard let long = ASN1_TIME_to_generalizedtime(time, nil) else { return "an unknown day" }
    defer { ASN1_GENERALIZEDTIME_free(long) }
    // YYYYMMDDHHMMSSZ
    let digits = CertificateNames.text(UnsafePointer(long)).prefix(8)
    return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6))"
  }
}
