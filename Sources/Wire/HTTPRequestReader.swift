/// Finds requests of HTTP/1.1 in one connection's bytes, strictly. Knows no socket, no clock, no
/// route.

/// What a connection of HTTP has said.
package enum HTTPHeard: Equatable, Sendable {
  /// One that is whole, with its body.
  case request(HTTPRequest)
  /// RFC 9110 10.1.1: a head with `Expect: 100-continue` and a body to come. The caller writes
  /// `HTTP/1.1 100 Continue` and an empty line, also where the body is there already.
  case expectsContinue
  /// Told once; nothing behind it is read.
  case refused(HTTPProblem)
}

/// Give it each read, then pull until there is nothing.
///
/// A request that upgrades the connection is the last: what came behind it is for ``takeRest()``,
/// before anything more is pulled.
package struct HTTPRequestReader {
  private enum Phase { case head, body, refused }

  /// The most a head may take, from its first line to the blank one, with their ends.
  private let headBytesMax: Int
  private let bodyBytesMax: Int
  private var phase = Phase.head
  /// From the head or the body on that was not given yet.
  private var held = HeldBytes()

  /// What its lines have said so far.
  private var head = HTTPHead()
  /// Of what is held: where the line begins that has no end yet.
  private var lineStart = 0
  /// Of what is held: so far no line ends.
  private var searched = 0
  private var hasSkippedBlankLine = false

  /// The request whose body is not whole, and how long that is.
  private var pending: HTTPRequest?
  private var bodyCount = 0

  /// What is over a limit is refused: 431 or 414, and 413.
  package init(headBytesMax: Int, bodyBytesMax: Int) {
    self.headBytesMax = headBytesMax
    self.bodyBytesMax = bodyBytesMax
  }

  /// How many bytes are kept for this connection at the moment.
  package var bytesHeld: Int { held.count + (pending?.fields.bytesHeld ?? 0) }

  /// Something of a request has come that was not given yet. The one empty line that may stand
  /// before it (RFC 9112 2.2) is nothing of it.
  package var isInsideRequest: Bool {
    if pending != nil || head.hasRequestLine { return true }
    let first = held.bytes[held.start...]
    return hasSkippedBlankLine ? !first.isEmpty : ![0x0D, 0x0A].starts(with: first)
  }

  /// One read, as it came.
  package mutating func received(_ bytes: UnsafeRawBufferPointer) {
    if phase != .refused { unsafe held.append(bytes) }
  }

  /// The next thing that was said.
  package mutating func next() -> HTTPHeard? {
    do throws(HTTPProblem) {
      switch phase {
      case .head: return try readHead()
      case .body: return readBody()
      case .refused: return nil
      }
    } catch {
      forget()
      phase = .refused
      return .refused(error)
    }
  }

  /// What came behind the request given last: it belongs to the protocol that was upgraded to.
  /// Empties the reader.
  package mutating func takeRest() -> [UInt8] {
    guard phase != .refused else { return [] }
    let rest = held.take(held.count)
    forget()
    return rest
  }

  private mutating func forget() {
    held = HeldBytes()
    pending = nil
    beginHead()
  }

  private mutating func beginHead() {
    phase = .head
    head = HTTPHead()
    lineStart = 0
    searched = 0
    hasSkippedBlankLine = false
  }

  // MARK: The head

  private mutating func readHead() throws(HTTPProblem) -> HTTPHeard? {
    while let line = try nextLine() {
      if line.isEmpty {
        if head.hasRequestLine { return try endHead() }
        // RFC 9112 2.2: some clients send one behind a body.
        guard !hasSkippedBlankLine else { throw .requestLine }
        hasSkippedBlankLine = true
        held.drop(lineStart)
        lineStart = 0
        searched = 0
      } else {
        // A second name for the same bytes, since the compiler lends out all of `self` with them.
        let all = held
        let lines = all.bytes.span.extracting(all.start..<all.start + lineStart)
        if head.hasRequestLine {
          try head.readField(line, of: lines)
        } else {
          try head.readRequestLine(line, of: lines)
        }
      }
    }
    return nil
  }

  /// The next line of what is held, without its end. What is found depends only on the bytes before
  /// it, so that it does not matter how they were cut.
  private mutating func nextLine() throws(HTTPProblem) -> Range<Int>? {
    let range = held.start..<held.start + min(held.count, headBytesMax)
    let (found, hasEnd) = try Self.lineEnd(held.bytes.span.extracting(range), from: searched)
    if hasEnd {
      let line = lineStart..<found
      lineStart = found + 2
      searched = lineStart
      return line
    }
    searched = found
    guard held.count <= headBytesMax else {
      throw head.hasRequestLine ? .headTooLarge : .requestLineTooLong
    }
    return nil
  }

  /// Where the next CR and LF are, or how far there are none.
  private static func lineEnd(
    _ bytes: Span<UInt8>, from start: Int
  ) throws(HTTPProblem) -> (place: Int, isThere: Bool) {
    var index = start
    while index < bytes.count {
      index = lettersEnd(bytes, from: index)
      // As far as a word reaches one by one, and on.
      let end = min(bytes.count, index + 8)
      while index < end {
        if bytes[index] == 0x0D {
          // The LF may still come, or lie beyond the limit.
          guard index + 1 < bytes.count else { return (index, false) }
          guard bytes[index + 1] == 0x0A else { throw .lineEnd }
          return (index, true)
        }
        if bytes[index] == 0x0A { throw .lineEnd }
        if isForbidden(bytes[index]) { throw .control }
        index += 1
      }
    }
    return (index, false)
  }

  /// A control, and no tab: no line of a head may have one (RFC 9110 5.5).
  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 ? byte != 0x09 : byte == 0x7F
  }

  private mutating func endHead() throws(HTTPProblem) -> HTTPHeard? {
    bodyCount = try head.end(bodyBytesMax: bodyBytesMax)
    let text = held.take(lineStart)
    let request = HTTPRequest(
      method: head.method, target: head.target, minorVersion: head.minorVersion,
      fields: fields(text))
    let expectsContinue = head.expectsContinue
    beginHead()
    guard bodyCount > 0 else { return .request(request) }
    pending = request
    phase = .body
    return expectsContinue ? .expectsContinue : readBody()
  }

  private func fields(_ text: [UInt8]) -> HTTPFields {
    guard let authority = head.authority else { return HTTPFields(text: text, lines: head.lines) }
    var lines = head.lines
    guard let host = head.host else {
      // HTTP/1.0 need not have the field; the name that is asked for is there all the same.
      let name = Array("Host".utf8)
      let place = text.count..<text.count + name.count
      lines.append(HTTPFields.Line(name: place, value: authority))
      return HTTPFields(text: text + name, lines: lines)
    }
    lines[host] = HTTPFields.Line(name: lines[host].name, value: authority)
    return HTTPFields(text: text, lines: lines)
  }

  // MARK: The body

  private mutating func readBody() -> HTTPHeard? {
    guard held.count >= bodyCount, var request = pending else { return nil }
    request.body = held.take(bodyCount)
    pending = nil
    phase = .head
    return .request(request)
  }
}
