/// What is kept besides messages: one value for each key, the newest. Kinds of facts are added
/// here, in `Registry` (ChatHub) and in `FactRow` (Stores).

/// A key with its value, as it is from now on; nil: there is none any more.
public enum Fact: Hashable, Sendable {
  case account(PersonID, Account?)
  /// Tokens of the person that were made in an earlier epoch are void. None is epoch 0.
  case epoch(PersonID, Int64?)

  /// What a fact is about.
  public enum Key: Hashable, Sendable {
    case account(PersonID)
    case epoch(PersonID)
  }

  public var key: Key {
    switch self {
    case .account(let person, _): .account(person)
    case .epoch(let person, _): .epoch(person)
    }
  }

  /// Whether the key has no value from here on.
  public var isRemoval: Bool {
    switch self {
    case .account(_, let account): account == nil
    case .epoch(_, let epoch): epoch == nil
    }
  }
}
