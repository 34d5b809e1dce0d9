/// The file of the index: its tables, how it is opened, made and thrown away. Searches nothing.

internal import ChatModel
internal import Glibc

extension DataDirectory {
  /// The index that searches are answered from. It can be made from the history at any time.
  package var searchPath: String { path + "/search.db" }
}

/// What is in `search.db`.
///
/// An entry has a number, given in the order of time and never again. Entries lie in shards, each
/// an FTS5 table by itself: what a search, a removal or a merge costs at a time is bounded so, and
/// what retention has emptied is dropped whole.
enum SearchFile {
  /// "BeSr" in ASCII.
  static let applicationID: Int64 = 0x4265_5372
  /// Of the tables and of ``SearchText``: an index of another version is made anew.
  static let version: Int64 = 2

  /// Entries of one shard: 2 to the power of this.
  static let shardBits: Int64 = 17
  /// Entries of one span: 2 to the power of this.
  static let spanBits: Int64 = 10

  // `build` is one row: which index this is, and the next entry's number. `rooms` has how far each
  // room is indexed. `spans` has the first and last moment of each stretch of entries; a shard is
  // `unswept` since that moment when words that were removed may still be in its file.
  private static let schema = Schema(steps: [
    """
    CREATE TABLE build (number INTEGER NOT NULL, next INTEGER NOT NULL) STRICT;
    CREATE TABLE rooms (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER
    ) STRICT;
    CREATE TABLE entries (
      id INTEGER PRIMARY KEY,
      row INTEGER NOT NULL UNIQUE,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE spans (
      id INTEGER PRIMARY KEY,
      earliest INTEGER NOT NULL,
      latest INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE shards (id INTEGER PRIMARY KEY, unswept INTEGER) STRICT;
    """
  ])

  static func shard(of entry: Int64) -> Int64 { entry >> shardBits }
  static func span(of entry: Int64) -> Int64 { entry >> spanBits }

  static func table(_ shard: Int64) -> String { "words\(shard)" }

  /// Its own tokenizer only splits at blanks: what is beyond ASCII belongs to words, and the terms
  /// have nothing else in them. Sizes of columns serve ranking, which is not by time.
  static func creation(of shard: Int64) -> String {
    """
    CREATE VIRTUAL TABLE \(table(shard)) USING fts5(words, columnsize = 0, tokenize = 'ascii')
    """
  }

  /// Terms of no text: characters of private use are never in one. This one is in each message of
  /// a room that the server made: what two people say to each other, and the log of moderation.
  static let madeTerm = "\u{E002}"
  static func roomTerm(_ room: Int64) -> String { "\u{E000}\(String(room, radix: 36))" }

  /// Of those who bear the name, as names are compared: a hash of it (FNV-1a), since there may be
  /// any character in a name. A hit has its name compared once more.
  static func nameTerm(_ name: UserName) -> String {
    let hash = name.folded.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return "\u{E001}\(String(hash, radix: 36))"
  }

  /// Of what the person says to another one, and the other way round.
  static func partnerTerm(_ person: PersonID) -> String {
    "\u{E003}\(String(UInt64(bitPattern: person.rawValue), radix: 36))"
  }

  /// In each message of a room, by its number and its name.
  static func terms(of room: Int64, _ name: String) -> [String] {
    var terms = [roomTerm(room)]
    // Most rooms are those of people, and need no further look.
    guard name.utf8.first == UInt8(ascii: "@") else { return terms }
    terms.append(madeTerm)
    if let (one, other) = RoomName(kept: name)?.people {
      terms += [partnerTerm(one), partnerTerm(other)]
    }
    return terms
  }

  /// Opens the index to write it; nil where there is none that this version can go on with.
  static func open(_ path: String) -> Database? {
    guard access(path, F_OK) == 0 else { return nil }
    do throws(StoreError) {
      let database = try Database(path, .writing)
      guard try database.number("PRAGMA application_id") == applicationID,
        try database.number("PRAGMA user_version") == version,
        try schema.differences(of: database).isEmpty,
        try database.number("SELECT count(*) FROM build") == 1
      else { return nil }
      let shards = try database.prepare("SELECT id FROM shards ORDER BY id")
      while try shards.step() {
        _ = try database.number("SELECT rowid FROM \(table(shards.number(0))) LIMIT 1")
      }
      try configure(database)
      return database
    } catch {
      return nil
    }
  }

  /// Removes the index, if there is one; nobody has it open.
  static func remove(_ path: String) throws(StoreError) {
    for ending in ["", "-wal", "-shm", "-journal"] {
      guard unlink(path + ending) == 0 || errno == ENOENT else {
        throw .failed(systemSentence("cannot remove \(path)\(ending)"))
      }
    }
  }

  /// Makes an empty index, whatever is in its place.
  static func make(_ path: String) throws(StoreError) -> Database {
    try remove(path)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == ENOSPC || errno == EDQUOT { throw .diskFull(path: path) }
      throw .failed(systemSentence("cannot make \(path)"))
    }
    close(descriptor)
    let database = try Database(path, .writing)
    // Before the first table: it changes how pages are laid out.
    try database.run("PRAGMA auto_vacuum = INCREMENTAL")
    try configure(database)
    let number = Int64.random(in: 1...Int64(UInt32.max))
    // The version comes with the tables, so that a crash leaves no half of an index.
    try database.run(
      """
      BEGIN IMMEDIATE;
      \(schema.steps[0])
      INSERT INTO build (number, next) VALUES (\(number), 1);
      PRAGMA application_id = \(applicationID);
      PRAGMA user_version = \(version);
      COMMIT
      """)
    return database
  }

  private static func configure(_ database: Database) throws(StoreError) {
    let mode = try database.prepare("PRAGMA journal_mode = WAL")
    guard try mode.step(), mode.strictText(0) == "wal" else {
      throw .failed("\(database.path): SQLite cannot keep a write-ahead log there")
    }
    mode.reset()
    // What a crash of the machine takes is indexed again. The cache is what memory it may take.
    try database.run(
      """
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA journal_size_limit = \(16 << 20);
      PRAGMA cache_size = -4096;
      PRAGMA secure_delete = ON
      """)
  }
}
