/// Writes messages into the history's file, a transaction a batch. Used on one thread.

internal import CSQLite
internal import ChatModel

/// The one connection that writes.
final class HistoryWriter {
  /// The log is taken over into the file when it has this many pages of 4 KiB. Rarely, since the
  /// writer waits for it; not too rarely, since the log is read once more after a crash.
  private static let logPagesMax = 4_000

  let database: Database
  private let transactions: Transactions
  private let room: Statement
  private let newRoom: Statement
  private let roomKept: Statement
  private let insertion: Statement
  private let wholeInsertion: Statement
  private let known: Statement
  private let setFact: Statement
  private let removeFact: Statement
  // For changes of messages.
  let changed: Statement
  let change: Statement
  let removeChange: Statement
  // For imports.
  let presence: Statement
  let fact: Statement
  let lead: Statement
  // For retention.
  let nextRoom: Statement
  let times: Statement
  let chunk: Statement
  let delete: Statement
  let roomLost: Statement

  /// Opens the file and brings it to the version of `schema`.
  init(_ path: String, _ schema: Schema) throws(StoreError) {
    database = try Database(path, .writing)
    let mode = try database.prepare("PRAGMA journal_mode = WAL")
    guard try mode.step(), mode.strictText(0) == "wal" else {
      throw .failed("\(path): SQLite cannot keep a write-ahead log there")
    }
    mode.reset()
    try database.run(
      """
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = \(Self.logPagesMax);
      PRAGMA journal_size_limit = \(4 * Self.logPagesMax * 4_096);
      PRAGMA cache_size = -16384;
      PRAGMA secure_delete = ON
      """)
    try schema.migrate(database)
    transactions = try Transactions(database)
    room = try database.prepare("SELECT id, seq FROM rooms WHERE name = ?")
    newRoom = try database.prepare(
      """
      INSERT INTO rooms (name, seq, kept) SELECT ?, 0, 0
      WHERE (SELECT coalesce(max(id), 0) FROM rooms) < \(RowNumber.roomMax) RETURNING id
      """)
    roomKept = try database.prepare("UPDATE rooms SET seq = ?2, kept = kept + ?3 WHERE id = ?1")
    insertion = try database.prepare(
      "INSERT INTO messages (\(MessageRow.messageColumns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
    wholeInsertion = try database.prepare(
      "INSERT INTO messages (\(MessageRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    known = try database.prepare(
      """
      SELECT messages.id, at, rooms.name, text, kind, about, edited
      FROM messages LEFT JOIN rooms ON rooms.id = \(RowNumber.roomOfMessage)
      WHERE person = ? AND key = ?
      """)
    setFact = try database.prepare(
      "INSERT OR REPLACE INTO facts (kind, key, value) VALUES (?, ?, ?)")
    removeFact = try database.prepare("DELETE FROM facts WHERE kind = ? AND key = ?")
    fact = try database.prepare("SELECT value FROM facts WHERE kind = ? AND key = ?")
    presence = try database.prepare("SELECT \(MessageRow.columns) FROM messages WHERE id = ?")
    changed = try database.prepare("SELECT kind, person, about FROM messages WHERE id = ?")
    change = try database.prepare(
      "UPDATE messages SET kind = ?2, text = ?3, about = ?4, edited = ?5 WHERE id = ?1")
    removeChange = try database.prepare(
      "DELETE FROM messages WHERE id = ? AND about = ? AND \(RowKind.isChangeOfMessage)")
    lead = try database.prepare("UPDATE messages SET about = ?2 WHERE id = ?1")
    nextRoom = try database.prepare(
      """
      SELECT id, kept FROM rooms WHERE id > ? AND name <> '\(RoomName.audit.string)'
      ORDER BY id LIMIT 1
      """)
    times = try database.prepare("SELECT id, at FROM messages WHERE id > ? AND id < ? ORDER BY id")
    chunk = try database.prepare(
      "SELECT id FROM messages WHERE id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET 49")
    delete = try database.prepare("DELETE FROM messages WHERE id > ? AND id <= ?")
    roomLost = try database.prepare("UPDATE rooms SET kept = kept - ?2 WHERE id = ?1")
  }

  /// Keeps the entries in their order, or none of them.
  func append(_ entries: [Entry], at moment: Moment) throws(StoreError) -> [Kept] {
    try inTransaction { () throws(StoreError) in
      var rooms = OpenRooms()
      var kept: [Kept] = []
      kept.reserveCapacity(entries.count)
      for entry in entries {
        switch entry {
        case .message(let draft):
          let result =
            if case .text(let text) = draft.content {
              try keep(text, of: draft, &rooms, at: moment)
            } else {
              try keep(draft, &rooms, at: moment)
            }
          if !draft.facts.isEmpty, case .stored = result {
            for fact in draft.facts { try set(fact) }
          }
          kept.append(result)
        case .facts(let facts):
          for fact in facts { try set(fact) }
          kept.append(.recorded)
        }
      }
      for room in rooms.rooms where room.hasGrown { try close(room) }
      return kept
    }
  }

  /// Runs `body` in a transaction that is committed when it returns and undone when it throws.
  func inTransaction<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try transactions.run(body)
  }

