/// What somebody searches for. Judges no words, and reads nothing.

/// A search of messages, newest first, in what the asker may read.
public struct Search: Hashable, Sendable {
  /// The most bytes of words: as much as a person types.
  public static let wordsBytesMax = 512
  /// The most messages of a page, and how many it has where nothing else is asked for.
  public static let messagesMax = 100
  public static let messagesStandard = 20

  /// All of them have to be there; what is in quotes has to stand together.
  public var words: String
  public var place: Place?
  /// Said under this name.
  public var from: UserName?
  /// The first moment that counts.
  public var since: Moment?
  /// The first that does not any more.
  public var until: Moment?
  /// Of the page before.
  public var cursor: String?
  public var limit: Int

  public init(
    _ words: String, in place: Place? = nil, from: UserName? = nil, since: Moment? = nil,
    until: Moment? = nil, cursor: String? = nil, limit: Int = messagesStandard
  ) {
    self.words = words
    self.place = place
    self.from = from
    self.since = since
    self.until = until
    self.cursor = cursor
    self.limit = limit
  }
}

/// Which rooms somebody may read.
public struct Sight: Hashable, Sendable {
  /// Of those that people made, all but these.
  public var hidden: Set<RoomName>
  /// Of those that the server made (``RoomName/isMade``), these alone.
  public var made: Set<RoomName>

  public init(hidden: Set<RoomName>, made: Set<RoomName>) {
    self.hidden = hidden
    self.made = made
  }

  public func includes(_ room: RoomName) -> Bool {
    room.isMade ? made.contains(room) : !hidden.contains(room)
  }
}

/// A page of what was found.
public struct Findings: Hashable, Sendable {
  public struct Finding: Hashable, Sendable {
    public var place: Place
    public var message: Message

    public init(_ message: Message, in place: Place) {
      self.message = message
      self.place = place
    }
  }

  /// Newest first. Few or none beside a cursor mean that much had to be looked at.
  public var messages: [Finding]
  /// For the next page; nil at the end.
  public var cursor: String?

  public init(messages: [Finding], cursor: String?) {
    self.messages = messages
    self.cursor = cursor
  }
}
