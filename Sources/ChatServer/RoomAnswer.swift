/// An answer with words of rooms: who is put out of the room before it is sent is not given it.
/// Sends nothing.

import ChatModel

/// Goes with the memory that the answer is written in (``SharedBytes/answer``), wherever that is
/// copied to.
final class RoomAnswer {
  /// How it was asked for.
  enum Asked {
    /// In chat, by this person: refused by the request's id, where it is taken back.
    case inChat(RequestID?, PersonID?)
    /// Over HTTP, by this person's token: no answer can be another one there. Also where the
    /// connection speaks something else by now.
    case overHTTP(PersonID?)
  }

  let asked: Asked
  let rooms: Set<RoomName>

  init(_ asked: Asked, of rooms: Set<RoomName>) {
    self.asked = asked
    self.rooms = rooms
  }

  var isPage: Bool {
    if case .overHTTP = asked { true } else { false }
  }

  /// Who asked; the connection may be somebody else by now.
  var person: PersonID? {
    switch asked {
    case .inChat(_, let person), .overHTTP(let person): person
    }
  }

  /// Nil: of any room.
  func tells(of room: RoomName?) -> Bool { room.map { rooms.contains($0) } ?? true }
}
