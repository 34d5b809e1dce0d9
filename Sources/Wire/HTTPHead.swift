/// The grammar of a request's head, line by line. Finds no line ends, holds no bytes.

/// What is known of a head so far. Every range counts from the head's first byte.
struct HTTPHead {
  private(set) var method = ""
  private(set) var target = ""
  private(set) var minorVersion = 1
  private(set) var lines: [HTTPFields.Line] = []
  /// Of a target in absolute form.
  private(set) var authority: Range<Int>?
  /// The line of `lines` that says `Host`.
  private(set) var host: Int?
  /// What `Content-Length` says.
  private(set) var length: Int?
  private var codings: Codings?
  private(set) var expectsContinue = false
  private var expectsOther = false

  /// What `Transfer-Encoding` says, over all its lines.
  private struct Codings {
    var hasOther = false
    var chunkedCount = 0
    var isChunkedLast = false
  }

  var hasRequestLine: Bool { !method.isEmpty }

  // MARK: The request line

  /// RFC 9112 3. Nothing but tabs and what is printable comes here.
  mutating func readRequestLine(
    _ line: Range<Int>, of head: Span<UInt8>
  ) throws(HTTPProblem) {
    guard let first = space(head, in: line),
      let second = space(head, in: first + 1..<line.upperBound),
      space(head, in: second + 1..<line.upperBound) == nil
    else { throw .requestLine }
    let word = head.extracting(line.lowerBound..<first)
    guard isToken(word) else { throw .requestLine }
    try readVersion(head.extracting(second + 1..<line.upperBound))
    method = string(word)
    lines.reserveCapacity(16)
    try readTarget(first + 1..<second, of: head)
  }

  /// RFC 9112 2.3: `HTTP` in this case, one digit, a dot and one digit.
  private mutating func readVersion(_ word: Span<UInt8>) throws(HTTPProblem) {
    guard word.count == 8, word[0] == UInt8(ascii: "H"), word[1] == UInt8(ascii: "T"),
      word[2] == UInt8(ascii: "T"), word[3] == UInt8(ascii: "P"), word[4] == UInt8(ascii: "/"),
      isDigit(word[5]), word[6] == UInt8(ascii: "."), isDigit(word[7])
    else { throw .requestLine }
    guard word[5] == UInt8(ascii: "1") else { throw .version }
    minorVersion = word[7] == UInt8(ascii: "0") ? 0 : 1
  }

  /// RFC 9112 3.2.
  private mutating func readTarget(
    _ range: Range<Int>, of head: Span<UInt8>
  ) throws(HTTPProblem) {
    // In HTTP/1.1 only this method has the authority form (3.2.3), and it may have no other.
    if method == "CONNECT" { throw .tunnel }
    guard !range.isEmpty else { throw .requestLine }
    for index in range {
      let byte = head[index]
      guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else { throw .target }
    }
    let word = head.extracting(range)
    if word[0] == UInt8(ascii: "/") {
      target = string(word)
    } else if word.count == 1, word[0] == UInt8(ascii: "*") {
      guard method == "OPTIONS" else { throw .target }
      target = "*"
    } else {
      try readAbsoluteTarget(range, of: head)
    }
  }

  /// RFC 9112 3.2.2: a server takes this form too, with the authority as the host.
  private mutating func readAbsoluteTarget(
    _ range: Range<Int>, of head: Span<UInt8>
  ) throws(HTTPProblem) {
    let scheme = ["http://", "https://"].first {
      $0.utf8.count < range.count
        && isSameWord(head.extracting(range.prefix($0.utf8.count)), $0)
    }
    guard let scheme else { throw .target }
    let start = range.lowerBound + scheme.utf8.count
    var end = start
    while end < range.upperBound, head[end] != UInt8(ascii: "/"), head[end] != UInt8(ascii: "?") {
      end += 1
    }
    // RFC 9110 4.2.1: no empty host; 4.2.4: whoever puts a user before it is refused, by `isHost`.
    let name = head.extracting(start..<end)
    guard !name.isEmpty, name[0] != UInt8(ascii: ":"), isHost(name) else { throw .target }
    authority = start..<end
    let rest = string(head.extracting(end..<range.upperBound))
    // Without a path: all of the server for OPTIONS (9112 3.2.4), else its root (9112 3.2.1).
    target = rest.isEmpty && method == "OPTIONS" ? "*" : rest.hasPrefix("/") ? rest : "/" + rest
  }

