/// What a row of the messages' table is, as a number. Reads no row.

internal import ChatModel

/// Stands in the table; the numbers are never changed.
enum RowKind: Int64 {
  case message = 0
  /// A message whose text was taken away.
  case gone = 1
  case edit = 2
  case deletion = 3
  case topic = 4

  /// In SQL: the row is no change. True also of a kind that is none, so that who reads meets it.
  static let isMessage = "(kind BETWEEN 2 AND 4) IS NOT TRUE"
  /// In SQL: the row changes a message.
  static let isChangeOfMessage = "kind IN (2, 3)"

  init(_ content: Content) {
    self =
      switch content {
      case .text: .message
      case .gone: .gone
      case .edit: .edit
      case .deletion: .deletion
      case .topic: .topic
      }
  }
}

extension Draft {
  /// Whether this is what was kept, once more. Where the text has been replaced or taken away
  /// since, there is nothing left to compare.
  func repeats(_ kept: Content, isEdited: Bool, in room: RoomName) -> Bool {
    guard room == self.room else { return false }
    switch (content, kept) {
    case (.text, .gone): return true
    case (.text(let one), .text(let other)):
      return isEdited || isSame(one.string, other.string)
    case (.edit(let seq, let one), .edit(let first, let other)):
      return seq == first && isSame(one.string, other.string)
    case (.deletion(let seq), .deletion(let first)): return seq == first
    case (.topic(let one), .topic(let other)):
      return isSame(one?.string ?? "", other?.string ?? "")
    case (.text, _), (.gone, _), (.edit, _), (.deletion, _), (.topic, _): return false
    }
  }

  /// By bytes: texts that look alike are equal as strings.
  private func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }
}
