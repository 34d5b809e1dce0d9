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
  private var held: [UInt8] = []
  /// Where the head or the body that was not given yet begins.
  private var start = 0

  /// What its lines have said so far.
  private var head = HTTPHead()
  /// Behind `start`: where the line begins that has no end yet.
  private var lineStart = 0
  /// Behind `start`: so far no line ends.
  private var searched = 0
  private var hasSkippedBlankLine = false

  /// The request whose body is not whole, and how long that is.
  private var pending: HTTPRequest?
  private var bodyCount = 0

  /// What is over a limit is refused: 431 or 414, and 413. docs/wire/http.md has the defaults.
  package init(headBytesMax: Int = 16_384, bodyBytesMax: Int = 65_536) {
    self.headBytesMax = headBytesMax
    self.bodyBytesMax = bodyBytesMax
  }

  /// How many bytes are kept for this connection at the moment.
  package var bytesHeld: Int { held.count - start + (pending?.fields.bytesHeld ?? 0) }

  /// Something of a request has come and it is not whole, once everything was pulled.
  package var isInsideRequest: Bool { held.count > start || pending != nil }

  /// One read, as it came.
  package mutating func received(_ bytes: UnsafeRawBufferPointer) {
    if phase == .refused { return }
    if held.isEmpty {
      held = unsafe [UInt8](bytes)
      return
    }
    if start > 0 {
      held.removeFirst(start)
      start = 0
    }
    unsafe held.append(contentsOf: bytes)
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
    let rest = Array(held[start...])
    forget()
    return rest
  }

  private mutating func forget() {
    held = []
    start = 0
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
        drop(lineStart)
        lineStart = 0
        searched = 0
      } else {
        // A second name for the same bytes, since the compiler lends out all of `self` with them.
        let bytes = held
        let lines = bytes.span.extracting(start..<start + lineStart)
        if head.hasRequestLine {
          try head.readField(line, of: lines)
        } else {
          try head.readRequestLine(line, of: lines)
        }
      }
    }
    return nil
  }

  /// The next line behind `start`, without its end. What is found depends only on the bytes before
  /// it, so that it does not matter how they were cut.
  private mutating func nextLine() throws(HTTPProblem) -> Range<Int>? {
    let end = min(held.count, start + headBytesMax)
    let (found, hasEnd) = try Self.lineEnd(held.span.extracting(start..<end), from: searched)
    if hasEnd {
      let line = lineStart..<found
      lineStart = found + 2
      searched = lineStart
      return line
    }
    searched = found
    guard held.count - start <= headBytesMax else {
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
    let text = take(lineStart)
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
    guard held.count - start >= bodyCount, var request = pending else { return nil }
    request.body = take(bodyCount)
    pending = nil
    phase = .head
    return .request(request)
  }

  /// So many bytes from `start`; an idle connection keeps no room for what it once held.
  private mutating func take(_ count: Int) -> [UInt8] {
    if start == 0, held.count == count {
      defer { held = [] }
      return held
    }
    let taken = Array(held[start..<start + count])
    drop(count)
    return taken
  }

  private mutating func drop(_ count: Int) {
    start += count
    guard start == held.count else { return }
    held = []
    start = 0
  }
}
