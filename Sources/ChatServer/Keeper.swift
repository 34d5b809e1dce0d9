/// Messages and facts that wait to be kept, and the answers that wait behind them. Knows no
/// connection and no store.

import ChatHub
import ChatModel
import Stores

/// What is to be answered in the order in which it was asked: one batch at a time is with the
/// store, and serves all that came in while the one before was being written.
struct Keeper {
  enum Item {
    case draft(Draft, Ticket)
    case record(Record, Ticket)
    /// The answer to a request that came after others of the same connection.
    case answer(Answer, Ticket)
  }

  private var waiting: [Item] = []
  private var underWay: [Item] = []

  /// How many wait to be handed to the store.
  var waitingCount: Int { waiting.count }
  /// How many there are, with those that the store has.
  var count: Int { waiting.count + underWay.count }
  /// Whether the store has a batch, or will have one.
  var isBusy: Bool { !underWay.isEmpty || !waiting.isEmpty }

  /// An answer only behind something that is not finished.
  mutating func add(_ item: Item) { waiting.append(item) }

  /// The next entries for the store; nil while it has some, and when there are none.
  mutating func takeBatch(_ countMax: Int) -> [Entry]? {
    guard underWay.isEmpty, !waiting.isEmpty else { return nil }
    if waiting.count <= countMax {
      swap(&waiting, &underWay)
    } else {
      underWay = Array(waiting.prefix(countMax))
      waiting.removeFirst(countMax)
    }
    let entries = underWay.compactMap { item -> Entry? in
      switch item {
      case .draft(let draft, _): .message(draft)
      case .record(let record, _): record.entry
      case .answer: nil
      }
    }
    precondition(!entries.isEmpty, "an answer waits behind something, never alone")
    return entries
  }

  /// The store has done with its batch: what was in it, and what waited only for it, in order.
  mutating func finishBatch() -> [Item] {
    defer { underWay = [] }
    let answers = waiting.prefix { item in
      if case .answer = item { true } else { false }
    }
    guard !answers.isEmpty else { return underWay }
    waiting.removeFirst(answers.count)
    return underWay + answers
  }

  /// The store has kept nothing of its batch: what was in it, in order. What was judged by facts
  /// of it is not to be kept either, so with any all that waits comes, too.
  mutating func failBatch() -> [Item] {
    let hasFacts = underWay.contains { item in
      if case .record = item { true } else { false }
    }
    guard hasFacts else { return finishBatch() }
    defer { (underWay, waiting) = ([], []) }
    return underWay + waiting
  }
}

extension Record {
  /// Its facts, with the line of the log in the same transaction.
  fileprivate var entry: Entry {
    guard var line else { return .facts(facts) }
    line.facts = facts
    return .message(line)
  }
}
