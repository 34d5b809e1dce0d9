/// Who follows rooms without being in them: by connection, and by person. Tells nobody anything.

import ChatModel

/// Each connection follows one room at most.
struct Followers {
  private var followings: [ConnectionID: Following] = [:]
  /// In the order of their coming.
  private var connections: [PersonID: [ConnectionID]] = [:]

  private struct Following {
    let room: RoomName
    /// Nil for whoever has not said who it is.
    let person: PersonID?
  }

  var count: Int { followings.count }

  func room(of id: ConnectionID) -> RoomName? { followings[id]?.room }

  func person(of id: ConnectionID) -> PersonID? { followings[id]?.person }

  func connections(of person: PersonID) -> [ConnectionID] { connections[person] ?? [] }

  mutating func add(_ id: ConnectionID, to room: RoomName, as person: PersonID?) {
    precondition(followings[id] == nil, "a connection follows one room")
    followings[id] = Following(room: room, person: person)
    if let person { connections[person, default: []].append(id) }
  }

  /// Gives the room that the connection followed.
  mutating func remove(_ id: ConnectionID) -> RoomName? {
    guard let following = followings.removeValue(forKey: id) else { return nil }
    if let person = following.person {
      connections[person]?.removeAll { $0 == id }
      if connections[person]?.isEmpty == true { connections[person] = nil }
    }
    return following.room
  }
}
