/// What answers must say: of messages that were sent, and of pages of history.

import ChatModel

extension Say {
  /// It is answered that it is kept.
  func answered(
    _ room: RoomName, _ seq: Int64, _ at: Moment, in ledger: Ledger
  ) throws(Violation) {
    guard let entry = ledger.entry(seq, in: room), entry.message.draft.text == text,
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
    _ page: HistoryPage, _ stretch: Stretch, shown: Int64?, writtenIn step: Int
  ) throws(Violation) {
    for message in page.messages {
      guard let entry = entry(message.seq, in: page.room), entry.step <= step else {
        throw Violation(.keptFirst, "#\(message.seq) was in a page and is not kept")
      }
      try entry.message.agrees(with: message)
    }
    for (one, next) in zip(page.messages, page.messages.dropFirst()) {
      guard one.seq < next.seq else {
        throw Violation(.oneOrder, "#\(next.seq) follows #\(one.seq) in a page")
      }
      try allGone(from: one.seq + 1, to: next.seq - 1, page)
    }
    try goesOn(page, stretch)
    switch stretch {
    case .after(let seq):
      if let first = page.messages.first { try allGone(from: seq + 1, to: first.seq - 1, page) }
      if !page.more, let shown {
        try allGone(from: (page.messages.last?.seq ?? seq) + 1, to: shown, page)
      }
    case .before(let seq):
      let end = min((seq ?? .max) - 1, shown ?? 0)
      try allGone(from: (page.messages.last?.seq ?? 0) + 1, to: end, page)
      if !page.more, let first = page.messages.first {
        try allGone(from: 1, to: first.seq - 1, page)
      }
    }
    guard let gap = page.gap else { return }
    let called = entries(page.room)[index(after: gap.lowerBound - 1, in: page.room)...]
      .prefix { $0.message.seq <= gap.upperBound }
    if let kept = called.first(where: { !$0.isGone }) {
      throw Violation(.gapsAreTrue, "a page calls #\(kept.message.seq) gone, which is kept")
    }
  }

  /// Whether who goes on from the page, and from its gap, misses nothing between these.
  private func goesOn(_ page: HistoryPage, _ stretch: Stretch) throws(Violation) {
    guard !page.more || !page.messages.isEmpty || page.gap != nil else {
      throw Violation(.noHole, "a page of \(page.room.string) is empty and says there is more")
    }
    guard let gap = page.gap, let first = page.messages.first, let last = page.messages.last
    else { return }
    try allGone(from: last.seq + 1, to: gap.lowerBound - 1, page)
    try allGone(from: gap.upperBound + 1, to: first.seq - 1, page)
  }

  /// What a page leaves out is gone.
  private func allGone(from: Int64, to: Int64, _ page: HistoryPage) throws(Violation) {
    guard from <= to else { return }
    let between = entries(page.room)[index(after: from - 1, in: page.room)...]
      .prefix { $0.message.seq <= to }
    if let kept = between.first(where: { !$0.isGone }) {
      throw Violation(.noHole, "a page of \(page.room.string) lacks #\(kept.message.seq)")
    }
  }
}
