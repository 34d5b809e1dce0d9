/// From the hub's drafts to the store and back. The only place where the server waits for a disk.

import ChatHub
import ChatModel
import Dialects
import Loop
import Stores

extension Server {
  /// Keeps a message. In memory that is done when this returns.
  func keep(_ draft: Draft, _ ticket: Ticket) {
    guard let store else {
      let kept = memory.append([draft], at: .now)[0]
      return perform(hub.kept(draft, ticket, outcome(kept), .received))
    }
    guard keeper.waiting.count < limits.draftsWaitingMax else {
      return perform(hub.kept(draft, ticket, .failed(.busy), store.durability))
    }
    connections[ticket.connection]?.draftsUnderWay += 1
    keeper.add(Keeper.Entry(draft: draft, ticket: ticket))
    guard !keeper.isBusy else { return }
    keeper.isBusy = true
    run { await $0.keepAll(in: store) }
  }

  private func keepAll(in store: any MessageStore) async {
    while !keeper.waiting.isEmpty {
      let batch = keeper.takeBatch(limits.draftsPerBatchMax)
      let outcomes: [KeepOutcome]
      do throws(StoreError) {
        outcomes = try await store.append(batch.map(\.draft)).map(outcome)
      } catch {
        report(error)
        outcomes = batch.map { _ in .failed(trouble(error)) }
      }
      for (entry, outcome) in zip(batch, outcomes) {
        connections[entry.ticket.connection]?.draftsUnderWay -= 1
        perform(hub.kept(entry.draft, entry.ticket, outcome, store.durability))
      }
      // Only now: what they ask next is answered after everything that was kept.
      for entry in batch {
        if let connection = connections[entry.ticket.connection] { goOn(connection) }
      }
    }
    keeper.isBusy = false
    if isStopping { finishStopping() }
  }

  /// Carries out what waited for messages to be kept.
  private func goOn(_ connection: ClientConnection) {
    if connection.draftsUnderWay == 0, let held = connection.held {
      connection.held = nil
      carryOut(held, of: connection)
    }
    takeRequests(of: connection)
  }

  private func outcome(_ kept: Kept) -> KeepOutcome {
    switch kept {
    case .stored(let seq, let at): .stored(seq: seq, at: at)
    case .duplicate(let seq, let at, let room): .duplicate(of: seq, at: at, in: room)
    }
  }

  private func trouble(_ error: StoreError) -> StoreTrouble {
    switch error {
    case .diskFull: .diskFull
    case .unusable, .failed: .failed
    }
  }

  /// Once a minute at most: a full disk fails every batch.
  func report(_ error: StoreError) {
    if let last = storeReportedAt, loop.now - last < .seconds(60) { return }
    storeReportedAt = loop.now
    configuration.log("\(error); messages are refused until it works again")
  }

  // MARK: Reading

  /// A page as far as it has been published. With a store the result comes later: look again at
  /// what may have changed.
  func page(
    of room: RoomName, _ stretch: Stretch, limit: Int,
    _ received: @escaping @Sendable (isolated Server, Result<HistoryPage, StoreError>) -> Void
  ) {
    let stretch: Stretch =
      switch stretch {
      case .before(nil): .before(hub.published(in: room) + 1)
      case .before, .after: stretch
      }
    guard let store else {
      return received(self, .success(memory.page(of: room, stretch, limit: limit)))
    }
    run { server in
      let result: Result<HistoryPage, StoreError>
      do throws(StoreError) {
        result = .success(try await store.page(of: room, stretch, limit: limit))
      } catch {
        result = .failure(error)
      }
      received(server, result)
    }
  }

  /// Answers a request for history; the connection's next request waits for it.
  func fetch(
    _ room: RoomName, _ stretch: Stretch, limit: Int, for id: ConnectionID, _ asked: RequestID?
  ) {
    connections[id]?.isWaiting = true
    page(of: room, stretch, limit: limit) { server, result in
      guard let connection = server.connections[id] else { return }
      switch result {
      case .success(var page):
        let published = server.hub.published(in: room)
        page.messages.removeAll { $0.seq > published }
        server.answer(connection, asked, .history(page))
      case .failure(let error):
        server.report(error)
        server.answer(connection, asked, .refused(.notStored(reason: .failed)))
      }
      connection.isWaiting = false
      server.takeRequests(of: connection)
    }
  }
}
