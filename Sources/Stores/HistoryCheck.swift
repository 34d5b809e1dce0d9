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
  /// right and unique; whether every room has as many messages as it counted, none beyond its
  /// newest; whether every value and every fact can be read; and whether changes are what became of
  /// their messages. Numbers may be left out: where
  /// messages are missing, it tells which numbers are not there, and some of these may be nobody's.
  ///
  /// `found` hears of each problem, a sentence that says what and where. `progress` hears the
  /// messages that were read, and of how many. Throws what keeps the check from beginning.
  package static func run(
    _ directory: DataDirectory, found: @escaping (String) -> Void,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> HistoryCheck {
    try run(HistoryFile.openForCheck(directory), found, progress)
  }

  /// As ``run(_:found:progress:)``, of a file that lies anywhere, such as a backup.
  package static func run(
    file path: String, found: @escaping (String) -> Void,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> HistoryCheck {
    try run(HistoryFile.openForCheck(DataDirectory(path).path), found, progress)
  }

  private static func run(
    _ database: Database, _ found: @escaping (String) -> Void,
    _ progress: @escaping (Int, Int) -> Void
  ) throws(StoreError) -> HistoryCheck {
    var walk = CheckWalk(database, found, progress)
    do throws(StoreError) {
      try walk.run()
    } catch {
      walk.tell("it cannot be read any further: \(error)")
    }
    try database.checkUnchanged()
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
    /// Numbers that are not there between the oldest message and the newest; the first of them.
    var holes: [ClosedRange<Int64>] = []

    mutating func note(hole first: Int64, _ last: Int64) {
      if first <= last, holes.count < HistoryCheck.problemsToldMax { holes.append(first...last) }
    }
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
    try goOnBehindDamage("the look at its pages") { walk throws(StoreError) in
      let check = "PRAGMA integrity_check(\(HistoryCheck.problemsToldMax))"
      let pages = try walk.database.prepare(check)
      while try pages.step() {
        guard let line = pages.strictText(0), line != "ok" else { continue }
        walk.tell("SQLite finds: \(line)")
      }
    }
    try goOnBehindDamage("the list of rooms") { walk throws(StoreError) in try walk.readRooms() }
    try readMessages()
    try goOnBehindDamage("the list of facts") { walk throws(StoreError) in try walk.readFacts() }
    for room in rooms.values.sorted(by: { $0.name.string < $1.name.string }) {
      guard room.found != room.kept else { continue }
      if room.found < room.kept {
        for hole in room.holes { tell(missing(hole, of: room.name)) }
      }
      tell("room '\(room.name.string)' has \(room.found) messages, not \(room.kept)")
    }
  }

  mutating func tell(_ problem: String) {
    result.problems += 1
    if result.problems <= HistoryCheck.problemsToldMax { found(problem) }
  }

  /// A part that cannot be read to its end is told of, and no reason to leave out the others.
  private mutating func goOnBehindDamage(
    _ part: String, _ body: (inout CheckWalk) throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) {
      try body(&self)
    } catch {
      guard error.isDamage else { throw error }
      tell("\(part) ends early: \(error)")
    }
  }

  private mutating func readRooms() throws(StoreError) {
    let statement = try database.prepare("SELECT id, name, seq, kept FROM rooms")
    while try statement.step() {
      result.rooms += 1
      let number = statement.number(0)
      guard let string = statement.strictText(1), let name = RoomName(kept: string),
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

  /// After so many pages that cannot be read the rest is not looked at.
  private static let unreadableMax = 1_000

  private mutating func readMessages() throws(StoreError) {
    let readable = try ReadableRows(database)
    let changes = try ChangeCheck(database)
    var start = Int64.min
    var attempts = 0
    while let last = try readMessages(from: start, changes) {
      // What follows this one lies on a page that cannot be read.
      let behind = max(last, start)
      let next = behind == .max ? nil : try readable.first(from: behind + 1, through: .max)
      tellUnreadable(behind: last, before: next)
      // Rows that are out of order could lead backwards, and so round in circles.
      attempts += 1
      guard let next, next > start, attempts < Self.unreadableMax else { break }
      start = next
    }
    for (number, room) in rooms {
      if let last = room.last { rooms[number]?.note(hole: last + 1, room.seq) }
    }
  }

  /// Reads up to the end, or to a page that cannot be read; then it gives the last row before it.
  private mutating func readMessages(
    from start: Int64, _ changes: ChangeCheck
  ) throws(StoreError) -> Int64? {
    let statement = try database.prepare(
      "SELECT \(MessageRow.columns) FROM messages WHERE id >= ? ORDER BY id")
    statement.bind(1, start)
    var last = start == .min ? start : start - 1
    var row = MessageRow()
    while true {
      do throws(StoreError) {
        guard try statement.step() else { return nil }
      } catch {
        guard error.isDamage else { throw error }
        return last
      }
      last = statement.number(0)
      result.messages += 1
      if result.messages.isMultiple(of: 1_000) {
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
      if let last = room.last { room.note(hole: last + 1, place.seq - 1) }
      room.last = place.seq
      rooms[place.room] = room
      do throws(RowDamage) {
        let message = try row.message(statement, in: room.name)
        checkChange(message, at: place, statement, changes)
      } catch {
        tell("message \(place.seq) of room '\(room.name.string)' cannot be read: \(error.words)")
      }
    }
  }

  /// Whether a change and its message agree, as far as both can be read.
  private mutating func checkChange(
    _ message: Message, at place: RowNumber, _ row: Statement, _ changes: ChangeCheck
  ) {
    let room = message.draft.room.string
    if message.draft.content.isMessage {
      let leads = (try? changes.leadsToItsChange(row, about: MessageRow.about)) ?? true
      if !leads { tell("message \(place.seq) of room '\(room)' leads to what is no change of it") }
      return
    }
    switch try? changes.match(of: message, at: place) {
    case nil, .absent, .agrees(leads: true): break
    case .agrees(leads: false), .contradicts:
      tell("change \(place.seq) of room '\(room)' is not what became of its message")
    }
  }

  private mutating func tellUnreadable(behind last: Int64, before next: Int64?) {
    let behind = last == .min ? nil : "behind \(place(last))"
    let before = next.map { "before \(place($0))" }
    let between = [behind, before].compactMap { $0 }.joined(separator: " and ")
    tell("a page with messages cannot be read" + (between.isEmpty ? "" : ", \(between)"))
  }

  private func place(_ row: Int64) -> String {
    let place = RowNumber(row)
    guard let room = rooms[place.room] else { return "row \(row)" }
    return "message \(place.seq) of room '\(room.name.string)'"
  }

  private func missing(_ hole: ClosedRange<Int64>, of room: RoomName) -> String {
    hole.count == 1
      ? "message \(hole.lowerBound) of room '\(room.string)' is missing"
      : "messages \(hole.lowerBound) to \(hole.upperBound) of room '\(room.string)' are missing"
  }
}
