/// The tables of the index as they are written. Used on one thread; reads no history.

internal import ChatModel

/// An open index with its statements.
final class SearchTables {
  let database: Database
  /// Which index this is.
  let build: Int64
  /// So many names are remembered with their terms: one person says much.
  private static let namesMax = 4_096
  private var nameTerms: [String: String] = [:]
  private let transactions: Transactions
  private let nextEntry: Statement
  private let useEntries: Statement
  private let entry: Statement
  private let reach: Statement
  private let span: Statement
  private let dirty: Statement
  private let entryOfRow: Statement
  let entriesBelow: Statement
  private let deleteEntry: Statement
  /// Of the shard that was written last.
  private var words: (shard: Int64, insertion: Statement, deletion: Statement)?

  init(_ database: Database) throws(StoreError) {
    self.database = database
    build = try database.number("SELECT number FROM build")
    transactions = try Transactions(database)
    nextEntry = try database.prepare("SELECT next FROM build")
    useEntries = try database.prepare("UPDATE build SET next = ?")
    entry = try database.prepare("INSERT OR IGNORE INTO entries (id, row, at) VALUES (?, ?, ?)")
    reach = try database.prepare(
      """
      INSERT INTO rooms (id, name, seq, at) VALUES (?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, at = excluded.at
      """)
    span = try database.prepare(
      """
      INSERT INTO spans (id, earliest, latest) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET earliest = min(earliest, excluded.earliest),
        latest = max(latest, excluded.latest)
      """)
    dirty = try database.prepare(
      "UPDATE shards SET unswept = ?2 WHERE id = ?1 AND (unswept IS NULL OR unswept > ?2)")
    entryOfRow = try database.prepare("SELECT id FROM entries WHERE row = ?")
    entriesBelow = try database.prepare(
      "SELECT id FROM entries WHERE row > ? AND row < ? ORDER BY row LIMIT ?")
    deleteEntry = try database.prepare("DELETE FROM entries WHERE id = ?")
  }

  /// How far each room is indexed.
  func places() throws(StoreError) -> [Int64: HistoryTail.Place] {
    let rooms = try database.prepare("SELECT id, name, seq, at FROM rooms")
    var places: [Int64: HistoryTail.Place] = [:]
    while try rooms.step() {
      places[rooms.number(0)] = HistoryTail.Place(
        name: rooms.strictText(1) ?? "", seq: rooms.number(2), at: rooms.strictNumber(3))
    }
    return places
  }

