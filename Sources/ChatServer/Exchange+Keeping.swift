/// From the hub's drafts and facts to the store and back, and from the store's pages to who asked.

import ChatHub
import Dialects
package import ChatModel
package import Stores

extension Exchange {
  // MARK: Keeping

  /// What the store is to keep next, after which ``kept(_:at:)`` is called; nil while it has some.
  package mutating func takeBatch() -> [Entry]? { keeper.takeBatch(limits.draftsPerBatchMax) }

  /// Keeps a message. In memory that is done when this returns.
  mutating func keep(_ draft: Draft, _ ticket: Ticket) {
    if let kept = history?.append(draft, at: wallClock()) {
      return perform(hub.kept(draft, ticket, outcome(kept), durability))
    }
    guard keeper.waitingCount < limits.draftsWaitingMax else {
      // One of many that an operator waits for together.
      if draft.person == .operator {
        return perform(hub.kept(draft, ticket, .failed(.busy), durability))
      }
      return refuse(.notStored(reason: .busy), ticket)
    }
    connections[ticket.connection]?.answersUnderWay += 1
    keeper.add(.draft(draft, ticket))
  }

  /// Keeps facts, which the hub has set. In memory that is done when this returns.
  mutating func record(_ record: Record, _ ticket: Ticket) {
    if history != nil {
      let kept = record.line.flatMap { history?.append($0, at: wallClock()) }
      return finish(record, ticket, kept ?? .recorded)
    }
    guard keeper.waitingCount < limits.draftsWaitingMax else {
      hub.takeBack([record])
      return perform(hub.recorded(record, ticket, .failed(.busy), at: now))
    }
    connections[ticket.connection]?.answersUnderWay += 1
    connections[ticket.connection]?.isRecording = true
    keeper.add(.record(record, ticket))
  }

  /// Refuses a message after all that was asked before it is answered.
  mutating func refuse(_ refusal: Refusal, _ ticket: Ticket) {
    guard let connection = connections[ticket.connection] else { return }
    guard connection.answersUnderWay > 0 else {
      return answer(connection, ticket.request, .refused(refusal))
    }
    connection.answersUnderWay += 1
    keeper.add(.answer(.refused(refusal), ticket))
  }

  /// What became of the batch; an outcome for each entry, or why none was kept.
  package mutating func kept(_ result: Result<[Kept], StoreError>, at now: Duration) {
    self.now = now
    isStoreFailing = false
    switch result {
    case .success(let kept): finish(keeper.finishBatch(), kept)
    case .failure(let error):
      reportUnkept(error)
      let items = keeper.failBatch()
      hub.takeBack(
        items.compactMap { item in
          if case .record(let record, _) = item { record } else { nil }
        })
      finish(items, nil, trouble(error))
    }
    settle()
  }

  /// Answers all of these, which are kept, or not for this trouble.
  private mutating func finish(
    _ items: [Keeper.Item], _ kept: [Kept]?, _ trouble: StoreTrouble = .failed
  ) {
    var index = 0
    for item in items {
      switch item {
      case .draft(let draft, let ticket):
        answered(ticket)
        let outcome = kept.map { self.outcome($0[index]) } ?? .failed(trouble)
        index += 1
        perform(hub.kept(draft, ticket, outcome, durability))
      case .record(let record, let ticket):
        answered(ticket)
        connections[ticket.connection]?.isRecording = false
        if let kept {
          finish(record, ticket, kept[index])
        } else {
          perform(hub.recorded(record, ticket, .failed(trouble), at: now))
        }
        index += 1
      case .answer(let answer, let ticket):
        answered(ticket)
        if let connection = connections[ticket.connection] {
          self.answer(connection, ticket.request, answer)
        }
      }
    }
  }

  /// What became of facts where the store has done its work.
  private mutating func finish(_ record: Record, _ ticket: Ticket, _ kept: Kept) {
    let outcome: RecordOutcome
    switch kept {
    case .recorded: outcome = .kept
    case .stored(let seq, let at): outcome = .keptLine(seq: seq, at: at)
    case .refused(let error):
      reportUnkept(error)
      hub.takeBack([record])
      outcome = .failed(trouble(error))
    case .duplicate, .keyReused, .noSuchMessage, .notYours:
      preconditionFailure("a line of the log has no key and changes nothing")
    }
    perform(hub.recorded(record, ticket, outcome, at: now))
  }

  /// Only when all of the batch are answered is more taken of its senders.
  private mutating func answered(_ ticket: Ticket) {
    guard let connection = connections[ticket.connection] else { return }
    connection.answersUnderWay -= 1
    markReady(connection)
  }

