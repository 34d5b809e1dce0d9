/// ``MemoryHistory`` behind the protocol of stores, so that one contract is tested over both.

import ChatModel

@testable import Stores

/// ``MemoryHistory`` as a ``MessageStore``.
actor MemoryStore: MessageStore {
  nonisolated let durability = Durability.received

  private var history: MemoryHistory
  private let now: @Sendable () -> Moment

  /// `now` tells when a message is kept.
  init(
    limits: MemoryHistory.Limits = MemoryHistory.Limits(),
    now: @escaping @Sendable () -> Moment = { .now }
  ) {
    history = MemoryHistory(limits: limits)
    self.now = now
  }

  func append(_ drafts: [Draft]) -> [Kept] { history.append(drafts, at: now()) }

  func page(of room: RoomName, _ stretch: Stretch, limit: Int) -> HistoryPage {
    history.page(of: room, stretch, limit: limit)
  }

  func rooms() -> [StoredRoom] { history.rooms }

  func close() {}
}
