/// One connection to an SQLite file. Used by one thread at a time; knows no table.

internal import CSQLite
internal import Glibc

/// An open database.
final class Database {
  enum Access {
    /// Never writes, not even what a crash has left to be taken over.
    case reading
    /// As `reading`, of a file that nobody writes and that has no log: makes nothing beside it
    /// either, and need not be allowed to. Whether it stayed so is ``checkUnchanged()``'s.
    case readingAlone
    case writing
  }

  /// How long a statement waits for another program that holds the file. Ours never does.
  static let patienceMilliseconds: Int32 = 10_000

  let path: String
  private let handle: OpaquePointer
  /// When it was opened to be read alone.
  private var stamp: FileStamp?

  convenience init(_ path: String, _ access: Access) throws(StoreError) {
    // SQLite may be built to take "file:…" for an address.
    precondition(path.hasPrefix("/"), "a database is opened by its absolute path")
    let stamp = access == .readingAlone ? FileStamp(path) : nil
    try self.init(anywhere: path, access)
    self.stamp = stamp
  }

  /// An empty one that is gone with the connection.
  static func inMemory() throws(StoreError) -> Database {
    try Database(anywhere: ":memory:", .writing)
  }

  private init(anywhere path: String, _ access: Access) throws(StoreError) {
    self.path = path
    var flags = access == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var place = path
    if access == .readingAlone {
      place = Self.address(of: path) + "?immutable=1"
      flags |= SQLITE_OPEN_URI
    }
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(place, &handle, flags, nil)
    guard result == SQLITE_OK, let handle else {
      let error = Self.error(result, on: handle, at: path)
      sqlite3_close_v2(handle)
      throw error
    }
    // SQLite opens what may not be written to read it instead, and says nothing.
    if access == .writing, sqlite3_db_readonly(handle, "main") == 1 {
      sqlite3_close_v2(handle)
      throw .unusable(path: path, reason: "may not be written; look at its owner and its mode")
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, Self.patienceMilliseconds)
    // A damaged or forged file can do less harm so.
    try run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
  }

  deinit { sqlite3_close_v2(handle) }

  /// Every byte that could mean something in an address as `%2F`.
  private static func address(of path: String) -> String {
    path.utf8.reduce(into: "file:") { address, byte in
      let character = Character(UnicodeScalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "/-_.".contains(character) {
        address.append(character)
      } else {
        address += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
  }

  /// Throws where somebody has written the file that was to be read alone: what was read may be of
  /// two moments then.
  func checkUnchanged() throws(StoreError) {
    guard let stamp, FileStamp(path) != stamp else { return }
    throw .failed("somebody began to write \(path) meanwhile; do it again")
  }

  /// Runs statements that give nothing back.
  func run(_ sql: String) throws(StoreError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result) }
  }

  func prepare(_ sql: String) throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard result == SQLITE_OK, let statement else { throw error(result) }
    return Statement(statement, of: self)
  }

  /// The first column of the first row; 0 where there is none.
  func number(_ sql: String) throws(StoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.number(0) : 0
  }

  /// Runs `body`, which reads what there is at one moment, whoever writes meanwhile.
  func atOneMoment<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try run("BEGIN")
    defer { if isInTransaction { try? run("COMMIT") } }
    return try body()
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// For SQLite's own calls, by whoever owns this.
  var pointer: OpaquePointer { handle }

  func error(_ result: Int32) -> StoreError { Self.error(result, on: handle, at: path) }

  private static func error(
    _ result: Int32, on handle: OpaquePointer?, at path: String
  ) -> StoreError {
    let system = handle.map { sqlite3_system_errno($0) } ?? 0
    let isFull = system == ENOSPC || system == EDQUOT
    let words = String(cString: sqlite3_errstr(result))
    switch result & 0xFF {
    case SQLITE_FULL: return .diskFull(path: path)
    case SQLITE_IOERR where isFull, SQLITE_CANTOPEN where isFull: return .diskFull(path: path)
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      let detail = handle.map { String(cString: sqlite3_errmsg($0)) } ?? words
      return .unusable(path: path, reason: "is damaged (\(detail)); \(mending)")
    case SQLITE_BUSY:
      return .failed("another program holds \(path); end it, then try again")
    case SQLITE_CANTOPEN where system != 0, SQLITE_IOERR where system != 0,
      SQLITE_READONLY where system != 0:
      return .failed("\(path): \(words), \(String(cString: strerror(system)))")
    default:
      let detail = handle.map { String(cString: sqlite3_errmsg($0)) } ?? words
      return .failed("\(path): \(detail)")
    }
  }
}

/// What changes with a file when it is written or replaced.
private struct FileStamp: Equatable {
  let inode: UInt64
  let size: Int64
  let seconds: Int
  let nanoseconds: Int

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// What to do about damage.
let mending = "see what is wrong by: beck verify; or put a backup in its place"
