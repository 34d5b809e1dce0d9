/// The connections without a name, oldest first. Decides nothing.

import ChatHub

/// A queue from which those that got a name, or left, fall out by themselves.
struct NamelessQueue {
  struct Entry {
    var id: ConnectionID
    var since: Duration
  }

  private var queue: [Entry] = []
  private var head = 0
  /// How many connections have no name now.
  private(set) var count = 0

  mutating func add(_ entry: Entry) {
    queue.append(entry)
    count += 1
  }

  /// One got its name or left.
  mutating func removedOne() { count -= 1 }

  /// The oldest of which `isNameless` still holds.
  mutating func oldest(where isNameless: (ConnectionID) -> Bool) -> Entry? {
    while head < queue.count {
      if isNameless(queue[head].id) { return queue[head] }
      head += 1
    }
    return nil
  }

  /// Forgets entries that fell out, once they are many: the queue never grows beyond twice its use.
  mutating func tidy(where isNameless: (ConnectionID) -> Bool) {
    guard queue.count > 2 * count + 64 else { return }
    queue = queue[head...].filter { isNameless($0.id) }
    head = 0
  }
}
