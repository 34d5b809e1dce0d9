/// Words that were taken away are still in the write-ahead log, until that is emptied. Says when.

internal import Loop

/// Has the log emptied a while after something was taken away, once for all of it.
final class LogClearing: Sendable {
  /// How long what was taken away may stay in the log.
  static let delay = Duration.seconds(10)

  private let task = Guarded<Task<Void, Never>?>(nil)

  /// `empty` gives false while somebody reads what was before: then it is called again later.
  func begin(_ empty: @escaping @Sendable () async -> Bool) {
    task.withLock { task in
      guard task == nil else { return }
      task = Task.detached { [self] in
        do { try await Task.sleep(for: Self.delay) } catch { return }
        // For what is taken away from here on another one begins.
        self.task.withLock { $0 = nil }
        if await !empty() { begin(empty) }
      }
    }
  }

  func end() { task.withLock { $0?.cancel() } }
}
