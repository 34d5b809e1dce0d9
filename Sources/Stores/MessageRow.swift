/// A row of the messages' table as a message. Trusts nothing that it reads.

internal import ChatModel

/// What may be wrong with a row, as part of a sentence.
struct RowDamage: Error, Hashable {
  let words: String

  init(_ words: String) { self.words = words }
}

/// Reads the columns of ``columns`` from a statement's row.
struct MessageRow {
  static let columns = "\(messageColumns), kind, about, edited"
  /// The place of `about` among them.
  static let about: Int32 = 8
  /// Those that a message has whose text is its first one; the others are as they are by default.
  static let messageColumns = "id, at, person, name, text, key, reply_to"

  /// Names of this page that were checked already: one person says much.
  private var names: [String: UserName] = [:]

  init() {}

  /// The row's message, in the room that the caller knows it to be of.
  mutating func message(
    _ row: Statement, in room: RoomName
  ) throws(RowDamage) -> Message {
    guard let id = row.strictNumber(0) else { throw RowDamage("its number is none") }
    let seq = RowNumber(id).seq
    guard id > 0, seq > 0 else { throw RowDamage("its number is \(id)") }
    guard let at = row.strictNumber(1) else { throw RowDamage("its time is no number") }
    guard let person = row.strictNumber(2), person != 0 else {
      throw RowDamage("its person is no number above or below 0")
    }
    guard let shown = row.strictText(3) else { throw RowDamage("its name is no text in UTF-8") }
    let from = try name(shown)
    let content = try Self.content(seq, text: row.strictText(4), row, kind: 7, about: Self.about)
    var key: MessageKey?
    if !row.isNull(5) {
      guard let string = row.strictText(5), let found = MessageKey(string) else {
        throw RowDamage("its key is none")
      }
      key = found
    }
    var replyTo: Int64?
    if !row.isNull(6) {
      guard let found = row.strictNumber(6) else { throw RowDamage("what it answers is no number") }
      replyTo = found
    }
    var edited: Moment?
    if !row.isNull(9) {
      guard let found = row.strictNumber(9) else { throw RowDamage("its new time is no number") }
      guard case .text = content else { throw RowDamage("it has a new time, and no new text") }
      edited = Moment(milliseconds: found)
    }
    return Message(
      Draft(
        room: room, person: PersonID(rawValue: person), from: from, content: content, key: key,
        replyTo: replyTo), seq: seq, at: Moment(milliseconds: at), edited: edited)
  }

  /// What the row with this sequence number says, from its text and the columns of these numbers.
  static func content(
    _ seq: Int64, text: String?, _ row: Statement, kind: Int32, about: Int32
  ) throws(RowDamage) -> Content {
    guard let text else { throw RowDamage("its text is none in UTF-8") }
    guard let kind = row.strictNumber(kind).flatMap({ RowKind(rawValue: $0) }) else {
      throw RowDamage("its kind is none")
    }
    switch kind {
    case .message: return .text(try self.text(text))
    case .gone:
      try checkEmpty(text)
      return .gone
    case .edit: return .edit(of: try self.about(row, about, before: seq), try self.text(text))
    case .deletion:
      try checkEmpty(text)
      return .deletion(of: try self.about(row, about, before: seq))
    case .topic:
      if text.isEmpty { return .topic(nil) }
      guard let topic = ShortText(text) else {
        throw RowDamage("its topic has \(text.utf8.count) bytes")
      }
      return .topic(topic)
    }
  }

  private static func text(_ string: String) throws(RowDamage) -> MessageText {
    guard let text = MessageText(string) else {
      throw RowDamage("its text has \(string.utf8.count) bytes")
    }
    return text
  }

  private static func checkEmpty(_ text: String) throws(RowDamage) {
    guard text.isEmpty else { throw RowDamage("its text was taken away and is there") }
  }

  private static func about(
    _ row: Statement, _ column: Int32, before seq: Int64
  ) throws(RowDamage) -> Int64 {
    guard let about = row.strictNumber(column), about > 0, about < seq else {
      throw RowDamage("what it changes is no number before its own")
    }
    return about
  }

  private mutating func name(_ shown: String) throws(RowDamage) -> UserName {
    if let name = names[shown] { return name }
    let name: UserName
    do {
      name = try UserName(shown)
    } catch {
      throw RowDamage("its name cannot be one (\(error.words))")
    }
    // What is read must be what was shown.
    guard name.shown.utf8.elementsEqual(shown.utf8) else {
      throw RowDamage("its name has blanks around it")
    }
    names[shown] = name
    return name
  }
}
