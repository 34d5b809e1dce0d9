/// One reader in one room: how far it has come, and whether what it is shown next is what comes
/// next. Holds it against the ledger; knows no bytes.

import ChatModel

/// Where a reader stands.
struct Reading {
  enum Position: Equatable {
    /// It has everything up to this number, or was told what of it is gone.
    case at(Int64)
    /// It is to be given at most so many of the newest; there were `kept` when it joined, up to
    /// `newest`.
    case newest(count: Int, kept: Int, newest: Int64)
  }

  let room: RoomName
  /// It is shown changes, too. Where it is not, none of them is missing.
  let isShownChanges: Bool
  private(set) var position: Position
  /// Told to be live since it was last replayed to.
  private(set) var isLive: Bool
  /// What it knows messages to be, by what it was shown of them and of their changes.
  private(set) var known: [Int64: Content]

  init(
    _ room: RoomName, _ position: Position, isLive: Bool, isShownChanges: Bool = true,
    known: [Int64: Content] = [:]
  ) {
    self.room = room
    self.isShownChanges = isShownChanges
    self.position = position
    self.isLive = isLive
    self.known = known
  }

  /// The last number that it has, if it has any.
  var seen: Int64? {
    if case .at(let seq) = position { seq } else { nil }
  }

  /// What is to be shown next behind a number; of changes the newest is enough.
  func next(after seq: Int64, in ledger: Ledger) -> Ledger.Entry? {
    ledger.rest(after: seq, in: room).first { isShownChanges || $0.isForAll }
  }

  /// It is shown a message or a change.
  mutating func shown(
    _ message: Message, in ledger: Ledger, writtenAs stamp: Stamp
  ) throws(Violation) {
    let what = "#\(message.seq) of \(room.string)"
    guard let entry = ledger.entry(message.seq, in: room) else {
      throw Violation(.keptFirst, "\(what) was shown and not kept")
    }
    try entry.agrees(with: message, writtenAs: stamp)
    switch position {
    case .at(let seq):
      guard message.seq > seq else {
        throw Violation(.noDouble, "\(what) was shown after #\(seq)")
      }
      if let next = next(after: seq, in: ledger), next.message.seq < message.seq {
        throw Violation(
          .noHole, "\(what) was shown after #\(seq), without #\(next.message.seq)")
      }
    case .newest(let count, let kept, let newest):
      try isBeginning(message.seq, of: count, kept: kept, newest: newest, in: ledger)
    }
    position = .at(message.seq)
    learn(message)
  }

  private mutating func learn(_ message: Message) {
    switch message.draft.content {
    case .text, .gone: known[message.seq] = message.draft.content
    case .edit(let seq, let text): if known[seq] != nil { known[seq] = .text(text) }
    case .deletion(let seq): if known[seq] != nil { known[seq] = .gone }
    case .topic: break
    }
  }

  /// A message that it knows otherwise than it is; to be asked when it has everything.
  func mistake(in ledger: Ledger) -> Int64? {
    known.keys.sorted().first { seq in
      guard let entry = ledger.entry(seq, in: room) else { return true }
      guard entry.message.draft.content != known[seq] else { return false }
      // Where the change is gone, nobody can be told.
      return entry.change.flatMap { ledger.entry($0, in: room) }?.isGone != true
    }
  }

  /// Whether a replay of the newest may begin here: neither too early nor too late.
  private func isBeginning(
    _ seq: Int64, of count: Int, kept: Int, newest: Int64, in ledger: Ledger
  ) throws(Violation) {
    let entries = ledger.entries(room)
    let first = ledger.index(after: seq - 1, in: room)
    let known = ledger.index(after: newest, in: room)
    guard first >= known || entries[first..<known].count(where: \.isThere) <= count else {
      throw Violation(.noDouble, "more than \(count) of \(room.string) were replayed")
    }
    // What is gone meanwhile, or damaged, shortens a page.
    if entries[..<first].contains(where: \.isGone) || entries[first...].contains(where: \.isGone) {
      return
    }
    guard entries.count - first >= min(count, kept) else {
      throw Violation(
        .noHole, "a replay of the newest \(count) of \(room.string) began at #\(seq) only")
    }
  }

  /// It is told that these are gone.
  mutating func told(_ gap: ClosedRange<Int64>, in ledger: Ledger) throws(Violation) {
    let start = seen.map { max($0 + 1, gap.lowerBound) } ?? gap.lowerBound
    if let seen, gap.lowerBound > seen + 1,
      let first = next(after: seen, in: ledger), first.message.seq < gap.lowerBound
    {
      throw Violation(
        .noHole, "#\(first.message.seq) of \(room.string) was left out before a gap")
    }
    guard gap.upperBound >= start else {
      throw Violation(.gapsAreTrue, "a gap of \(room.string) lies before what it was shown")
    }
    let called = ledger.rest(after: start - 1, in: room).prefix {
      $0.message.seq <= gap.upperBound
    }
    if let kept = called.first(where: { !$0.isGone }) {
      throw Violation(
        .gapsAreTrue, "#\(kept.message.seq) of \(room.string) was called gone, and is kept")
    }
    position = .at(gap.upperBound)
    known = [:]
  }

  /// It is told that it has everything up to a number.
  mutating func caughtUp(_ seq: Int64, in ledger: Ledger) throws(Violation) {
    switch position {
    case .at(let seen):
      if let next = next(after: seen, in: ledger), next.message.seq <= seq {
        throw Violation(
          .noHole,
          "\(room.string) was called caught up to #\(seq) without #\(next.message.seq)")
      }
      position = .at(max(seen, seq))
    case .newest(_, let kept, _):
      let isGone = ledger.entries(room).contains { !$0.isThere }
      guard kept == 0 || isGone else {
        throw Violation(.noHole, "nothing of \(room.string) was replayed, and there is something")
      }
      position = .at(seq)
    }
    isLive = true
  }
}

extension Ledger.Entry {
  /// Shown to everybody: a text that is still there.
  var isForAll: Bool {
    if case .text = message.draft.content { true } else { false }
  }
}
