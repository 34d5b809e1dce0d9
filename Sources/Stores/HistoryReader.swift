/// Reads pages, rooms and facts from the history's file. Used on one thread; writes nothing.

internal import ChatModel

/// A connection that only reads.
final class HistoryReader {
  let database: Database
  private let begin: Statement
  private let end: Statement
  private let room: Statement
  private let oldest: Statement
  private let everything: Walk
  private let messages: Walk
  private let everyRoom: Statement
  // For walks over what a person has said.
  let owners: Statement
  let roomName: Statement
  private let readable: ReadableRows

  /// So often one page begins anew behind damage; what lies behind it then is the next one's.
  private static let damagesMax = 50

  init(_ database: Database) throws(StoreError) {
    self.database = database
    begin = try database.prepare("BEGIN")
    end = try database.prepare("COMMIT")
    room = try database.prepare("SELECT id, seq FROM rooms WHERE name = ?")
    oldest = try database.prepare(
      "SELECT id FROM messages WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1")
    everything = try Walk(database, where: "")
    messages = try Walk(database, where: "AND \(RowKind.isMessage)")
    everyRoom = try database.prepare("SELECT name, id, seq FROM rooms ORDER BY name")
    owners = try database.prepare("SELECT id, person, kind FROM messages WHERE id > ? ORDER BY id")
    roomName = try database.prepare("SELECT name FROM rooms WHERE id = ?")
    readable = try ReadableRows(database)
  }

  /// The two ways through the rows that are read.
  private struct Walk {
    let upwards: Statement
    let downwards: Statement

    /// From a row on, not behind the one before: the way to that one may lead to a damaged page.
    init(_ database: Database, where more: String) throws(StoreError) {
      let rows = """
        SELECT \(MessageRow.columns) FROM messages
        WHERE id BETWEEN ? AND ? \(more) ORDER BY id
        """
      upwards = try database.prepare(rows)
      downwards = try database.prepare("\(rows) DESC")
    }
  }

  /// As ``MessageStore/page(of:_:_:limit:)`` has it, of one moment.
  func page(
    of name: RoomName, _ stretch: Stretch, _ reading: Reading, limit: Int
  ) throws(StoreError) -> HistoryPage {
    let walk =
      switch reading {
      case .messages: messages
      case .everything: everything
      }
    return try atOneMoment { () throws(StoreError) in
      guard let room = try room(name) else {
        return HistoryPage(room: name, messages: [], more: false)
      }
      switch stretch {
      case .after(let cursor):
        return try page(of: name, room, walk, after: max(0, cursor), limit: limit)
      case .before(let cursor):
        let cursor = min(cursor ?? .max, room.seq + 1)
        return try page(of: name, room, walk, before: cursor, limit: limit)
      }
    }
  }

  /// Where a message that was read lies.
  func row(of message: Message) throws(StoreError) -> RowNumber {
    guard let room = try room(message.draft.room) else {
      preconditionFailure("a message that was read has a room")
    }
    return RowNumber(room: room.number, seq: message.seq)
  }

  /// Every room that ever had a message, by name.
  func rooms() throws(StoreError) -> [StoredRoom] {
    defer { everyRoom.reset() }
    var rooms: [StoredRoom] = []
    while try everyRoom.step() {
      guard let name = everyRoom.strictText(0).flatMap({ RoomName(kept: $0) }) else { continue }
      let room = Room(number: everyRoom.number(1), seq: everyRoom.number(2))
      let oldest = room.isSound ? try oldestKept(room) : nil
      rooms.append(StoredRoom(name: name, seq: room.seq, oldest: oldest))
    }
    return rooms
  }

  /// Where the room's beginning cannot be read, everything may be kept.
  private func oldestKept(_ room: Room) throws(StoreError) -> Int64? {
    do throws(StoreError) {
      return try firstRow(of: room).map { RowNumber($0).seq }
    } catch {
      guard error.isDamage else { throw error }
      return 1
    }
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

    var isSound: Bool {
      (1...RowNumber.roomMax).contains(number) && (0...RowNumber.seqMax).contains(seq)
    }

    func row(_ seq: Int64) -> Int64 { RowNumber(room: number, seq: seq).value }
  }

  private func page(
    of name: RoomName, _ room: Room, _ walk: Walk, after cursor: Int64, limit: Int
  ) throws(StoreError) -> HistoryPage {
    guard cursor < room.seq else { return HistoryPage(room: name, messages: [], more: false) }
    let rows = try rows(.ascending, walk, room.row(cursor + 1), room.row(room.seq), of: name, limit)
    var page = HistoryPage(room: name, messages: rows.messages, more: rows.more)
    // Numbers may be left out, so that only the room's oldest row tells what is gone.
    let first = rows.messages.first?.seq ?? room.seq + 1
    if first > cursor + 1 {
      let gone = max(try oldest(room) - 1, rows.damagedSeq ?? 0)
      if gone > cursor { page.gap = (cursor + 1)...min(gone, first - 1) }
    }
    return page
  }

