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
