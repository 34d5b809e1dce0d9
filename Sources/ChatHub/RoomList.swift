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
    return one.place.key < other.place.key
  }
}

extension Place {
  /// What a list is ordered by among equals.
  var key: String {
    switch self {
    case .room(let room): room.string
    case .with(let name): name.folded
    }
  }
}

extension Hub {
  /// The person's conversations, those with something unread first; then the rooms that it may
  /// know of, those with most people first, then by name.
  func listedRooms(for person: PersonID) -> Answer {
    let marks = registry.marks(of: person)
    var conversations: [RoomState] = []
    for (name, partner) in registry.partners(of: person) {
      guard let room = rooms[name] else { continue }
      let shown =
        people[partner]?.name ?? registry.account(of: partner)?.name
        ?? registry.partnerName(of: partner, to: person, in: name)
      var state = RoomState(
        place: .with(shown ?? self.name(of: partner, in: name)),
        members: people[partner] == nil ? 1 : 2, seq: room.published)
      state.isPrivate = true
      // What nobody has said to have read is unread.
      state.mark = marks[name] ?? 0
      conversations.append(state)
    }
    conversations.sort { one, other in
      let (first, second) = (one.unread ?? 0, other.unread ?? 0)
      return first != second ? first > second : one.place.key < other.place.key
    }
    var list = RoomList(most: limits.roomsListedMax)
    var count = conversations.count
    for room in rooms.values where room.name == .audit || !room.name.isMade {
      guard isShown(room.name, to: person) else { continue }
      count += 1
      var state = RoomState(
        place: .room(room.name), members: room.peopleCount, seq: room.published)
      state.mark = marks[room.name]
      list.add(state)
    }
    let shown = list.finish().map { described($0) }
    // Whoever has many conversations is told of rooms, too.
    let first = fitting(
      conversations, upTo: limits.roomsListedMax / 2, bytes: limits.roomsListedBytesMax / 2)
    let second = fitting(
      shown, upTo: limits.roomsListedMax - first.count,
      bytes: limits.roomsListedBytesMax - first.reduce(0) { $0 + $1.bytesMost })
    return .rooms(first + second, count: count)
  }

  func described(_ room: RoomState) -> RoomState {
    guard case .room(let name) = room.place else { return room }
    var room = room
    room.topic = registry.topic(of: name)
    room.isPrivate = registry.isPrivate(name) || name == .audit
    room.isArchived = registry.isArchived(name)
    return room
  }

  private func fitting(_ rooms: [RoomState], upTo most: Int, bytes: Int) -> [RoomState] {
    var left = bytes
    return Array(
      rooms.prefix(most).prefix { room in
        left -= room.bytesMost
        return left >= 0
      })
  }
}

extension RoomState {
  /// In JSON a byte may take six, and the numbers and words around take less than 200.
  fileprivate var bytesMost: Int {
    let name =
      switch place {
      case .room(let room): room.string.utf8.count
      case .with(let name): name.shown.utf8.count * 6
      }
    return 200 + name + (topic?.string.utf8.count ?? 0) * 6
  }
}
