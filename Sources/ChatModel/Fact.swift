/// What is kept besides messages: one value for each key, the newest. Kinds of facts are added
/// here, in `Registry` (ChatHub) and in `FactRow` (Stores).

/// A key with its value, as it is from now on; nil: there is none any more.
public enum Fact: Hashable, Sendable {
  case account(PersonID, Account?)
  /// Tokens of the person that were made in an earlier epoch are void. None is epoch 0.
  case epoch(PersonID, Int64?)
  case room(RoomName, RoomRecord?)
  case topic(RoomName, ShortText?)
  /// What the person is in the room; in a private one, that it was admitted.
  case member(RoomName, PersonID, Role?)
  case invitation(RoomName, CodeHash, Invitation?)
  case sanction(Sanction.Key, Sanction?)
  /// Of a conversation: there is one once something was said in it.
  case partners(RoomName, PartnerNames?)
  /// The person has read the room up to this sequence number.
  case mark(RoomName, PersonID, Int64?)

  /// What a fact is about.
  public enum Key: Hashable, Sendable {
    case account(PersonID)
    case epoch(PersonID)
    case room(RoomName)
    case topic(RoomName)
    case member(RoomName, PersonID)
    case invitation(RoomName, CodeHash)
    case sanction(Sanction.Key)
    case partners(RoomName)
    case mark(RoomName, PersonID)
  }

  public var key: Key {
    switch self {
    case .account(let person, _): .account(person)
    case .epoch(let person, _): .epoch(person)
    case .room(let room, _): .room(room)
    case .topic(let room, _): .topic(room)
    case .member(let room, let person, _): .member(room, person)
    case .invitation(let room, let code, _): .invitation(room, code)
    case .sanction(let key, _): .sanction(key)
    case .partners(let room, _): .partners(room)
    case .mark(let room, let person, _): .mark(room, person)
    }
  }

  /// Whether the key has no value from here on.
  public var isRemoval: Bool {
    switch self {
    case .account(_, let account): account == nil
    case .epoch(_, let epoch): epoch == nil
    case .room(_, let record): record == nil
    case .topic(_, let topic): topic == nil
    case .member(_, _, let role): role == nil
    case .invitation(_, _, let invitation): invitation == nil
    case .sanction(_, let sanction): sanction == nil
    case .partners(_, let names): names == nil
    case .mark(_, _, let seq): seq == nil
    }
  }
}
