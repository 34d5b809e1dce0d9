/// Removes what retention lets go, a little at a time, and gives the room back to the disk.

internal import ChatModel

/// One walk over all rooms. It is made of many short steps, with messages kept in between.
struct ExpiryPass: Sendable {
  let retention: Retention
  let now: Moment
  /// How many messages it has removed.
  var removed = 0
  var isDone = false
  /// The last room that is done with.
  fileprivate var room: Int64 = 0
  /// Within the room behind that one: the last row of those that were looked at and may go later.
  fileprivate var looked: (row: Int64, count: Int64)?

  init(_ retention: Retention, at now: Moment) {
    self.retention = retention
    self.now = now
  }
}

extension HistoryWriter {
  /// The most messages that are removed in one transaction.
  static let removedMax: Int64 = 500
  /// The longest that a step works before it commits.
  static let stepMax = Duration.milliseconds(5)
  /// The most pages that one transaction gives back.
  private static let pagesMax = 64
  /// The most rooms that one step looks at.
  private static let roomsMax = 200
  /// This part of the file may stay free: messages to come will need it.
  private static let freePart: Int64 = 8

  /// Goes one step further: at most 500 messages, at most about 5 ms.
  func go(on pass: inout ExpiryPass) throws(StoreError) {
    let start = ContinuousClock.now
    for _ in 0..<Self.roomsMax where start.duration(to: .now) < Self.stepMax {
      guard let room = try room(behind: pass.room) else {
        pass.isDone = try giveBack()
        return
      }
      if try expire(room, &pass, since: start) { return }
    }
  }

  private struct Room {
    let number: Int64
    let kept: Int64
    var start: Int64 { RowNumber.rows(of: number).lowerBound }
    var end: Int64 { RowNumber.rows(of: number).upperBound }
  }

  private func room(behind number: Int64) throws(StoreError) -> Room? {
    let next = nextRoom
    next.bind(1, number)
    defer { next.reset() }
    return try next.step() ? Room(number: next.number(0), kept: next.number(1)) : nil
  }

  /// Removes some of the room's oldest messages, or finds that there is nothing to remove. True
  /// where something was.
  private func expire(
    _ room: Room, _ pass: inout ExpiryPass, since start: ContinuousClock.Instant
  ) throws(StoreError) -> Bool {
    let most = pass.retention.messagesPerRoomMax.map(Int64.init) ?? room.kept
    let looked = pass.looked ?? (room.start, 0)
    var expiry = Expiry(
      now: pass.now, oldestKept: pass.retention.oldestKept(at: pass.now),
      excess: max(0, room.kept - most - looked.count))
    var rows: [Int64] = []
    var isAtEnd = true
    let times = self.times
    times.bind(1, looked.row)
    times.bind(2, room.end)
    while try times.step() {
      rows.append(times.number(0))
      if !expiry.look(at: Moment(milliseconds: times.number(1))) { break }
      if rows.count == Self.removedMax {
        isAtEnd = false
        break
      }
    }
    times.reset()
    if expiry.count > 0 {
      let last = rows[Int(expiry.count) - 1]
      let through = try remove(room, through: last, since: start, &pass)
      pass.looked = nil
      if through == last, isAtEnd { pass.room = room.number }
      return true
    }
    if isAtEnd {
      pass.room = room.number
      pass.looked = nil
    } else {
      pass.looked = (rows[rows.count - 1], looked.count + Int64(rows.count))
    }
    return false
  }

  /// Removes some of a room, the oldest first, and gives how many rows that were; nil where nothing
  /// is left of it, and the room that was taken up is given back.
  func removeSome(of name: RoomName) throws(StoreError) -> Int? {
    let start = ContinuousClock.now
    guard let found = try find(name) else { return nil }
    let room = Room(number: found.number, kept: 0)
    times.bind(1, room.start)
    times.bind(2, room.end)
    let isEmpty = try !times.step()
    times.reset()
    if isEmpty { return try giveBack() ? nil : 0 }
    var pass = ExpiryPass(Retention(), at: Moment(milliseconds: 0))
    _ = try remove(room, through: room.end - 1, since: start, &pass)
    return pass.removed
  }

  /// Removes the room's messages up to a row, or fewer where that takes too long. Gives the last
  /// row that it came to.
  private func remove(
    _ room: Room, through last: Int64, since start: ContinuousClock.Instant,
    _ pass: inout ExpiryPass
  ) throws(StoreError) -> Int64 {
    var through = room.start
    let removed = try inTransaction { () throws(StoreError) in
      var removed = 0
      repeat {
        chunk.bind(1, room.start)
        chunk.bind(2, last)
        through = try chunk.step() ? chunk.number(0) : last
        chunk.reset()
        delete.bind(1, room.start)
        delete.bind(2, through)
        try delete.run()
        removed += database.changes
      } while through < last && removed < Self.removedMax
        && start.duration(to: .now) < Self.stepMax
      roomLost.bind(1, room.number)
      roomLost.bind(2, Int64(removed))
      try roomLost.run()
      return removed
    }
    pass.removed += removed
    return through
  }

  /// Gives some free pages back, if there are many. True where there are not.
  private func giveBack() throws(StoreError) -> Bool {
    let free = try database.number("PRAGMA freelist_count")
    let all = try database.number("PRAGMA page_count")
    let spare = free - all / Self.freePart
    guard spare > 0 else { return true }
    try database.run("PRAGMA incremental_vacuum(\(min(spare, Int64(Self.pagesMax))))")
    return spare <= Self.pagesMax
  }
}
