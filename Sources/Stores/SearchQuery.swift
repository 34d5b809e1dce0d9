/// What is searched for, and what is found. Reads no index.

package import ChatModel

/// The rooms that may be seen by who asks.
package enum SearchScope: Hashable, Sendable {
  /// Every room but these.
  case all(except: Set<RoomName>)
  case only(Set<RoomName>)
  /// Every room that people made but these; of those that the server made, whose names begin with
  /// `@`, only `made`.
  case open(except: Set<RoomName>, made: Set<RoomName>)

  package func includes(_ room: RoomName) -> Bool {
    switch self {
    case .open(let hidden, let made):
      room.string.utf8.first == UInt8(ascii: "@") ? made.contains(room) : !hidden.contains(room)
    case .all(let hidden): !hidden.contains(room)
    case .only(let seen): seen.contains(room)
    }
  }
}

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
  /// The most messages of a page.
  package static let limitMax = 100
  package static let limitStandard = 20

  let words: SearchWords
  let scope: SearchScope
  let room: RoomName?
  let person: PersonID?
  let since: Moment?
  let until: Moment?
  let cursor: SearchCursor?
  let limit: Int

  /// `text` is words that all have to be there, in any order; what is in quotes has to stand
  /// together; the last word may end in `*` and is then the beginning of one. Everything else in
  /// it is text. `since` is the first moment that counts, `until` the first that does not any more.
  /// `cursor` is a former page's, for the same search; `limit` is 1...100.
  package init(
    _ text: String, seeing scope: SearchScope, room: RoomName? = nil, person: PersonID? = nil,
    since: Moment? = nil, until: Moment? = nil, cursor: String? = nil, limit: Int = limitStandard
  ) throws(SearchProblem) {
    precondition((1...Self.limitMax).contains(limit), "a page of a search has 1 to 100 messages")
    words = try SearchWords(text)
    self.scope = scope
    self.room = room
    self.person = person
    self.since = since
    self.until = until
    if let cursor {
      guard let found = SearchCursor(cursor) else { throw .badCursor }
      self.cursor = found
    } else {
      self.cursor = nil
    }
    self.limit = limit
  }
}

extension SearchQuery {
  /// Whether this is a message to be shown. What costs little is looked at first.
  func matches(_ message: Message) -> Bool {
    asks(for: message) && words.match(message.draft.text.string)
  }

  /// Whether it is one of those whose words are to be compared.
  func asks(for message: Message) -> Bool {
    matches(message.draft.room) && person.map { $0 == message.draft.person } ?? true
      && since.map { message.at >= $0 } ?? true && until.map { message.at < $0 } ?? true
  }

  /// Whether messages of that room may be shown, and are asked for.
  func matches(_ room: RoomName) -> Bool {
    scope.includes(room) && self.room.map { $0 == room } ?? true
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

extension StoreError {
  /// A cursor names an entry of an index that was thrown away.
  static let cursorIsGone = StoreError.failed(
    "the index of searches was made anew meanwhile; begin the search again")
}