  /// Takes the log over into the file and leaves nothing in it; false where somebody reads from it.
  /// Waits for nobody.
  func emptyLog() throws(StoreError) -> Bool {
    try database.run("PRAGMA busy_timeout = 0")
    defer { try? database.run("PRAGMA busy_timeout = \(Database.patienceMilliseconds)") }
    let checkpoint = try database.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
    return try checkpoint.step() && checkpoint.number(0) == 0
  }

  var allRoomsTaken: StoreError {
    .failed("\(database.path) has all the rooms it can have")
  }

  /// The room as it is in the file; nil where it is not there.
  func find(_ name: RoomName) throws(StoreError) -> OpenRoom? {
    try room.bind(1, name.string) { () throws(StoreError) -> OpenRoom? in
      defer { room.reset() }
      guard try room.step() else { return nil }
      return OpenRoom(number: room.number(0), seq: room.number(1))
    }
  }

  /// The room as it is in the file, made where it is absent; nil where there can be no further one.
  func open(_ name: RoomName) throws(StoreError) -> OpenRoom? {
    if let found = try find(name) { return found }
    return try newRoom.bind(1, name.string) { () throws(StoreError) -> OpenRoom? in
      defer { newRoom.reset() }
      guard try newRoom.step() else { return nil }
      let number = newRoom.number(0)
      while try newRoom.step() {}
      return OpenRoom(number: number, seq: 0)
    }
  }

  /// Writes down what a transaction has added to a room.
  func close(_ room: OpenRoom) throws(StoreError) {
    roomKept.bind(1, room.number)
    roomKept.bind(2, room.seq)
    roomKept.bind(3, room.added)
    try roomKept.run()
  }

  /// A message or a change as it is. False where the person has used the key before.
  func insert(_ message: Message, as row: RowNumber) throws(StoreError) -> Bool {
    let content = message.draft.content
    wholeInsertion.bind(8, RowKind(content).rawValue)
    wholeInsertion.bind(9, content.about)
    wholeInsertion.bind(10, message.edited?.milliseconds)
    let draft = message.draft
    return try insert(draft, draft.words, at: message.at, as: row, by: wholeInsertion)
  }

  private func insert(
    _ draft: Draft, _ text: String, at moment: Moment, as row: RowNumber, by insertion: Statement
  ) throws(StoreError) -> Bool {
    insertion.bind(1, row.value)
    insertion.bind(2, moment.milliseconds)
    insertion.bind(3, draft.person.rawValue)
    insertion.bind(7, draft.replyTo)
    return try insertion.bind(4, draft.from.shown) { () throws(StoreError) in
      try insertion.bind(5, text) { () throws(StoreError) in
        guard let key = draft.key else {
          insertion.bindNull(6)
          return try insertion.runUnlessKnown()
        }
        return try insertion.bind(6, key.string) { () throws(StoreError) in
          try insertion.runUnlessKnown()
        }
      }
    }
  }

  /// Puts a fact in place of what its key had before.
  func set(_ fact: Fact) throws(StoreError) {
    let key = FactRow.key(of: fact.key)
    guard let value = FactRow.value(of: fact) else {
      removeFact.bind(1, key.kind.rawValue)
      return try removeFact.bind(2, key.text) { () throws(StoreError) in try removeFact.run() }
    }
    setFact.bind(1, key.kind.rawValue)
    try setFact.bind(2, key.text) { () throws(StoreError) in
      try setFact.bind(3, value) { () throws(StoreError) in try setFact.run() }
    }
  }

  private func keep(
    _ draft: Draft, _ rooms: inout OpenRooms, at moment: Moment
  ) throws(StoreError) -> Kept {
    if let seq = draft.content.about {
      let place = try rooms.place(of: draft.room) { name throws(StoreError) in try find(name) }
      guard let place else { return .noSuchMessage }
      return try keep(draft, of: seq, in: &rooms.rooms[place], at: moment)
    }
    guard let place = try rooms.place(of: draft.room, openedBy: self) else {
      return .refused(allRoomsTaken)
    }
    return try keep(draft, in: &rooms.rooms[place], at: moment)
  }

