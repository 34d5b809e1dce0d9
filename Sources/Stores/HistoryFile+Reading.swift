/// Opens a history to read it only, also while a server has it. Takes no lock.

extension HistoryFile {
  /// Refuses, in one sentence, where there is none, or one that is not ours, of another version or
  /// damaged as far as a look can tell; pages that cannot be read may be passed over. Changes
  /// nothing.
  static func openForReading(
    _ directory: DataDirectory, passingOverDamage: Bool = false
  ) throws(StoreError) -> Database {
    let database = try openForCheck(directory)
    try look(at: database, .current, passingOverDamage: passingOverDamage)
    return database
  }

  /// As ``openForReading(_:passingOverDamage:)``, whatever is in the file as long as it is a
  /// history of this version.
  static func openForCheck(_ directory: DataDirectory) throws(StoreError) -> Database {
    try openForCheck(directory.historyPath)
  }

  /// As ``openForCheck(_:)``, of a file that may lie anywhere.
  static func openForCheck(_ path: String) throws(StoreError) -> Database {
    let directory = DataDirectory(parent(of: path))
    // Closing a file lets go of every POSIX lock that the process has on it, SQLite's too. A store
    // of this process has looked at its file before.
    if !DirectoryLock.isOwn(directory) {
      guard let file = try HistoryFile(path) else {
        throw .failed("there is no history at \(path); name the directory with --data")
      }
      guard !file.hasJournal else {
        throw .unusable(
          path: path,
          reason: "was left in the middle of a change; start the server once, which undoes it")
      }
      if let version = file.version { try refuseOther(version, at: path) }
    }
    let database = try Database(path, isAlone(path, in: directory) ? .readingAlone : .reading)
    try refuseOther(try database.number("PRAGMA user_version"), at: path)
    return database
  }

  /// Whether everything is in the file, and nobody is there who could write it.
  private static func isAlone(_ path: String, in directory: DataDirectory) -> Bool {
    guard isNothing(path + "-wal"), isNothing(path + "-journal") else { return false }
    // Where the lock may not be looked at: who writes has this file.
    return DirectoryLock.isFree(directory) ?? isNothing(path + "-shm")
  }

  private static func refuseOther(_ version: Int64, at path: String) throws(StoreError) {
    try refuseNewer(version, than: .current, at: path)
    guard version == Schema.current.version else {
      throw .unusable(
        path: path, reason: "was made by an older beck; start the server once to bring it up")
    }
  }
}
