/// Who is in a room, and the count line that stands for many joins and leaves.

/// The members of one room, in no order.
struct Room {
  /// Handed out with effects as it is: sharing it costs nothing until the next change.
  private(set) var members: [ConnectionID] = []
  private var places: [ConnectionID: Int] = [:]

  /// Joins and leaves that no line has told yet.
  private(set) var untold = Changes()
  /// When the next count line is due; nil when there is nothing to tell.
  private(set) var countLineDue: Duration?
  private var countLineTold: Duration?

  struct Changes: Equatable {
    var joined = 0
    var left = 0
  }

  mutating func add(_ id: ConnectionID) {
    precondition(places[id] == nil, "a connection is in a room once")
    places[id] = members.count
    members.append(id)
  }

  mutating func remove(_ id: ConnectionID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let last = members.removeLast()
    guard last != id else { return }
    members[place] = last
    places[last] = place
  }

  /// Counts a change for the next count line.
  mutating func count(joined: Int = 0, left: Int = 0, at now: Duration, limits: HubLimits) {
    untold.joined += joined
    untold.left += left
    guard countLineDue == nil else { return }
    let gathered = now + limits.countLineDelay
    countLineDue = countLineTold.map { max($0 + limits.countLineInterval, gathered) } ?? gathered
  }

  /// What has changed since the last line, if its time has come.
  mutating func takeDueChanges(at now: Duration) -> Changes? {
    guard let due = countLineDue, due <= now else { return nil }
    defer { untold = Changes() }
    countLineDue = nil
    countLineTold = now
    return untold
  }
}
