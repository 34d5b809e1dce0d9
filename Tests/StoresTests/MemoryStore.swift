/// ``MemoryHistory`` behind the protocol of stores, so that one contract is tested over both.

import ChatModel

@testable import Stores

/// ``MemoryHistory`` as a ``MessageStore``.
actor MemoryStore: MessageStore {
  nonisolated let durability = Durability.received

  private var history: MemoryHistory
  private var newest: [Fact.Key: Fact] = [:]
  private let now: @Sendable () -> Moment

  /// `now` tells when a message is kept.
  init(
    limits: MemoryHistory.Limits = MemoryHistory.Limits(),
    now: @escaping @Sendable () -> Moment = { .now }
  ) {
    history = MemoryHistory(limits: limits)
    self.now = now
  }

  func append(_ entries: [Entry]) -> [Kept] {
    entries.map { entry in
      switch entry {
      case .message(let draft):
        let kept = history.append(draft, at: now())
        if case .stored = kept { set(draft.facts) }
        return kept
      case .facts(let facts):
        set(facts)
        return .recorded
      }
    }
  }

  private func set(_ facts: [Fact]) {
    for fact in facts { newest[fact.key] = fact.isRemoval ? nil : fact }
  }

  func page(
    of room: RoomName, _ stretch: Stretch, _ reading: Reading, limit: Int
  ) -> HistoryPage {
    history.page(of: room, stretch, reading, limit: limit)
  }

  func rooms() -> [StoredRoom] { history.rooms }

  func facts() -> [Fact] { Array(newest.values) }

  func rows(of person: PersonID, after row: Int64, limit: Int) -> PersonRows {
    history.rows(of: person, after: row, limit: limit)
  }

  func find(_ query: SearchQuery) throws(StoreError) -> SearchPage { try history.find(query) }

  func remove(_ room: RoomName) -> Int { history.remove(room) }

  func close() {}
}
