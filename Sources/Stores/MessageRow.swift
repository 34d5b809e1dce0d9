/// A row of the messages' table as a message. Trusts nothing that it reads.

internal import ChatModel

/// What may be wrong with a row, as part of a sentence.
struct RowDamage: Error, Hashable {
  let words: String

  init(_ words: String) { self.words = words }
}

/// Reads the columns of ``columns`` from a statement's row.
struct MessageRow {
  static let columns = "id, at, person, name, text, key, reply_to"

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
    guard let string = row.strictText(4) else { throw RowDamage("its text is none in UTF-8") }
    guard let text = MessageText(string) else {
      throw RowDamage("its text has \(string.utf8.count) bytes")
    }
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
    return Message(
      Draft(
        room: room, person: PersonID(rawValue: person), from: from, text: text, key: key,
        replyTo: replyTo), seq: seq, at: Moment(milliseconds: at))
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
