/// The floor: SQLite by itself, one row a commit, in the same directory. Knows no chat.

import CSQLite
import Glibc

/// A bare table in a database of its own, with the same promises: write-ahead log, fsync.
final class Floor {
  private var handle: OpaquePointer?
  private var insert: OpaquePointer?

  init(in directory: String) {
    let path = directory + "/floor.db"
    for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
    precondition(sqlite3_open(path, &handle) == SQLITE_OK, "the floor's file cannot be made")
    run("PRAGMA journal_mode = WAL")
    run("PRAGMA synchronous = FULL")
    run("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)")
    sqlite3_prepare_v2(handle, "INSERT INTO rows (text) VALUES (?)", -1, &insert, nil)
  }

  deinit {
    sqlite3_finalize(insert)
    sqlite3_close(handle)
  }

  func commit(_ text: StaticString) {
    run("BEGIN IMMEDIATE")
    text.withUTF8Buffer { bytes in
      let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      sqlite3_bind_text(insert, 1, start, Int32(bytes.count), nil)
      precondition(sqlite3_step(insert) == SQLITE_DONE, "the floor cannot write")
      sqlite3_reset(insert)
    }
    run("COMMIT")
  }

  private func run(_ sql: String) {
    precondition(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, sql)
  }
}
