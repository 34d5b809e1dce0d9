/// The messages of one room in memory. Forgets none by itself.

internal import ChatModel

/// One room's newest messages, without a hole between them.
struct RoomLog {
  /// Of the newest message that was ever kept.
  var seq: Int64 = 0
  var messages = Deque<Message>()

  /// Whether the message is still here. Numbers have no holes, so the oldest tells of all.
  func holds(_ seq: Int64) -> Bool {
    guard let oldest = messages.first else { return false }
    return seq >= oldest.seq && seq <= self.seq
  }

  /// A message that is here.
  func message(_ seq: Int64) -> Message { messages[index(of: seq)] }

  func page(of room: RoomName, _ stretch: Stretch, limit: Int) -> HistoryPage {
    let oldest = messages.first?.seq ?? seq + 1
    switch stretch {
    case .after(let cursor):
      let cursor = max(0, cursor)
      guard cursor < seq else { return HistoryPage(room: room, messages: [], more: false) }
      let start = index(of: max(cursor + 1, oldest))
      let end = min(messages.count, start + limit)
      return HistoryPage(
        room: room, messages: messages[start..<end], more: end < messages.count,
        gap: cursor + 1 < oldest ? (cursor + 1)...(oldest - 1) : nil)
    case .before(let cursor):
      let cursor = min(cursor ?? .max, seq + 1)
      guard cursor > 1 else { return HistoryPage(room: room, messages: [], more: false) }
      let end = index(of: max(cursor, oldest))
      let start = max(0, end - limit)
      let gone = min(oldest, cursor) - 1
      return HistoryPage(
        room: room, messages: messages[start..<end], more: start > 0,
        gap: start == 0 && gone >= 1 ? 1...gone : nil)
    }
  }

  /// Where the message with this number lies, or would: numbers have no holes.
  private func index(of seq: Int64) -> Int {
    guard let oldest = messages.first else { return 0 }
    return Int(seq - oldest.seq)
  }
}
