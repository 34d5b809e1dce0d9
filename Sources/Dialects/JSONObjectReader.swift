/// What stands in the object of a request, taken out by key and judged. Knows no method.

internal import ChatModel
internal import Wire

/// The arguments of one request. `null` counts as absent.
protocol JSONObjectReader {
  var document: JSONDocument { get }
  var object: JSONDocument.Value { get }
}

extension JSONObjectReader {
  func value(of key: String) -> JSONDocument.Value? {
    guard let value = document.member(key, of: object), document.kind(of: value) != .null else {
      return nil
    }
    return value
  }

  func string(_ key: String) throws(JSONRefused) -> String? {
    guard let value = value(of: key) else { return nil }
    return try string(key, value)
  }

  func string(_ key: String, _ value: JSONDocument.Value) throws(JSONRefused) -> String {
    guard let string = document.string(value) else { throw JSONRefused("\(key) must be a string") }
    return string
  }

  /// An empty one is none.
  func shortText(_ key: String) throws(JSONRefused) -> ShortText? {
    guard let string = try string(key), !string.isEmpty else { return nil }
    guard let text = ShortText(string) else {
      throw JSONRefused(.tooLong(limit: ShortText.bytesMax))
    }
    return text
  }

  func number(
    _ key: String, from least: Int64, upTo most: Int64 = .max
  ) throws(JSONRefused) -> Int64? {
    guard let value = value(of: key) else { return nil }
    guard let number = document.integer(value), (least...most).contains(number) else {
      let end = most == .max ? "2^63-1" : "\(most)"
      throw JSONRefused("\(key) must be a number from \(least) to \(end), in digits alone")
    }
    return number
  }

  func roomName(_ string: String) throws(JSONRefused) -> RoomName {
    guard let room = RoomName(string) else { throw JSONRefused(.badRoom) }
    return room
  }

  func userName(_ string: String) throws(JSONRefused) -> UserName {
    do { return try UserName(string) } catch { throw JSONRefused(.badName(error)) }
  }
}
