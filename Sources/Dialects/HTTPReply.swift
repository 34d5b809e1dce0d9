/// Answers over HTTP/1.1 as bytes. Decides nothing.

/// One answer: its head, and its body where it is not given apart.
package struct HTTPReply {
  /// RFC 9110 15.
  package var status: Int
  /// By name. `Date`, `Content-Length`, how the connection goes on and what every answer has are
  /// not here.
  package var fields: [String: String]
  /// Empty where it is given apart, or where there is none.
  package var body: [UInt8]

  /// With any body, whose type is among the fields.
  package init(
    _ status: Int, _ fields: [String: String] = [:], body: [UInt8] = []
  ) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// One sentence for whoever reads it.
  package init(_ status: Int, _ sentence: String, _ fields: [String: String] = [:]) {
    self.init(
      status, fields.merging(["Content-Type": "text/plain; charset=utf-8"]) { given, _ in given },
      body: Array("\(sentence)\n".utf8))
  }

  /// What every answer says of itself: nobody guesses its type, and no page elsewhere takes it in.
  private static let always =
    "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"

  /// Appends the head. Without a length the body ends with the connection; `connection` says how
  /// that goes on, where it is not as the version has it.
  func appendHead(
    date: String, length: Int?, connection: String?, to out: inout [UInt8]
  ) {
    var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\nDate: \(date)\r\n"
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    head += Self.always
    // RFC 9110 8.6: an answer that has no body by its status has no length either.
    if let length, status >= 200, status != 204, status != 304 {
      head += "Content-Length: \(length)\r\n"
    }
    if status != 101, let connection { head += "Connection: \(connection)\r\n" }
    out += Array((head + "\r\n").utf8)
  }

  /// RFC 9110 15; a client needs none of them.
  static func phrase(_ status: Int) -> String {
    switch status {
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    case _: "Answer"
    }
  }
}
