/// Readers that are behind: who joined with a cursor, and who read too slowly. Both are given what
/// they miss from the store, a page at a time as they read, and then hear what comes.

import ChatHub
import ChatModel
import Dialects
import Loop
import Stores

extension Server {
  /// Shows a message to everybody who is in its room and not behind there.
  func publish(_ ids: [ConnectionID], _ message: Message) {
    var slices = FormSlices()
    for id in ids {
      guard let connection = connections[id] else { continue }
      if !connection.behind.isEmpty, connection.behind[message.draft.room] != nil { continue }
      let isOwn = message.draft.key != nil && connection.person == message.draft.person
      let slice = slices.get(connection.dialect.form, isOwn: isOwn) { form, isOwn in
        encode(.message(message), for: form, isOwn: isOwn)
      }
      guard let slice else { continue }
      switch connection.dialect.form {
      case .raw: queueRaw(slice, for: connection)
      case .line, .json:
        if connection.outbox.bytes + slice.count > limits.outboxBytesMax {
          connection.behind[message.draft.room] = .after(message.seq - 1)
        } else {
          connection.outbox.append(slice)
        }
        markDirty(connection)
      }
    }
  }

  /// Begins to give a connection what it misses of a room.
  func replay(_ room: RoomName, to id: ConnectionID, _ beginning: Beginning) {
    guard let connection = connections[id] else { return }
    switch (beginning, connection.dialect.form) {
    case (.now, _), (_, .raw): return
    case (.after(let seq), .line), (.after(let seq), .json):
      connection.behind[room] = .after(seq)
    case (.last(let count), .line), (.last(let count), .json):
      connection.behind[room] = .last(count)
    }
    markDirty(connection)
  }

  /// Called when the connection's outbox is empty. True when something is on its way.
  func catchUp(_ connection: ClientConnection) -> Bool {
    if connection.isFetching { return true }
    guard connection.isLive, connection.catchUpLater == nil, let (room, cursor) = connection.behind.first else { return false }
    connection.isFetching = true
    let id = connection.id
    let (stretch, limit): (Stretch, Int) =
      switch cursor {
      case .after(let seq): (.after(seq), limits.catchUpPageMax)
      case .last(let count): (.before(nil), max(1, min(count, limits.hub.historyMax)))
      }
    page(of: room, stretch, limit: limit) { server, result in
      guard let connection = server.connections[id] else { return }
      connection.isFetching = false
      server.caught(connection, room, result)
    }
    return true
  }

  private func caught(
    _ connection: ClientConnection, _ room: RoomName, _ result: Result<HistoryPage, StoreError>
  ) {
    guard connection.isLive, let cursor = connection.behind[room] else { return }
    switch result {
    case .failure(let error):
      report(error)
      connection.catchUpLater = loop.now + limits.catchUpRetry
      setDeadline(of: connection)
    case .success(let page):
      give(page, to: connection, room, from: cursor)
      markDirty(connection)
    }
  }

  private func give(
    _ page: HistoryPage, to connection: ClientConnection, _ room: RoomName,
    from cursor: ClientConnection.Cursor
  ) {
    let published = hub.published(in: room)
    var isWhole = true
    var last: Int64
    switch cursor {
    case .after(let seq):
      last = seq
      if let gap = page.gap {
        tell(connection, .gap(room, gap))
        last = max(last, gap.upperBound)
      }
      isWhole = !page.more
    // Of the newest nothing is missing: what stands before them was not asked for.
    case .last: last = page.messages.first.map { $0.seq - 1 } ?? published
    }
    if !connection.isToldOfCatchingUp {
      connection.isToldOfCatchingUp = true
      tell(connection, .catchingUp(room))
    }
    for message in page.messages where message.seq > last && message.seq <= published {
      if connection.outbox.bytes > limits.outboxBytesMax / 2 {
        isWhole = false
        break
      }
      tell(connection, .message(message), isOwn: connection.person == message.draft.person)
      last = message.seq
    }
    // The loop is ours from the look at `published` to here: nothing can come in between.
    if isWhole, last >= published || page.messages.isEmpty {
      connection.behind[room] = nil
      connection.isToldOfCatchingUp = false
      tell(connection, .caughtUp(room, seq: published))
    } else {
      connection.behind[room] = .after(last)
    }
  }
}

/// A message in each form that was asked for, encoded once.
struct FormSlices {
  private var slices: [Slice??] = [nil, nil, nil, nil]

  mutating func get(
    _ form: Form, isOwn: Bool, _ encode: (Form, Bool) -> Slice?
  ) -> Slice? {
    let index =
      switch form {
      case .line: 0
      case .raw: 1
      case .json: isOwn ? 3 : 2
      }
    if let known = slices[index] { return known }
    let slice = encode(form, isOwn)
    slices[index] = .some(slice)
    return slice
  }
}
