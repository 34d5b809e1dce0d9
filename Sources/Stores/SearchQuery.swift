/// What is searched for, and what is found. Reads no index.

package import ChatModel

/// Why a search cannot be made, in words for who asked.
package enum SearchProblem: Error, Hashable, Sendable {
  /// There is nothing but blanks and signs in it.
  case noWords
  case tooLong(limit: Int)
  case tooManyWords(limit: Int)
  /// It is none that a search has given.
  case badCursor
}

extension SearchProblem: CustomStringConvertible {
  /// A sentence without its full stop.
  package var description: String {
    switch self {
    case .noWords: "there is no word in the query; name one that was said"
    case .tooLong(let limit): "the query is too long (at most \(limit) bytes)"
    case .tooManyWords(let limit): "there are too many words in the query (at most \(limit))"
    case .badCursor: "the cursor is none that a search has given; search without one"
    }
  }
}

/// One search, newest first.
package struct SearchQuery: Hashable, Sendable {
  let words: SearchWords
  let sight: Sight
  let room: RoomName?
  let from: UserName?
  let since: Moment?
  let until: Moment?
  let cursor: SearchCursor?
  let limit: Int

  /// What of `search` can be looked for: its place is `room`, as it is kept. Its words all have to
  /// be there, in any order; what is in quotes has to stand together; the last word may end in `*`
  /// and is then the beginning of one. Everything else in it is text.
  package init(
    _ search: Search, in room: RoomName?, seeing sight: Sight
  ) throws(SearchProblem) {
    precondition(
      (1...Search.messagesMax).contains(search.limit), "a page of a search has 1 to 100 messages")
    words = try SearchWords(search.words)
    self.sight = sight
    self.room = room
    from = search.from
    since = search.since
    until = search.until
    if let cursor = search.cursor {
      guard let found = SearchCursor(cursor) else { throw .badCursor }
      self.cursor = found
    } else {
      cursor = nil
    }
    limit = search.limit
  }
}

extension SearchQuery {
  /// Whether this is a message to be shown. What costs little is looked at first.
  func matches(_ message: Message) -> Bool {
    asks(for: message) && words.match(message.draft.words)
  }

  /// Whether it is a message with a text whose words are to be compared.
  func asks(for message: Message) -> Bool {
    guard case .text = message.draft.content else { return false }
    return matches(message.draft.room) && from.map { $0 == message.draft.from } ?? true
      && since.map { message.at >= $0 } ?? true && until.map { message.at < $0 } ?? true
  }

  /// Whether messages of that room may be shown, and are asked for.
  func matches(_ room: RoomName) -> Bool {
    sight.includes(room) && self.room.map { $0 == room } ?? true
  }
}

/// Some of what was found.
package struct SearchPage: Hashable, Sendable {
  /// Newest first. Few or none beside a cursor mean that much had to be looked at: it goes on.
  package var messages: [Message]
  /// For the next page; nil at the end.
  package var cursor: String?

  package init(messages: [Message], cursor: String?) {
    self.messages = messages
    self.cursor = cursor
  }
}

/// Where a page ended: the number of an entry of the index, and of which index.
struct SearchCursor: Hashable, Sendable {
  let build: Int64
  let entry: Int64

  init(build: Int64, entry: Int64) {
    self.build = build
    self.entry = entry
  }

  init?(_ string: String) {
    let parts = string.split(separator: "-", omittingEmptySubsequences: false)
    guard string.utf8.count <= 32, parts.count == 2, let build = Int64(parts[0], radix: 36),
      let entry = Int64(parts[1], radix: 36), build > 0, entry > 0
    else { return nil }
    self.build = build
    self.entry = entry
  }

  var string: String { "\(String(build, radix: 36))-\(String(entry, radix: 36))" }
}
