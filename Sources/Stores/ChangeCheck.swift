/// Do a change and the message that it is about agree? Changes nothing.

internal import ChatModel

/// Looks from a change at its message, and from a message at its newest change.
struct ChangeCheck {
  private let row: Statement

  init(_ database: Database) throws(StoreError) {
    row = try database.prepare(
      "SELECT kind, about, edited, at, text FROM messages WHERE id = ?")
  }

  /// What a message has of a change.
  enum Match {
    /// There is none: retention has removed it, or damage has taken it.
    case absent
    /// The message is as the change has it, and leads to it, or to none.
    case agrees(leads: Bool)
    case contradicts
  }

  /// Of an edit or a deletion; nil for what changes no message.
  func match(of change: Message, at row: RowNumber) throws(StoreError) -> Match? {
    guard let about = change.draft.content.about else { return nil }
    return try look(at: RowNumber(room: row.room, seq: about)) { there in
      guard let there else { return .absent }
      let isAsMade =
        if case .edit = change.draft.content {
          there.number(0) == RowKind.message.rawValue && there.number(2) == change.at.milliseconds
            && !there.isNull(2)
            && there.strictText(4)?.utf8.elementsEqual(change.draft.words.utf8) == true
        } else {
          there.number(0) == RowKind.gone.rawValue && there.isNull(2)
        }
      guard isAsMade, there.isNull(1) || there.number(1) == row.seq else { return .contradicts }
      return .agrees(leads: !there.isNull(1))
    }
  }

  /// Whether what a message leads to is a change of it; also true where it leads to none.
  func leadsToItsChange(_ message: Statement, about column: Int32) throws(StoreError) -> Bool {
    if message.isNull(column) { return true }
    let row = RowNumber(message.number(0))
    let change = message.number(column)
    guard change > row.seq, change <= RowNumber.seqMax else { return false }
    return try look(at: RowNumber(room: row.room, seq: change)) { there in
      guard let there, let kind = RowKind(rawValue: there.number(0)) else { return false }
      return (kind == .edit || kind == .deletion) && there.number(1) == row.seq
    }
  }

  private func look<Result>(
    at number: RowNumber, _ body: (Statement?) -> Result
  ) throws(StoreError) -> Result {
    row.bind(1, number.value)
    defer { row.reset() }
    return try body(row.step() ? row : nil)
  }
}
