/// Where an import writes, and what was there before it. Reads no line.

internal import Glibc

/// A data directory that is locked, and made where it was absent.
struct ImportPlace {
  let directory: DataDirectory
  private let lock: DirectoryLock
  /// The innermost first.
  private let newFolders: [String]
  private let hadLock: Bool
  private let hadHistory: Bool

  init(_ directory: DataDirectory) throws(StoreError) {
    self.directory = directory
    newFolders = try directory.create()
    hadLock = access(directory.lockPath, F_OK) == 0
    do throws(StoreError) {
      lock = try DirectoryLock(directory)
    } catch {
      for folder in newFolders { rmdir(folder) }
      throw error
    }
    // Behind the lock: it is nobody else's from now on.
    hadHistory = access(directory.historyPath, F_OK) == 0
  }

  /// After an import that failed, with nobody of this process at the history any more.
  func removeWhatIsNew() {
    guard !hadHistory else { return }
    // What lies beside a history that is missing was there before.
    if access(directory.historyPath, F_OK) == 0 { HistoryFile.remove(directory.historyPath) }
    if !hadLock { unlink(directory.lockPath) }
    for folder in newFolders { rmdir(folder) }
    withExtendedLifetime(lock) {}
  }
}
