/// The tables of the history's file, and how older ones become newer ones.

/// What is in the file. Each step takes a file from the version of its place to the next one.
struct Schema: Sendable {
  /// Marks the file as ours: "Beck" in ASCII.
  static let applicationID: Int64 = 0x4265_636B

  /// The steps so far. A step that was in a release is never changed.
  static let current = Schema(steps: [first, second, third])

  let steps: [String]

  var version: Int64 { Int64(steps.count) }

  // Every room that ever had a message: `seq` is that of the newest ever kept, `kept` the number of
  // messages that are there. Names are in small letters.
  //
  // A message's `id` is ``RowNumber``. `name` is the person's as it was shown. Numbers and texts
  // are what they are declared as (STRICT), so that a wrong value is found by SQLite's own check.
  private static let first = """
    CREATE TABLE rooms (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      seq INTEGER NOT NULL,
      kept INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE messages (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      person INTEGER NOT NULL,
      name TEXT NOT NULL,
      text TEXT NOT NULL,
      key TEXT,
      reply_to INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX keys ON messages (person, key) WHERE key IS NOT NULL;
    """

  // What is kept besides messages; ``FactRow`` knows what the columns hold.
  private static let second = """
    CREATE TABLE facts (
      kind INTEGER NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID;
    """

  // What a row is (``RowKind``). `about` leads from a change to the message that it changes, and
  // from a message that was changed to its newest change: sequence numbers of the same room.
  // `edited` is when a message got the text that it has, where that is not its first one.
  private static let third = """
    ALTER TABLE messages ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE messages ADD COLUMN about INTEGER;
    ALTER TABLE messages ADD COLUMN edited INTEGER;
    """

  /// Brings a database to this version, in one transaction.
  func migrate(_ database: Database) throws(StoreError) {
    let found = try database.number("PRAGMA user_version")
    precondition((0...version).contains(found), "a newer file is refused before")
    guard found < version else { return }
    try database.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      for step in steps[Int(found)...] { try database.run(step) }
      try database.run("PRAGMA user_version = \(version); COMMIT")
    } catch {
      if database.isInTransaction { try? database.run("ROLLBACK") }
      throw error
    }
  }

  /// What this version makes and the database lacks or has otherwise, by name.
  func differences(of database: Database) throws(StoreError) -> [String] {
    let model = try Database.inMemory()
    for step in steps { try model.run(step) }
    let wanted = try Self.objects(of: model)
    let found = try Self.objects(of: database)
    return wanted.keys.sorted().filter { found[$0] != wanted[$0] }
  }

  private static func objects(of database: Database) throws(StoreError) -> [String: String] {
    let statement = try database.prepare(
      "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    var objects: [String: String] = [:]
    while try statement.step() {
      if let name = statement.strictText(0), let sql = statement.strictText(1) {
        objects[name] = sql
      }
    }
    return objects
  }
}
