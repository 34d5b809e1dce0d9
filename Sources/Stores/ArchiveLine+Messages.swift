/// A message or a change as a line of an exported history, and back.

internal import ChatModel
internal import Wire

extension ArchiveLine {
  /// A person is a string: its number has more digits than many readers of JSON keep.
  static func append(_ message: Message, to bytes: inout [UInt8]) {
    let draft = message.draft
    bytes.append(ascii: #"{"room":"#)
    bytes.append(quoted: draft.room.string)
    bytes.append(ascii: #","seq":"#)
    bytes.append(decimal: message.seq)
    bytes.append(ascii: #","from":"#)
    bytes.append(quoted: draft.from.shown)
    bytes.append(ascii: #","person":""#)
    bytes.append(decimal: draft.person.rawValue)
    bytes.append(ascii: #"""#)
    append(draft.content, to: &bytes)
    bytes.append(ascii: #","at":""#)
    bytes.append(timestamp: message.at.milliseconds)
    bytes.append(ascii: #"""#)
    if let edited = message.edited {
      bytes.append(ascii: #","edited":""#)
      bytes.append(timestamp: edited.milliseconds)
      bytes.append(ascii: #"""#)
    }
    if let key = draft.key {
      bytes.append(ascii: #","key":"#)
      bytes.append(quoted: key.string)
    }
    if let replyTo = draft.replyTo {
      bytes.append(ascii: #","replyTo":"#)
      bytes.append(decimal: replyTo)
    }
    bytes.append(ascii: "}\n")
  }

  private static func append(_ content: Content, to bytes: inout [UInt8]) {
    if let about = content.about {
      bytes.append(ascii: #","of":"#)
      bytes.append(decimal: about)
    }
    switch content {
    case .text(let text), .edit(_, let text):
      bytes.append(ascii: #","text":"#)
      bytes.append(quoted: text.string)
    case .gone, .deletion: bytes.append(ascii: #","deleted":true"#)
    case .topic(let topic):
      bytes.append(ascii: #","topic":"#)
      bytes.append(quoted: topic?.string ?? "")
    }
  }

  static func message(_ document: JSONDocument) throws(Problem) -> Message {
    let root = document.root
    guard let from = try string("from", document, root) else { throw Problem("'from' is missing") }
    let name: UserName
    do {
      name = try UserName(from)
    } catch {
      throw Problem("'from' cannot be a name (\(error.words))")
    }
    guard let number = try string("person", document, root), let person = Int64(number),
      person != 0
    else { throw Problem("'person' has to be a number other than 0, in quotes") }
    let seq = try seq("seq", document, root, from: 1)
    let content = try content(document, before: seq)
    guard let at = try moment("at", document) else { throw Problem(notAMoment("at")) }
    let edited = try moment("edited", document)
    if edited != nil {
      guard case .text = content else { throw Problem("'edited' is of messages with a text") }
    }
    var key: MessageKey?
    if let string = try self.string("key", document, root) {
      guard let found = MessageKey(string) else {
        throw Problem("'key' has to have 1 to \(MessageKey.bytesMax) bytes")
      }
      key = found
    }
    let replyTo = try integer("replyTo", document)
    return Message(
      Draft(
        room: try room(document, root), person: PersonID(rawValue: person), from: name,
        content: content, key: key, replyTo: replyTo), seq: seq, at: at, edited: edited)
  }

  private static func content(
    _ document: JSONDocument, before seq: Int64
  ) throws(Problem) -> Content {
    let about = try integer("of", document)
    if let about, about < 1 || about >= seq {
      throw Problem("'of' has to be a number below that of the change")
    }
    if let topic = try string("topic", document, document.root) {
      guard about == nil else { throw Problem("a topic is no change of a message") }
      if topic.isEmpty { return .topic(nil) }
      guard let topic = ShortText(topic) else {
        throw Problem("'topic' has to have at most \(ShortText.bytesMax) bytes")
      }
      return .topic(topic)
    }
    let string = try string("text", document, document.root)
    if let deleted = document.member("deleted", of: document.root) {
      guard document.kind(of: deleted) == .yes, string ?? "" == "" else {
        throw Problem("'deleted' has to be true, and the text taken away")
      }
      return about.map { .deletion(of: $0) } ?? .gone
    }
    guard let string, let text = MessageText(string) else {
      throw Problem("'text' has to have 1 to \(MessageText.bytesMax) bytes")
    }
    return about.map { .edit(of: $0, text) } ?? .text(text)
  }

  /// Nil where it is absent.
  private static func integer(_ key: String, _ document: JSONDocument) throws(Problem) -> Int64? {
    guard let value = document.member(key, of: document.root) else { return nil }
    guard let number = document.integer(value) else {
      throw Problem("'\(key)' is no whole number")
    }
    return number
  }

  /// Nil where it is absent.
  private static func moment(_ key: String, _ document: JSONDocument) throws(Problem) -> Moment? {
    guard let time = try string(key, document, document.root) else { return nil }
    guard let milliseconds = CalendarTime.milliseconds(ofTimestamp: time) else {
      throw Problem(notAMoment(key))
    }
    return Moment(milliseconds: milliseconds)
  }

  private static func notAMoment(_ key: String) -> String {
    "'\(key)' has to be a time such as 2026-11-30T02:10:00.123Z"
  }
}
