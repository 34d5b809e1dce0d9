/// Keeps messages in an SQLite file: the store that servers use. Assembles what does the work.

package import ChatModel
internal import Loop

/// A history in a data directory, on the disk before ``append(_:)`` returns.
///
/// One thread writes, a transaction a batch, and one thread reads; neither waits for the other.
/// One process at a time has the directory for writing.
package final class SQLiteStore: MessageStore, Sendable {
  package let durability = Durability.stored

  private let writing: Seat<HistoryWriter>
  private let reading: Seat<HistoryReader>
  private let lock: Guarded<DirectoryLock?>
  private let watcher = Guarded<(@Sendable (StoreChange) -> Void)?>(nil)
  /// Where it keeps.
  let directory: DataDirectory
  private let now: @Sendable () -> Moment
  private let clearing = LogClearing()

  /// Opens the history in `directory`, or makes it, and looks it over in a few milliseconds.
  ///
  /// Blocks: call it before a loop runs. Throws one sentence where the directory is in use, or
  /// holds something that is not ours, newer or damaged, which stays as it is. `now` tells when a
  /// message is kept.
  package convenience init(
    in directory: DataDirectory, now: @escaping @Sendable () -> Moment = { .now }
  ) throws(StoreError) {
    try self.init(in: directory, schema: .current, now: now)
  }

  init(
    in directory: DataDirectory, schema: Schema, now: @escaping @Sendable () -> Moment
  ) throws(StoreError) {
    try directory.create()
    let lock = try DirectoryLock(directory)
    let found = try HistoryFile.openBeforeWriting(directory, schema)
    let writer = try HistoryWriter(directory.historyPath, schema)
    let reader = try HistoryReader(found)
    self.lock = Guarded(lock)
    self.directory = directory
    writing = Seat(writer)
    reading = Seat(reader)
    self.now = now
  }

  package func append(_ entries: [Entry]) async throws(StoreError) -> [Kept] {
    if entries.isEmpty { return [] }
    let kept = try await writing.run { [now] writer throws(StoreError) in
      try writer.append(entries, at: now())
    }
    tell(.added)
    if entries.contains(where: \.takesAway) { clearLogSoon() }
    return kept
  }

  /// What was taken away is in no file after a while.
  private func clearLogSoon() {
    clearing.begin { [weak self] in await self?.clearLog() ?? true }
  }

  /// False where somebody reads from the log, so that it has to stay.
  func clearLog() async -> Bool {
    let isEmpty = try? await writing.run { writer throws(StoreError) in try writer.emptyLog() }
    // A store that is closed has no log, and one that fails says so elsewhere.
    return isEmpty ?? true
  }

  package func page(
    of room: RoomName, _ stretch: Stretch, _ reading: Reading, limit: Int
  ) async throws(StoreError) -> HistoryPage {
    precondition(
      (1...HistoryPage.messagesMax).contains(limit),
      "a page has at least one message and has a bound")
    return try await self.reading.run { reader throws(StoreError) in
      try reader.page(of: room, stretch, reading, limit: limit)
    }
  }

  package func rooms() async throws(StoreError) -> [StoredRoom] {
    try await reading.run { reader throws(StoreError) in try reader.rooms() }
  }

  package func facts() async throws(StoreError) -> [Fact] {
    try await reading.run { reader throws(StoreError) in try reader.facts() }
  }

  package func rows(
    of person: PersonID, after row: Int64, limit: Int
  ) async throws(StoreError) -> PersonRows {
    precondition(limit > 0, "a page has at least one row")
    return try await reading.run { reader throws(StoreError) in
      try reader.rows(of: person, after: row, limit: limit)
    }
  }

  package func remove(_ room: RoomName) async throws(StoreError) -> Int {
    var removed = 0
    defer { if removed > 0 { tell(.removed) } }
    while true {
      let some = try await writing.run { writer throws(StoreError) in
        try writer.removeSome(of: room)
      }
      removed += some ?? 0
      guard some == nil || Task.isCancelled else { continue }
      if removed > 0 {
        tell(.removed)
        clearLogSoon()
      }
      return removed
    }
  }

  /// Removes what `retention` lets go, and gives the room back to the disk; leaves the log of
  /// moderation alone. Gives the number of messages and changes removed. Messages are kept
  /// meanwhile, between steps of a few milliseconds.
  package func expire(_ retention: Retention) async throws(StoreError) -> Int {
    var pass = ExpiryPass(retention, at: now())
    while !pass.isDone, !Task.isCancelled {
      pass = try await writing.run { [pass] writer throws(StoreError) in
        var pass = pass
        try writer.go(on: &pass)
        return pass
      }
    }
    if pass.removed > 0 { tell(.removed) }
    return pass.removed
  }

  /// Has one who follows the history hear of what was committed, in a word and on any thread.
  func watch(_ watcher: (@Sendable (StoreChange) -> Void)?) {
    self.watcher.withLock { $0 = watcher }
  }

  private func tell(_ change: StoreChange) { watcher.withLock { $0 }?(change) }

  package func close() async {
    clearing.end()
    await reading.leave()
    // The last connection to go takes the log over into the file.
    await writing.leave()
    lock.withLock { $0 = nil }
  }
}

extension Entry {
  /// Whether a text that was kept is kept no more.
  fileprivate var takesAway: Bool {
    guard case .message(let draft) = self else { return false }
    return !draft.content.isMessage
  }
}

/// What was committed.
enum StoreChange: Sendable { case added, removed }
