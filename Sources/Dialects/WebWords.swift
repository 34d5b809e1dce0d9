/// What is said over HTTP in English. Each sentence says what to do next.

internal import ChatModel

/// Every sentence but those of `Wire` about what is no request (`HTTPProblem`).
package enum WebWords {
  static let tooSlow = "the request did not come whole in 10 seconds; send it again"
  static let noHost = "a request needs a Host field with the name of this server"
  static let otherHost =
    "this server is not called that; ask by its address, or start it with --public-name NAME"
  static let otherOrigin =
    "pages of another origin may not ask here; start the server with --allow-origin ORIGIN "
    + "to let one"
  static let unknownMethod = "there is no such method; GET, HEAD and POST are understood"
  static let onlyRead = "this can be read only; ask with GET"
  package static let notFound = "there is nothing here; the chat is at /"
  static let upgrade = "this is a WebSocket; connect to it as one, with the protocol beck.json"
  static let version = "version 13 of WebSocket is spoken here; use that"
  static let key = "a WebSocket's key is 16 bytes in base64; send one"
  static let subprotocol = "the protocol beck.json is spoken here; ask for that"
  static let readAndPost = "this can be read and posted to; ask with GET or POST"
  static let accept =
    "a room is told as application/json, application/x-ndjson, text/plain or text/event-stream; "
    + "accept one of these"
  static let contentType =
    "a message is application/json, such as {\"text\":\"hi\"}, or text/plain in UTF-8; "
    + "say which by Content-Type"
  static let object = "the body must be an object, such as {\"text\":\"hi\"}"
  static let notUTF8 = "the body must be UTF-8"
  static let emptyText = "an empty text cannot be sent; put one into the body"
  static let twoKeys = "Idempotency-Key and key differ; give one of them"
  static let badEscape = "there is a % in the query that is no escape; write it as %25"
  static let unknownParameter =
    "there is no such parameter; a room takes after, before, limit and follow"
  static let postQuery = "a message is posted without parameters; leave them out"
  static let follow = "follow must be 1; leave it out to read a page"
  static let afterAndBefore = "a page takes after or before, not both"
  static let followBefore = "who follows takes after or limit; leave before out"
  static let followLimit = "who follows takes after or limit, not both"

  static func repeated(_ name: String) -> String { "\(name) is there twice; give it once" }

  static func number(_ name: String, _ range: ClosedRange<Int64>) -> String {
    let end = range.upperBound == .max ? "2^63-1" : "\(range.upperBound)"
    return "\(name) must be a number from \(range.lowerBound) to \(end), in digits alone"
  }

  static func key(_ most: Int) -> String {
    "Idempotency-Key is given once, and has 1 to \(most) bytes"
  }

  /// As JSON says it, but where that tells what to do there.
  static func refusal(_ refusal: Refusal) -> String {
    switch refusal {
    case .notLoggedIn:
      "say who you are by Authorization: Bearer TOKEN; beck token NAME makes one"
    case .badToken:
      "this token is not valid any more, or not of this server; ask for another"
    case .nameTaken(let name):
      "\(name.shown) is somebody else by now; log in with another name, and take its token"
    case .noSuchRoom(let room): "there is no room \(room.string); look at its name"
    case _: JSONWords.refusal(refusal)
    }
  }

  package static let notKept =
    "messages cannot be kept just now, and are refused; the server's own lines say why"
  package static let ready = "ready"
}
