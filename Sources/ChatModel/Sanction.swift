/// What is withheld from somebody, where, why and until when. Values only; enforces nothing.

/// A ban or a mute.
public struct Sanction: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// May not be there.
    case ban
    /// May not say anything.
    case mute
  }

  /// Whom it is for.
  public enum Subject: Hashable, Sendable {
    case person(PersonID)
    /// Whoever comes from there.
    case network(Network)
  }

  /// There is one of each kind for a subject in a place.
  public struct Key: Hashable, Sendable {
    public var kind: Kind
    /// Nil: the whole server.
    public var room: RoomName?
    public var subject: Subject

    public init(_ kind: Kind, in room: RoomName?, of subject: Subject) {
      self.kind = kind
      self.room = room
      self.subject = subject
    }
  }

  /// What the person was called then; nil for a network.
  public var name: UserName?
  /// Who decided it.
  public var by: UserName
  public var reason: ShortText?
  public var at: Moment
  /// It ends then; nil: not by itself.
  public var until: Moment?

  public init(
    name: UserName?, by: UserName, reason: ShortText?, at: Moment, until: Moment? = nil
  ) {
    self.name = name
    self.by = by
    self.reason = reason
    self.at = at
    self.until = until
  }

  public func isInForce(at moment: Moment) -> Bool { until.map { moment < $0 } ?? true }
}
