/// Reads a whole history as lines of JSON, also while a server writes it. Prints nothing.

package import ChatModel

/// An export as it goes on: a header, the facts where it is of all rooms, then each room from its
/// oldest message to its newest, then a line that says that this was all. All of it is of one
/// moment, the first: nobody is held up, and while it runs the history's log grows.
package final class HistoryExport {
  /// How many messages there were to begin with.
  package let messages: Int
  /// How many of them were given so far.
  package private(set) var given = 0
  /// What should be there and could not be read, a sentence each.
  package private(set) var losses: [String] = []

  private let reader: HistoryReader
  private let changes: ChangeCheck
  private var rooms: [StoredRoom]
  private var header: [UInt8] = []
  private var facts: FactRows?
  private var cursor: Int64 = 0
  private var hasEnded = false

  /// Of one room, or of all where it is nil.
  package init(
    _ directory: DataDirectory, room: RoomName? = nil, now: () -> Moment = { .now }
  ) throws(StoreError) {
    // What can be read is the way out of a history that a server refuses.
    reader = try HistoryReader(
      HistoryFile.openForReading(directory, passingOverDamage: true))
    try reader.database.run("BEGIN")
    changes = try ChangeCheck(reader.database)
    rooms = try reader.rooms().filter { room == nil || $0.name == room }
    if let room, rooms.isEmpty {
      throw .failed("there is no room '\(room.string)' in \(directory.historyPath)")
    }
    messages = rooms.reduce(0) { $0 + ($1.oldest.map { [seq = $1.seq] in Int(seq - $0 + 1) } ?? 0) }
    ArchiveLine.append(
      header: rooms.map { ArchiveLine.HeaderRoom(name: $0.name, seq: $0.seq) }, at: now(),
      to: &header)
    rooms.reverse()
    if room == nil { facts = try reader.factRows() }
  }

  /// The next lines, whole ones; nil when there are no more.
  package func next() throws(StoreError) -> [UInt8]? {
    if !header.isEmpty {
      defer { header = [] }
      return header
    }
    if let lines = try nextFacts() { return lines }
    while let room = rooms.last {
      var lines: [UInt8] = []
      let page = try reader.page(
        of: room.name, .after(cursor), .everything, limit: HistoryPage.messagesMax)
      try reader.database.checkUnchanged()
      if let gap = page.gap { note(gap, of: room) }
      for message in page.messages where message.seq <= room.seq {
        guard try isRight(message) else { continue }
        ArchiveLine.append(message, to: &lines)
        given += 1
      }
      cursor = max(page.messages.last?.seq ?? cursor, page.gap?.upperBound ?? cursor)
      if !page.more || cursor >= room.seq {
        rooms.removeLast()
        cursor = 0
      }
      if !lines.isEmpty { return lines }
    }
    guard !hasEnded else { return nil }
    hasEnded = true
    var end: [UInt8] = []
    ArchiveLine.append(end: given, to: &end)
    return end
  }

  /// Up to as many as a page has messages; nil when there are no more.
  private func nextFacts() throws(StoreError) -> [UInt8]? {
    var lines: [UInt8] = []
    var count = 0
    while count < HistoryPage.messagesMax, let row = try facts?.next() {
      switch row {
      case .success(let fact): ArchiveLine.append(fact, to: &lines)
      case .failure(let damage): losses.append(damage.words)
      }
      count += 1
    }
    if count < HistoryPage.messagesMax { facts = nil }
    return lines.isEmpty ? nil : lines
  }

  /// A change that is not what became of its message would keep all from being imported again.
  private func isRight(_ message: Message) throws(StoreError) -> Bool {
    guard message.draft.content.about != nil else { return true }
    let row = try reader.row(of: message)
    guard case .contradicts = try changes.match(of: message, at: row) else { return true }
    let change = "change \(message.seq) of room '\(message.draft.room.string)'"
    losses.append("\(change) is not what became of its message")
    return false
  }

  /// What retention removed is as it should be; all else is not.
  private func note(_ gap: ClosedRange<Int64>, of room: StoredRoom) {
    guard let oldest = room.oldest, gap.upperBound >= oldest else { return }
    let lost = max(gap.lowerBound, oldest)...min(gap.upperBound, room.seq)
    let which =
      lost.count == 1 ? "message \(lost.lowerBound)" : "\(lost.lowerBound) to \(lost.upperBound)"
    losses.append("\(which) of room '\(room.name.string)' cannot be read")
  }
}
