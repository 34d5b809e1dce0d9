/// What OpenSSL hands out and wants back: owned once, freed once; and its errors in words.

internal import COpenSSL

/// An `X509`, one count of which is ours.
struct Certificate: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over one count.
  init?(owning pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  init?(der: [UInt8]) {
    let pointer = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_X509(nil, &start, bytes.count)
    }
    self.init(owning: pointer)
  }

  deinit { X509_free(pointer) }

  var der: [UInt8] { Self.der(pointer) }

  static func der(_ certificate: OpaquePointer) -> [UInt8] {
    encoded { i2d_X509(certificate, $0) }
  }

  /// All certificates of a PEM text, in its order; other parts are passed over. Nil where one of
  /// them is unreadable.
  static func all(inPEM text: [UInt8]) -> [[UInt8]]? {
    withMemoryBIO(text) { bio in
      var found: [[UInt8]] = []
      ERR_clear_error()
      while let next = Certificate(owning: PEM_read_bio_X509(bio, nil, nil, nil)) {
        found.append(next.der)
      }
      // The end is told as an error, too.
      let error = ERR_peek_last_error()
      ERR_clear_error()
      let isEnd = ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE
      return isEnd ? found : nil
    }
  }
}

/// An `EVP_PKEY`, one count of which is ours.
struct PrivateKey: ~Copyable {
  let pointer: OpaquePointer

  init?(owning pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  init?(der: [UInt8]) {
    let pointer = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_AutoPrivateKey(nil, &start, bytes.count)
    }
    self.init(owning: pointer)
  }

  deinit { EVP_PKEY_free(pointer) }

  var der: [UInt8] { encoded { i2d_PrivateKey(pointer, $0) } }
}

/// Runs one of OpenSSL's encoders, `i2d_…`, which are asked for the size first.
private func encoded(
  _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8] {
  let count = encode(nil)
  guard count > 0 else { return [] }
  return [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, filled in
    var start = bytes.baseAddress
    filled = Int(max(0, encode(&start)))
  }
}

/// Lends `bytes` as a BIO to read from.
func withMemoryBIO<Result>(_ bytes: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
  bytes.withUnsafeBytes { bytes in
    let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
    defer { BIO_free(bio) }
    return body(bio)
  }
}

/// OpenSSL's errors are a queue of the calling thread's. Whoever calls it empties the queue before
/// and after, as another call's leavings would be taken for ours.
enum ErrorQueue {
  /// The last error that TLS itself noted, else the last one at all; 0 for none. Empties the queue.
  static func take() -> UInt {
    var last: UInt = 0
    while true {
      let next = ERR_get_error()
      guard next != 0 else { return last }
      if ERR_GET_LIB(next) == ERR_LIB_SSL || ERR_GET_LIB(last) != ERR_LIB_SSL { last = next }
    }
  }

  /// `unsupported protocol`
  static func words(_ error: UInt) -> String {
    guard let words = ERR_reason_error_string(error) else { return "an error without a name" }
    return String(cString: words)
  }

  static func takeWords() -> String { words(take()) }
}