  private func page(
    of name: RoomName, _ room: Room, _ walk: Walk, before cursor: Int64, limit: Int
  ) throws(StoreError) -> HistoryPage {
    guard cursor > 1 else { return HistoryPage(room: name, messages: [], more: false) }
    let rows = try rows(.descending, walk, room.row(1), room.row(cursor - 1), of: name, limit)
    var page = HistoryPage(room: name, messages: rows.messages.reversed(), more: rows.more)
    let lowest = rows.messages.last?.seq ?? rows.damagedSeq ?? cursor
    let gone = rows.more ? nil : try gone(below: lowest, of: room)
    guard let damaged = rows.damagedSeq else {
      page.gap = gone
      return page
    }
    if rows.messages.isEmpty, gone?.upperBound == damaged - 1 {
      page.gap = 1...(cursor - 1)
    } else {
      // There is one gap a page: what is gone below it waits for the next.
      page.gap = damaged...(cursor - 1)
      page.more = rows.more || gone != nil
    }
    return page
  }

  /// What the room does not have any more of the numbers below this one.
  private func gone(below seq: Int64, of room: Room) throws(StoreError) -> ClosedRange<Int64>? {
    guard seq > 1 else { return nil }
    let last = min(try oldest(room), seq) - 1
    return last >= 1 ? 1...last : nil
  }

  /// Of the oldest message that can be read; behind the newest where none can.
  private func oldest(_ room: Room) throws(StoreError) -> Int64 {
    var row: Int64?
    do throws(StoreError) {
      row = try firstRow(of: room)
    } catch {
      guard error.isDamage else { throw error }
      row = try readable.first(from: room.row(1), through: room.row(room.seq))
    }
    return row.map { RowNumber($0).seq } ?? room.seq + 1
  }

  private func firstRow(of room: Room) throws(StoreError) -> Int64? {
    oldest.bind(1, room.row(0) + 1)
    oldest.bind(2, room.row(room.seq))
    defer { oldest.reset() }
    return try oldest.step() ? oldest.number(0) : nil
  }

  private func room(_ name: RoomName) throws(StoreError) -> Room? {
    try room.bind(1, name.string) { () throws(StoreError) in
      defer { room.reset() }
      guard try room.step() else { return nil }
      let found = Room(number: room.number(0), seq: room.number(1))
      guard found.isSound else {
        throw .unusable(
          path: database.path,
          reason: "is damaged (room '\(name.string)' has wrong numbers); \(mending)")
      }
      return found
    }
  }

  private struct Rows {
    var messages: [Message] = []
    /// There are rows behind the last message.
    var more = false
    /// The last row in front of the first message; none of these could be read.
    var damagedLast: Int64?
    var damagedSeq: Int64? { damagedLast.map { RowNumber($0).seq } }
  }

  private enum Order { case ascending, descending }

  /// The rows that can be read, up to the limit, or to one behind them that cannot: the next page
  /// begins with that, and so has it in its gap. It may be that row alone that is damaged, or the
  /// page of the file that it lies on.
  private func rows(
    _ order: Order, _ walk: Walk, _ low: Int64, _ high: Int64, of name: RoomName, _ limit: Int
  ) throws(StoreError) -> Rows {
    var rows = Rows()
    var (low, high) = (low, high)
    let statement = order == .ascending ? walk.upwards : walk.downwards
    for _ in 0..<Self.damagesMax {
      statement.bind(1, low)
      statement.bind(2, high)
      do throws(StoreError) {
        try take(statement, of: name, limit, into: &rows)
        return rows
      } catch {
        guard error.isDamage else { throw error }
      }
      guard rows.messages.isEmpty else { break }
      switch order {
      case .ascending:
        let next = try readable.first(from: rows.damagedLast.map { $0 + 1 } ?? low, through: high)
        rows.damagedLast = next.map { $0 - 1 } ?? high
        guard let next else { return rows }
        low = next
      case .descending:
        let next = try readable.last(from: low, through: rows.damagedLast.map { $0 - 1 } ?? high)
        rows.damagedLast = next.map { $0 + 1 } ?? low
        guard let next else { return rows }
        high = next
      }
    }
    rows.more = true
    return rows
  }

  private func take(
    _ statement: Statement, of name: RoomName, _ limit: Int, into rows: inout Rows
  ) throws(StoreError) {
    defer { statement.reset() }
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
        rows.damagedLast = statement.number(0)
      }
    }
  }

  func atOneMoment<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if database.isInTransaction { return try body() }
    try begin.run()
    defer { if database.isInTransaction { try? end.run() } }
    return try body()
  }
}
