/// What an operator's request needs of the store and of the sockets, which the hub does not have.

package import ChatModel

/// Done elsewhere, then answered by ``Hub/finished(_:_:_:at:)``.
package enum Errand: Hashable, Sendable {
  /// Fill in what the hub does not know of itself.
  case survey(ServerStatus)
  /// Find messages of the person that still have text, behind this place in the store.
  case walk(PersonID, after: Int64, limit: Int)
  /// Remove all that was said in the room.
  case clear(RoomName)
}

/// What became of it.
package enum ErrandOutcome: Hashable, Sendable {
  case surveyed(ServerStatus)
  /// `next` is where to go on; nil at the end.
  case walked([Said], next: Int64?)
  /// So many messages were removed.
  case cleared(Int)
  case failed(StoreTrouble)

  /// Where a message stands.
  package struct Said: Hashable, Sendable {
    package var room: RoomName
    package var seq: Int64

    package init(room: RoomName, seq: Int64) {
      self.room = room
      self.seq = seq
    }
  }
}
