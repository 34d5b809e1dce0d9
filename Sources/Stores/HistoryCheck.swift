/// Looks at everything in a history, also while a server writes it. Mends nothing.

internal import ChatModel

/// What a check saw.
package struct HistoryCheck: Hashable, Sendable {
  /// How many messages it read.
  package fileprivate(set) var messages = 0
  package fileprivate(set) var rooms = 0
  package fileprivate(set) var facts = 0
  /// How many things are wrong.
  package fileprivate(set) var problems = 0

  /// After this many nothing more is told of, but counted.
  package static let problemsToldMax = 100

  /// Looks whether SQLite finds the file whole, its tables as they were made and its index of keys
  /// right and unique; whether every room's numbers are in order and none is missing between its
  /// oldest message and its newest; and whether every value and every fact can be read.
  ///
  /// `found` hears of each problem, a sentence that says what and where. `progress` hears the
  /// messages that were read, and of how many. Throws what keeps the check from beginning.
  package static func run(
    _ directory: DataDirectory, found: @escaping (String) -> Void,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> HistoryCheck {
    let database = try HistoryFile.openForCheck(directory)
    var walk = CheckWalk(database, found, progress)
    do throws(StoreError) {
      try walk.run()
    } catch {
      walk.tell("it cannot be read any further: \(error)")
    }
    return walk.result
  }
}

/// One look at everything.
private struct CheckWalk {
  private struct Room {
    let name: RoomName
    let seq: Int64
    let kept: Int64
    var found: Int64 = 0
    var last: Int64?
  }

  private(set) var result = HistoryCheck()
  private let database: Database
  private let found: (String) -> Void
  private let progress: (Int, Int) -> Void
  private var rooms: [Int64: Room] = [:]
  private var strangers: Set<Int64> = []
  private var total = 0

  init(
    _ database: Database, _ found: @escaping (String) -> Void,
    _ progress: @escaping (Int, Int) -> Void
  ) {
    self.database = database
    self.found = found
    self.progress = progress
  }

  mutating func run() throws(StoreError) {
    for name in try Schema.current.differences(of: database) {
      tell("'\(name)' is not as it was made")
    }
    // Of one moment, however long it takes.
    try database.run("BEGIN")
    // Also compares the index of keys with the messages, and looks for a key that is there twice.
    let pages = try database.prepare("PRAGMA integrity_check(\(HistoryCheck.problemsToldMax))")
    while try pages.step() {
      guard let line = pages.strictText(0), line != "ok" else { continue }
      tell("SQLite finds: \(line)")
    }
    try readRooms()
    try readMessages()
    try readFacts()
    for room in rooms.values.sorted(by: { $0.name.string < $1.name.string }) {
      guard room.found != room.kept else { continue }
      tell("room '\(room.name.string)' has \(room.found) messages, not \(room.kept)")
    }
  }

  mutating func tell(_ problem: String) {
    result.problems += 1
    if result.problems <= HistoryCheck.problemsToldMax { found(problem) }
  }

  private mutating func readRooms() throws(StoreError) {
    let statement = try database.prepare("SELECT id, name, seq, kept FROM rooms")
    while try statement.step() {
      result.rooms += 1
      let number = statement.number(0)
      guard let string = statement.strictText(1), let name = RoomName(string),
        name.string == string
      else {
        tell("room number \(number) has a name that cannot be one")
        strangers.insert(number)
        continue
      }
      guard (1...RowNumber.roomMax).contains(number), let seq = statement.strictNumber(2),
        (0...RowNumber.seqMax).contains(seq), let kept = statement.strictNumber(3)
      else {
        tell("room '\(string)' has wrong numbers")
        strangers.insert(number)
        continue
      }
      rooms[number] = Room(name: name, seq: seq, kept: kept)
      total &+= Int(kept)
    }
  }

  private mutating func readFacts() throws(StoreError) {
    var rows = try FactRows(database)
    while let row = try rows.next() {
      result.facts += 1
      if case .failure(let damage) = row { tell(damage.words) }
    }
  }

  private mutating func readMessages() throws(StoreError) {
    let statement = try database.prepare("SELECT \(MessageRow.columns) FROM messages ORDER BY id")
    var row = MessageRow()
    while try statement.step() {
      result.messages += 1
      if result.messages.isMultiple(of: 10_000) {
        progress(result.messages, total)
        row = MessageRow()
      }
      let place = RowNumber(statement.number(0))
      guard var room = rooms[place.room] else {
        if strangers.insert(place.room).inserted {
          tell("messages from row \(place.value) on belong to no room")
        }
        continue
      }
      room.found += 1
      if place.seq > room.seq {
        tell("message \(place.seq) of room '\(room.name.string)' is beyond its newest, \(room.seq)")
      }
      if let last = room.last, place.seq > last + 1 {
        tell(missing(last + 1, place.seq - 1, of: room.name))
      }
      room.last = place.seq
      rooms[place.room] = room
      do throws(RowDamage) {
        _ = try row.message(statement, in: room.name)
      } catch {
        tell("message \(place.seq) of room '\(room.name.string)' cannot be read: \(error.words)")
      }
    }
    for room in rooms.values {
      guard let last = room.last, last < room.seq else { continue }
      tell(missing(last + 1, room.seq, of: room.name))
    }
  }

  private func missing(_ first: Int64, _ last: Int64, of room: RoomName) -> String {
    first == last
      ? "message \(first) of room '\(room.string)' is missing"
      : "messages \(first) to \(last) of room '\(room.string)' are missing"
  }
}
