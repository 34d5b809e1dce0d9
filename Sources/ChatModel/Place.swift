/// Where something is said, as one person names it. Knows nobody and no room.

/// A room, or what two people say to each other.
public enum Place: Hashable, Sendable {
  case room(RoomName)
  /// The conversation of whoever names it with this person.
  case with(UserName)
}
