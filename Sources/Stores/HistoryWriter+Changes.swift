/// Changes messages that are kept: other words, or none. A change is a row of its own as well.

internal import ChatModel

extension HistoryWriter {
  /// Keeps an edit or a deletion of the message with this sequence number, and changes that message
  /// in place. Of its changes only the newest stays.
  func keep(
    _ draft: Draft, of seq: Int64, in room: inout OpenRoom, at moment: Moment
  ) throws(StoreError) -> Kept {
    // What the change did the first time must not keep its answer from a retry.
    if draft.key != nil, let kept = try earlier(draft) { return kept }
    guard seq > 0, seq <= room.seq else { return .noSuchMessage }
    let row = RowNumber(room: room.number, seq: seq)
    guard let found = try message(at: row) else { return .noSuchMessage }
    guard found.person == draft.person || draft.changesOthers else { return .notYours }
    let kept = try keep(draft, in: &room, at: moment)
    guard case .stored(let number, _) = kept else { return kept }
    if let earlier = found.change {
      room.added -= try remove(change: earlier, of: row)
    }
    try set(draft, at: row, by: number, moment)
    return kept
  }

  private struct Found {
    let person: PersonID
    /// Of its newest change.
    let change: Int64?
  }

  /// Nil where there is none that has a text.
  private func message(at row: RowNumber) throws(StoreError) -> Found? {
    changed.bind(1, row.value)
    defer { changed.reset() }
    guard try changed.step(), changed.strictNumber(0) == RowKind.message.rawValue,
      let person = changed.strictNumber(1)
    else { return nil }
    return Found(person: PersonID(rawValue: person), change: changed.strictNumber(2))
  }

  /// Gives how many rows are fewer.
  private func remove(change seq: Int64, of row: RowNumber) throws(StoreError) -> Int64 {
    guard seq > row.seq, seq <= RowNumber.seqMax else { return 0 }
    removeChange.bind(1, RowNumber(room: row.room, seq: seq).value)
    removeChange.bind(2, row.seq)
    try removeChange.run()
    return Int64(database.changes)
  }

  /// Overwrites what the message says; SQLite overwrites the bytes that are free then, too.
  private func set(
    _ draft: Draft, at row: RowNumber, by number: Int64, _ moment: Moment
  ) throws(StoreError) {
    let isEdit = if case .edit = draft.content { true } else { false }
    change.bind(1, row.value)
    change.bind(2, (isEdit ? RowKind.message : .gone).rawValue)
    change.bind(4, number)
    change.bind(5, isEdit ? moment.milliseconds : nil)
    try change.bind(3, draft.words) { () throws(StoreError) in try change.run() }
  }
}
