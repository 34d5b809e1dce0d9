/// Messages that wait to be kept, and the answers that wait behind them. Knows no connection and no
/// store.

import ChatHub
import ChatModel

/// What is to be answered in the order in which it was asked: one batch of drafts at a time is with
/// the store, and serves all that came in while the one before was being written.
struct Keeper {
  enum Entry {
    case draft(Draft, Ticket)
    /// The answer to a request that came after drafts of the same connection.
    case answer(Answer, Ticket)
  }

  private var waiting: [Entry] = []
  private var underWay: [Entry] = []

  /// How many wait to be handed to the store.
  var waitingCount: Int { waiting.count }
  /// Whether the store has a batch, or will have one.
  var isBusy: Bool { !underWay.isEmpty || !waiting.isEmpty }

  /// An answer only behind a draft that is not finished.
  mutating func add(_ entry: Entry) { waiting.append(entry) }

  /// The next drafts for the store; nil while it has some, and when there are none.
  mutating func takeBatch(_ countMax: Int) -> [Draft]? {
    guard underWay.isEmpty, !waiting.isEmpty else { return nil }
    if waiting.count <= countMax {
      swap(&waiting, &underWay)
    } else {
      underWay = Array(waiting.prefix(countMax))
      waiting.removeFirst(countMax)
    }
    let drafts = underWay.compactMap { entry in
      if case .draft(let draft, _) = entry { draft } else { nil }
    }
    precondition(!drafts.isEmpty, "an answer waits behind a draft, never alone")
    return drafts
  }

  /// The store has done with its batch: what was in it, and what waited only for it, in order.
  mutating func finishBatch() -> [Entry] {
    defer { underWay = [] }
    let answers = waiting.prefix { entry in
      if case .answer = entry { true } else { false }
    }
    guard !answers.isEmpty else { return underWay }
    waiting.removeFirst(answers.count)
    return underWay + answers
  }
}
