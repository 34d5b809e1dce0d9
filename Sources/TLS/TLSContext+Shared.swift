/// The last few contexts, by configuration. Making one reads files and takes its time.

internal import COpenSSL

extension TLSContext {
  /// How many contexts are kept for the next asker.
  package static let keptMax = 8

  /// A context of this configuration, made now or before. Throws as ``TLSContext/init(_:)`` does; a
  /// failure is not kept.
  package static func shared(for configuration: TLSConfiguration) throws(TLSError) -> TLSContext {
    if let context = kept.find(configuration) { return context }
    // Without the lock: reading a trust store is slow. Two at once make two; the later is kept.
    let context = try TLSContext(configuration)
    kept.keep(context)
    return context
  }

  private static let kept = KeptContexts()
}

/// Behind OpenSSL's own lock, so that this module needs no other's.
private final class KeptContexts: @unchecked Sendable {
  // @unchecked because: `contexts` is reached under `lock` alone.
  private let lock = CRYPTO_THREAD_lock_new()
  /// The one asked for last is last.
  private var contexts: [TLSContext] = []

  func find(_ configuration: TLSConfiguration) -> TLSContext? {
    CRYPTO_THREAD_write_lock(lock)
    defer { CRYPTO_THREAD_unlock(lock) }
    guard let index = contexts.firstIndex(where: { $0.configuration == configuration }) else {
      return nil
    }
    let context = contexts.remove(at: index)
    contexts.append(context)
    return context
  }

  func keep(_ context: TLSContext) {
    CRYPTO_THREAD_write_lock(lock)
    defer { CRYPTO_THREAD_unlock(lock) }
    contexts.removeAll { $0.configuration == context.configuration }
    if contexts.count == TLSContext.keptMax { contexts.removeFirst() }
    contexts.append(context)
  }
}
