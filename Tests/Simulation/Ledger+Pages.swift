/// Pages of what is kept, as a store gives them.

import ChatModel
import Stores

extension Ledger {
  /// As ``Stores/MessageStore/page(of:_:_:limit:)`` has it.
  func page(
    of room: RoomName, _ stretch: Stretch, _ reading: Stores.Reading, limit: Int
  ) -> HistoryPage {
    let entries = entries(room)
    var page = HistoryPage(room: room, messages: [], more: false)
    switch stretch {
    case .after(let seq):
      let places = index(after: seq, in: room)..<entries.count
      let run = Run(entries, places.lazy.map { $0 }, reading, limit)
      if let last = run.goneBefore?.last { page.gap = (seq + 1)...last }
      page.gap = page.gap ?? run.goneBehind.map { $0.first...$0.last }
      (page.messages, page.more) = (run.messages, run.more)
    case .before(let seq):
      let end = seq.map { index(after: $0 - 1, in: room) } ?? entries.count
      let run = Run(entries, (0..<end).reversed().lazy.map { $0 }, reading, limit)
      if let gone = run.goneBefore ?? run.goneBehind { page.gap = gone.last...gone.first }
      (page.messages, page.more) = (run.messages.reversed(), run.more)
    }
    return page
  }

  /// What is found in one direction: what is gone first, messages, and whether all behind them is
  /// gone.
  private struct Run {
    var goneBefore: (first: Int64, last: Int64)?
    var messages: [Message] = []
    var goneBehind: (first: Int64, last: Int64)?
    var more = false

    init(
      _ entries: [Entry], _ places: some Sequence<Int>, _ reading: Stores.Reading, _ limit: Int
    ) {
      for place in places {
        // What is gone is said to be, whatever it was.
        let seq = entries[place].message.seq
        if entries[place].leftOut != nil { continue }
        if entries[place].isGone {
          if messages.isEmpty {
            goneBefore = (goneBefore?.first ?? seq, seq)
          } else {
            goneBehind = (goneBehind?.first ?? seq, seq)
          }
          // One gap a page; what is behind it, and the other gap, is for the next one.
          if goneBefore != nil, goneBehind != nil { break }
        } else if reading == .everything || entries[place].message.draft.content.isMessage {
          guard goneBehind == nil, messages.count < limit else {
            more = true
            break
          }
          messages.append(entries[place].message)
        }
      }
      if more { goneBehind = nil }
      if goneBefore != nil, goneBehind != nil { (more, goneBehind) = (true, nil) }
    }
  }
}
