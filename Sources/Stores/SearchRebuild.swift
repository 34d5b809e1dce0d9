/// Makes the index of searches anew while no server runs. Searches nothing.

internal import ChatModel

/// A new index of a whole history.
package enum SearchRebuild {
  /// Throws the index in `directory` away and makes it anew from the history there. Refused while a
  /// server has the directory: that one does it by itself where it has to be done.
  ///
  /// `progress` hears how many messages and changes are read, and of how many. Gives how many
  /// messages are in the index.
  @discardableResult package static func run(
    _ directory: DataDirectory, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> Int {
    // First whether there is a history: a lock is a file, which is not to be left elsewhere.
    _ = try HistoryFile.openForReading(directory)
    let lock = try DirectoryLock(directory)
    defer { withExtendedLifetime(lock) {} }
    let writer = try SearchWriter(directory)
    writer.throwAway()
    let all = try writer.history.rowCount()
    while try writer.step(at: .now) == .more {
      progress(writer.rowsRead, all)
    }
    return try writer.entryCount()
  }
}
