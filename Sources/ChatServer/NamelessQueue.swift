/// The connections without a name, oldest first. Decides nothing.

import ChatHub

/// A queue from which those that got a name, or left, fall out by themselves.
struct NamelessQueue {
  private var queue: [ConnectionID] = []
  private var head = 0
  /// How many connections have no name now.
  private(set) var count = 0

  mutating func add(_ id: ConnectionID) {
    queue.append(id)
    count += 1
  }

  /// One got its name or left.
  mutating func removedOne() { count -= 1 }

  /// Takes the oldest of which `isNameless` still holds.
  mutating func takeOldest(where isNameless: (ConnectionID) -> Bool) -> ConnectionID? {
    while head < queue.count {
      let id = queue[head]
      head += 1
      if isNameless(id) { return id }
    }
    return nil
  }

  /// Forgets entries that fell out, once they are many: the queue never grows beyond twice its use.
  mutating func tidy(where isNameless: (ConnectionID) -> Bool) {
    guard queue.count > 2 * count + 64 else { return }
    queue = queue[head...].filter(isNameless)
    head = 0
  }
}
