/// Answers searches from the index, with messages from the history. Used on one thread.

internal import ChatModel

/// Two connections that only read.
final class SearchReader {
  /// So many rooms are told apart within the index; of more, entry by entry.
  private static let roomTermsMax = 16
  /// This many names of rooms are remembered.
  private static let roomsMax = 1_000

  private let directory: DataDirectory
  /// How long a search goes on before it gives what it has.
  private let patience: Duration
  private var opened: Connections?

  init(_ directory: DataDirectory, patience: Duration = .milliseconds(50)) {
    self.directory = directory
    self.patience = patience
  }

  /// Lets go of the files; the next search opens them again.
  func letGo() { opened = nil }

  /// As ``SearchIndex/find(_:)`` has it.
  func find(_ query: SearchQuery) throws(StoreError) -> SearchPage {
    let files = try open()
    guard let expression = try expression(of: query, files) else {
      return SearchPage(messages: [], cursor: nil)
    }
    return try files.index.atOneMoment { () throws(StoreError) in
      try find(query, expression, files)
    }
  }

  private final class Connections {
    let index: Database
    let message: Statement
    let roomNumber: Statement
    let roomName: Statement
    var rooms: [Int64: RoomName] = [:]

    init(_ directory: DataDirectory) throws(StoreError) {
      index = try Database(directory.searchPath, .reading)
      try index.run("PRAGMA cache_size = -4096")
      let history = try HistoryFile.openForReading(directory)
      message = try history.prepare("SELECT \(MessageRow.columns) FROM messages WHERE id = ?")
      roomNumber = try history.prepare("SELECT id FROM rooms WHERE name = ?")
      roomName = try history.prepare("SELECT name FROM rooms WHERE id = ?")
    }
  }

  private func open() throws(StoreError) -> Connections {
    if let opened { return opened }
    let connections = try Connections(directory)
    opened = connections
    return connections
  }

  // MARK: The query in FTS5's words

  /// Nil where there can be nothing to find. Everything in it is quoted: no term has a quote.
  private func expression(
    of query: SearchQuery, _ files: Connections
  ) throws(StoreError) -> String? {
    var parts = query.words.phrases.map { phrase in
      "\"\(phrase.terms.joined(separator: " "))\"\(phrase.isOpen ? " *" : "")"
    }
    if let name = query.from { parts.append("\"\(SearchFile.nameTerm(name))\"") }
    if let room = query.room {
      guard query.sight.includes(room), let term = try term(of: room, files) else { return nil }
      parts.append(term)
    }
    let wanted = parts.joined(separator: " AND ")
    return query.room == nil ? try narrowed(wanted, to: query.sight, files) : wanted
  }

  /// An expression for what may be seen of `wanted`, and perhaps for more.
  private func narrowed(
    _ wanted: String, to sight: Sight, _ files: Connections
  ) throws(StoreError) -> String {
    let hidden = sight.hidden.count <= Self.roomTermsMax ? try terms(of: sight.hidden, files) : []
    var closed = hidden
    if let seen = try terms(ofMade: sight.made, files) {
      let made = "\"\(SearchFile.madeTerm)\""
      closed.append(seen.isEmpty ? made : "(\(made) NOT (\(seen.joined(separator: " OR "))))")
    }
    return closed.isEmpty ? wanted : "(\(wanted)) NOT (\(closed.joined(separator: " OR ")))"
  }

  /// Of the few, or else of the person whose conversations they are; nil where no terms tell them
  /// from others.
  private func terms(
    ofMade rooms: Set<RoomName>, _ files: Connections
  ) throws(StoreError) -> [String]? {
    if rooms.count <= Self.roomTermsMax { return try terms(of: rooms, files) }
    var people: Set<PersonID>?
    var others: Set<RoomName> = []
    for room in rooms {
      if let (one, other) = room.people {
        people = people?.intersection([one, other]) ?? [one, other]
      } else {
        others.insert(room)
      }
    }
    guard let people, !people.isEmpty, others.count <= Self.roomTermsMax else { return nil }
    let terms = people.map { "\"\(SearchFile.partnerTerm($0))\"" }
    return try terms + self.terms(of: others, files)
  }

  private func terms(
    of rooms: Set<RoomName>, _ files: Connections
  ) throws(StoreError) -> [String] {
    var terms: [String] = []
    for room in rooms {
      if let term = try term(of: room, files) { terms.append(term) }
    }
    return terms
  }

  /// Nil where the room never had a message.
  private func term(of room: RoomName, _ files: Connections) throws(StoreError) -> String? {
    let numbers = files.roomNumber
    return try numbers.bind(1, room.string) { () throws(StoreError) in
      defer { numbers.reset() }
      return try numbers.step() ? "\"\(SearchFile.roomTerm(numbers.number(0)))\"" : nil
    }
  }

  // MARK: The walk

