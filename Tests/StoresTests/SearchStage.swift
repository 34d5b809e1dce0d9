/// What the tests of searches need: an index behind a store, and what it finds. Asserts nothing.

import ChatModel
import Foundation

@testable import Stores

/// Every room that people made.
let everywhere = Sight(hidden: [], made: [])

extension SearchQuery {
  init(
    _ words: String, seeing sight: Sight, room: RoomName? = nil, from: String? = nil,
    since: Moment? = nil, until: Moment? = nil, cursor: String? = nil,
    limit: Int = Search.messagesStandard
  ) throws {
    let search = Search(
      words, from: try from.map { try UserName($0) }, since: since, until: until, cursor: cursor,
      limit: limit)
    try self.init(search, in: room, seeing: sight)
  }
}

extension TemporaryDirectory {
  /// Opens the store and its index, lets `body` use them and closes them.
  @discardableResult func withIndex<Result>(
    clock: HandClock = HandClock(), sweepDelay: Duration = .zero,
    patience: Duration = .seconds(60), _ body: (SQLiteStore, SearchIndex) async throws -> Result
  ) async throws -> Result {
    try await withStore(clock: clock) { store in
      let index = try SearchIndex(
        behind: store, now: clock.now, sweepDelay: sweepDelay, patience: patience)
      do {
        try await index.catchUp()
        let result = try await body(store, index)
        await index.close()
        return result
      } catch {
        await index.close()
        throw error
      }
    }
  }

  /// A message for each text in the lobby, and what a search finds of them.
  func found(_ query: String, of texts: [String]) async throws -> [String] {
    try await withIndex { store, index in
      _ = try await store.append(texts.map { draft($0) })
      return try await index.texts(query)
    }
  }

  /// The file and its log as bytes.
  func searchBytes() throws -> Data {
    let log = try? Data(contentsOf: URL(fileURLWithPath: data.searchPath + "-wal"))
    return try Data(contentsOf: URL(fileURLWithPath: data.searchPath)) + (log ?? Data())
  }
}

extension SearchIndex {
  /// The texts that are found of what was kept before, newest first, in pages of this size.
  func texts(
    _ query: String, seeing sight: Sight = everywhere, room: RoomName? = nil,
    from name: String? = nil, since: Int64? = nil, until: Int64? = nil, limit: Int = 100
  ) async throws -> [String] {
    try await catchUp()
    var texts: [String] = []
    var cursor: String?
    repeat {
      let page = try await find(
        SearchQuery(
          query, seeing: sight, room: room, from: name,
          since: since.map { Moment(milliseconds: $0) },
          until: until.map { Moment(milliseconds: $0) }, cursor: cursor, limit: limit))
      texts += page.messages.map(\.draft.words)
      cursor = page.cursor
    } while cursor != nil
    return texts
  }
}

/// A history, and what finds messages of it.
struct Searched {
  let store: any MessageStore
  /// Everything that was kept before can be found.
  let find: (SearchQuery) async throws -> SearchPage

  func append(_ drafts: Draft...) async throws { _ = try await store.append(drafts) }

  /// What is found, newest first, in pages of this size, and how many pages there were.
  func walk(
    _ words: String, seeing sight: Sight = everywhere, room: RoomName? = nil,
    from name: String? = nil, limit: Int = 7
  ) async throws -> (messages: [Message], pages: Int) {
    var found: [Message] = []
    var cursor: String?
    var pages = 0
    repeat {
      let page = try await find(
        SearchQuery(words, seeing: sight, room: room, from: name, cursor: cursor, limit: limit))
      found += page.messages
      cursor = page.cursor
      pages += 1
    } while cursor != nil
    return (found, pages)
  }

  func texts(
    _ words: String, seeing sight: Sight = everywhere, room: RoomName? = nil,
    from name: String? = nil
  ) async throws -> [String] {
    try await walk(words, seeing: sight, room: room, from: name).messages.map(\.draft.words)
  }
}

extension Keeper {
  /// Opens a history that can be searched, lets `body` use it and closes it.
  func withSearch(_ body: (Searched) async throws -> Void) async throws {
    switch self {
    case .memory:
      let store = MemoryStore()
      try await body(Searched(store: store) { try await store.find($0) })
    case .sqlite:
      try await TemporaryDirectory().withIndex { store, index in
        try await body(
          Searched(store: store) { query in
            try await index.catchUp()
            return try await index.find(query)
          })
      }
    }
  }
}

extension SearchWriter {
  /// Indexes one message again as it is in the history now, or removes it where it is gone. It
  /// keeps its place in time.
  func reindex(_ row: RowNumber, at now: Moment) throws(StoreError) {
    let tables = try tables()
    let message = try history.entry(row)
    try tables.inTransaction { () throws(StoreError) in
      try tables.reindex(row, as: message, at: now)
    }
  }
}
