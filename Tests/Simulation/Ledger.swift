/// What was really kept, in order, and what of it is gone: the truth that readers are held against.
/// Also answers as a store would.

import ChatModel
import Stores

/// Every message that was ever kept, and every change.
final class Ledger {
  private(set) var rooms: [RoomName: [Entry]] = [:]
  /// Everything that was ever kept of each key, the newest last.
  private(set) var told: [Fact.Key: [(fact: Fact, step: Int)]] = [:]
  /// The conversations, and when somebody was told of the first thing said there.
  private(set) var talks: [RoomName: Int] = [:]
  /// Whose account has a name.
  private(set) var bearers: [UserName: PersonID] = [:]
  private var places: [String: [(room: RoomName, seq: Int64)]] = [:]
  /// Versions that were replaced, of which nobody was told yet.
  private var untold: [(room: RoomName, index: Int, version: Int)] = []
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

  private func place(_ seq: Int64, in room: RoomName) -> Int? {
    let index = index(after: seq - 1, in: room)
    guard let entries = rooms[room], index < entries.count, entries[index].message.seq == seq
    else { return nil }
    return index
  }

  func entry(_ seq: Int64, in room: RoomName) -> Entry? {
    place(seq, in: room).flatMap { rooms[room]?[$0] }
  }

  /// Those behind a number that are not left out, gone or not.
  func rest(after seq: Int64, in room: RoomName) -> LazyFilterSequence<ArraySlice<Entry>> {
    entries(room)[index(after: seq, in: room)...].lazy.filter { $0.leftOut == nil }
  }

  /// Whether a message was kept by the end of a step.
  func isKept(_ seq: Int64, in room: RoomName, at step: Int) -> Bool {
    entry(seq, in: room).map { $0.step <= step } ?? false
  }

  /// Where messages lie that have, or had, this text; texts name what was meant to be said once.
  func places(of text: String) -> [(room: RoomName, seq: Int64)] { places[text] ?? [] }

  // MARK: Keeping

  func note(_ fact: Fact, step: Int) {
    told[fact.key, default: []].append((fact, step))
    if case .account(let person, let account?) = fact { bearers[account.name] = person }
  }

