/// Reads pages, rooms and facts from the history's file. Used on one thread; writes nothing.

internal import ChatModel

/// A connection that only reads.
final class HistoryReader {
  let database: Database
  private let begin: Statement
  private let end: Statement
  private let room: Statement
  private let oldest: Statement
  private let after: Statement
  private let before: Statement
  private let everyRoom: Statement

  init(_ database: Database) throws(StoreError) {
    self.database = database
    begin = try database.prepare("BEGIN")
    end = try database.prepare("COMMIT")
    room = try database.prepare("SELECT id, seq FROM rooms WHERE name = ?")
    oldest = try database.prepare(
      "SELECT id FROM messages WHERE id > ? AND id <= ? ORDER BY id LIMIT 1")
    let rows = "SELECT \(MessageRow.columns) FROM messages WHERE id > ? AND id <= ? ORDER BY id"
    after = try database.prepare(rows)
    before = try database.prepare("\(rows) DESC")
    everyRoom = try database.prepare(
      """
      SELECT name, seq,
        (SELECT messages.id FROM messages WHERE messages.id > rooms.id << 40
          AND messages.id < (rooms.id + 1) << 40 ORDER BY messages.id LIMIT 1)
      FROM rooms ORDER BY name
      """)
  }

  /// As ``MessageStore/page(of:_:limit:)`` has it, of one moment.
  func page(
    of name: RoomName, _ stretch: Stretch, limit: Int
  ) throws(StoreError) -> HistoryPage {
    try atOneMoment { () throws(StoreError) in
      guard let room = try room(name) else {
        return HistoryPage(room: name, messages: [], more: false)
      }
      switch stretch {
      case .after(let cursor):
        return try page(of: name, room, after: max(0, cursor), limit: limit)
      case .before(let cursor):
        return try page(of: name, room, before: min(cursor ?? .max, room.seq + 1), limit: limit)
      }
    }
  }

  /// Every room that ever had a message, by name.
  func rooms() throws(StoreError) -> [StoredRoom] {
    defer { everyRoom.reset() }
    var rooms: [StoredRoom] = []
    while try everyRoom.step() {
      guard let name = everyRoom.strictText(0).flatMap({ RoomName($0) }) else { continue }
      rooms.append(
        StoredRoom(
          name: name, seq: everyRoom.number(1),
          oldest: everyRoom.strictNumber(2).map { RowNumber($0).seq }))
    }
    return rooms
  }

  /// The facts one by one, those that cannot be read among them.
  func factRows() throws(StoreError) -> FactRows { try FactRows(database) }

  /// Every fact; throws, naming it, where one cannot be read.
  func facts() throws(StoreError) -> [Fact] {
    var rows = try factRows()
    var facts: [Fact] = []
    while let row = try rows.next() {
      switch row {
      case .success(let fact): facts.append(fact)
      case .failure(let damage):
        throw .unusable(path: database.path, reason: "is damaged (\(damage.words)); \(mending)")
      }
    }
    return facts
  }

  private struct Room {
    let number: Int64
    let seq: Int64

    func row(_ seq: Int64) -> Int64 { RowNumber(room: number, seq: seq).value }
  }

  private func page(
    of name: RoomName, _ room: Room, after cursor: Int64, limit: Int
  ) throws(StoreError) -> HistoryPage {
    guard cursor < room.seq else { return HistoryPage(room: name, messages: [], more: false) }
    after.bind(1, room.row(cursor))
    after.bind(2, room.row(room.seq))
    let rows = try rows(after, of: name, limit: limit)
    var page = HistoryPage(room: name, messages: rows.messages, more: rows.more)
    // Numbers may be left out, so that only the room's oldest message tells what is gone.
    let first = rows.messages.first?.seq ?? room.seq + 1
    if first > cursor + 1 {
      let gone = max(try oldest(room) - 1, rows.damagedLast ?? 0)
      if gone > cursor { page.gap = (cursor + 1)...min(gone, first - 1) }
    }
    return page
  }

  private func page(
    of name: RoomName, _ room: Room, before cursor: Int64, limit: Int
  ) throws(StoreError) -> HistoryPage {
    guard cursor > 1 else { return HistoryPage(room: name, messages: [], more: false) }
    before.bind(1, room.row(0))
    before.bind(2, room.row(cursor - 1))
    let rows = try rows(before, of: name, limit: limit)
    var page = HistoryPage(room: name, messages: rows.messages.reversed(), more: rows.more)
    if let damaged = rows.damagedLast, let oldest = rows.messages.last?.seq {
      page.gap = damaged...(cursor - 1)
      // There is one gap a page: what is gone below it waits for the next.
      page.more = rows.more || oldest > 1
    } else if !rows.more {
      let oldest = rows.messages.last?.seq ?? cursor
      if oldest > 1 { page.gap = 1...(oldest - 1) }
    }
    return page
  }

  /// Of the oldest message that is there; behind the newest where none is.
  private func oldest(_ room: Room) throws(StoreError) -> Int64 {
    oldest.bind(1, room.row(0))
    oldest.bind(2, room.row(room.seq))
    defer { oldest.reset() }
    return try oldest.step() ? RowNumber(oldest.number(0)).seq : room.seq + 1
  }

  private func room(_ name: RoomName) throws(StoreError) -> Room? {
    try room.bind(1, name.string) { () throws(StoreError) in
      defer { room.reset() }
      guard try room.step() else { return nil }
      let number = room.number(0)
      let seq = room.number(1)
      guard (1...RowNumber.roomMax).contains(number), (0...RowNumber.seqMax).contains(seq) else {
        throw .unusable(
          path: database.path,
          reason: "is damaged (room '\(name.string)' has wrong numbers); \(mending)")
      }
      return Room(number: number, seq: seq)
    }
  }

  private struct Rows {
    var messages: [Message] = []
    /// There are rows behind the last message.
    var more = false
    /// Of the last row in front of the first message; none of these could be read.
    var damagedLast: Int64?
  }

  /// The rows that can be read, up to the limit, or to one behind them that cannot: the next page
  /// begins with that, and so has it in its gap.
  private func rows(
    _ statement: Statement, of name: RoomName, limit: Int
  ) throws(StoreError) -> Rows {
    defer { statement.reset() }
    var rows = Rows()
    var row = MessageRow()
    while try statement.step() {
      guard rows.messages.count < limit else {
        rows.more = true
        break
      }
      do throws(RowDamage) {
        rows.messages.append(try row.message(statement, in: name))
      } catch {
        guard rows.messages.isEmpty else {
          rows.more = true
          break
        }
        rows.damagedLast = RowNumber(statement.number(0)).seq
      }
    }
    return rows
  }

  private func atOneMoment<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin.run()
    defer { if database.isInTransaction { try? end.run() } }
    return try body()
  }
}
