/// JSON lines given to a dialect, and what it hears. Has no hub: nothing is answered but by the
/// dialect itself.

import ChatModel
import Dialects
import Testing

/// Everything heard of some reads, and of the end of the stream.
func heard(_ reads: [[UInt8]], ends: Bool = true) -> [Heard] {
  var dialect = Dialect()
  var heard: [Heard] = []
  for read in reads {
    read.withUnsafeBytes { dialect.received($0, at: .zero) }
    while let next = dialect.next() { heard.append(next) }
    #expect(dialect.deadline == nil)
  }
  if ends {
    dialect.ended()
    while let next = dialect.next() { heard.append(next) }
    #expect(dialect.bytesHeld == 0)
  }
  return heard
}

/// What the one line is heard as; nil where it is not exactly one thing.
func heard(_ line: String) -> Heard? {
  let all = heard([Array((line + "\n").utf8)])
  return all.count == 1 ? all.first : nil
}

/// The request of a line with the id 7.
func request(_ method: String, _ arguments: String) -> Request? {
  guard case .request(let request, .number("7")) = heard(#"{"id":7,"\#(method)":\#(arguments)}"#)
  else { return nil }
  return request
}

/// The code that a line is refused with.
func code(_ heard: Heard?) -> JSONErrorCode? {
  guard case .answer(.refused(let refusal), _) = heard else { return nil }
  return JSONErrorCode(refusal)
}

/// The id that the answer to a line bears.
func answeredID(_ heard: Heard?) -> RequestID? {
  guard case .answer(_, let id) = heard else { return nil }
  return id
}
