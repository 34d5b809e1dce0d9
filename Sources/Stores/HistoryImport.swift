/// Takes an export into a history, whole or not at all. Reads no file itself.

internal import ChatModel
internal import Wire

/// What an import did.
package struct HistoryImport: Hashable, Sendable {
  /// How many messages were not there before.
  package fileprivate(set) var added = 0
  /// How many were there already, the same in everything.
  package fileprivate(set) var known = 0

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
      var lines = JSONLineReader(bytesMax: ArchiveLine.bytesMax)
      while let bytes = try read() {
        bytes.withUnsafeBytes { lines.received($0) }
        try session.take(&lines)
        progress(lines.number)
      }
      lines.ended()
      try session.take(&lines)
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
    var message: Message?
    do throws(ArchiveLine.Problem) {
      if hasHeader {
        message = try ArchiveLine.message(line)
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
    if let message { try take(message, number) }
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
    let place = try rooms.place(of: name) { name throws(StoreError) in try writer.open(name) }
    guard let place else { throw writer.allRoomsTaken }
    return place
  }

  private func refusal(_ number: Int, _ words: String) -> StoreError {
    .failed("line \(number): \(words); nothing was imported")
  }
}
