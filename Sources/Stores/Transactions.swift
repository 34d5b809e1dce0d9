/// Transactions of the one who writes a file: whole, or as if they had not been. Knows no table.

struct Transactions {
  private let database: Database
  private let begin: Statement
  private let commit: Statement
  private let rollback: Statement

  init(_ database: Database) throws(StoreError) {
    self.database = database
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    rollback = try database.prepare("ROLLBACK")
  }

  /// Runs `body` in a transaction that is committed when it returns and undone when it throws.
  func run<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    if database.isInTransaction { try rollback.run() }
    do throws(StoreError) {
      try begin.run()
      let result = try body()
      try commit.run()
      return result
    } catch {
      // A failed commit may have undone everything already. What cannot be undone now is before the
      // next transaction.
      if database.isInTransaction { try? rollback.run() }
      throw error
    }
  }
}
