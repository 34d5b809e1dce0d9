/// The arguments of methods about rooms and what is said in them. Asks nobody.

internal import ChatModel

extension JSONArguments {
  func create() throws(JSONRefused) -> Request {
    .create(
      try room(), isPrivate: try flag(.private) ?? false, topic: try shortText(.topic))
  }

  func send() throws(JSONRefused) -> Request {
    .send(
      try place(), try messageText(), key: try key(), replyTo: try number(.replyTo, from: 1))
  }

  func key() throws(JSONRefused) -> MessageKey? {
    guard let string = try string(.key) else { return nil }
    if let key = MessageKey(string) { return key }
    if string.isEmpty { throw JSONRefused("an empty key names nothing; leave it out") }
    throw JSONRefused(.tooLong(limit: MessageKey.bytesMax))
  }

  func beginning() throws(JSONRefused) -> Beginning {
    let after = try number(.after, from: 0)
    let last = try number(.last, from: 1, upTo: Int64(HistoryPage.messagesMax))
    switch (after, last) {
    case (nil, nil): return .now
    case (let after?, nil): return .after(after)
    case (nil, let last?): return .last(Int(last))
    case (_?, _?): throw JSONRefused("join takes after or last, not both")
    }
  }

  func stretch() throws(JSONRefused) -> Stretch {
    let before = try number(.before, from: 0)
    let after = try number(.after, from: 0)
    switch (before, after) {
    case (_, nil): return .before(before)
    case (nil, let after?): return .after(after)
    case (_?, _?): throw JSONRefused("history takes before or after, not both")
    }
  }

  func limit() throws(JSONRefused) -> Int {
    let limit = try number(.limit, from: 1, upTo: Int64(HistoryPage.messagesMax))
    return limit.map { Int($0) } ?? JSONLimits.historyDefault
  }

  func search() throws(JSONRefused) -> Search {
    let words = try needed(.query, try string(.query))
    guard !words.isEmpty else {
      throw JSONRefused("an empty query finds nothing; give the words to look for")
    }
    guard words.utf8.count <= Search.wordsBytesMax else {
      throw JSONRefused(.tooLong(limit: Search.wordsBytesMax))
    }
    let cursor = try string(.cursor)
    if let cursor, !(1...JSONLimits.cursorBytesMax).contains(cursor.utf8.count) {
      throw JSONRefused("this cursor is of no search; search without one")
    }
    let limit = try number(.limit, from: 1, upTo: Int64(Search.messagesMax))
    return Search(
      words, in: try placeIfAny(), from: try nameIfAny(.from), since: try moment(.since),
      until: try moment(.until), cursor: cursor,
      limit: limit.map { Int($0) } ?? Search.messagesStandard)
  }

  /// An empty one is told apart from none, which may have been forgotten.
  func setTopic() throws(JSONRefused) -> Request {
    _ = try needed(.text, try string(.text))
    return .setTopic(try room(), try shortText(.text))
  }

  func invite() throws(JSONRefused) -> Request {
    let uses = try number(.uses, from: 1, upTo: Int64(JSONLimits.usesMax))
    return .invite(try room(), uses: uses.map { Int($0) }, seconds: try seconds())
  }
}
