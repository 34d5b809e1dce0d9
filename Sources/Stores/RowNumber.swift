/// A room's number and a message's sequence number in one integer. Knows no database.

/// What a message's row is found by: the table is one tree ordered by it, so that a page of a room
/// is one walk, and a key's index entry tells room and sequence number by itself.
struct RowNumber: Hashable {
  /// The lower bits are the sequence number.
  static let seqBits: Int64 = 40
  /// 40 bits: a trillion messages a room.
  static let seqMax: Int64 = 1 << seqBits - 1
  /// 23 bits: eight million rooms.
  static let roomMax: Int64 = 1 << 23 - 1

  let value: Int64

  init(_ value: Int64) { self.value = value }

  /// Both are within their bounds; the sequence number may be 0, before the first.
  init(room: Int64, seq: Int64) {
    precondition((1...Self.roomMax).contains(room), "a room's number has 23 bits")
    precondition((0...Self.seqMax).contains(seq), "a sequence number has 40 bits")
    value = room << Self.seqBits | seq
  }

  var room: Int64 { value >> Self.seqBits }
  var seq: Int64 { value & Self.seqMax }

  /// All rows that a room can have.
  static func rows(of room: Int64) -> Range<Int64> { room << seqBits..<(room + 1) << seqBits }
}

// In SQL.
extension RowNumber {
  /// The first row that the room `rooms.id` can have.
  static let start = "rooms.id << \(seqBits)"
  /// The first row behind all those of `rooms.id`.
  static let end = "(rooms.id + 1) << \(seqBits)"
  /// The room of a row of `messages`.
  static let roomOfMessage = "messages.id >> \(seqBits)"
}
