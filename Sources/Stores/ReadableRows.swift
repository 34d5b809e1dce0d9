/// Finds the next row that can be read where a page of the file cannot. Knows no room.

/// Looks for rows by their numbers alone, so that it comes behind a page of which nothing can be
/// read: the way to each row begins at the root of the tree.
struct ReadableRows {
  /// So many numbers are tried one by one, which passes no row over; behind them it leaps, twice as
  /// far each time, and then halves what it leapt over.
  private static let stepsMax: UInt64 = 512

  private let upwards: Statement
  private let downwards: Statement

  init(_ database: Database) throws(StoreError) {
    let rows = "SELECT \(MessageRow.columns) FROM messages WHERE id BETWEEN ? AND ? ORDER BY id"
    upwards = try database.prepare("\(rows) LIMIT 1")
    downwards = try database.prepare("\(rows) DESC LIMIT 1")
  }

  /// The first row of these that can be read; nil where there is none.
  func first(from low: Int64, through high: Int64) throws(StoreError) -> Int64? {
    guard low <= high else { return nil }
    return try search(within: high, and: low) { offset throws(StoreError) in
      try look(upwards, low &+ offset, high)
    }
  }

  /// The last row of these that can be read; nil where there is none.
  func last(from low: Int64, through high: Int64) throws(StoreError) -> Int64? {
    guard low <= high else { return nil }
    return try search(within: high, and: low) { offset throws(StoreError) in
      try look(downwards, low, high &- offset)
    }
  }

  private enum Found {
    case row(Int64), nothing, damage

    var row: Int64? { if case .row(let row) = self { row } else { nil } }
    var isDamage: Bool { if case .damage = self { true } else { false } }
  }

  private func look(
    _ statement: Statement, _ low: Int64, _ high: Int64
  ) throws(StoreError) -> Found {
    statement.bind(1, low)
    statement.bind(2, high)
    defer { statement.reset() }
    do throws(StoreError) {
      return try statement.step() ? .row(statement.number(0)) : .nothing
    } catch {
      guard error.isDamage else { throw error }
      return .damage
    }
  }

  /// `look` begins so far behind the end that the search begins at.
  private func search(
    within high: Int64, and low: Int64, _ look: (Int64) throws(StoreError) -> Found
  ) throws(StoreError) -> Int64? {
    // Between any two numbers there are fewer than 2⁶⁴, so that this cannot overflow.
    let most = UInt64(bitPattern: high &- low)
    var damaged: UInt64 = 0
    var offset: UInt64 = 0
    var found = try look(0)
    while found.isDamage {
      damaged = offset
      guard offset < most else { return nil }
      offset = offset < Self.stepsMax ? offset + 1 : offset + min(offset, most - offset)
      found = try look(Int64(bitPattern: offset))
    }
    while offset - damaged > 1 {
      let middle = damaged + (offset - damaged) / 2
      let there = try look(Int64(bitPattern: middle))
      if there.isDamage {
        damaged = middle
      } else {
        (offset, found) = (middle, there)
      }
    }
    return found.row
  }
}

extension StoreError {
  /// Whether a statement met a page that cannot be read. Reading fails so of nothing else.
  var isDamage: Bool { if case .unusable = self { true } else { false } }
}