  private func find(
    _ query: SearchQuery, _ expression: String, _ files: Connections
  ) throws(StoreError) -> SearchPage {
    let build = try files.index.number("SELECT number FROM build")
    if let cursor = query.cursor, cursor.build != build {
      throw .cursorIsGone
    }
    let range = try range(of: query, files.index)
    var page = SearchPage(messages: [], cursor: nil)
    guard !range.isEmpty else { return page }
    // The last entry that was looked at, and the last one of the page. A full page goes on from
    // there: whether there is more, and where, tells nothing of what may not be seen.
    var last: Int64 = 0
    var shown: Int64 = 0
    let start = ContinuousClock.now
    for shard in try shards(in: range, files.index) {
      // Some progress is made in any case.
      if last > 0, start.duration(to: .now) > patience {
        let isFull = page.messages.count == query.limit
        page.cursor = SearchCursor(build: build, entry: isFull ? shown : last).string
        return page
      }
      let found = try files.index.prepare(
        """
        SELECT entries.id, row, at FROM \(SearchFile.table(shard)) AS words
        CROSS JOIN entries ON entries.id = words.rowid
        WHERE words MATCH ?1 AND words.rowid >= ?2 AND words.rowid <= ?3
        ORDER BY words.rowid DESC
        """)
      found.bind(2, max(range.lowerBound, shard << SearchFile.shardBits))
      found.bind(3, min(range.upperBound - 1, (shard + 1) << SearchFile.shardBits - 1))
      let isEnough = try found.bind(1, expression) { () throws(StoreError) in
        defer { found.reset() }
        var looked = 0
        while try found.step() {
          looked += 1
          if looked.isMultiple(of: 64), start.duration(to: .now) > patience { return true }
          let entry = found.number(0)
          let at = Moment(milliseconds: found.number(2))
          if query.since.map({ at >= $0 }) ?? true, query.until.map({ at < $0 }) ?? true,
            let message = try message(RowNumber(found.number(1)), files, for: query)
          {
            if page.messages.count == query.limit { return true }
            page.messages.append(message)
            shown = entry
          }
          last = entry
        }
        return false
      }
      if isEnough {
        let isFull = page.messages.count == query.limit
        page.cursor = SearchCursor(build: build, entry: isFull ? shown : last).string
        return page
      }
      // Nothing is left down to this shard's beginning.
      last = max(1, shard << SearchFile.shardBits)
    }
    return page
  }

  /// The entries that the cursor and the times leave; those at its ends may be outside of them.
  private func range(
    of query: SearchQuery, _ index: Database
  ) throws(StoreError) -> Range<Int64> {
    var lower: Int64 = 1
    var upper = (query.cursor?.entry ?? .max) - 1
    if let since = query.since {
      let span = try index.prepare("SELECT id FROM spans WHERE latest >= ? ORDER BY id LIMIT 1")
      span.bind(1, since.milliseconds)
      guard try span.step() else { return 1..<1 }
      lower = max(lower, span.number(0) << SearchFile.spanBits)
    }
    if let until = query.until {
      let span = try index.prepare(
        "SELECT id FROM spans WHERE earliest < ? ORDER BY id DESC LIMIT 1")
      span.bind(1, until.milliseconds)
      guard try span.step() else { return 1..<1 }
      upper = min(upper, (span.number(0) + 1) << SearchFile.spanBits - 1)
    }
    return lower..<max(lower, upper + 1)
  }

  /// The newest first.
  private func shards(
    in range: Range<Int64>, _ index: Database
  ) throws(StoreError) -> [Int64] {
    let statement = try index.prepare("SELECT id FROM shards WHERE id BETWEEN ? AND ? ORDER BY id")
    statement.bind(1, SearchFile.shard(of: range.lowerBound))
    statement.bind(2, SearchFile.shard(of: range.upperBound - 1))
    var shards: [Int64] = []
    while try statement.step() { shards.append(statement.number(0)) }
    return shards.reversed()
  }

  /// The message as it is now; nil where it is gone, does not match any more, or is not to be seen.
  private func message(
    _ row: RowNumber, _ files: Connections, for query: SearchQuery
  ) throws(StoreError) -> Message? {
    guard let room = try room(row.room, files), query.matches(room) else { return nil }
    let statement = files.message
    statement.bind(1, row.value)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    var reading = MessageRow()
    guard let message = try? reading.message(statement, in: room), query.matches(message) else {
      return nil
    }
    return message
  }

  private func room(_ number: Int64, _ files: Connections) throws(StoreError) -> RoomName? {
    if let room = files.rooms[number] { return room }
    let names = files.roomName
    names.bind(1, number)
    defer { names.reset() }
    guard try names.step(), let name = names.strictText(0), let room = RoomName(kept: name) else {
      return nil
    }
    if files.rooms.count == Self.roomsMax { files.rooms = [:] }
    files.rooms[number] = room
    return room
  }
}
