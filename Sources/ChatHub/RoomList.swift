/// The first of many rooms, in the order in which a list shows them. Sorts no more than it shows.

import ChatModel

/// Takes one room after the other and keeps the best: those with most people, then by name.
struct RoomList {
  private let most: Int
  private var rooms: [RoomState] = []
  /// The last of the best so far: what is not before it is not among them.
  private var last: RoomState?

  init(most: Int) { self.most = most }

  mutating func add(_ room: RoomState) {
    if let last, !Self.isBefore(room, last) { return }
    rooms.append(room)
    if rooms.count >= 2 * most { cut() }
  }

  /// The best, in their order.
  mutating func finish() -> [RoomState] {
    cut()
    return rooms
  }

  private mutating func cut() {
    rooms.sort(by: Self.isBefore)
    rooms.removeLast(max(0, rooms.count - most))
    if rooms.count == most { last = rooms.last }
  }

  private static func isBefore(_ one: RoomState, _ other: RoomState) -> Bool {
    if one.members != other.members { return one.members > other.members }
    return one.name.string < other.name.string
  }
}
