/// The messages of one room in memory. Forgets none by itself.

internal import ChatModel

/// One room's newest messages and changes, in their order.
struct RoomLog {
  /// Of the newest message that was ever kept.
  private(set) var seq: Int64 = 0
  /// How many messages and changes there are.
  private(set) var count = 0

  /// The first one has a message, unless there is none.
  private var slots = Deque<Slot>()
  /// The newest change of each message that has one, by the message's number.
  private var changes: [Int64: Int64] = [:]

  /// A place in the order; empty where a change lay that is not the newest one any more. Such
  /// places are swept out when they are the greater part.
  private struct Slot {
    let seq: Int64
    var message: Message?
  }

  var oldest: Message? { slots.first?.message }

  /// What is here of this number.
  func message(_ seq: Int64) -> Message? {
    let index = index(of: seq)
    guard index < slots.count, slots[index].seq == seq else { return nil }
    return slots[index].message
  }

  /// All that is here from a number on.
  func messages(from seq: Int64) -> some Sequence<Message> {
    (index(of: seq)..<slots.count).lazy.compactMap { slots[$0].message }
  }

  /// Keeps what comes next.
  mutating func append(_ draft: Draft, at moment: Moment) -> Message {
    seq += 1
    let message = Message(draft, seq: seq, at: moment)
    slots.append(Slot(seq: seq, message: message))
    count += 1
    return message
  }

  /// Puts a message in place of the one that it was before, by the change with this number. Gives
  /// the change before that, which is gone.
  mutating func replace(with message: Message, by change: Int64) -> Message? {
    slots[index(of: message.seq)].message = message
    guard let earlier = changes.updateValue(change, forKey: message.seq) else { return nil }
    let index = index(of: earlier)
    guard index < slots.count, slots[index].seq == earlier else { return nil }
    let gone = slots[index].message
    slots[index].message = nil
    count -= 1
    if slots.count > 2 * count + 1_024 { slots.keep { $0.message != nil } }
    return gone
  }

  mutating func popOldest() -> Message? {
    guard let message = slots.popFirst()?.message else { return nil }
    count -= 1
    changes[message.seq] = nil
    while let next = slots.first, next.message == nil { _ = slots.popFirst() }
    return message
  }

  func page(
    of room: RoomName, _ stretch: Stretch, _ reading: Reading, limit: Int
  ) -> HistoryPage {
    let oldest = slots.first?.seq ?? seq + 1
    var page = HistoryPage(room: room, messages: [], more: false)
    switch stretch {
    case .after(let cursor):
      let cursor = max(0, cursor)
      guard cursor < seq else { return page }
      fill(&page, from: index(of: cursor + 1)..<slots.count, reading, limit)
      if cursor + 1 < oldest { page.gap = (cursor + 1)...(oldest - 1) }
    case .before(let cursor):
      let cursor = min(cursor ?? .max, seq + 1)
      guard cursor > 1 else { return page }
      fill(&page, from: (0..<index(of: cursor)).reversed(), reading, limit)
      page.messages.reverse()
      let gone = min(oldest, cursor) - 1
      if !page.more, gone >= 1 { page.gap = 1...gone }
    }
    return page
  }

  private func fill(
    _ page: inout HistoryPage, from places: some Sequence<Int>, _ reading: Reading, _ limit: Int
  ) {
    for place in places {
      guard let message = slots[place].message,
        reading == .everything || message.draft.content.isMessage
      else { continue }
      guard page.messages.count < limit else {
        page.more = true
        return
      }
      page.messages.append(message)
    }
  }

  /// Where this number lies, or the next one that is here.
  private func index(of seq: Int64) -> Int {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].seq < seq { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
