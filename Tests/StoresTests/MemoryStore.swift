/// A store in memory, for tests and for servers that keep nothing. It is gone with the process.

package import ChatModel

/// ``MemoryHistory`` as a ``MessageStore``.
package actor MemoryStore: MessageStore {
  package nonisolated let durability = Durability.received

  private var history: MemoryHistory
  private let now: @Sendable () -> Moment

  /// `now` tells when a message is kept.
  package init(
    limits: MemoryHistory.Limits = MemoryHistory.Limits(),
    now: @escaping @Sendable () -> Moment = { .now }
  ) {
    history = MemoryHistory(limits: limits)
    self.now = now
  }

  package func append(_ drafts: [Draft]) -> [Kept] { history.append(drafts, at: now()) }

  package func page(of room: RoomName, _ stretch: Stretch, limit: Int) -> HistoryPage {
    history.page(of: room, stretch, limit: limit)
  }

  package func rooms() -> [StoredRoom] { history.rooms }

  package func close() {}
}
