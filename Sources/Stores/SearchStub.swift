/// Stub.

package import ChatModel

extension MemoryHistory {
  package func find(_ query: SearchQuery) -> SearchPage { SearchPage(messages: [], cursor: nil) }
}
extension SearchQuery {
  package init(_ search: Search, in room: RoomName?, seeing sight: Sight) throws(SearchProblem) {
    try self.init(
      search.words, seeing: .all(except: sight.hidden), room: room, since: search.since,
      until: search.until, cursor: search.cursor, limit: search.limit)
  }
}
package protocol MessageSearch: Sendable {
  func find(_ query: SearchQuery) async throws(StoreError) -> SearchPage
  func close() async
}
extension SearchIndex: MessageSearch {}
