/// A prepared SQLite statement: values in, rows out. Knows no table.

internal import CSQLite

/// One statement, prepared once and run many times. Numbers of parameters begin at 1, of columns
/// at 0, as SQLite has them.
final class Statement {
  private let statement: OpaquePointer
  /// Keeps the connection open for as long as the statement is.
  private let database: Database
  /// A bit for each parameter below 64 that may be other than NULL. None is at first, and most
  /// that are bound to NULL were it before.
  private var filled: UInt64 = 0

  init(_ statement: OpaquePointer, of database: Database) {
    self.statement = statement
    self.database = database
  }

  deinit { sqlite3_finalize(statement) }

  func bind(_ parameter: Int32, _ number: Int64) {
    filled |= 1 << UInt64(parameter)
    let result = sqlite3_bind_int64(statement, parameter, number)
    precondition(result == SQLITE_OK, "the statement has such a parameter")
  }

  func bind(_ parameter: Int32, _ number: Int64?) {
    guard let number else { return bindNull(parameter) }
    bind(parameter, number)
  }

  func bindNull(_ parameter: Int32) {
    guard filled & 1 << UInt64(parameter) != 0 else { return }
    filled &= ~(1 << UInt64(parameter))
    sqlite3_bind_null(statement, parameter)
  }

  /// The bytes are not copied: they stay where they are until the statement is reset.
  func bind(_ parameter: Int32, _ text: UnsafeBufferPointer<UInt8>) {
    // No text has no address; SQLite would take that for NULL.
    let start = UnsafeRawPointer(text.baseAddress ?? UnsafePointer(emptyText))
    filled |= 1 << UInt64(parameter)
    let result = sqlite3_bind_text(
      statement, parameter, start.assumingMemoryBound(to: CChar.self), Int32(text.count), nil)
    precondition(result == SQLITE_OK, "the statement has such a parameter")
  }

  /// Binds a text while `body` runs, which steps and resets the statement.
  func bind<Result>(
    _ parameter: Int32, _ text: String, while body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var text = text
    // `withUTF8` has no typed throws yet.
    let result = text.withUTF8 { bytes in
      bind(parameter, bytes)
      return Swift.Result(catching: body)
    }
    return try result.get()
  }

  /// Goes to the next row; false behind the last one. What fails is reset.
  func step() throws(StoreError) -> Bool {
    let result = sqlite3_step(statement)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = database.error(result)
      sqlite3_reset(statement)
      throw error
    }
  }

  /// Runs a statement that gives no rows.
  func run() throws(StoreError) {
    while try step() {}
    reset()
  }

  /// As ``run()``; false where a key is there already.
  func runUnlessKnown() throws(StoreError) -> Bool {
    let result = sqlite3_step(statement)
    defer { sqlite3_reset(statement) }
    switch result {
    case SQLITE_DONE: return true
    // SQLITE_CONSTRAINT_UNIQUE, which Swift does not import.
    case SQLITE_CONSTRAINT | (8 << 8): return false
    default: throw database.error(result)
    }
  }

  func reset() { sqlite3_reset(statement) }

  // MARK: The row

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// A number, whatever the column holds.
  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  /// A number; nil where the column holds anything else.
  func strictNumber(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(statement, column)
  }

  /// A text; nil where the column holds anything else, or bytes that are no UTF-8.
  func strictText(_ column: Int32) -> String? {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

// nonisolated(unsafe) because nobody writes it: an address for texts that have none.
nonisolated(unsafe) private let emptyText = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
