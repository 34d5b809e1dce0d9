/// JSON lines: its lines as requests. What they are answered, the hub decides.

internal import ChatModel
internal import Wire

/// One connection's JSON lines.
struct JSONDialect {
  /// What can be asked for.
  enum Vocabulary {
    /// ``JSONMethod``: for everybody.
    case chat
    /// ``ControlMethod``: for operators.
    case control
  }

  private let vocabulary: Vocabulary
  private var lines = JSONLineReader(bytesMax: JSONLimits.lineBytesMax)
  /// How many of its lines were no requests.
  private var mistakes = 0
  private var hasToldMistakes = false

  /// Nothing is heard any more but that there were too many mistakes.
  var isDeaf: Bool { mistakes >= JSONLimits.mistakesMax }

  init(_ vocabulary: Vocabulary = .chat) { self.vocabulary = vocabulary }

  mutating func received(_ bytes: UnsafeRawBufferPointer) {
    if !isDeaf { unsafe lines.received(bytes) }
  }

  mutating func ended() { lines.ended() }

  var bytesHeld: Int { lines.bytesHeld }

  mutating func next() -> Heard? {
    if isDeaf {
      if hasToldMistakes { return nil }
      hasToldMistakes = true
      return .tooManyMistakes(limit: JSONLimits.mistakesMax)
    }
    switch lines.next() {
    case .line(let line): return heard(line)
    case .tooLong: return mistake(.tooLong(limit: JSONLimits.lineBytesMax), nil)
    case nil: return nil
    }
  }

  /// A message that came by itself, in the place of a line.
  mutating func heard(message: [UInt8]) -> Heard {
    precondition(!isDeaf, "who has made too many mistakes is not heard")
    return heard(message[...])
  }

  /// A line that is no request is answered, and counted.
  private mutating func mistake(_ refusal: Refusal, _ id: RequestID?) -> Heard {
    mistakes += 1
    if isDeaf { lines = JSONLineReader(bytesMax: JSONLimits.lineBytesMax) }
    return .answer(.refused(refusal), id)
  }

  private mutating func heard(_ line: ArraySlice<UInt8>) -> Heard {
    let document: JSONDocument
    do {
      document = try JSONDocument(line)
    } catch {
      return mistake(.badRequest(JSONWords.problem(error, in: line)), nil)
    }
    let envelope = JSONEnvelope(document)
    guard envelope.isIDGood else { return mistake(.badRequest(JSONWords.badID), nil) }
    guard envelope.methods == 1, let (key, object) = envelope.method else {
      return mistake(.badRequest(JSONWords.oneMethod), envelope.id)
    }
    do throws(JSONRefused) {
      let request = try request(key, document, object)
      return .request(request, envelope.id)
    } catch {
      return .answer(.refused(error.refusal), envelope.id)
    }
  }

  private func request(
    _ key: JSONDocument.Value, _ document: JSONDocument, _ object: JSONDocument.Value
  ) throws(JSONRefused) -> Request {
    switch vocabulary {
    case .chat:
      guard let method = JSONMethod.byUse.first(where: { document.reads(key, $0.rawValue) })
      else { throw JSONRefused(.unknownCommand) }
      try check(object, of: method.rawValue, in: document)
      return try JSONArguments(method: method, document: document, object: object).request()
    case .control:
      guard let method = document.string(key).flatMap({ ControlMethod(rawValue: $0) }) else {
        throw JSONRefused(ControlWords.unknownMethod())
      }
      try check(object, of: method.rawValue, in: document)
      return .operate(
        try ControlArguments(method: method, document: document, object: object).operation())
    }
  }

  private func check(
    _ object: JSONDocument.Value, of method: String, in document: JSONDocument
  ) throws(JSONRefused) {
    guard document.kind(of: object) == .object else {
      throw JSONRefused("what \(method) takes must be an object, such as {}")
    }
  }
}

/// The outer object of a request: its id, and the one other key.
struct JSONEnvelope {
  private(set) var id: RequestID?
  /// False where there is an id that cannot be one.
  private(set) var isIDGood = true
  /// How many keys there are beside the id.
  private(set) var methods = 0
  /// The first of them, with its value.
  private(set) var method: (key: JSONDocument.Value, value: JSONDocument.Value)?

  init(_ document: JSONDocument) {
    for (key, value) in document.members(of: document.root) {
      if document.reads(key, "id") {
        id = JSONEnvelope.id(value, in: document)
        isIDGood = id != nil || document.kind(of: value) == .null
      } else {
        if methods == 0 { method = (key, value) }
        methods += 1
      }
    }
  }

  /// A number or string of at most so many bytes.
  private static func id(
    _ value: JSONDocument.Value, in document: JSONDocument
  ) -> RequestID? {
    if let number = document.number(value), number.utf8.count <= JSONLimits.idBytesMax {
      return .number(number)
    }
    if let text = document.string(value), text.utf8.count <= JSONLimits.idBytesMax {
      return .text(text)
    }
    return nil
  }
}
