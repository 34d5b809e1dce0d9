/// What was really kept, in order, and what of it is gone: the truth that readers are held against.
/// Also answers as a store would.

import ChatModel
import Stores

/// Every message that was ever kept.
final class Ledger {
  struct Entry {
    let message: Message
    /// The step in which it was kept.
    let step: Int
    var isGone = false
  }

  private(set) var rooms: [RoomName: [Entry]] = [:]
  /// Everything that was ever kept of each key, the newest last.
  private(set) var told: [Fact.Key: [(fact: Fact, step: Int)]] = [:]
  private var places: [String: [(room: RoomName, seq: Int64)]] = [:]
  private var keys: [Owned: (room: RoomName, seq: Int64)] = [:]

  private struct Owned: Hashable {
    let person: PersonID
    let key: MessageKey
  }

  func entries(_ room: RoomName) -> [Entry] { rooms[room] ?? [] }

  func newest(_ room: RoomName) -> Int64 { rooms[room]?.last?.message.seq ?? 0 }

  /// The index of the first entry behind this number.
  func index(after seq: Int64, in room: RoomName) -> Int {
    let entries = rooms[room] ?? []
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].message.seq <= seq { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func entry(_ seq: Int64, in room: RoomName) -> Entry? {
    let index = index(after: seq - 1, in: room)
    let entries = rooms[room] ?? []
    return index < entries.count && entries[index].message.seq == seq ? entries[index] : nil
  }

  /// Whether a message was kept by the end of a step.
  func isKept(_ seq: Int64, in room: RoomName, at step: Int) -> Bool {
    entry(seq, in: room).map { $0.step <= step } ?? false
  }

  /// Where messages with this text lie; texts name what was meant to be said once.
  func places(of text: String) -> [(room: RoomName, seq: Int64)] { places[text] ?? [] }

  // MARK: Keeping

  func note(_ fact: Fact, step: Int) { told[fact.key, default: []].append((fact, step)) }

  /// Keeps a draft as a store does; `skipping` numbers are left out before its own.
  func keep(_ draft: Draft, at moment: Moment, step: Int, skipping: Int64) throws(Violation)
    -> Kept
  {
    let owned = draft.key.map { Owned(person: draft.person, key: $0) }
    if let owned, let first = keys[owned], let entry = entry(first.seq, in: first.room) {
      guard draft.repeats(entry.message.draft.text.string, in: first.room) else {
        return .keyReused
      }
      return .duplicate(of: first.seq, at: entry.message.at, in: first.room)
    }
    let message = Message(draft, seq: newest(draft.room) + 1 + skipping, at: moment)
    try record(message, step: step)
    if let owned { keys[owned] = (draft.room, message.seq) }
    return .stored(seq: message.seq, at: moment)
  }

  /// Notes what somebody else has kept.
  func record(_ message: Message, step: Int) throws(Violation) {
    let room = message.draft.room
    guard message.seq > newest(room) else {
      throw Violation(
        .oneOrder, "#\(message.seq) was kept after #\(newest(room)) in \(room.string)")
    }
    let text = message.draft.text.string
    if let first = places[text]?.last, entry(first.seq, in: first.room)?.isGone == false {
      throw Violation(
        .answeredOnce,
        "'\(text)' was kept as #\(message.seq) of \(room.string) beside #\(first.seq) of "
          + first.room.string)
    }
    rooms[room, default: []].append(Entry(message: message, step: step))
    places[text, default: []].append((room, message.seq))
  }

  /// Retention, or damage: these are not kept any more, and their keys are free.
  func remove(_ numbers: ClosedRange<Int64>, from room: RoomName) {
    let first = index(after: numbers.lowerBound - 1, in: room)
    let end = index(after: numbers.upperBound, in: room)
    guard first < end else { return }
    for index in first..<end where rooms[room]?[index].isGone == false {
      rooms[room]?[index].isGone = true
      if let draft = rooms[room]?[index].message.draft, let key = draft.key {
        keys[Owned(person: draft.person, key: key)] = nil
      }
    }
  }

  // MARK: Pages

  /// As ``Stores/MessageStore/page(of:_:limit:)`` has it.
  func page(of room: RoomName, _ stretch: Stretch, limit: Int) -> HistoryPage {
    let entries = rooms[room] ?? []
    switch stretch {
    case .after(let seq):
      let rest = entries[index(after: seq, in: room)...]
      return forwards(rest, after: seq, room, limit)
    case .before(let seq):
      let end = seq.map { index(after: $0 - 1, in: room) } ?? entries.count
      return backwards(entries[..<end], room, limit)
    }
  }

  private func forwards(
    _ rest: ArraySlice<Entry>, after seq: Int64, _ room: RoomName, _ limit: Int
  ) -> HistoryPage {
    let run = rest.drop { $0.isGone }
    let page = run.prefix { !$0.isGone }.prefix(limit)
    let behind = run[page.endIndex...]
    var gap: ClosedRange<Int64>?
    var more = !behind.isEmpty
    if rest.startIndex < run.startIndex {
      gap = (seq + 1)...rest[run.startIndex - 1].message.seq
    } else if let first = behind.first, let last = behind.last,
      behind.allSatisfy(\.isGone)
    {
      gap = first.message.seq...last.message.seq
      more = false
    }
    return HistoryPage(room: room, messages: page.map(\.message), more: more, gap: gap)
  }

  private func backwards(
    _ rest: ArraySlice<Entry>, _ room: RoomName, _ limit: Int
  ) -> HistoryPage {
    let end = rest.lastIndex { !$0.isGone }.map { $0 + 1 } ?? rest.startIndex
    let run = rest[..<end]
    let start = run.lastIndex { $0.isGone }.map { $0 + 1 } ?? run.startIndex
    let page = run[start...].suffix(limit)
    let before = run[..<page.startIndex]
    var gap: ClosedRange<Int64>?
    var more = !before.isEmpty
    if end < rest.endIndex, let last = rest.last {
      gap = rest[end].message.seq...last.message.seq
    } else if let first = before.first, let last = before.last,
      before.allSatisfy(\.isGone)
    {
      gap = first.message.seq...last.message.seq
      more = false
    }
    return HistoryPage(room: room, messages: page.map(\.message), more: more, gap: gap)
  }
}
