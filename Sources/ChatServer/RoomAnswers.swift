/// Answers with words of rooms that wait to be sent: who is put out of the room is not given them
/// any more, but a refusal in the place of each. Sends nothing.

import ChatModel

/// Of one connection.
struct RoomAnswers {
  /// How it was asked for.
  enum Asked {
    /// In chat: refused by this id, where it is taken back.
    case inChat(RequestID?)
    /// Over HTTP, by this person's token: no answer can be another one there. Also where the
    /// connection speaks something else by now.
    case overHTTP(PersonID?)
  }

  private struct Waiting {
    /// The memory that the answer is written in, which is its own; nil once it has gone. By its
    /// address alone another answer in the same place would be taken for it.
    weak var bytes: SharedBytes?
    let asked: Asked
    let rooms: Set<RoomName>

    func tells(of room: RoomName?) -> Bool { room.map { rooms.contains($0) } ?? true }
  }

  private var waiting: [Waiting] = []
  /// So many are there when those are looked for that have gone.
  private var tidyAt = Self.tidyMin
  private static let tidyMin = 32

  mutating func add(_ slice: Slice, to asked: Asked, of rooms: Set<RoomName>) {
    waiting.append(Waiting(bytes: slice.bytes, asked: asked, rooms: rooms))
    guard waiting.count >= tidyAt else { return }
    waiting.removeAll { $0.bytes == nil }
    tidyAt = max(Self.tidyMin, 2 * waiting.count)
  }

  /// All that waited has been sent. Costs nothing where nothing did.
  mutating func clear() { if !waiting.isEmpty { waiting = [] } }

  /// The requests in chat whose answers have words of this room, by the memory that those are
  /// written in; they are not asked for again.
  mutating func take(of room: RoomName) -> [ObjectIdentifier: RequestID?] {
    var taken: [ObjectIdentifier: RequestID?] = [:]
    waiting.removeAll { answer in
      guard answer.tells(of: room), case .inChat(let request) = answer.asked else { return false }
      if let bytes = answer.bytes { taken.updateValue(request, forKey: ObjectIdentifier(bytes)) }
      return true
    }
    return taken
  }

  /// The memory of the person's pages over HTTP with words of this room; nil: of any. They are not
  /// asked for again.
  mutating func takePages(of person: PersonID, in room: RoomName?) -> Set<ObjectIdentifier> {
    var taken: Set<ObjectIdentifier> = []
    waiting.removeAll { answer in
      guard answer.tells(of: room), case .overHTTP(let asker) = answer.asked, asker == person
      else { return false }
      if let bytes = answer.bytes { taken.insert(ObjectIdentifier(bytes)) }
      return true
    }
    return taken
  }
}
