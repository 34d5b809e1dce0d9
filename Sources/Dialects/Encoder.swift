/// Events and answers as bytes of any dialect. Does not decide who is told.

package import ChatModel

/// Turns an event or an answer into whole lines, frames or server-sent events.
package enum Encoder {
  /// Appends the event; nothing where this form does not show it.
  ///
  /// - Parameter isOwn: told to the sender's own connections: they see a message's key, and in a
  ///   conversation whom they said it to.
  package static func encode(
    _ event: Event, for form: Form, isOwn: Bool = false, into out: inout [UInt8]
  ) {
    switch form {
    case .line: PlainEncoder.encode(event, isOwn: isOwn, for: .line, into: &out)
    case .raw: PlainEncoder.encode(event, isOwn: isOwn, for: .raw, into: &out)
    case .json: JSONSpelling.encode(event, isOwn: isOwn, into: &out)
    case .frame:
      JSONFrames.encode(into: &out) { JSONSpelling.encode(event, isOwn: isOwn, into: &$0) }
    case .event: EventStream.encode(event, into: &out)
    case .silent: break
    }
  }

  /// Appends the answer; nothing where this form does not show it, as JSON does not show the
  /// success of a request without an id.
  package static func encode(
    _ answer: Answer, to id: RequestID?, for form: Form, into out: inout [UInt8]
  ) {
    switch form {
    case .line: PlainEncoder.encode(answer, to: id, for: .line, into: &out)
    case .raw: PlainEncoder.encode(answer, to: id, for: .raw, into: &out)
    case .json: JSONSpelling.encode(answer, to: id, into: &out)
    case .frame: JSONFrames.encode(into: &out) { JSONSpelling.encode(answer, to: id, into: &$0) }
    case .event, .silent: break
    }
  }
}
