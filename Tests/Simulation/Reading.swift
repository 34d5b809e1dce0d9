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
  private(set) var position: Position
  /// Told to be live since it was last replayed to.
  private(set) var isLive: Bool

  init(_ room: RoomName, _ position: Position, isLive: Bool) {
    self.room = room
    self.position = position
    self.isLive = isLive
  }

  /// The last number that it has, if it has any.
  var seen: Int64? {
    if case .at(let seq) = position { seq } else { nil }
  }

  /// It is shown a message. `writtenIn` is the step in which the server let go of the bytes.
  mutating func shown(_ message: Message, in ledger: Ledger, writtenIn step: Int)
    throws(Violation)
  {
    let what = "#\(message.seq) of \(room.string)"
    guard let entry = ledger.entry(message.seq, in: room), entry.step <= step else {
      throw Violation(.keptFirst, "\(what) was shown and not kept")
    }
    try entry.message.agrees(with: message)
    switch position {
    case .at(let seq):
      guard message.seq > seq else {
        throw Violation(.noDouble, "\(what) was shown after #\(seq)")
      }
      let entries = ledger.entries(room)
      let next = entries[ledger.index(after: seq, in: room)].message.seq
      guard next == message.seq else {
        throw Violation(.noHole, "\(what) was shown after #\(seq), without #\(next)")
      }
    case .newest(let count, let kept, let newest):
      try isBeginning(message.seq, of: count, kept: kept, newest: newest, in: ledger)
    }
    position = .at(message.seq)
  }

  /// Whether a replay of the newest may begin here: neither too early nor too late.
  private func isBeginning(
    _ seq: Int64, of count: Int, kept: Int, newest: Int64, in ledger: Ledger
  ) throws(Violation) {
    let entries = ledger.entries(room)
    let first = ledger.index(after: seq - 1, in: room)
    let known = ledger.index(after: newest, in: room)
    guard first >= known || entries[first..<known].count(where: { !$0.isGone }) <= count else {
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
    let entries = ledger.entries(room)
    let start = seen.map { max($0 + 1, gap.lowerBound) } ?? gap.lowerBound
    if let seen, gap.lowerBound > seen + 1 {
      let between = entries[ledger.index(after: seen, in: room)...]
        .prefix { $0.message.seq < gap.lowerBound }
      if let first = between.first {
        throw Violation(
          .noHole, "#\(first.message.seq) of \(room.string) was left out before a gap")
      }
    }
    guard gap.upperBound >= start else {
      throw Violation(.gapsAreTrue, "a gap of \(room.string) lies before what it was shown")
    }
    let gone = entries[ledger.index(after: start - 1, in: room)...]
      .prefix { $0.message.seq <= gap.upperBound }
    if let kept = gone.first(where: { !$0.isGone }) {
      throw Violation(
        .gapsAreTrue, "#\(kept.message.seq) of \(room.string) was called gone, and is kept")
    }
    position = .at(gap.upperBound)
  }

  /// It is told that it has everything up to a number.
  mutating func caughtUp(_ seq: Int64, in ledger: Ledger) throws(Violation) {
    switch position {
    case .at(let seen):
      let entries = ledger.entries(room)
      let index = ledger.index(after: seen, in: room)
      if index < entries.count, entries[index].message.seq <= seq {
        throw Violation(
          .noHole,
          "\(room.string) was called caught up to #\(seq) without #\(entries[index].message.seq)")
      }
      position = .at(max(seen, seq))
    case .newest(_, let kept, _):
      let isGone = ledger.entries(room).contains(where: \.isGone)
      guard kept == 0 || isGone else {
        throw Violation(.noHole, "nothing of \(room.string) was replayed, and there is something")
      }
      position = .at(seq)
    }
    isLive = true
  }
}

extension Message {
  /// Whether a reader was shown what was kept; whose it is, it is not told.
  func agrees(with shown: Message) throws(Violation) {
    let isSame =
      shown.seq == seq && shown.at == at && shown.draft.room == draft.room
      && shown.draft.from == draft.from && shown.draft.text == draft.text
      && shown.draft.replyTo == draft.replyTo
    guard isSame else {
      throw Violation(.oneOrder, "#\(seq) of \(draft.room.string) was shown otherwise than kept")
    }
  }
}