  /// Runs `body` in a transaction that is committed when it returns and undone when it throws.
  func inTransaction<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try transactions.run(body)
    } catch {
      // The last shard may be gone with the transaction that made it.
      words = nil
      throw error
    }
  }

  /// Takes messages in, and what became of others, and how far the rooms were read, in one
  /// transaction.
  func index(_ batch: HistoryTail.Batch, at now: Moment) throws(StoreError) {
    try inTransaction { () throws(StoreError) in
      var next = try nextNumber()
      var spans = Spans()
      for message in batch.entries {
        entry.bind(1, next)
        entry.bind(2, message.row.value)
        entry.bind(3, message.at)
        try entry.run()
        guard database.changes > 0 else { continue }
        try insertWords(of: message, as: next)
        if let full = spans.add(message.at, as: next) { try write(full) }
        next += 1
      }
      if let last = spans.open { try write(last) }
      useEntries.bind(1, next)
      try useEntries.run()
      for change in batch.changed { try reindex(change.row, as: change.now, at: now) }
      for (room, place) in batch.reached {
        reach.bind(1, room)
        reach.bind(3, place.seq)
        reach.bind(4, place.at)
        try reach.bind(2, place.name) { () throws(StoreError) in try reach.run() }
      }
    }
  }

  private func insertWords(of message: HistoryTail.Entry, as entry: Int64) throws(StoreError) {
    let insertion = try open(SearchFile.shard(of: entry)).insertion
    insertion.bind(1, entry)
    var terms = SearchFile.terms(of: message.row.room, message.room)
    if let name = nameTerm(message.from) { terms.append(name) }
    terms += SearchText.terms(of: message.text).map(\.string)
    try insertion.bind(2, terms.joined(separator: " ")) { () throws(StoreError) in
      try insertion.run()
    }
  }

  /// Nil for what is no name.
  private func nameTerm(_ shown: String) -> String? {
    if let term = nameTerms[shown] { return term }
    guard let name = try? UserName(shown) else { return nil }
    let term = SearchFile.nameTerm(name)
    if nameTerms.count == Self.namesMax { nameTerms = [:] }
    nameTerms[shown] = term
    return term
  }

  /// Indexes one message again as it is now, or removes it where it is gone. It keeps its place in
  /// time. Nothing is done where the index does not have it, or not yet. Within a transaction.
  func reindex(
    _ row: RowNumber, as message: HistoryTail.Entry?, at now: Moment
  ) throws(StoreError) {
    entryOfRow.bind(1, row.value)
    let entry = try entryOfRow.step() ? entryOfRow.number(0) : nil
    entryOfRow.reset()
    guard let entry else { return }
    guard let message else { return try remove(entry, at: now) }
    try deleteWords(of: entry, at: now)
    try insertWords(of: message, as: entry)
  }

  /// Within a transaction.
  func remove(_ entry: Int64, at now: Moment) throws(StoreError) {
    try deleteWords(of: entry, at: now)
    deleteEntry.bind(1, entry)
    try deleteEntry.run()
  }

  /// The words stay in the shard's file until it is swept.
  private func deleteWords(of entry: Int64, at now: Moment) throws(StoreError) {
    let shard = SearchFile.shard(of: entry)
    let deletion = try open(shard).deletion
    deletion.bind(1, entry)
    try deletion.run()
    try mark(shard, unsweptSince: now.milliseconds)
  }

  /// Has what is not used any more be let go of, so that a table may be dropped.
  func closeWords() { words = nil }

  func mark(_ shard: Int64, unsweptSince moment: Int64) throws(StoreError) {
    dirty.bind(1, shard)
    dirty.bind(2, moment)
    try dirty.run()
  }

  /// How many entries it has had.
  func entryCount() throws(StoreError) -> Int { Int(clamping: try nextNumber() - 1) }

  /// The shard that the next entry goes to.
  func newestShard() throws(StoreError) -> Int64 { SearchFile.shard(of: try nextNumber()) }

  private func nextNumber() throws(StoreError) -> Int64 {
    defer { nextEntry.reset() }
    return try nextEntry.step() ? nextEntry.number(0) : 1
  }

  private func open(
    _ shard: Int64
  ) throws(StoreError) -> (insertion: Statement, deletion: Statement) {
    if let words, words.shard == shard { return (words.insertion, words.deletion) }
    words = nil
    if try database.number("SELECT count(*) FROM shards WHERE id = \(shard)") == 0 {
      try database.run(SearchFile.creation(of: shard))
      try database.run("INSERT INTO shards (id) VALUES (\(shard))")
      // The one before is full: it is brought together once.
      try mark(shard - 1, unsweptSince: .min)
    }
    let table = SearchFile.table(shard)
    let insertion = try database.prepare("INSERT INTO \(table) (rowid, words) VALUES (?, ?)")
    let deletion = try database.prepare("DELETE FROM \(table) WHERE rowid = ?")
    words = (shard, insertion, deletion)
    return (insertion, deletion)
  }

  private func write(_ one: Spans.Span) throws(StoreError) {
    span.bind(1, one.number)
    span.bind(2, one.earliest)
    span.bind(3, one.latest)
    try span.run()
  }
}

/// The first and last moment of stretches of entries, as they come.
private struct Spans {
  struct Span {
    let number: Int64
    var earliest: Int64
    var latest: Int64
  }

  private(set) var open: Span?

  /// Gives the span before, where another one begins.
  mutating func add(_ at: Int64, as entry: Int64) -> Span? {
    let number = SearchFile.span(of: entry)
    guard let before = open, before.number == number else {
      defer { open = Span(number: number, earliest: at, latest: at) }
      return open
    }
    open?.earliest = min(before.earliest, at)
    open?.latest = max(before.latest, at)
    return nil
  }
}
