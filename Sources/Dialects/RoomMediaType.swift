/// As what a room is told over HTTP: of what was accepted the best, by weight.

internal import ChatModel
internal import Wire

/// In the order in which they are preferred where nothing else decides.
enum RoomMediaType: CaseIterable {
  /// One object.
  case json
  /// Objects of JSON, each a line.
  case lines
  /// Lines for people.
  case text
  /// Server-sent events, for as long as somebody listens.
  case events

  /// RFC 9110 8.3.
  var contentType: String {
    switch self {
    case .json: "application/json"
    case .lines: "application/x-ndjson"
    case .text: "text/plain; charset=utf-8"
    case .events: "text/event-stream"
    }
  }

  /// How somebody is told what comes who asked in this form.
  var form: Form {
    switch self {
    case .json, .lines: .json
    case .text: .line
    case .events: .event
    }
  }

  /// The best of what is accepted (RFC 9110 12.5.1): by weight, then by how exactly it was named,
  /// then in our order. Nil where none is.
  static func accepted(_ fields: HTTPFields) -> RoomMediaType? {
    // What is no media type is passed over.
    let ranges = HTTPChoice.all(fields.all("accept")).filter { $0.name.contains("/") }
    guard !ranges.isEmpty else { return .json }
    var best: (type: RoomMediaType, range: HTTPChoice)?
    for type in allCases {
      let name = type.contentType.prefix { $0 != ";" }
      // The most exact that fits decides for its type, whatever its weight.
      let fitting = ranges.filter { $0.holds(name) }.max { $0.exactness < $1.exactness }
      guard let range = fitting, range.weight > 0 else { continue }
      if let known = best,
        (known.range.weight, known.range.exactness) >= (range.weight, range.exactness)
      {
        continue
      }
      best = (type, range)
    }
    return best?.type
  }
}

extension HTTPChoice {
  fileprivate var exactness: Int {
    if name == "*/*" { return 0 }
    return name.hasSuffix("/*") ? 1 : 2
  }

  fileprivate func holds(_ type: Substring) -> Bool {
    if name == type || name == "*/*" { return true }
    return name.hasSuffix("/*") && type.hasPrefix(name.dropLast())
  }
}
