/// Copies a history into a file, also while a server writes it. The copy is of one moment.

internal import CSQLite
internal import Glibc

/// A copy of a history that can take its place.
package enum HistoryBackup {
  /// Pages of 4 KiB between two calls of `progress`.
  private static let pagesPerStep: Int32 = 2_048

  /// Copies the history in `directory` to `path`, which must not exist. It gets its name when it
  /// is whole and on the disk. `progress` hears the pages that are copied, and of how many.
  package static func run(
    _ directory: DataDirectory, to path: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) {
    let target = DataDirectory(path).path
    guard access(target, F_OK) != 0 else {
      throw .failed("\(target) exists; name a file that does not")
    }
    let source = try HistoryFile.openForReading(directory)
    let draft = target + ".part"
    let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let isThere = errno == EEXIST
      throw .failed(
        systemSentence("cannot make \(draft)") + (isThere ? "; remove it if nobody writes it" : ""))
    }
    close(descriptor)
    do throws(StoreError) {
      try copy(source, to: draft, progress)
      guard HistoryFile.isNothing(draft + "-wal") else {
        throw .failed("cannot make \(target) in one file")
      }
      // The name must be new still: nothing is ever overwritten.
      guard link(draft, target) == 0 else { throw .failed(systemSentence("cannot make \(target)")) }
    } catch {
      HistoryFile.remove(draft)
      throw error
    }
    HistoryFile.remove(draft)
    try DataDirectory.settle(parent(of: target))
  }

  /// The copy is a file by itself that keeps a write-ahead log once it is written to, so that its
  /// first start as a history changes nothing in it that a crash could leave half done.
  private static func copy(
    _ source: Database, to draft: String, _ progress: (Int, Int) -> Void
  ) throws(StoreError) {
    let target = try Database(draft, .writing)
    // For as long as this transaction is open its pages stay as they are; without it, a server that
    // writes would make the copy begin again and again.
    try source.run("BEGIN")
    _ = try source.number("SELECT count(*) FROM sqlite_schema")
    guard let backup = sqlite3_backup_init(target.pointer, "main", source.pointer, "main") else {
      throw target.error(sqlite3_errcode(target.pointer))
    }
    var result = SQLITE_OK
    while result == SQLITE_OK {
      result = sqlite3_backup_step(backup, pagesPerStep)
      let all = Int(sqlite3_backup_pagecount(backup))
      progress(all - Int(sqlite3_backup_remaining(backup)), all)
    }
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, end == SQLITE_OK else { throw target.error(end) }
    try target.run("PRAGMA journal_mode = WAL")
    try source.checkUnchanged()
    let problem = try target.prepare("PRAGMA quick_check(1)")
    guard try problem.step(), problem.strictText(0) == "ok" else {
      throw .unusable(path: source.path, reason: "is damaged; \(mending)")
    }
  }
}
