/// A room's number and a message's sequence number in one integer. Knows no database.

/// What a message's row is found by: the table is one tree ordered by it, so that a page of a room
/// is one walk, and a key's index entry tells room and sequence number by itself.
struct RowNumber: Hashable {
  /// 40 bits: a trillion messages a room.
  static let seqMax: Int64 = 1 << 40 - 1
  /// 23 bits: eight million rooms.
  static let roomMax: Int64 = 1 << 23 - 1

  let value: Int64

  init(_ value: Int64) { self.value = value }

  /// Both are within their bounds; the sequence number may be 0, before the first.
  init(room: Int64, seq: Int64) {
    precondition((1...Self.roomMax).contains(room), "a room's number has 23 bits")
    precondition((0...Self.seqMax).contains(seq), "a sequence number has 40 bits")
    value = room << 40 | seq
  }

  var room: Int64 { value >> 40 }
  var seq: Int64 { value & Self.seqMax }
}
