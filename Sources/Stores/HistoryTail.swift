/// Reads what a history has beyond what was read of it before. Used on one thread; writes nothing.

/// A second look at a history, behind its writer.
final class HistoryTail {
  /// A message that has a text.
  struct Entry {
    let row: RowNumber
    /// The name of its room.
    let room: String
    let at: Int64
    /// The name of whoever said it, as it was shown.
    let from: String
    let text: String
  }

  /// How far a room has been read.
  struct Place: Equatable {
    let name: String
    var seq: Int64
    /// When what has that number was kept; nil where nothing was read.
    var at: Int64?
  }

  /// Some messages, oldest first over all rooms, and in the order of each.
  struct Batch {
    var entries: [Entry] = []
    /// Messages before these that are others now, as they are now; nil where one is gone.
    var changed: [(row: RowNumber, now: Entry?)] = []
    /// How many messages and changes were read.
    var rows = 0
    /// Of the texts of the entries and of what was changed.
    var bytes = 0
    /// The places that have changed, by the number of the room.
    var reached: [Int64: Place] = [:]
  }

  private let database: Database
  private let rooms: Statement
  private let rows: Statement
  private let one: Statement
  private let moment: Statement
  private let oldest: Statement
  private let count: Statement

  init(_ database: Database) throws(StoreError) {
    self.database = database
    try database.run("PRAGMA cache_size = -2048")
    rooms = try database.prepare("SELECT id, name, seq FROM rooms")
    let columns = "id, at, name, text, kind, about"
    rows = try database.prepare(
      "SELECT \(columns) FROM messages WHERE id > ? AND id <= ? ORDER BY id")
    one = try database.prepare(
      """
      SELECT \(columns), (SELECT name FROM rooms WHERE rooms.id = messages.id >> 40)
      FROM messages WHERE id = ?
      """)
    moment = try database.prepare("SELECT at FROM messages WHERE id = ?")
    oldest = try database.prepare(
      """
      SELECT id, coalesce(
        (SELECT messages.id FROM messages WHERE messages.id > rooms.id << 40
          AND messages.id < (rooms.id + 1) << 40 ORDER BY messages.id LIMIT 1),
        (rooms.id + 1) << 40)
      FROM rooms WHERE id > ? ORDER BY id LIMIT 1
      """)
    count = try database.prepare("SELECT coalesce(sum(kept), 0) FROM rooms")
  }

  /// At most `limit` messages and changes beyond `places`, or somewhat more than `bytesMax` of
  /// text; of one moment, which does not last.
  func batch(
    after places: [Int64: Place], limit: Int, bytesMax: Int
  ) throws(StoreError) -> Batch {
    try database.atOneMoment { () throws(StoreError) in
      var walk = Walk(limit: limit, bytesMax: bytesMax)
      defer { rows.reset() }
      while try rooms.step() {
        let number = rooms.number(0)
        let seq = rooms.number(2)
        let before = places[number]?.seq ?? 0
        guard seq > before, (1...RowNumber.roomMax).contains(number), seq <= RowNumber.seqMax
        else { continue }
        let name = places[number]?.name ?? rooms.strictText(1) ?? ""
        walk.ends[number] = seq
        walk.begins[number] = before
        walk.batch.reached[number] = Place(name: name, seq: before, at: places[number]?.at)
      }
      rooms.reset()
      for (room, place) in walk.batch.reached {
        begin(room, behind: place.seq, to: walk.ends[room] ?? 0)
        if try rows.step() { walk.heads.append((rows.number(1), room)) } else { walk.through(room) }
      }
      walk.heads.sort { $0 > $1 }
      while !walk.isFull, let head = walk.heads.popLast() {
        try read(head.room, &walk)
      }
      walk.batch.reached = walk.batch.reached.filter { $1.seq != places[$0]?.seq }
      return walk.batch
    }
  }

  /// The message in a row, if it is there, has a text and can be read.
  func entry(_ row: RowNumber) throws(StoreError) -> Entry? {
    one.bind(1, row.value)
    defer { one.reset() }
    guard try one.step(), one.strictNumber(4) == RowKind.message.rawValue else { return nil }
    return entry(of: one, in: one.strictText(6) ?? "")
  }

