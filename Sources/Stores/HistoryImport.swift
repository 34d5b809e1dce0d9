/// Takes an export into a history, whole or not at all. Reads no file itself.

internal import ChatModel

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
    try directory.create()
    let lock = try DirectoryLock(directory)
    defer { withExtendedLifetime(lock) {} }
    _ = try HistoryFile.openBeforeWriting(directory, .current)
    let writer = try HistoryWriter(directory.historyPath, .current)
    return try writer.inTransaction { () throws(StoreError) in
      var session = ImportSession(writer)
      var lines = ArchiveLines()
      while let bytes = try read() {
        lines.received(bytes)
        while let line = try lines.next() { try session.take(line, lines.number) }
        progress(lines.number)
      }
      lines.ended()
      while let line = try lines.next() { try session.take(line, lines.number) }
      return try session.finish()
    }
  }
}

/// The lines of one import, one after the other, into one transaction.
private struct ImportSession {
  private let writer: HistoryWriter
  private var result = HistoryImport()
  private var hasHeader = false
  private var rooms = OpenRooms()
  /// Of accounts, those that are there already among them; nil before the first.
  private var names: [UserName: PersonID]?

  init(_ writer: HistoryWriter) { self.writer = writer }

  mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws(StoreError) {
    var header: [ArchiveLine.HeaderRoom] = []
    var found: ArchiveLine?
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

  /// Ends an import that had at least its header.
  func finish() throws(StoreError) -> HistoryImport {
    guard hasHeader else { throw refusal(1, "there is nothing in it") }
    for room in rooms.rooms { try writer.close(room) }
    return result
  }

  private mutating func take(_ message: Message, _ number: Int) throws(StoreError) {
    let place = try place(of: message.draft.room)
    let room = rooms.rooms[place]
    let row = RowNumber(room: room.number, seq: message.seq)
    let what = "message \(message.seq) of room '\(message.draft.room.string)'"
    switch try writer.look(for: message, at: row) {
    case .absent: break
    case .same:
      result.known += 1
      return
    case .other: throw refusal(number, "\(what) is another one here")
    }
    guard try writer.insert(message.draft, at: message.at, as: row) else {
      throw refusal(number, "another message has the person's key of \(what)")
    }
    rooms.rooms[place].seq = max(room.seq, message.seq)
    rooms.rooms[place].added += 1
    result.added += 1
  }

  private mutating func place(of name: RoomName) throws(StoreError) -> Int {
    let writer = writer
    return try rooms.place(of: name) { name throws(StoreError) in try writer.open(name) }
  }

  private func refusal(_ number: Int, _ words: String) -> StoreError {
    .failed("line \(number): \(words); nothing was imported")
  }
}

/// Splits what is read into lines and counts them.
private struct ArchiveLines {
  /// A header tells of many rooms.
  private static let bytesMax = 64 << 20

  /// Of the line that was given last, from 1.
  private(set) var number = 0
  private var held: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var hasEnded = false

  mutating func received(_ bytes: [UInt8]) {
    held.removeFirst(start)
    searched -= start
    start = 0
    held += bytes
  }

  mutating func ended() { hasEnded = true }

  /// The next line that is not blank, without its end.
  mutating func next() throws(StoreError) -> ArraySlice<UInt8>? {
    while let line = nextRange() {
      number += 1
      let text = held[line]
      guard text.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
      return text
    }
    guard held.count - start <= Self.bytesMax else {
      throw .failed("line \(number + 1): it is too long for an export; nothing was imported")
    }
    return nil
  }

  private mutating func nextRange() -> Range<Int>? {
    if let end = held[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      defer { start = end + 1 }
      searched = end + 1
      return start..<end
    }
    searched = held.count
    guard hasEnded, start < held.count else { return nil }
    defer { start = held.count }
    return start..<held.count
  }
}
