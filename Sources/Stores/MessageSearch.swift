/// Who finds messages for a server. Says what is asked and answered; finds nothing itself.

/// Finds what was kept, within a second or two.
package protocol MessageSearch: Sendable {
  /// As ``SearchIndex/find(_:)`` has it.
  func find(_ query: SearchQuery) async throws(StoreError) -> SearchPage

  /// Ends what is under way; nothing is called afterwards.
  func close() async
}

extension SearchIndex: MessageSearch {}
