/// The fields of an object that a server sent, as values of the chat. Throws where one is missing
/// or cannot be what it should; fields it does not know are passed over.

internal import ChatModel
internal import Wire

struct JSONFields {
  private let document: JSONDocument
  private let place: JSONDocument.Value

  init(_ document: JSONDocument, _ place: JSONDocument.Value) {
    self.document = document
    self.place = place
  }

  var isObject: Bool { document.kind(of: place) == .object }

  func id() throws(JSONMalformed) -> RequestID? {
    let envelope = JSONEnvelope(document)
    guard envelope.isIDGood else { throw JSONMalformed("an id that cannot be one") }
    return envelope.id
  }

  // MARK: Values

  func object(_ key: String) -> JSONFields? {
    guard let value = document.member(key, of: place), document.kind(of: value) == .object else {
      return nil
    }
    return JSONFields(document, value)
  }

  func has(_ key: String) -> Bool { document.member(key, of: place) != nil }

  func array<Element>(
    _ key: String, _ element: (JSONFields) throws(JSONMalformed) -> Element
  ) throws(JSONMalformed) -> [Element] {
    guard let value = document.member(key, of: place), document.kind(of: value) == .array else {
      throw JSONMalformed("no array \(key)")
    }
    var elements: [Element] = []
    for place in document.elements(of: value) {
      elements.append(try element(JSONFields(document, place)))
    }
    return elements
  }

  func strings(_ key: String) throws(JSONMalformed) -> [String] {
    guard let value = document.member(key, of: place), document.kind(of: value) == .array else {
      throw JSONMalformed("no array \(key)")
    }
    return document.elements(of: value).compactMap { document.string($0) }
  }

  func optionalString(_ key: String) -> String? {
    document.member(key, of: place).flatMap { document.string($0) }
  }

  func string(_ key: String) throws(JSONMalformed) -> String {
    guard let string = optionalString(key) else { throw JSONMalformed("no string \(key)") }
    return string
  }

  func optionalNumber(_ key: String) throws(JSONMalformed) -> Int64? {
    guard let value = document.member(key, of: place) else { return nil }
    guard let number = document.integer(value), number >= 0 else {
      throw JSONMalformed("\(key) is no whole number")
    }
    return number
  }

  func number(_ key: String) throws(JSONMalformed) -> Int64 {
    guard let number = try optionalNumber(key) else { throw JSONMalformed("no number \(key)") }
    return number
  }

  func count(_ key: String) throws(JSONMalformed) -> Int { Int(try number(key)) }

  func flag(_ key: String) throws(JSONMalformed) -> Bool {
    switch document.member(key, of: place).map({ document.kind(of: $0) }) {
    case .yes: true
    case .no: false
    case .object, .array, .string, .number, .null, nil: throw JSONMalformed("no flag \(key)")
    }
  }

  /// Absent, it does not hold.
  func holds(_ key: String) throws(JSONMalformed) -> Bool { has(key) ? try flag(key) : false }

  func room(_ key: String) throws(JSONMalformed) -> RoomName {
    guard let room = RoomName(try string(key)) else {
      throw JSONMalformed("\(key) is no name of a room")
    }
    return room
  }

  func name(_ key: String) throws(JSONMalformed) -> UserName {
    guard let name = try? UserName(try string(key)) else {
      throw JSONMalformed("\(key) is no name")
    }
    return name
  }

  /// Where something is said; a room's name stands in another field in a list of rooms.
  func place(room key: String = "room") throws(JSONMalformed) -> Place {
    has("with") ? .with(try name("with")) : .room(try room(key))
  }

  func moment(_ key: String) throws(JSONMalformed) -> Moment {
    guard let milliseconds = CalendarTime.milliseconds(ofTimestamp: try string(key)) else {
      throw JSONMalformed("\(key) is no time")
    }
    return Moment(milliseconds: milliseconds)
  }

  func messageText(_ key: String) throws(JSONMalformed) -> MessageText {
    guard let text = MessageText(try string(key)) else {
      throw JSONMalformed("\(key) cannot be a text")
    }
    return text
  }

  /// Nil where there is none, or an empty one.
  func shortText(_ key: String) throws(JSONMalformed) -> ShortText? {
    guard has(key), case let string = try string(key), !string.isEmpty else { return nil }
    guard let text = ShortText(string) else { throw JSONMalformed("\(key) is too long") }
    return text
  }

  func range() throws(JSONMalformed) -> ClosedRange<Int64> {
    let (from, to) = (try number("from"), try number("to"))
    guard from <= to else { throw JSONMalformed("a gap that ends before it begins") }
    return from...to
  }

  func wait() throws(JSONMalformed) -> Duration? {
    try optionalNumber("retryAfterMs").map { .milliseconds($0) }
  }
}
