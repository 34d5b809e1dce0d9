/// Messages that wait to be handed to the store. Knows no connection and no store.

import ChatHub
import ChatModel

/// Drafts on their way into the store, in order: one batch at a time, which serves all that came
/// in while the one before was being written.
struct Keeper {
  struct Entry {
    let draft: Draft
    let ticket: Ticket
  }

  private(set) var waiting: [Entry] = []
  /// A batch is with the store.
  var isBusy = false

  mutating func add(_ entry: Entry) { waiting.append(entry) }

  mutating func takeBatch(_ countMax: Int) -> [Entry] {
    guard waiting.count > countMax else {
      defer { waiting = [] }
      return waiting
    }
    defer { waiting.removeFirst(countMax) }
    return Array(waiting.prefix(countMax))
  }
}