  /// The room behind this one, and the row of its oldest message, or the end of its rows.
  func oldestRow(behind room: Int64) throws(StoreError) -> (room: Int64, row: Int64)? {
    oldest.bind(1, room)
    defer { oldest.reset() }
    return try oldest.step() ? (oldest.number(0), oldest.number(1)) : nil
  }

  /// How many messages and changes there are.
  func rowCount() throws(StoreError) -> Int {
    defer { count.reset() }
    return try count.step() ? Int(clamping: count.number(0)) : 0
  }

  /// Whether these places can be of this history.
  func knows(_ places: [Int64: Place]) throws(StoreError) -> Bool {
    var left = places
    defer { rooms.reset() }
    while try rooms.step() {
      guard let place = left.removeValue(forKey: rooms.number(0)) else { continue }
      guard place.name == rooms.strictText(1), place.seq <= rooms.number(2) else { return false }
      guard let at = place.at else { continue }
      moment.bind(1, RowNumber(room: rooms.number(0), seq: place.seq).value)
      defer { moment.reset() }
      if try moment.step(), moment.number(0) != at { return false }
    }
    return left.isEmpty
  }

  /// What is under way in ``batch(after:limit:)``.
  private struct Walk {
    let limit: Int
    let bytesMax: Int
    var batch = Batch()
    /// The newest of each room, and how far it was read before.
    var ends: [Int64: Int64] = [:]
    var begins: [Int64: Int64] = [:]
    /// Rooms by the time of their next message, the earliest last.
    var heads: [(at: Int64, room: Int64)] = []

    /// Puts a room in its place; one that has nothing more is through.
    mutating func line(up room: Int64, isMore at: Int64?) {
      guard let at else {
        through(room)
        return
      }
      var low = 0
      var high = heads.count
      while low < high {
        let middle = (low + high) / 2
        if heads[middle] > (at, room) { low = middle + 1 } else { high = middle }
      }
      heads.insert((at, room), at: low)
    }

    var isFull: Bool { batch.rows >= limit || batch.bytes >= bytesMax }

    mutating func through(_ room: Int64) {
      guard let end = ends[room], batch.reached[room]?.seq != end else { return }
      batch.reached[room]?.seq = end
      batch.reached[room]?.at = nil
    }
  }

  /// Reads a room until another one has an earlier message, or the batch is full.
  private func read(_ room: Int64, _ walk: inout Walk) throws(StoreError) {
    guard let place = walk.batch.reached[room], let end = walk.ends[room] else { return }
    begin(room, behind: place.seq, to: end)
    while try rows.step() {
      let at = rows.number(1)
      if let other = walk.heads.last, other < (at, room) {
        walk.line(up: room, isMore: at)
        return
      }
      guard !walk.isFull else { return }
      let row = RowNumber(rows.number(0))
      walk.batch.reached[room]?.seq = row.seq
      walk.batch.reached[room]?.at = at
      walk.batch.rows += 1
      try take(row, in: place, &walk)
    }
    walk.through(room)
  }

  private func take(_ row: RowNumber, in place: Place, _ walk: inout Walk) throws(StoreError) {
    switch rows.strictNumber(4).flatMap({ RowKind(rawValue: $0) }) {
    case .message:
      guard let entry = entry(of: rows, in: place.name) else { return }
      walk.batch.entries.append(entry)
      walk.batch.bytes += entry.text.utf8.count
    case .edit, .deletion:
      // A message that was not read before is read as it is now.
      guard let about = rows.strictNumber(5), about > 0,
        about <= walk.begins[row.room] ?? 0
      else { return }
      let message = RowNumber(room: row.room, seq: about)
      let now = try entry(message)
      walk.batch.changed.append((message, now))
      walk.batch.bytes += now?.text.utf8.count ?? 0
    case .gone, .topic, nil: return
    }
  }

  private func begin(_ room: Int64, behind seq: Int64, to end: Int64) {
    rows.reset()
    rows.bind(1, RowNumber(room: room, seq: seq).value)
    rows.bind(2, RowNumber(room: room, seq: end).value)
  }

  private func entry(of statement: Statement, in room: String) -> Entry? {
    guard let at = statement.strictNumber(1), let from = statement.strictText(2),
      let text = statement.strictText(3)
    else { return nil }
    return Entry(
      row: RowNumber(statement.number(0)), room: room, at: at, from: from, text: text)
  }
}
