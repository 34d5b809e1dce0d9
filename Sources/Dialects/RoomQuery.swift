/// What is asked of a room by the query of a request. Each parameter is judged; one that nobody
/// knows may be one that was misspelled.

internal import ChatModel
internal import Wire

/// What of a room over HTTP cannot be asked that way: what is said, and the status where it does
/// not follow from that.
struct RoomRefused: Error {
  let refusal: Refusal
  let status: Int?

  init(_ refusal: Refusal, _ status: Int? = nil) {
    self.refusal = refusal
    self.status = status
  }

  init(_ words: String, _ status: Int? = nil) { self.init(.badRequest(words), status) }
}

/// What stands behind the question mark, each parameter once.
struct RoomQuery: Equatable {
  var after: Int64?
  var before: Int64?
  var limit: Int?
  var follows = false

  /// `text` is without the question mark.
  init(_ text: Substring) throws(RoomRefused) {
    var names: Set<String> = []
    for item in text.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(parts[0]), let value = percentDecoded(parts.dropFirst().first)
      else { throw RoomRefused(WebWords.badEscape) }
      guard names.insert(name).inserted else { throw RoomRefused(WebWords.repeated(name)) }
      switch name {
      case "after": after = try Self.number(name, value, 0...Int64.max)
      case "before": before = try Self.number(name, value, 0...Int64.max)
      case "limit":
        limit = Int(try Self.number(name, value, 1...Int64(HistoryPage.messagesMax)))
      case "follow":
        guard value == "1" else { throw RoomRefused(WebWords.follow) }
        follows = true
      case _: throw RoomRefused(WebWords.unknownParameter)
      }
    }
    if after != nil, before != nil { throw RoomRefused(WebWords.afterAndBefore) }
  }

  /// A page of what was said.
  var stretch: Stretch { after.map { .after($0) } ?? .before(before) }

  /// Where somebody begins who follows. `last` is the event that it had last.
  func beginning(behind last: Int64?) throws(RoomRefused) -> Beginning {
    if before != nil { throw RoomRefused(WebWords.followBefore) }
    if after != nil, limit != nil { throw RoomRefused(WebWords.followLimit) }
    if let seq = last ?? after { return .after(seq) }
    return limit.map { .last($0) } ?? .now
  }

  static func number(
    _ name: String, _ text: String, _ range: ClosedRange<Int64>
  ) throws(RoomRefused) -> Int64 {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = Int64(text), range.contains(number)
    else { throw RoomRefused(WebWords.number(name, range)) }
    return number
  }
}

/// RFC 3986 2.1; nil for what is no escape, or no UTF-8.
func percentDecoded(_ text: Substring?) -> String? {
  guard let text else { return "" }
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit)
    else { return nil }
    bytes.append(high << 4 | low)
  }
  return String(validating: bytes, as: UTF8.self)
}
