/// Why a request of HTTP is refused, with the status and the sentence for whoever sent it.

/// What is wrong with a request. Where it ends is not known behind any of them, so the answer says
/// `Connection: close` and nothing more is read.
package enum HTTPProblem: Error, Hashable, Sendable, CaseIterable {
  /// RFC 9112 3: not a method, a target and a version with one space between them.
  case requestLine
  /// RFC 9110 2.5: another major version than 1; also the preface of HTTP/2 (RFC 9113 3.4).
  case version
  /// RFC 9112 3.2: in none of the four forms, or in one that the method does not have.
  case target
  /// RFC 9110 9.3.6: this is no proxy.
  case tunnel
  /// RFC 9112 2.2: CR without LF, or LF without CR.
  case lineEnd
  /// RFC 9110 5.5: a control, and no tab in a value.
  case control
  /// RFC 9112 5: no name and colon, or a name that is no token; RFC 9112 5.1: a blank before the
  /// colon.
  case fieldLine
  /// RFC 9112 5.2 (`obs-fold`), and 2.2 for the line behind the request line.
  case folded
  /// RFC 9112 3.2: not there in HTTP/1.1, there twice, or no host.
  case host
  /// RFC 9110 8.6 and RFC 9112 6.3: there twice, a list, or no number.
  case contentLength
  /// RFC 9112 6.1: `Transfer-Encoding` and `Content-Length` both.
  case lengthAndEncoding
  /// RFC 9112 6.1 and 6.3: in HTTP/1.0, or `chunked` not last or there twice.
  case transferEncoding
  /// RFC 9112 6.1: another coding than `chunked`.
  case transferCoding
  /// RFC 9112 6.3: a body of `chunked` alone; such a one is refused for want of a length.
  case lengthRequired
  /// RFC 9110 10.1.1: something else is expected than `100-continue`.
  case expectation
  /// RFC 9110 15.5.14: `Content-Length` is over the limit.
  case bodyTooLarge
  /// RFC 9112 3: the request line alone is over the limit of the head.
  case requestLineTooLong
  /// RFC 6585 5: the head is over the limit.
  case headTooLarge

  /// RFC 9110 15, RFC 6585 5.
  package var status: Int {
    switch self {
    case .requestLine, .target, .lineEnd, .control, .fieldLine, .folded, .host, .contentLength,
      .lengthAndEncoding, .transferEncoding:
      400
    case .lengthRequired: 411
    case .bodyTooLarge: 413
    case .requestLineTooLong: 414
    case .expectation: 417
    case .headTooLarge: 431
    case .transferCoding, .tunnel: 501
    case .version: 505
    }
  }

  /// For people; of the request nothing is repeated.
  package var sentence: String {
    switch self {
    case .requestLine:
      "the first line is a method, a target and HTTP/1.1, with one space between them"
    case .version: "HTTP/1.1 and HTTP/1.0 are spoken here"
    case .target: "the target begins with a slash and has no blank, no # and ASCII alone"
    case .tunnel: "this server is no proxy; ask it for its own paths"
    case .lineEnd: "a line of the head ends with CR and LF, and neither stands alone"
    case .control: "the head has a control character"
    case .fieldLine: "a field is a name, a colon right behind it, and a value"
    case .folded: "a field is one line, which begins with its name"
    case .host: "Host is given once, and is a name or an address, and perhaps a port"
    case .contentLength: "Content-Length is given once, and is a number of at most 19 digits"
    case .lengthAndEncoding: "Content-Length and Transfer-Encoding exclude each other"
    case .transferEncoding: "Transfer-Encoding ends with chunked, has it once, and is HTTP/1.1's"
    case .transferCoding: "no transfer coding is known here"
    case .lengthRequired: "chunks are not taken; send the body with its Content-Length"
    case .expectation: "nothing but 100-continue may be expected"
    case .bodyTooLarge: "the body is larger than this server takes"
    case .requestLineTooLong: "the first line is longer than this server takes"
    case .headTooLarge: "the head is larger than this server takes"
    }
  }
}
