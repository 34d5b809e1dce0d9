/// Messages in memory, the newest of each room. Knows no thread and no clock.

package import ChatModel

/// The last messages of every room, bounded in number and in bytes. What has gone is a gap.
///
/// A message costs constant time, amortised; a page costs a binary search and its messages, a
/// change a binary search.
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
  private var keys: [OwnedKey: Spot] = [:]
  /// Where every message lies, in the order they came. Those of messages that have gone meanwhile
  /// are passed over, and swept out when they are the greater part.
  private var order = Deque<Spot>()
  private var messagesHeld = 0
  /// How many messages and changes it ever had, and when the first was kept: cursors of searches
  /// name both.
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

  /// As ``MessageStore/page(of:_:_:limit:)`` has it.
  package func page(
    of room: RoomName, _ stretch: Stretch, _ reading: Reading, limit: Int
  ) -> HistoryPage {
    precondition(
      (1...HistoryPage.messagesMax).contains(limit),
      "a page has at least one message and has a bound")
    guard let number = numbers[room] else {
      return HistoryPage(room: room, messages: [], more: false)
    }
    return logs[number].page(of: room, stretch, reading, limit: limit)
  }

  /// Every room that ever had a message, by name.
  package var rooms: [StoredRoom] {
    numbers.sorted { $0.key.string < $1.key.string }.map { name, number in
      let log = logs[number]
      return StoredRoom(name: name, seq: log.seq, oldest: log.oldest?.seq)
    }
  }

  /// Keeps one draft. Its facts are the caller's affair.
  package mutating func append(_ draft: Draft, at moment: Moment) -> Kept {
    if let key = draft.key, let place = keys[OwnedKey(person: draft.person, key: key)] {
      return again(draft, logs[place.room].message(place.seq))
    }
    switch draft.content {
    case .text, .topic:
      let room = number(of: draft.room)
      let message = add(draft, to: room, at: moment)
      trim(room)
      return .stored(seq: message.seq, at: moment)
    case .edit(let seq, _), .deletion(let seq): return change(seq, by: draft, at: moment)
    case .gone: preconditionFailure("nobody says a message without a text")
    }
  }

  /// Removes all that is kept of a room; gives how much that was.
  package mutating func remove(_ room: RoomName) -> Int {
    guard let number = numbers[room] else { return 0 }
    let count = logs[number].count
    while logs[number].oldest != nil { forgetOldest(of: number) }
    return count
  }

  /// As ``MessageStore/rows(of:after:limit:)`` has it.
  package func rows(of person: PersonID, after row: Int64, limit: Int) -> PersonRows {
    var found = PersonRows(rows: [], next: nil)
    var looked = 0
    let first = RowNumber(row + 1)
    for (room, log) in logs.enumerated().dropFirst(max(0, Int(first.room) - 1)) {
      let number = Int64(room) + 1
      for message in log.messages(from: number == first.room ? first.seq : 1) {
        looked += 1
        if message.draft.person == person, case .text = message.draft.content {
          found.rows.append(PersonRows.Row(room: message.draft.room, seq: message.seq))
        }
        guard looked < HistoryReader.rowsLookedMax, found.rows.count < limit else {
          found.next = RowNumber(room: number, seq: message.seq).value
          return found
        }
      }
    }
    return found
  }

  private func again(_ draft: Draft, _ first: Message?) -> Kept {
    guard let first else { preconditionFailure("a key is forgotten with its message") }
    let isEdited = first.edited != nil
    guard draft.repeats(first.draft.content, isEdited: isEdited, in: first.draft.room) else {
      return .keyReused
    }
    return .duplicate(of: first.seq, at: first.at, in: first.draft.room)
  }

  private mutating func change(_ seq: Int64, by draft: Draft, at moment: Moment) -> Kept {
    guard let room = numbers[draft.room], var message = logs[room].message(seq),
      case .text = message.draft.content
    else { return .noSuchMessage }
    guard message.draft.person == draft.person || draft.changesOthers else { return .notYours }
    let change = add(draft, to: room, at: moment)
    bytesHeld -= bytes(of: message)
    if case .edit(_, let text) = draft.content {
      message.draft.content = .text(text)
      message.edited = moment
    } else {
      message.draft.content = .gone
      message.edited = nil
    }
    bytesHeld += bytes(of: message)
    if let earlier = logs[room].replace(with: message, by: change.seq) { forget(earlier) }
    trim(room)
    return .stored(seq: change.seq, at: moment)
  }

  private mutating func add(_ draft: Draft, to room: Int, at moment: Moment) -> Message {
    let message = logs[room].append(draft, at: moment)
    messagesEver += 1
    begun = begun ?? moment
    let place = Spot(room: room, seq: message.seq, number: messagesEver)
    order.append(place)
    if let key = draft.key { keys[OwnedKey(person: draft.person, key: key)] = place }
    bytesHeld += bytes(of: message)
    messagesHeld += 1
    return message
  }

  private mutating func trim(_ room: Int) {
    if logs[room].count > limits.messagesPerRoomMax { forgetOldest(of: room) }
    // The newest stays even where it alone is over the limit: it was just answered.
    while bytesHeld > limits.bytesMax, messagesHeld > 1 { forgetOldest() }
    if order.count > 2 * messagesHeld + 1_024 { sweepOrder() }
  }

  private mutating func number(of room: RoomName) -> Int {
    if let number = numbers[room] { return number }
    numbers[room] = logs.count
    logs.append(RoomLog())
    return logs.count - 1
  }

  private mutating func forgetOldest() {
    while let place = order.popFirst() {
      guard logs[place.room].message(place.seq) != nil else { continue }
      forgetOldest(of: place.room)
      return
    }
  }

  private mutating func forgetOldest(of room: Int) {
    if let message = logs[room].popOldest() { forget(message) }
  }

  private mutating func forget(_ message: Message) {
    bytesHeld -= bytes(of: message)
    messagesHeld -= 1
    if let key = message.draft.key {
      keys[OwnedKey(person: message.draft.person, key: key)] = nil
    }
  }

  private mutating func sweepOrder() {
    let logs = logs
    order.keep { logs[$0.room].message($0.seq) != nil }
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
      if let message = logs[place.room].message(place.seq) {
        let isAskedFor = query.asks(for: message)
        if isAskedFor { cost += Self.searchCostOfOne }
        if isAskedFor, query.words.match(message.draft.words, scalars: &cost) {
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
private struct Spot {
  let room: Int
  let seq: Int64
  /// Which message it is of all that ever were.
  let number: Int64
}

/// What a message takes, its strings and what lies around them.
private func bytes(of message: Message) -> Int {
  let draft = message.draft
  let strings = draft.words.utf8.count + draft.from.shown.utf8.count
  let around = MemoryLayout<Message>.stride + MemoryLayout<Spot>.stride + 64
  let key = draft.key.map { 2 * $0.string.utf8.count + 128 } ?? 0
  return strings + around + key
}
