/// The client's side of JSON lines: requests as bytes, bytes as answers and events. Knows no
/// socket, and sends nothing by itself.

package import ChatModel
internal import Wire

/// One connection to a server. Give it each read and the end of the stream, then pull
/// ``next()`` until it is nil.
package struct JSONClientCodec {
  package enum Heard: Hashable, Sendable {
    /// What became of the request that was encoded with this id; no refusal.
    case answer(Answer, RequestID)
    /// The id is nil where the server could not tell which request it was.
    case refused(JSONRefusal, RequestID?)
    /// The person of a message is not told: it is ``nobody``; where it was said, its place tells.
    case event(Event)
    /// One sentence from the server to show.
    case notice(String)
    /// The server is about to close the connection: a ``JSONClosingCode``, or one that a later
    /// version has, one sentence, and how long to stay
    /// away where it says so.
    case closing(reason: String, message: String, retryAfter: Duration?)
    /// A line that is no answer and no event; nothing can be relied on any more.
    case malformed(String)
  }

  /// Stands where a message's person is not told.
  package static let nobody = PersonID(rawValue: 0)
  /// Stands where a room is not told: of all that comes of conversations. Which of them it is, the
  /// ``Place`` beside it says. No store takes it for a room.
  package static let conversation = RoomName.conversation(of: nobody, and: nobody)

  static func room(of place: Place) -> RoomName {
    switch place {
    case .room(let room): room
    case .with: conversation
    }
  }

  private var lines = JSONLineReader(bytesMax: JSONLimits.lineBytesMax)
  /// What was asked and not answered yet.
  private var asked: [RequestID: Request] = [:]

  package init() {}

  /// Appends the request's line. It names its room, and no other request with this id is under way.
  package mutating func encode(
    _ request: Request, id: RequestID, into out: inout [UInt8]
  ) {
    let former = asked.updateValue(request, forKey: id)
    precondition(former == nil, "an id names one request until that is answered")
    out.append(UInt8(ascii: "{"))
    JSONSpelling.id(id, &out)
    JSONSpelling.encode(request, into: &out)
    JSONSpelling.end(&out)
  }

  package mutating func received(_ bytes: UnsafeRawBufferPointer) { unsafe lines.received(bytes) }

  package mutating func ended() { lines.ended() }

  package mutating func next() -> Heard? {
    do throws(JSONMalformed) {
      while let fields = try lines.nextFields() {
        if let heard = try heard(fields) { return heard }
      }
    } catch {
      return .malformed(error.reason)
    }
    return nil
  }

  /// Nil for what a later version may say.
  private mutating func heard(_ fields: JSONFields) throws(JSONMalformed) -> Heard? {
    let id = try fields.id()
    if let error = fields.object("error") {
      if let id { asked[id] = nil }
      return .refused(try error.refusal(), id)
    }
    if let ok = fields.object("ok") {
      guard let id, let request = asked.removeValue(forKey: id) else {
        throw JSONMalformed("an answer to nothing that was asked")
      }
      return .answer(try ok.answer(to: request), id)
    }
    return try fields.event()
  }
}

/// A refusal as a client is told it.
package struct JSONRefusal: Hashable, Sendable {
  /// What a program goes by: a ``JSONErrorCode``, or one that a later version has.
  package var code: String
  /// The code, where this version knows it.
  package var known: JSONErrorCode? { JSONErrorCode(rawValue: code) }
  /// One sentence for people: what to do next.
  package var message: String
  /// How long to wait before the same request can succeed.
  package var retryAfter: Duration?

  package init(code: String, message: String, retryAfter: Duration? = nil) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }
}
