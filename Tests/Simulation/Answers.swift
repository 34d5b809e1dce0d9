/// What answers must say: of messages that were sent, and of pages of history.

import ChatModel

extension Say {
  /// It is answered that it is kept.
  func answered(
    _ seq: Int64, _ at: Moment, in ledger: Ledger
  ) throws(Violation) {
    guard let entry = ledger.entry(seq, in: room), entry.said == .text(text),
      entry.message.at == at
    else {
      throw Violation(
        .answeredOnce, "'\(text.string)' was answered as #\(seq), which is not it")
    }
    // Kept again once the first was gone; the earlier answer may come to another device later.
    if let first, first != (seq, at), !entry.isGone,
      ledger.entry(first.seq, in: room)?.isGone != true
    {
      throw Violation(
        .firstAnswer, "'\(text.string)' was answered #\(first.seq), then #\(seq)")
    }
    first = (seq, at)
  }

  /// It is answered that it is not kept, and may be sent again.
  func refused(in ledger: Ledger) throws(Violation) {
    guard first == nil, underWay == 0, !isUnknown else { return }
    if let place = ledger.places(of: text.string).last {
      throw Violation(
        .refusedIsUnseen, "'\(text.string)' was refused, and is kept as #\(place.seq)")
    }
  }
}

extension Ledger {
  /// Whether a page is a true part of the history. `shown`: what its reader had seen when it asked.
  func check(
    _ page: HistoryPage, _ stretch: Stretch, in room: RoomName, shown: Int64?,
    writtenAs stamp: Stamp
  ) throws(Violation) {
    for message in page.messages {
      guard let entry = entry(message.seq, in: room) else {
        throw Violation(.keptFirst, "#\(message.seq) was in a page and is not kept")
      }
      guard message.draft.content.isMessage else {
        throw Violation(.oneOrder, "#\(message.seq) in a page of history is no message")
      }
      try entry.agrees(with: message, writtenAs: stamp)
    }
    for (one, next) in zip(page.messages, page.messages.dropFirst()) {
      guard one.seq < next.seq else {
        throw Violation(.oneOrder, "#\(next.seq) follows #\(one.seq) in a page")
      }
      try allGone(from: one.seq + 1, to: next.seq - 1, room)
    }
    try goesOn(page, room)
    switch stretch {
    case .after(let seq):
      if let first = page.messages.first { try allGone(from: seq + 1, to: first.seq - 1, room) }
      if !page.more, let shown {
        try allGone(from: (page.messages.last?.seq ?? seq) + 1, to: shown, room)
      }
    case .before(let seq):
      let end = min((seq ?? .max) - 1, shown ?? 0)
      try allGone(from: (page.messages.last?.seq ?? 0) + 1, to: end, room)
      if !page.more, let first = page.messages.first {
        try allGone(from: 1, to: first.seq - 1, room)
      }
    }
    guard let gap = page.gap else { return }
    if let kept = firstKept(from: gap.lowerBound, to: gap.upperBound, room) {
      throw Violation(.gapsAreTrue, "a page calls #\(kept) gone, which is kept")
    }
  }

  /// Whether who goes on from the page, and from its gap, misses nothing between these.
  private func goesOn(_ page: HistoryPage, _ room: RoomName) throws(Violation) {
    guard !page.more || !page.messages.isEmpty || page.gap != nil else {
      throw Violation(.noHole, "a page of \(room.string) is empty and says there is more")
    }
    guard let gap = page.gap, let first = page.messages.first, let last = page.messages.last
    else { return }
    try allGone(from: last.seq + 1, to: gap.lowerBound - 1, room)
    try allGone(from: gap.upperBound + 1, to: first.seq - 1, room)
  }

  /// What a page leaves out is gone.
  private func allGone(from: Int64, to: Int64, _ room: RoomName) throws(Violation) {
    if let kept = firstKept(from: from, to: to, room) {
      throw Violation(.noHole, "a page of \(room.string) lacks #\(kept)")
    }
  }

  /// The first message there that is not gone; changes are in no page of history.
  private func firstKept(from: Int64, to: Int64, _ room: RoomName) -> Int64? {
    guard from <= to else { return nil }
    return entries(room)[index(after: from - 1, in: room)...].prefix { $0.message.seq <= to }
      .first { !$0.isGone && $0.message.draft.content.isMessage }?.message.seq
  }
}
