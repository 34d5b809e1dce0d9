/// Connections in no order, each once.

/// Going takes as long as coming, however many there are.
struct Roster {
  /// Handed out with effects as it is: sharing it costs nothing until the next change.
  private(set) var connections: [ConnectionID] = []
  private var places: [ConnectionID: Int] = [:]

  mutating func add(_ id: ConnectionID) {
    precondition(places[id] == nil, "a connection is in a room once")
    places[id] = connections.count
    connections.append(id)
  }

  /// False when it was not there.
  mutating func remove(_ id: ConnectionID) -> Bool {
    guard let place = places.removeValue(forKey: id) else { return false }
    let last = connections.removeLast()
    if last != id {
      connections[place] = last
      places[last] = place
    }
    return true
  }
}
