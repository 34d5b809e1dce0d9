/// A message before and after it is kept, and what names it. Values only.

/// A person, whatever the name: a number drawn at random at a guest's first login. Never 0.
public struct PersonID: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whoever runs the server, by its tools: a person of no account and no connection.
  public static let `operator` = PersonID(rawValue: -1)

  /// Somebody new.
  public static func random(using generator: inout some RandomNumberGenerator) -> PersonID {
    PersonID(rawValue: Int64.random(in: 1...Int64.max, using: &generator))
  }
}

/// What a client calls one message of its own, so that sending it twice keeps it once.
public struct MessageKey: Hashable, Sendable {
  /// The most a key may take, in bytes of UTF-8.
  public static let bytesMax = 64

  public let string: String

  /// Nil when the key is empty or longer than ``bytesMax``.
  public init?(_ string: String) {
    guard (1...Self.bytesMax).contains(string.utf8.count) else { return nil }
    self.string = string
  }
}

/// A moment by the clock on the wall, in milliseconds since 1970-01-01 00:00 UTC. It may go back
/// when somebody sets the clock: the order of messages is that of their sequence numbers.
public struct Moment: Hashable, Comparable, Sendable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (one: Moment, other: Moment) -> Bool {
    one.milliseconds < other.milliseconds
  }
}

/// What is said: a message, or a change of what was said before in the same place.
public enum Content: Hashable, Sendable {
  case text(MessageText)
  /// A message whose text was taken away.
  case gone
  /// The message with this sequence number has another text from here on.
  case edit(of: Int64, MessageText)
  /// The message with this sequence number has no text any more.
  case deletion(of: Int64)
  /// What the room is about from here on; nil: nothing.
  case topic(ShortText?)

  /// Whether it is a message, and no change of something.
  public var isMessage: Bool {
    switch self {
    case .text, .gone: true
    case .edit, .deletion, .topic: false
    }
  }

  /// The message that is changed, by its sequence number; nil for what changes none.
  public var about: Int64? {
    switch self {
    case .edit(let seq, _), .deletion(let seq): seq
    case .text, .gone, .topic: nil
    }
  }
}

/// What nobody has kept yet: a message or a change.
public struct Draft: Hashable, Sendable {
  /// Or what two people say to each other: ``RoomName/people``.
  public var room: RoomName
  public var person: PersonID
  /// The name that the person bears as it is sent.
  public var from: UserName
  public var content: Content
  /// With the person unique for as long as the message is kept.
  public var key: MessageKey?
  /// The sequence number of a message of the same room that this one answers.
  public var replyTo: Int64?
  /// Whether others' messages may be changed, too. Not kept.
  public var changesOthers = false
  /// What is set in the transaction that keeps it. Not kept with it.
  public var facts: [Fact] = []

  public init(
    room: RoomName, person: PersonID, from: UserName, content: Content, key: MessageKey? = nil,
    replyTo: Int64? = nil
  ) {
    self.room = room
    self.person = person
    self.from = from
    self.content = content
    self.key = key
    self.replyTo = replyTo
  }

  public init(
    room: RoomName, person: PersonID, from: UserName, text: MessageText, key: MessageKey? = nil,
    replyTo: Int64? = nil
  ) {
    self.init(
      room: room, person: person, from: from, content: .text(text), key: key, replyTo: replyTo)
  }

  /// What it says; empty where nothing is left of it, or nothing is said.
  public var words: String {
    switch content {
    case .text(let text), .edit(of: _, let text): text.string
    case .topic(let topic): topic?.string ?? ""
    case .gone, .deletion: ""
    }
  }
}

/// A message, or a change, that is kept.
public struct Message: Hashable, Sendable {
  public var draft: Draft
  /// Its place in its room: above 0, strictly increasing; numbers may be left out.
  public var seq: Int64
  /// When it was kept.
  public var at: Moment
  /// When a message got the text that it has, where that is not its first one.
  public var edited: Moment?

  public init(_ draft: Draft, seq: Int64, at: Moment, edited: Moment? = nil) {
    self.draft = draft
    self.draft.changesOthers = false
    self.draft.facts = []
    self.seq = seq
    self.at = at
    self.edited = edited
  }
}

/// How safe a message is once its sender is answered.
public enum Durability: String, Hashable, Sendable {
  /// In memory: it is gone with the process.
  case received
  /// On the disk: it survives a crash of the machine.
  case stored
}
