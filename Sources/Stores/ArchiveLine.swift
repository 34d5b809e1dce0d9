/// One line of an exported history as a value: to JSON and back. Knows no file and no database.

internal import ChatModel
internal import Wire

/// What stands in an export: a header, then one fact, message or change a line, then an end. For
/// everybody it is described in docs/guides/history-files.md.
enum ArchiveLine {
  /// What an export of this version says it is. Those of version 1 have no changes.
  static let version: Int64 = 2
  /// A room that had every number could keep nothing more.
  static let seqMax = RowNumber.seqMax - 1
  /// The most that a line may take: a header tells of many rooms.
  static let bytesMax = 64 << 20

  case header([HeaderRoom])
  case fact(Fact)
  case message(Message)
  /// The last line: how many messages and changes there were.
  case end(messages: Int64)

  /// A room as the header tells of it, so that its numbers go on where they were.
  struct HeaderRoom: Hashable {
    let name: RoomName
    /// Of the newest message that was ever kept.
    let seq: Int64
  }

  /// What is wrong with a line, as a clause.
  struct Problem: Error, Hashable {
    let words: String

    init(_ words: String) { self.words = words }
  }
}

// Writing.
extension ArchiveLine {
  /// The first line: `{"beck":"history","version":2,"at":…,"rooms":[{"room":…,"seq":…},…]}`
  static func append(header rooms: [HeaderRoom], at moment: Moment, to bytes: inout [UInt8]) {
    bytes.append(ascii: #"{"beck":"history","version":"#)
    bytes.append(decimal: version)
    bytes.append(ascii: #","at":""#)
    bytes.append(timestamp: moment.milliseconds)
    bytes.append(ascii: #"","rooms":["#)
    for (index, room) in rooms.enumerated() {
      bytes.append(ascii: index == 0 ? #"{"room":"# : #",{"room":"#)
      bytes.append(quoted: room.name.string)
      bytes.append(ascii: #","seq":"#)
      bytes.append(decimal: room.seq)
      bytes.append(ascii: "}")
    }
    bytes.append(ascii: "]}\n")
  }

  /// The last line: `{"end":{"messages":2}}`
  static func append(end messages: Int, to bytes: inout [UInt8]) {
    bytes.append(ascii: #"{"end":{"messages":"#)
    bytes.append(decimal: Int64(messages))
    bytes.append(ascii: "}}\n")
  }
}

// Reading.
extension ArchiveLine {
  private static let databaseMagic = Array("SQLite format 3".utf8)

  static func header(_ line: ArraySlice<UInt8>) throws(Problem) -> [HeaderRoom] {
    guard !line.starts(with: databaseMagic) else {
      throw Problem("this is a database and no export; see: beck backup --help")
    }
    let document = try document(line)
    guard let kind = document.member("beck", of: document.root), document.reads(kind, "history"),
      let number = document.member("version", of: document.root),
      let version = document.integer(number)
    else { throw Problem("this is no export of beck's: it does not begin with the header of one") }
    guard version <= Self.version else {
      throw Problem(
        "a newer beck made this (version \(version), this one knows \(Self.version)); use that one")
    }
    guard version >= 1 else { throw Problem("there is no version \(version)") }
    guard let rooms = document.member("rooms", of: document.root) else { return [] }
    guard document.kind(of: rooms) == .array else { throw Problem("'rooms' is no array") }
    return try document.elements(of: rooms).map { room throws(Problem) in
      HeaderRoom(
        name: try Self.room(document, room), seq: try seq("seq", document, room, from: 0))
    }
  }

  /// A line behind the header.
  static func read(_ line: ArraySlice<UInt8>) throws(Problem) -> ArchiveLine {
    let document = try document(line)
    if let kind = try string("fact", document, document.root) {
      return .fact(try fact(kind, document))
    }
    guard let end = document.member("end", of: document.root) else {
      return .message(try message(document))
    }
    guard let value = document.member("messages", of: end), let count = document.integer(value)
    else { throw Problem("'end' has to have 'messages', a whole number") }
    return .end(messages: count)
  }

  static func document(_ line: ArraySlice<UInt8>) throws(Problem) -> JSONDocument {
    let document: JSONDocument
    do {
      document = try JSONDocument(line)
    } catch {
      throw Problem("this is no JSON (\(error.words(in: line)))")
    }
    guard document.kind(of: document.root) == .object else {
      throw Problem("this is no JSON object")
    }
    return document
  }

  static func room(
    _ document: JSONDocument, _ object: JSONDocument.Value
  ) throws(Problem) -> RoomName {
    guard let string = try string("room", document, object), let room = RoomName(kept: string)
    else {
      throw Problem("'room' cannot be a room's name")
    }
    return room
  }

  static func seq(
    _ key: String, _ document: JSONDocument, _ object: JSONDocument.Value, from least: Int64
  ) throws(Problem) -> Int64 {
    guard let value = document.member(key, of: object), let seq = document.integer(value),
      (least...seqMax).contains(seq)
    else { throw Problem("'\(key)' has to be a whole number from \(least) to \(seqMax)") }
    return seq
  }

  /// Nil where it is absent.
  static func string(
    _ key: String, _ document: JSONDocument, _ object: JSONDocument.Value
  ) throws(Problem) -> String? {
    guard let value = document.member(key, of: object) else { return nil }
    guard let string = document.string(value) else { throw Problem("'\(key)' is no string") }
    return string
  }
}
