/// Answers with words of rooms that wait to be sent: who is put out of the room is not given them
/// any more, but a refusal in the place of each. Sends nothing.

import ChatModel

/// Of one connection.
struct RoomAnswers {
  private struct Waiting {
    /// The memory that the answer is written in, which is its own.
    let bytes: ObjectIdentifier
    let asked: RequestID?
    let rooms: Set<RoomName>

    func tells(of room: RoomName?) -> Bool { room.map { rooms.contains($0) } ?? true }
  }

  private var waiting: [Waiting] = []

  mutating func add(_ slice: Slice, to asked: RequestID?, of rooms: Set<RoomName>) {
    waiting.append(Waiting(bytes: ObjectIdentifier(slice.bytes), asked: asked, rooms: rooms))
  }

  /// All that waited has been sent. Costs nothing where nothing did.
  mutating func clear() { if !waiting.isEmpty { waiting = [] } }

  /// Whether any has words of this room; nil: of any.
  func has(of room: RoomName?) -> Bool { waiting.contains { $0.tells(of: room) } }

  /// The requests whose answers have words of this room, or of any, by the memory that those are
  /// written in; they are not asked for again.
  mutating func take(of room: RoomName?) -> [ObjectIdentifier: RequestID?] {
    var taken: [ObjectIdentifier: RequestID?] = [:]
    for answer in waiting where answer.tells(of: room) {
      taken.updateValue(answer.asked, forKey: answer.bytes)
    }
    waiting.removeAll { $0.tells(of: room) }
    return taken
  }
}
