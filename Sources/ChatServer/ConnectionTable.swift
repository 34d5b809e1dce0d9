/// Which connection has which number. Knows nothing of what they do.

import ChatHub

/// Connections by slot. A slot is used again, a `ConnectionID` never.
struct ConnectionTable {
  private var slots: [ClientConnection?] = []
  private var generations: [UInt32] = []
  private var free: [UInt32] = []

  private(set) var count = 0

  subscript(id: ConnectionID) -> ClientConnection? {
    let slot = Int(id.slot)
    guard slot < slots.count, generations[slot] == id.generation else { return nil }
    return slots[slot]
  }

  /// Makes a connection with a number of its own.
  mutating func add(_ make: (ConnectionID) -> ClientConnection) -> ClientConnection {
    let slot: UInt32
    if let last = free.popLast() {
      slot = last
    } else {
      slot = UInt32(slots.count)
      slots.append(nil)
      generations.append(0)
    }
    let connection = make(ConnectionID(slot: slot, generation: generations[Int(slot)]))
    slots[Int(slot)] = connection
    count += 1
    return connection
  }

  mutating func remove(_ id: ConnectionID) {
    let slot = Int(id.slot)
    guard self[id] != nil else { return }
    slots[slot] = nil
    generations[slot] &+= 1
    free.append(id.slot)
    count -= 1
  }

  var all: [ClientConnection] { slots.compactMap { $0 } }
}