  // MARK: Fields

  /// RFC 9112 5: one that is not empty.
  mutating func readField(_ line: Range<Int>, of head: Span<UInt8>) throws(HTTPProblem) {
    if isHTTPBlank(head[line.lowerBound]) { throw .folded }
    var colon = line.lowerBound
    while colon < line.upperBound, isTokenLetter(head[colon]) { colon += 1 }
    guard colon > line.lowerBound, colon < line.upperBound, head[colon] == UInt8(ascii: ":") else {
      throw .fieldLine
    }
    let value = trimmed(head, colon + 1..<line.upperBound)
    let name = line.lowerBound..<colon
    try note(head.extracting(name), value, of: head)
    lines.append(HTTPFields.Line(name: name, value: value))
  }

  /// The fields that say where a request ends, and whom it is for.
  private mutating func note(
    _ name: Span<UInt8>, _ value: Range<Int>, of head: Span<UInt8>
  ) throws(HTTPProblem) {
    switch name.count {
    case 4 where isSameWord(name, "host"):
      // RFC 9112 3.2: twice is wrong in HTTP/1.0 too.
      guard host == nil, isHost(head.extracting(value)) else { throw .host }
      host = lines.count
    case 6 where isSameWord(name, "expect"):
      for member in commaList(head, in: value) {
        let isKnown = isSameWord(head.extracting(member), "100-continue")
        if isKnown { expectsContinue = true } else { expectsOther = true }
      }
    case 14 where isSameWord(name, "content-length"):
      try readLength(head.extracting(value))
    case 17 where isSameWord(name, "transfer-encoding"):
      readCodings(value, of: head)
    case _: break
    }
  }

  /// RFC 9110 8.6: digits alone. A list of equal numbers may be taken for one (9112 6.3), but who
  /// sends one is not understood by everybody on the way.
  private mutating func readLength(_ value: Span<UInt8>) throws(HTTPProblem) {
    guard length == nil, (1...19).contains(value.count) else { throw .contentLength }
    var number: UInt64 = 0
    for index in value.indices {
      guard isDigit(value[index]) else { throw .contentLength }
      number = number * 10 + UInt64(value[index] - UInt8(ascii: "0"))
    }
    length = Int(clamping: number)
  }

  private mutating func readCodings(_ value: Range<Int>, of head: Span<UInt8>) {
    var codings = codings ?? Codings()
    for member in commaList(head, in: value) {
      codings.isChunkedLast = isSameWord(head.extracting(member), "chunked")
      if codings.isChunkedLast { codings.chunkedCount += 1 } else { codings.hasOther = true }
    }
    self.codings = codings
  }

  // MARK: The end

  /// The blank line: how long is the body?
  mutating func end(bodyBytesMax: Int) throws(HTTPProblem) -> Int {
    if minorVersion >= 1, host == nil { throw .host }
    if let codings { throw problem(of: codings) }
    if minorVersion == 0 {
      // RFC 9110 10.1.1.
      expectsContinue = false
    } else if expectsOther {
      throw .expectation
    }
    let count = length ?? 0
    guard count <= bodyBytesMax else { throw .bodyTooLarge }
    return count
  }

  /// No transfer coding is taken; which answer each gets is the RFC's choice.
  private func problem(of codings: Codings) -> HTTPProblem {
    // RFC 9112 6.1: what one reader ends by the length, another ends by the chunks.
    if length != nil { return .lengthAndEncoding }
    // RFC 9112 6.1 (in HTTP/1.0; `chunked` twice) and 6.3 (not last).
    if minorVersion == 0 || !codings.isChunkedLast || codings.chunkedCount > 1 {
      return .transferEncoding
    }
    return codings.hasOther ? .transferCoding : .lengthRequired
  }

  private func space(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int? {
    for index in range where bytes[index] == 0x20 { return index }
    return nil
  }

  private func string(_ bytes: Span<UInt8>) -> String {
    unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
