/// Lines of a server as the objects that they are to be. Knows no answer and no event.

internal import Wire

extension JSONLineReader {
  /// What the next line says. Behind one that is no object nothing can be relied on any more.
  mutating func nextFields() throws(JSONMalformed) -> JSONFields? {
    switch next() {
    case nil: return nil
    case .tooLong: throw JSONMalformed("a line of more than \(JSONLimits.lineBytesMax) bytes")
    case .line(let line):
      let document: JSONDocument
      do {
        document = try JSONDocument(line)
      } catch {
        throw JSONMalformed("no JSON (\(error.words(in: line)))")
      }
      let fields = JSONFields(document, document.root)
      guard fields.isObject else { throw JSONMalformed("no object") }
      return fields
    }
  }
}

/// What a server said is no answer and no event.
struct JSONMalformed: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
