/// One HTTP/1.1 request as a value: what was asked, and with which fields. Parses nothing.

/// A request's head and body, as it was sent.
package struct HTTPRequest: Equatable, Sendable {
  /// A token in the case it was sent in (RFC 9110 9.1); whether it is a known one is the caller's
  /// matter. Never `CONNECT`.
  package var method: String
  /// A path that begins with `/` and perhaps a query, or `*` for `OPTIONS`: printable ASCII without
  /// `#`, percent-escapes as they were sent (RFC 9112 3.2).
  package var target: String
  /// 0 or 1. A higher one counts as 1 (RFC 9110 2.5).
  package var minorVersion: Int
  /// With a target in absolute form, its authority is what `Host` says (RFC 9112 3.2.2).
  package var fields: HTTPFields
  /// As many bytes as `Content-Length` said; none without it.
  package var body: [UInt8]

  package init(
    method: String, target: String, minorVersion: Int = 1, fields: HTTPFields = HTTPFields(),
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.minorVersion = minorVersion
    self.fields = fields
    self.body = body
  }

  /// May the connection serve another request behind this one (RFC 9112 9.3)?
  package var keepsAlive: Bool {
    if fields.has("connection", token: "close") { return false }
    return minorVersion >= 1 || fields.has("connection", token: "keep-alive")
  }
}

/// The fields of one head in their order. Names are compared in any case (RFC 9110 5.1).
package struct HTTPFields: Sendable {
  /// Where one field lies in `text`.
  struct Line: Sendable {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    init(name: Range<Int>, value: Range<Int>) {
      nameStart = UInt32(name.lowerBound)
      nameEnd = UInt32(name.upperBound)
      valueStart = UInt32(value.lowerBound)
      valueEnd = UInt32(value.upperBound)
    }

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  }

  /// The whole head, so that nobody pays for a field that nobody asks for.
  private let text: [UInt8]
  private let lines: [Line]

  init(text: [UInt8], lines: [Line]) {
    self.text = text
    self.lines = lines
  }

  /// Fields that nobody sent: for whoever builds a request. Nothing is checked.
  package init(_ pairs: [(name: String, value: String)] = []) {
    var text: [UInt8] = []
    var lines: [Line] = []
    for (name, value) in pairs {
      let start = text.count
      text += name.utf8
      let middle = text.count
      text += value.utf8
      lines.append(Line(name: start..<middle, value: middle..<text.count))
    }
    self.init(text: text, lines: lines)
  }

  /// How many lines there are.
  package var count: Int { lines.count }

  /// How many bytes are kept for them.
  var bytesHeld: Int { text.count }

  /// The first value of this name, without blanks around it: as UTF-8, or where it is none as
  /// Latin-1 (RFC 9110 5.5 leaves the bytes above 0x7F open).
  package func first(_ name: String) -> String? {
    for line in lines where matches(line.name, name) { return string(line.value) }
    return nil
  }

  /// Every value of this name, in the order they came.
  package func all(_ name: String) -> [String] {
    lines.filter { matches($0.name, name) }.map { string($0.value) }
  }

  /// Is this token, in any case, in the comma lists of this name (RFC 9110 5.6.1)? Knows no quoted
  /// strings: for fields whose members are tokens.
  package func has(_ name: String, token: String) -> Bool {
    for line in lines where matches(line.name, name) {
      for member in commaList(text.span, in: line.value) where matches(member, token) {
        return true
      }
    }
    return false
  }

  private func matches(_ range: Range<Int>, _ word: String) -> Bool {
    isSameWord(text.span.extracting(range), word)
  }

  private func string(_ range: Range<Int>) -> String {
    var walk = UTF8Walk()
    if walk.accepts(text.span.extracting(range)), walk.isBetweenCharacters {
      return String(decoding: text[range], as: UTF8.self)
    }
    return String(String.UnicodeScalarView(text[range].map { Unicode.Scalar($0) }))
  }
}

extension HTTPFields: Equatable {
  /// The same names in any case, with the same bytes as values, in the same order.
  package static func == (one: HTTPFields, other: HTTPFields) -> Bool {
    one.lines.count == other.lines.count
      && zip(one.lines, other.lines).allSatisfy { mine, theirs in
        one.text[mine.value] == other.text[theirs.value]
          && one.text[mine.name].elementsEqual(other.text[theirs.name]) { lower($0) == lower($1) }
      }
  }
}
