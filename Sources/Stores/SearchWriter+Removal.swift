/// Takes out of the index what is gone from the history, and overwrites what is left of it.

internal import ChatModel

extension SearchWriter {
  /// The most entries that are removed in one transaction.
  static let removedMax: Int64 = 500
  /// The most rooms that one step looks at.
  private static let roomsMax = 500

  /// Removes some entries of messages that retention has removed. True where there may be more.
  func removeSome(at now: Moment) throws(StoreError) -> Bool {
    guard var room = lookedThrough else { return false }
    let tables = try tables()
    for _ in 0..<Self.roomsMax {
      guard let next = try history.oldestRow(behind: room) else {
        lookedThrough = nil
        return false
      }
      let below = tables.entriesBelow
      below.bind(1, next.room << 40)
      below.bind(2, next.row)
      below.bind(3, Self.removedMax)
      var entries: [Int64] = []
      defer { below.reset() }
      while try below.step() { entries.append(below.number(0)) }
      below.reset()
      if entries.count < Self.removedMax { room = next.room }
      if !entries.isEmpty {
        try tables.inTransaction { () throws(StoreError) in
          for entry in entries { try tables.remove(entry, at: now) }
        }
        break
      }
    }
    lookedThrough = room
    return true
  }

  /// Brings one shard together where it was full or has lost entries a while ago: FTS5 only notes
  /// what is deleted, and forgets the words when it merges them. An empty one is dropped.
  func sweepOne(at now: Moment) throws(StoreError) -> Step {
    let tables = try tables()
    let database = tables.database
    let unswept = try database.prepare(
      "SELECT id, unswept FROM shards WHERE unswept IS NOT NULL ORDER BY unswept LIMIT 1")
    guard try unswept.step() else { return .done(sweepsLater: false) }
    let shard = unswept.number(0)
    let since = unswept.number(1)
    unswept.reset()
    let delay = sweepDelay / .milliseconds(1)
    // A clock that was set back does not put it off.
    guard Double(now.milliseconds) - Double(since) >= delay || since > now.milliseconds else {
      return .done(sweepsLater: true)
    }
    let first = shard << SearchFile.shardBits
    let last = first | (1 << SearchFile.shardBits - 1)
    let table = SearchFile.table(shard)
    tables.closeWords()
    let newest = try tables.newestShard()
    try tables.inTransaction { () throws(StoreError) in
      let left = try database.number(
        "SELECT EXISTS (SELECT 1 FROM entries WHERE id BETWEEN \(first) AND \(last))")
      if left == 0, shard < newest {
        try database.run("DROP TABLE \(table); DELETE FROM shards WHERE id = \(shard)")
        try database.run(
          """
          DELETE FROM spans WHERE id BETWEEN \(SearchFile.span(of: first))
            AND \(SearchFile.span(of: last))
          """)
      } else {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
        try database.run("UPDATE shards SET unswept = NULL WHERE id = \(shard)")
      }
    }
    try database.run("PRAGMA incremental_vacuum")
    // The log has the old pages still.
    _ = try database.number("PRAGMA wal_checkpoint(TRUNCATE)")
    return .more
  }
}
