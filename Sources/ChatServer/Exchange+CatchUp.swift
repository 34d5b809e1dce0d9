/// Readers that are behind: who joined with a cursor, and who read too slowly. Both are given what
/// they miss from the history, a page at a time as they read, and then hear what comes.

import ChatHub
import ChatModel
import Dialects
import Stores

extension Exchange {
  /// Begins to give a connection what it misses of a room. Unterminated (raw) clients are given
  /// nothing: docs/wire/plain.md says why.
  mutating func replay(_ room: RoomName, to id: ConnectionID, _ beginning: Beginning) {
    guard let connection = connections[id], connection.dialect.form != .raw else { return }
    switch beginning {
    case .now: return
    // Who knows numbers that are yet to come knew another history; it is given this one's end.
    case .after(let seq): connection.lags.begin(room, .after(min(seq, hub.published(in: room))))
    case .last(let count): connection.lags.begin(room, .last(count))
    }
    markDirty(connection)
  }

  /// Called when the connection's outbox is empty. True when something is on its way.
  mutating func catchUp(_ connection: ClientConnection) -> Bool {
    if connection.isFetching { return true }
    guard connection.isLive, connection.catchUpLater == nil, let lag = connection.lags.first
    else { return false }
    connection.isFetching = true
    connection.lags.startFetching()
    let (stretch, limit): (Stretch, Int) =
      switch lag.cursor {
      case .after(let seq): (.after(seq), limits.catchUpPageMax)
      case .last(let count): (.before(nil), max(1, min(count, limits.hub.historyMax)))
      }
    want(lag.room, stretch, .everything, limit: limit, .catchUp(connection.id, lag.cursor))
    return true
  }

  mutating func caught(
    _ id: ConnectionID, _ cursor: Lags.Cursor, _ result: Result<HistoryPage, StoreError>,
    _ request: PageRequest
  ) {
    guard let connection = connections[id] else { return }
    connection.isFetching = false
    guard connection.isLive else { return }
    // It may have left meanwhile, or joined again from another point: then the page is not for it.
    guard let lag = connection.lags[request.room], lag.cursor == cursor else {
      return markDirty(connection)
    }
    switch result {
    case .failure(let error):
      reportUnread(error)
      connection.catchUpLater = now + limits.catchUpRetry
      setDeadline(of: connection)
    case .success(let page):
      give(page, to: connection, lag, read: request.published)
      markDirty(connection)
    }
  }

  /// Gives as much of a page as there is room for. The page was asked for when `read` was the
  /// newest message that anybody had been shown: a page with nothing behind it has all up to there.
  private mutating func give(
    _ page: HistoryPage, to connection: ClientConnection, _ lag: Lags.Lag, read: Int64
  ) {
    let published = hub.published(in: lag.room)
    let place = hub.place(of: lag.room, for: connection.person)
    if !lag.isTold { tell(connection, .catchingUp(place), of: lag.room) }
    var last: Int64
    var gap = page.gap
    var isWhole: Bool
    switch lag.cursor {
    case .after(let seq):
      last = seq
      isWhole = !page.more || page.messages.isEmpty && gap == nil
    case .last:
      last = (page.messages.first?.seq ?? read + 1) - 1
      isWhole = true
      // Of the newest nothing is missing before them: that was not asked for.
      if let lower = gap?.lowerBound, lower <= page.messages.last?.seq ?? 0 { gap = nil }
    }
    for message in page.messages where message.seq > last && message.seq <= published {
      guard connection.outbox.weight <= limits.outboxBytesMax / 2 else {
        isWhole = false
        gap = nil
        break
      }
      if let before = gap, before.lowerBound < message.seq {
        last = max(last, tell(connection, before, in: lag.room, place, upTo: published))
        gap = nil
      }
      tell(
        connection, .message(message, in: place),
        isOwn: connection.person == message.draft.person, of: lag.room)
      last = message.seq
    }
    if let gap { last = max(last, tell(connection, gap, in: lag.room, place, upTo: published)) }
    if isWhole {
      last = max(last, read)
      for (seq, slice) in lag.meanwhile?.messages ?? [] where seq > last {
        connection.outbox.append(slice)
        last = seq
      }
    }
    // Nothing came in between the look at `published` and here.
    if last >= published {
      connection.lags.end(lag.room)
      tell(connection, .caughtUp(place, seq: published), of: lag.room)
      // A follower that has ended its side waited for this only.
      if connection.stage == .finished { markReady(connection) }
    } else {
      connection.lags.advance(lag.room, to: .after(last))
    }
  }

  /// Says what is gone, as far as it was ever shown to anybody; gives where that ends.
  private mutating func tell(
    _ connection: ClientConnection, _ gap: ClosedRange<Int64>, in room: RoomName,
    _ place: Place, upTo published: Int64
  ) -> Int64 {
    guard gap.lowerBound <= published else { return 0 }
    let gap = gap.lowerBound...min(gap.upperBound, published)
    tell(connection, .gap(place, gap), of: room)
    return gap.upperBound
  }
}
