/// When to look at which connection again. Knows no clock and no reason.

import ChatHub

/// A heap of times, one entry a connection at most is meant to be live: the owner checks what it
/// finds, so that a time that moved later needs no removal.
struct Deadlines {
  struct Entry {
    var at: Duration
    var connection: ConnectionID
  }

  private var heap: [Entry] = []

  var first: Duration? { heap.first?.at }

  mutating func add(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child].at < heap[(child - 1) / 2].at {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the earliest entry if its time has come.
  mutating func takeDue(at now: Duration) -> Entry? {
    guard let first = heap.first, first.at <= now else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].at < heap[child].at { child += 1 }
      guard heap[child].at < heap[parent].at else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return first
  }
}