  private mutating func outcome(_ kept: Kept) -> KeepOutcome {
    switch kept {
    case .stored(let seq, let at): stored(seq, at)
    case .duplicate(let seq, let at, let room): .duplicate(of: seq, at: at, in: room)
    case .keyReused: .keyReused
    case .noSuchMessage: .noSuchMessage
    case .notYours: .notYours
    case .refused(let error): refused(error)
    case .recorded: preconditionFailure("a message is stored, or was before")
    }
  }

  private mutating func stored(_ seq: Int64, _ at: Moment) -> KeepOutcome {
    keptCount += 1
    return .stored(seq: seq, at: at)
  }

  private mutating func refused(_ error: StoreError) -> KeepOutcome {
    reportUnkept(error)
    return .failed(trouble(error))
  }

  private func trouble(_ error: StoreError) -> StoreTrouble {
    switch error {
    case .diskFull: .diskFull
    case .unusable, .cursorIsGone, .failed: .failed
    }
  }

  /// Once a minute at most: a full disk fails every batch.
  private mutating func reportUnkept(_ error: StoreError) {
    isStoreFailing = true
    if let last = unkeptReportedAt, now - last < .seconds(60) { return }
    unkeptReportedAt = now
    log("\(error); messages are refused until it works again")
  }

  /// Once a minute at most, as with what is not kept.
  mutating func reportUnread(_ error: StoreError) {
    if let last = unreadReportedAt, now - last < .seconds(60) { return }
    unreadReportedAt = now
    log("\(error); the history is not shown until it works again")
  }

  // MARK: Reading

  /// The pages that the store is to read, each for ``received(_:for:at:)``.
  package mutating func takePageRequests() -> [PageRequest] {
    defer { pagesWanted = [] }
    return pagesWanted
  }

  /// Asks for a page as far as it has been shown to anybody. From memory it comes at once.
  mutating func want(
    _ room: RoomName, _ stretch: Stretch, _ reading: Reading, limit: Int,
    _ purpose: PageRequest.Purpose
  ) {
    let published = hub.published(in: room)
    let stretch: Stretch =
      switch stretch {
      case .before(let seq): .before(min(seq ?? .max, published + 1))
      case .after: stretch
      }
    let request = PageRequest(
      room: room, stretch: stretch, reading: reading, limit: limit, purpose: purpose,
      published: published)
    guard let history else { return pagesWanted.append(request) }
    received(.success(history.page(of: room, stretch, reading, limit: limit)), for: request)
  }

  /// A page, or why there is none; the world may have changed since it was asked for.
  package mutating func received(
    _ result: Result<HistoryPage, StoreError>, for request: PageRequest, at now: Duration
  ) {
    self.now = now
    received(result, for: request)
    settle()
  }

  private mutating func received(
    _ result: Result<HistoryPage, StoreError>, for request: PageRequest
  ) {
    switch request.purpose {
    case .catchUp(let id, let cursor): caught(id, cursor, result, request)
    case .answer(let id, let asked):
      guard let connection = connections[id] else { return }
      switch result {
      case .success(let page):
        // Who was banned meanwhile, or put out of a private room, is shown nothing of it.
        if mayRead(page.room, connection) {
          answer(connection, asked, shown(page), of: request.stretch)
        } else {
          let person = connection.person ?? connection.visitor
          answer(connection, asked, .refused(hub.refusalToRead(page.room, by: person)))
        }
      case .failure(let error):
        reportUnread(error)
        answer(connection, asked, .refused(.notRead))
      }
      connection.isWaiting = false
      markReady(connection)
    }
  }

  private func mayRead(_ room: RoomName, _ connection: ClientConnection) -> Bool {
    if connection.isOperator { return true }
    if let person = connection.person { return hub.mayRead(room, person) }
    return connection.dialect.form == .silent && hub.mayRead(room, visitor: connection.visitor)
  }

  /// A page without what is kept and was not shown to anybody yet.
  private func shown(_ page: HistoryPage) -> HistoryPage {
    let published = hub.published(in: page.room)
    var page = page
    if let newest = page.messages.last, newest.seq > published {
      page.messages.removeAll { $0.seq > published }
      page.more = false
    }
    page.gap = page.gap.flatMap { gap in
      gap.lowerBound > published
        ? nil : gap.lowerBound...min(gap.upperBound, published)
    }
    return page
  }

  /// Answers a request for history; the connection's next request waits for it.
  mutating func fetch(
    _ room: RoomName, _ stretch: Stretch, limit: Int, for id: ConnectionID, _ asked: RequestID?
  ) {
    guard let connection = connections[id] else { return }
    connection.isWaiting = true
    want(room, stretch, .messages, limit: limit, .answer(id, asked))
  }
}