  /// What is said most: a message, as fast as can be.
  private func keep(
    _ text: MessageText, of draft: Draft, _ rooms: inout OpenRooms, at moment: Moment
  ) throws(StoreError) -> Kept {
    guard let place = try rooms.place(of: draft.room, openedBy: self) else {
      return .refused(allRoomsTaken)
    }
    guard let row = rooms.rooms[place].next else {
      return .refused(allNumbersTaken(of: draft.room))
    }
    guard try insert(draft, text.string, at: moment, as: row, by: insertion) else {
      return try duplicate(draft)
    }
    rooms.rooms[place].grow()
    return .stored(seq: row.seq, at: moment)
  }

  /// A change or a topic, as the room's next row.
  func keep(
    _ draft: Draft, in room: inout OpenRoom, at moment: Moment
  ) throws(StoreError) -> Kept {
    guard let row = room.next else { return .refused(allNumbersTaken(of: draft.room)) }
    precondition(draft.content != .gone, "nobody says a message without a text")
    guard try insert(Message(draft, seq: row.seq, at: moment), as: row) else {
      return try duplicate(draft)
    }
    room.grow()
    return .stored(seq: row.seq, at: moment)
  }

  /// What became of the message that bears the draft's key, which is there.
  private func duplicate(_ draft: Draft) throws(StoreError) -> Kept {
    if let kept = try earlier(draft) { return kept }
    return .refused(
      .unusable(path: database.path, reason: "is damaged (a key leads nowhere); \(mending)"))
  }

  /// What became of the message that bears the draft's key; nil where none does.
  func earlier(_ draft: Draft) throws(StoreError) -> Kept? {
    known.bind(1, draft.person.rawValue)
    return try known.bind(2, draft.key?.string ?? "") { () throws(StoreError) in
      defer { known.reset() }
      guard try known.step() else { return nil }
      let seq = RowNumber(known.number(0)).seq
      guard let room = known.strictText(2).flatMap({ RoomName(kept: $0) }),
        let first = try? MessageRow.content(
          seq, text: known.strictText(3), known, kind: 4, about: 5)
      else {
        return .refused(
          .unusable(
            path: database.path, reason: "is damaged (a key leads nowhere); \(mending)"))
      }
      guard draft.repeats(first, isEdited: !known.isNull(6), in: room) else { return .keyReused }
      return .duplicate(of: seq, at: Moment(milliseconds: known.number(1)), in: room)
    }
  }

  func allNumbersTaken(of room: RoomName) -> StoreError {
    .failed("room '\(room.string)' has all the messages it can have")
  }
}

/// A room while a transaction adds to it.
struct OpenRoom {
  let number: Int64
  var seq: Int64
  /// How many rows there are more than before; below 0 where there are fewer.
  var added: Int64 = 0
  private let start: Int64

  init(number: Int64, seq: Int64) {
    self.number = number
    self.seq = seq
    start = seq
  }

  /// The next number is given.
  mutating func grow() {
    seq += 1
    added += 1
  }

  /// Whether a number was given.
  var hasGrown: Bool { seq > start }

  /// Of the next message; nil where no number is left.
  var next: RowNumber? {
    seq < RowNumber.seqMax ? RowNumber(room: number, seq: seq + 1) : nil
  }
}

/// The rooms of one transaction. Most have one only, so the last one is asked first.
struct OpenRooms {
  /// Each has its place; they are never removed.
  var rooms: [OpenRoom] = []
  private var places: [RoomName: Int] = [:]
  private var last: RoomName?
  private var lastPlace = 0

  /// The room's, made where it is absent; nil where there can be no further one.
  mutating func place(of name: RoomName, openedBy writer: HistoryWriter) throws(StoreError) -> Int?
  {
    if name == last { return lastPlace }
    return try place(of: name) { name throws(StoreError) in try writer.open(name) }
  }

  mutating func place(
    of name: RoomName, open: (RoomName) throws(StoreError) -> OpenRoom?
  ) throws(StoreError) -> Int? {
    if name == last { return lastPlace }
    let place: Int
    if let known = places[name] {
      place = known
    } else {
      guard let room = try open(name) else { return nil }
      rooms.append(room)
      place = rooms.count - 1
      places[name] = place
    }
    last = name
    lastPlace = place
    return place
  }
}
