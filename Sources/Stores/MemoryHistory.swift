/// Messages in memory, the newest of each room. Knows no thread and no clock.

package import ChatModel

/// The last messages of every room, bounded in number and in bytes. What has gone is a gap.
///
/// A message costs constant time, amortised; a page costs a binary search and its messages.
package struct MemoryHistory {
  /// How much is kept.
  package struct Limits: Sendable {
    /// The most messages of one room.
    package var messagesPerRoomMax = 10_000
    /// The most bytes in all, as ``MemoryHistory/bytesHeld`` counts them.
    package var bytesMax = 64 << 20

    package init() {}
  }

  /// What the messages take: texts, names and keys, and for each message what lies around them.
  package private(set) var bytesHeld = 0

  private let limits: Limits
  private var logs: [RoomLog] = []
  private var numbers: [RoomName: Int] = [:]
  private var keys: [OwnedKey: Place] = [:]
  /// Where every message lies, in the order they came. Those of messages that have gone meanwhile
  /// are passed over, and swept out when they are the greater part.
  private var order = Deque<Place>()
  private var messagesHeld = 0
  /// How many messages it ever had, and when the first was kept: cursors of searches name both.
  private var messagesEver: Int64 = 0
  private var begun: Moment?

  package init(limits: Limits = Limits()) {
    precondition(limits.messagesPerRoomMax > 0, "a room that keeps nothing has no history")
    self.limits = limits
  }

  /// How many messages it remembers the order of, those that have gone included.
  var placesHeld: Int { order.count }

  /// Keeps the drafts in their order; an answer for each, in the same order.
  package mutating func append(_ drafts: [Draft], at moment: Moment) -> [Kept] {
    drafts.map { append($0, at: moment) }
  }

  /// As ``MessageStore/page(of:_:limit:)`` has it.
  package func page(of room: RoomName, _ stretch: Stretch, limit: Int) -> HistoryPage {
    precondition(
      (1...HistoryPage.messagesMax).contains(limit),
      "a page has at least one message and has a bound")
    guard let number = numbers[room] else {
      return HistoryPage(room: room, messages: [], more: false)
    }
    return logs[number].page(of: room, stretch, limit: limit)
  }

  /// Every room that ever had a message, by name.
  package var rooms: [StoredRoom] {
    numbers.sorted { $0.key.string < $1.key.string }.map { name, number in
      let log = logs[number]
      return StoredRoom(name: name, seq: log.seq, oldest: log.messages.first?.seq)
    }
  }

  /// Keeps one draft.
  package mutating func append(_ draft: Draft, at moment: Moment) -> Kept {
    let owned = draft.key.map { OwnedKey(person: draft.person, key: $0) }
    if let owned, let place = keys[owned] {
      let first = logs[place.room].message(place.seq)
      guard draft.repeats(first.draft.text.string, in: first.draft.room) else { return .keyReused }
      return .duplicate(of: first.seq, at: first.at, in: first.draft.room)
    }
    let room = number(of: draft.room)
    logs[room].seq += 1
    let message = Message(draft, seq: logs[room].seq, at: moment)
    messagesEver += 1
    begun = begun ?? moment
    let place = Place(room: room, seq: message.seq, number: messagesEver)
    logs[room].messages.append(message)
    order.append(place)
    if let owned { keys[owned] = place }
    bytesHeld += bytes(of: message)
    messagesHeld += 1
    if logs[room].messages.count > limits.messagesPerRoomMax { forgetOldest(of: room) }
    // The newest stays even where it alone is over the limit: it was just answered.
    while bytesHeld > limits.bytesMax, messagesHeld > 1 { forgetOldest() }
    if order.count > 2 * messagesHeld + 1_024 { sweepOrder() }
    return .stored(seq: message.seq, at: moment)
  }

  private mutating func number(of room: RoomName) -> Int {
    if let number = numbers[room] { return number }
    numbers[room] = logs.count
    logs.append(RoomLog())
    return logs.count - 1
  }

  private mutating func forgetOldest() {
    while let place = order.popFirst() {
      guard logs[place.room].holds(place.seq) else { continue }
      forgetOldest(of: place.room)
      return
    }
  }

  private mutating func forgetOldest(of room: Int) {
    guard let message = logs[room].messages.popFirst() else { return }
    bytesHeld -= bytes(of: message)
    messagesHeld -= 1
    if let key = message.draft.key {
      keys[OwnedKey(person: message.draft.person, key: key)] = nil
    }
  }

  private mutating func sweepOrder() {
    let logs = logs
    order.keep { logs[$0.room].holds($0.seq) }
  }
}

extension MemoryHistory {
  /// What one page of a search may cost: 1 for a message that is passed over, and for one whose
  /// words are compared ``searchCostOfOne`` and 1 for each character of its words. About 10 ms of
  /// an ordinary machine: counted and not timed, since this knows no clock.
  static let searchCostMax = 100_000
  static let searchCostOfOne = 10

  /// As ``SearchIndex/find(_:)`` has it, by a walk over the messages from the newest on. A page
  /// ends where much was looked at, too: with a cursor, and few messages or none.
  ///
  /// Throws where a cursor is of a history that has gone.
  package func find(_ query: SearchQuery) throws(StoreError) -> SearchPage {
    let build = max(1, begun?.milliseconds ?? 1)
    if let cursor = query.cursor, cursor.build != build { throw .cursorIsGone }
    var page = SearchPage(messages: [], cursor: nil)
    var cost = 0
    var index = places(before: query.cursor?.entry ?? .max)
    while index > 0 {
      index -= 1
      let place = order[index]
      cost += 1
      if logs[place.room].holds(place.seq) {
        let message = logs[place.room].message(place.seq)
        let isAskedFor = query.asks(for: message)
        if isAskedFor { cost += Self.searchCostOfOne }
        if isAskedFor, query.words.match(message.draft.text.string, scalars: &cost) {
          if page.messages.count == query.limit {
            page.cursor = SearchCursor(build: build, entry: place.number + 1).string
            return page
          }
          page.messages.append(message)
        }
      }
      if cost >= Self.searchCostMax, index > 0 {
        page.cursor = SearchCursor(build: build, entry: place.number).string
        return page
      }
    }
    return page
  }

  /// How many places are of messages before this one.
  private func places(before number: Int64) -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if order[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A key and whose it is. Compared by bytes, as every store does: letters that look alike differ.
private struct OwnedKey: Hashable {
  let person: PersonID
  let key: MessageKey

  static func == (one: OwnedKey, other: OwnedKey) -> Bool {
    one.person == other.person && one.key.string.utf8.elementsEqual(other.key.string.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(person)
    for byte in key.string.utf8 { hasher.combine(byte) }
  }
}

/// Where a message lies.
private struct Place {
  let room: Int
  let seq: Int64
  /// Which message it is of all that ever were.
  let number: Int64
}

/// What a message takes, its strings and what lies around them.
private func bytes(of message: Message) -> Int {
  let draft = message.draft
  let strings = draft.text.string.utf8.count + draft.from.shown.utf8.count
  let around = MemoryLayout<Message>.stride + MemoryLayout<Place>.stride + 64
  let key = draft.key.map { 2 * $0.string.utf8.count + 128 } ?? 0
  return strings + around + key
}
