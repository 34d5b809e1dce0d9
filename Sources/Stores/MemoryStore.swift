/// A store in memory, for tests and for servers that keep nothing. It is gone with the process.

package import ChatModel

/// ``MemoryHistory`` as a ``MessageStore``.
package actor MemoryStore: MessageStore {
  package nonisolated let durability = Durability.received

  private var history: MemoryHistory
  private var newest: [Fact.Key: Fact] = [:]
  private let now: @Sendable () -> Moment

  /// `now` tells when a message is kept.
  package init(
    limits: MemoryHistory.Limits = MemoryHistory.Limits(),
    now: @escaping @Sendable () -> Moment = { .now }
  ) {
    history = MemoryHistory(limits: limits)
    self.now = now
  }

  package func append(_ entries: [Entry]) -> [Kept] {
    entries.map { entry in
      switch entry {
      case .message(let draft): return history.append(draft, at: now())
      case .facts(let facts):
        for fact in facts { newest[fact.key] = fact.isRemoval ? nil : fact }
        return .recorded
      }
    }
  }

  package func page(of room: RoomName, _ stretch: Stretch, limit: Int) -> HistoryPage {
    history.page(of: room, stretch, limit: limit)
  }

  package func rooms() -> [StoredRoom] { history.rooms }

  package func facts() -> [Fact] { Array(newest.values) }

  package func close() {}
}
