/// Opens a history file to write it, made where it is absent, looked over where it is there.

internal import Glibc

extension HistoryFile {
  /// Looks at the history of a directory that is locked, before it is written: what is not ours,
  /// newer or damaged stays as it is. A change that a crash has left half done is undone. Gives a
  /// connection that only reads.
  static func openBeforeWriting(
    _ directory: DataDirectory, _ schema: Schema
  ) throws(StoreError) -> Database {
    let path = directory.historyPath
    if var file = try HistoryFile(path) {
      if file.hasJournal {
        try undoChange(at: path)
        guard let whole = try HistoryFile(path) else { throw .failed("\(path) has gone") }
        file = whole
      }
      if let version = file.version { try refuseNewer(version, than: schema, at: path) }
    } else {
      try make(path, schema)
    }
    // It changes nothing, also not where a crash has left a log.
    let database = try Database(path, .reading)
    try look(at: database, schema)
    return database
  }

  /// Only who may write can do that, and does it when it reads for the first time.
  private static func undoChange(at path: String) throws(StoreError) {
    _ = try Database(path, .writing).number("PRAGMA user_version")
  }

  /// Makes an empty history, whole or not at all: it gets its name when it is complete. It keeps a
  /// write-ahead log from the beginning, so that no crash can leave another kind of one beside it.
  static func make(_ path: String, _ schema: Schema) throws(StoreError) {
    let draft = path + ".new"
    remove(draft)
    let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == ENOSPC || errno == EDQUOT { throw .diskFull(path: path) }
      throw .failed(systemSentence("cannot make \(path)"))
    }
    close(descriptor)
    do throws(StoreError) {
      try fill(draft, schema)
      guard isNothing(draft + "-wal") else { throw .failed("cannot make \(path) in one file") }
    } catch {
      remove(draft)
      throw error
    }
    unlink(draft + "-wal")
    unlink(draft + "-shm")
    guard rename(draft, path) == 0 else { throw .failed(systemSentence("cannot make \(path)")) }
    try DataDirectory.settle(parent(of: path))
  }

  /// The log goes with the connection.
  private static func fill(_ draft: String, _ schema: Schema) throws(StoreError) {
    let database = try Database(draft, .writing)
    // Before the first table: it changes how pages are laid out.
    try database.run("PRAGMA auto_vacuum = INCREMENTAL")
    try database.run("PRAGMA application_id = \(Schema.applicationID)")
    try schema.migrate(database)
    try database.run("PRAGMA journal_mode = WAL")
  }

  /// A history with all that may lie beside it.
  static func remove(_ path: String) {
    for ending in ["", "-journal", "-wal", "-shm"] { unlink(path + ending) }
  }

  /// Looks over an open history in a few milliseconds: its version, its tables, and the first and
  /// last message of up to a thousand rooms. What lies between is `verify`'s affair. Who wants only
  /// what can be read passes over pages that cannot.
  static func look(
    at database: Database, _ schema: Schema, passingOverDamage: Bool = false
  ) throws(StoreError) {
    let path = database.path
    let version = try database.number("PRAGMA user_version")
    try refuseNewer(version, than: schema, at: path)
    let older = Schema(steps: Array(schema.steps.prefix(Int(version))))
    if let missing = try older.differences(of: database).first {
      throw .unusable(
        path: path, reason: "is damaged ('\(missing)' is not as it was made); \(mending)")
    }
    let forgetful: String?
    do throws(StoreError) {
      forgetful = try forgetfulRoom(in: database)
    } catch {
      guard error.isDamage, passingOverDamage else { throw error }
      return
    }
    if let forgetful {
      throw .unusable(
        path: path,
        reason: "is damaged (room '\(forgetful)' has forgotten its numbers); \(mending)")
    }
  }

  /// A room whose next number would be one that was given before. Reads as it goes: a page that is
  /// missing or torn throws.
  private static func forgetfulRoom(in database: Database) throws(StoreError) -> String? {
    let ends = try database.prepare(
      """
      SELECT name,
        (SELECT id > (\(RowNumber.start) | rooms.seq) FROM messages
          WHERE id < \(RowNumber.end) ORDER BY id DESC LIMIT 1),
        (SELECT length(text) FROM messages WHERE id > \(RowNumber.start) ORDER BY id LIMIT 1)
      FROM rooms LIMIT 1000
      """)
    while try ends.step() {
      if ends.number(1) != 0 { return ends.strictText(0) ?? "?" }
    }
    return nil
  }

  static func refuseNewer(
    _ version: Int64, than schema: Schema, at path: String
  ) throws(StoreError) {
    guard version > schema.version else {
      guard version < 1 else { return }
      throw .unusable(path: path, reason: "is no history of beck's; move it out of the way")
    }
    throw .unusable(
      path: path,
      reason: "was made by a newer beck (version \(version), this one knows \(schema.version));"
        + " run that one, or put a backup in its place")
  }
}