  /// Keeps a draft as a store does; `skipping` numbers are left out before its own.
  func keep(_ draft: Draft, at moment: Moment, step: Int, skipping: Int64) throws(Violation)
    -> Kept
  {
    let owned = draft.key.map { Owned(person: draft.person, key: $0) }
    if let owned, let first = keys[owned], let entry = entry(first.seq, in: first.room) {
      guard entry.isRepeated(by: draft) else { return .keyReused }
      return .duplicate(of: first.seq, at: entry.message.at, in: first.room)
    }
    if let about = draft.content.about {
      guard let entry = entry(about, in: draft.room), !entry.isGone,
        case .text = entry.message.draft.content
      else { return .noSuchMessage }
      guard entry.message.draft.person == draft.person || draft.changesOthers else {
        return .notYours
      }
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
    if case .text(let text) = message.draft.content, room != .audit {
      try name(text.string, message.seq, room)
    }
    rooms[room, default: []].append(Entry(message: message, step: step))
    if let about = message.draft.content.about { change(about, by: message, step) }
  }

  private func name(_ text: String, _ seq: Int64, _ room: RoomName) throws(Violation) {
    if let first = places[text]?.last, entry(first.seq, in: first.room)?.isGone == false {
      throw Violation(
        .answeredOnce,
        "'\(text)' was kept as #\(seq) of \(room.string) beside #\(first.seq) of "
          + first.room.string)
    }
    places[text, default: []].append((room, seq))
  }

  private func change(_ about: Int64, by change: Message, _ step: Int) {
    let room = change.draft.room
    guard let index = place(about, in: room), var entry = rooms[room]?[index] else { return }
    entry.former.append(
      Entry.Version(content: entry.message.draft.content, edited: entry.message.edited))
    untold.append((room, index, entry.former.count - 1))
    if case .edit(_, let text) = change.draft.content {
      entry.message.draft.content = .text(text)
      entry.message.edited = change.at
      places[text.string, default: []].append((room, about))
    } else {
      entry.message.draft.content = .gone
      entry.message.edited = nil
    }
    if let earlier = entry.change, let place = place(earlier, in: room) {
      rooms[room]?[place].leftOut = step
    }
    entry.change = change.seq
    rooms[room]?[index] = entry
  }

  /// Everybody was told of all changes so far, or nobody is left to be told.
  func settle(step: Int) {
    for (room, index, version) in untold { rooms[room]?[index].former[version].end = step }
    untold = []
    for room in rooms.keys where room.people != nil && talks[room] == nil { talks[room] = step }
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
}

extension Ledger {
  /// A message or a change, and what has become of it.
  struct Entry {
    /// As it is now.
    var message: Message
    /// The step in which it was kept.
    let step: Int
    /// By retention or damage.
    var isGone = false
    /// Of a change: the step in which another one took its place. No reader is given it then.
    var leftOut: Int?
    /// What a message was before it was changed, oldest first.
    var former: [Version] = []
    /// The newest change of it.
    var change: Int64?

    struct Version {
      let content: Content
      let edited: Moment?
      /// The step in which everybody was told of another in its place.
      var end = Int.max
    }

    /// Whether a reader is given it.
    var isThere: Bool { !isGone && leftOut == nil }

    /// What it was when it was said.
    var said: Content { former.first?.content ?? message.draft.content }

    func isRepeated(by draft: Draft) -> Bool {
      guard draft.room == message.draft.room, case .text(let text) = draft.content else {
        return false
      }
      return !former.isEmpty || message.draft.content == .text(text)
    }

    /// Whether a reader was shown what was kept; whose it is, it is not told.
    func agrees(with shown: Message, writtenAs stamp: Stamp) throws(Violation) {
      let what = "#\(message.seq) of \(message.draft.room.string)"
      let isSame =
        shown.seq == message.seq && shown.at == message.at && shown.draft.from == message.draft.from
        && shown.draft.replyTo == message.draft.replyTo
      guard step <= stamp.step else { throw Violation(.keptFirst, "\(what) was shown before") }
      let (content, edited) = (shown.draft.content, shown.edited)
      if isSame, content == message.draft.content, edited == message.edited { return }
      guard isSame,
        let version = former.first(where: { $0.content == content && $0.edited == edited })
      else { throw Violation(.oneOrder, "\(what) was shown otherwise than kept") }
      guard version.end > stamp.clean else {
        throw Violation(.presentText, "\(what) was shown as it was before it was changed")
      }
    }
  }
}

extension Ledger.Entry {
  /// The same by the text alone.
  func allows(_ text: String, writtenAs stamp: Stamp) throws(Violation) {
    let hasText = { (content: Content) in
      if case .text(let own) = content { own.string == text } else { false }
    }
    if hasText(message.draft.content)
      || former.contains(where: {
        hasText($0.content) && $0.end > stamp.clean
      })
    {
      return
    }
    throw Violation(
      .presentText, "'\(text)' is not what #\(message.seq) of \(message.draft.room.string) says")
  }
}

/// When the server let go of a line.
struct Stamp {
  var step = 0
  /// The same of its first byte.
  var begun = 0
  /// What was changed up to this step, it cannot have had from before: nothing waited for the
  /// reader since, and no page was on its way.
  var clean = -1

  /// The same of what was asked for in a step.
  func behind(_ asked: Int) -> Stamp {
    Stamp(step: step, begun: begun, clean: max(clean, asked - 1))
  }
}

extension Content {
  /// Which message it changes; nil for what changes none.
  var about: Int64? {
    switch self {
    case .edit(let seq, _), .deletion(let seq): seq
    case .text, .gone, .topic: nil
    }
  }
}
