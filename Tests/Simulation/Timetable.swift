/// What is to happen when: a heap of closures by time, in a fixed order where times are equal.

struct Timetable {
  private struct Item {
    let time: Duration
    let order: Int
    let body: () throws -> Void

    func isBefore(_ other: Item) -> Bool { (time, order) < (other.time, other.order) }
  }

  private var heap: [Item] = []
  private var count = 0

  var next: Duration? { heap.first?.time }

  mutating func add(at time: Duration, _ body: @escaping () throws -> Void) {
    heap.append(Item(time: time, order: count, body: body))
    count += 1
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func takeNext() -> (time: Duration, body: () throws -> Void)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.time, first.body)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
