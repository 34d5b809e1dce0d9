/// The names in a certificate, fit to be shown: its sender may be anybody, so they are short and
/// without control characters.

internal import COpenSSL

enum CertificateNames {
  /// How many names of a certificate are told.
  static let toldMax = 5
  /// How many characters of a name are shown.
  static let charactersMax = 64

  /// Of its hosts and addresses the first few, else its common name.
  static func of(_ certificate: OpaquePointer?) -> [String] {
    var found: [String] = []
    if let list = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) {
      let names = OpaquePointer(list)
      defer { GENERAL_NAMES_free(names) }
      for index in 0..<max(0, copenssl_name_count(names)) {
        var kind: Int32 = 0
        guard let value = GENERAL_NAME_get0_value(copenssl_name(names, index), &kind) else {
          continue
        }
        let string = UnsafePointer(value.assumingMemoryBound(to: ASN1_STRING.self))
        switch kind {
        case GEN_DNS: found.append(text(string))
        case GEN_IPADD: found.append(address(bytes(string)))
        default: continue
        }
        if found.count > toldMax {
          found[toldMax] = "..."
          break
        }
      }
    }
    guard found.isEmpty else { return found }
    let name = X509_get_subject_name(certificate)
    let index = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
    guard index >= 0, let string = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index))
    else { return [] }
    return [text(string)]
  }

  static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String {
    var start: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&start, string)
    guard count >= 0, let start else { return "?" }
    defer { CRYPTO_free(start, #file, #line) }
    let text = String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(charactersMax) {
      shown.append(isHarmless(scalar) ? scalar : "?")
    }
    return String(shown)
  }

  /// No control characters, and none that turn the direction of writing or are not seen.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      false
    default: true
    }
  }

  private static func bytes(_ string: UnsafePointer<ASN1_STRING>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
  }

  /// `192.0.2.1` or `2001:db8:0:0:0:0:0:1`.
  private static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    switch bytes.count {
    case 4: bytes.map { String($0) }.joined(separator: ".")
    case 16:
      stride(from: 0, to: 16, by: 2)
        .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        .joined(separator: ":")
    default: "?"
    }
  }
}
