/// An engine's two queues of ciphertext as OpenSSL sees them: a BIO that never waits. No TLS here.

internal import COpenSSL

extension TLSEngine {
  /// How much ciphertext may wait to be sent before the conversation is given up: a peer could make
  /// OpenSSL answer on and on, and read nothing. ``write(_:)`` stops long before.
  static let ciphertextMax = 1 << 20

  /// One BIO for both directions; whoever holds it must not outlive the engine.
  func makeBIO() -> OpaquePointer? {
    guard let bio = BIO_new(ciphertextBIO) else { return nil }
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }

  static func of(_ bio: OpaquePointer?) -> TLSEngine? {
    guard let data = BIO_get_data(bio) else { return nil }
    return Unmanaged<TLSEngine>.fromOpaque(data).takeUnretainedValue()
  }

  fileprivate func take(into room: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(room.count, incoming.count)
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: incoming.bytes[..<count]))
    incoming.removeFirst(count)
    return count
  }

  fileprivate func put(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard outgoing.count + bytes.count <= Self.ciphertextMax else { return false }
    outgoing.append(bytes)
    return true
  }
}

// nonisolated(unsafe) because: made once, and only read from then on.
nonisolated(unsafe) private let ciphertextBIO: OpaquePointer? = {
  let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "ciphertext")
  BIO_meth_set_read(method) { bio, start, count in
    guard let engine = TLSEngine.of(bio), let start, count > 0 else { return -1 }
    BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    let room = UnsafeMutableRawBufferPointer(start: start, count: Int(count))
    let taken = engine.take(into: room)
    if taken > 0 { return Int32(taken) }
    if engine.hasTransportEnded { return 0 }
    BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    return -1
  }
  BIO_meth_set_write(method) { bio, start, count in
    guard let engine = TLSEngine.of(bio), let start, count > 0 else { return -1 }
    BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    return engine.put(UnsafeRawBufferPointer(start: start, count: Int(count))) ? count : -1
  }
  BIO_meth_set_ctrl(method) { bio, command, _, _ in
    switch command {
    case BIO_CTRL_FLUSH: 1
    case BIO_CTRL_EOF:
      TLSEngine.of(bio).map { $0.hasTransportEnded && $0.incoming.isEmpty ? 1 : 0 } ?? 1
    default: 0
    }
  }
  return method
}()
