/// Takes an export into a history, whole or not at all. Reads no file itself.

internal import ChatModel
internal import Wire

/// What an import did.
package struct HistoryImport: Hashable, Sendable {
  /// How many messages were not there before.
  package fileprivate(set) var added = 0
  /// How many were there already, the same in everything.
  package fileprivate(set) var known = 0
  /// How many facts were not there before.
  package fileprivate(set) var facts = 0

  /// Takes the lines of an export into the history in `directory`, which is made where it is
  /// absent. Numbers, times and keys stay as they were. Refused while a server has the directory.
  ///
  /// All of it is one transaction: at the first line that is wrong, or contradicts what is there,
  /// nothing is imported, and the error says which line it was. The same export a second time adds
  /// nothing. `read` gives the next bytes, nil at the end; `progress` hears the number of lines.
  package static func run(
    into directory: DataDirectory, read: () throws(StoreError) -> [UInt8]?,
    progress: (Int) -> Void = { _ in }
  ) throws(StoreError) -> HistoryImport {
    let place = try ImportPlace(directory)
    do throws(StoreError) {
      return try run(into: place, read, progress)
    } catch {
      place.removeWhatIsNew()
      throw error
    }
  }

  private static func run(
    into place: ImportPlace, _ read: () throws(StoreError) -> [UInt8]?, _ progress: (Int) -> Void
  ) throws(StoreError) -> HistoryImport {
    _ = try HistoryFile.openBeforeWriting(place.directory, .current)
    let writer = try HistoryWriter(place.directory.historyPath, .current)
    return try writer.inTransaction { () throws(StoreError) in
      var session = ImportSession(writer)
      var lines = JSONLineReader(bytesMax: ArchiveLine.bytesMax)
      while let bytes = try read() {
        bytes.withUnsafeBytes { lines.received($0) }
        try session.take(&lines)
        progress(lines.number)
      }
      lines.ended()
      try session.take(&lines)
      let result = try session.finish()
      // It looks only behind what it has seen, and numbers may be before that.
      if result.added > 0 { try SearchFile.remove(place.directory.searchPath) }
      return result
    }
  }
}

/// The lines of one import, one after the other, into one transaction.
private struct ImportSession {
  private let writer: HistoryWriter
  private var result = HistoryImport()
  private var hasHeader = false
  private var hasEnd = false
  /// Of the line that was taken last.
  private var number = 0
  private var rooms = OpenRooms()
  /// Of accounts, those that are there already among them; nil before the first.
  private var names: [UserName: PersonID]?
  /// Looked at when all is there, since lines may be in any order.
  private var changes: [Change] = []

  private struct Change {
    let message: Message
    let row: RowNumber
    let line: Int
  }

  init(_ writer: HistoryWriter) { self.writer = writer }

  mutating func take(_ lines: inout JSONLineReader) throws(StoreError) {
    while let heard = lines.next() {
      switch heard {
      case .line(let line): try take(line, lines.number)
      case .tooLong: throw refusal(lines.number, "it is too long for an export")
      }
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws(StoreError) {
    var header: [ArchiveLine.HeaderRoom] = []
    var found: ArchiveLine?
    self.number = number
    guard !hasEnd else { throw refusal(number, "this stands behind the end of the export") }
    do throws(ArchiveLine.Problem) {
      if hasHeader {
        found = try ArchiveLine.read(line)
      } else {
        header = try ArchiveLine.header(line)
        hasHeader = true
      }
    } catch {
      throw refusal(number, error.words)
    }
    for room in header {
      let place = try place(of: room.name)
      rooms.rooms[place].seq = max(rooms.rooms[place].seq, room.seq)
    }
    switch found {
    case .fact(let fact): try take(fact, number)
    case .message(let message): try take(message, number)
    case .end(let messages): try end(messages, number)
    case .header, nil: break
    }
  }

  private mutating func take(_ fact: Fact, _ number: Int) throws(StoreError) {
    let key = FactRow.key(of: fact.key)
    if case .account(let person, let account?) = fact {
      if names == nil { names = try writer.accountNames() }
      guard names?.updateValue(person, forKey: account.name) ?? person == person else {
        throw refusal(number, "another account has the name '\(account.name.shown)' here")
      }
    }
    guard let value = try writer.value(of: key) else {
      result.facts += 1
      return try writer.set(fact)
    }
    guard value == FactRow.value(of: fact) else {
      throw refusal(number, "\(key.kind.name) '\(key.text)' is another one here")
    }
  }

  private mutating func end(_ messages: Int64, _ number: Int) throws(StoreError) {
    let taken = result.added + result.known
    guard messages == taken else {
      throw refusal(number, "the export had \(messages) messages, and here are \(taken)")
    }
    hasEnd = true
  }

  /// Ends an import that had its header and its end.
  func finish() throws(StoreError) -> HistoryImport {
    guard hasHeader else { throw refusal(1, "there is nothing in it") }
    guard hasEnd else {
      throw refusal(number + 1, "the export is cut short: its last line is missing")
    }
    try linkChanges()
    for room in rooms.rooms { try writer.close(room) }
    return result
  }

  /// Messages lead to their changes again; those that are not there are not waited for.
  private func linkChanges() throws(StoreError) {
    let check = try ChangeCheck(writer.database)
    for change in changes {
      switch try check.match(of: change.message, at: change.row) {
      case nil, .absent, .agrees(leads: true): break
      case .agrees(leads: false):
        let about = change.message.draft.content.about ?? 0
        try writer.link(RowNumber(room: change.row.room, seq: about), to: change.row)
      case .contradicts:
        throw refusal(
          change.line,
          "change \(change.message.seq) of room '\(change.message.draft.room.string)' is not what"
            + " became of its message")
      }
    }
  }

  private mutating func take(_ message: Message, _ number: Int) throws(StoreError) {
    let place = try place(of: message.draft.room)
    let room = rooms.rooms[place]
    let row = RowNumber(room: room.number, seq: message.seq)
    let what = "message \(message.seq) of room '\(message.draft.room.string)'"
    if message.draft.content.about != nil {
      changes.append(Change(message: message, row: row, line: number))
    }
    switch try writer.look(for: message, at: row) {
    case .absent: break
    case .same:
      result.known += 1
      return
    case .other: throw refusal(number, "\(what) is another one here")
    }
    guard try writer.insert(message, as: row) else {
      throw refusal(number, "another message has the person's key of \(what)")
    }
    rooms.rooms[place].seq = max(room.seq, message.seq)
    rooms.rooms[place].added += 1
    result.added += 1
  }

  private mutating func place(of name: RoomName) throws(StoreError) -> Int {
    let writer = writer
    let place = try rooms.place(of: name) { name throws(StoreError) in try writer.open(name) }
    guard let place else { throw writer.allRoomsTaken }
    return place
  }

  private func refusal(_ number: Int, _ words: String) -> StoreError {
    .failed("line \(number): \(words); nothing was imported")
  }
}
