/// Walks over everything that one person has said, a bounded piece at a time.

internal import ChatModel

extension HistoryReader {
  /// The most rows that one call looks at.
  static let rowsLookedMax = 10_000

  /// As ``MessageStore/rows(of:after:limit:)`` has it. There is no index by person: erasing is
  /// rare, and writing is not.
  func rows(
    of person: PersonID, after row: Int64, limit: Int
  ) throws(StoreError) -> PersonRows {
    try atOneMoment { () throws(StoreError) in
      var found = PersonRows(rows: [], next: nil)
      var names: [Int64: RoomName] = [:]
      owners.bind(1, row)
      defer { owners.reset() }
      var looked = 0
      while try owners.step() {
        looked += 1
        let row = RowNumber(owners.number(0))
        if owners.number(1) == person.rawValue, owners.number(2) == RowKind.message.rawValue {
          if names[row.room] == nil { names[row.room] = try name(ofRoom: row.room) }
          if let room = names[row.room] {
            found.rows.append(PersonRows.Row(room: room, seq: row.seq))
          }
        }
        guard looked < Self.rowsLookedMax, found.rows.count < limit else {
          found.next = row.value
          break
        }
      }
      return found
    }
  }

  private func name(ofRoom number: Int64) throws(StoreError) -> RoomName? {
    roomName.bind(1, number)
    defer { roomName.reset() }
    guard try roomName.step() else { return nil }
    return roomName.strictText(0).flatMap { RoomName(kept: $0) }
  }
}
