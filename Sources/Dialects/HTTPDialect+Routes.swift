/// Which request is what: names and origins are looked at, then the method and the path.

internal import ChatModel
internal import Wire

extension HTTPDialect {
  static let subprotocol = "beck.json"

  /// What the server is to see to, or the answer where that is clear.
  func heard(_ request: HTTPRequest) -> Heard {
    guard let host = request.fields.first("host") else {
      // RFC 9112 3.2 asks for it from HTTP/1.1 on; here nobody is answered without.
      return farewell(HTTPReply(400, WebWords.noHost))
    }
    guard settings.isOurs(host: host) else {
      return farewell(HTTPReply(421, WebWords.otherHost))
    }
    for origin in request.fields.all("origin") where !settings.admits(origin: origin, host: host) {
      return farewell(HTTPReply(403, WebWords.otherOrigin))
    }
    guard Self.methods.contains(request.method) else {
      return reply(HTTPReply(501, WebWords.unknownMethod))
    }
    return route(request)
  }

  /// RFC 9110 9 and RFC 5789: those that mean something; another is 501, one of these at the wrong
  /// place 405. `CONNECT` is refused before it comes here.
  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE",
  ]

  private func route(_ request: HTTPRequest) -> Heard {
    let path = String(request.target.prefix { $0 != "?" })
    if request.method == "OPTIONS" { return reply(options(request)) }
    if let room = Self.room(in: path) { return messages(of: room, request) }
    guard request.method == "GET" || request.method == "HEAD" else {
      return reply(HTTPReply(405, WebWords.onlyRead, ["Allow": "GET, HEAD"]))
    }
    switch path {
    case "/health": return reply(HTTPReply(200, "ok", ["Cache-Control": "no-store"]))
    case "/ready": return web(.readiness, request)
    case "/ws": return upgrade(request)
    case _:
      let file = WebFileRequest(
        path: path, known: request.fields.first("if-none-match"),
        acceptsGzip: Self.acceptsGzip(request.fields))
      return web(.file(file), request)
    }
  }

  func web(_ action: WebRequest.Action, _ request: HTTPRequest) -> Heard {
    // Whoever writes one of these says that it passes on what somebody else asks.
    let isForwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"].contains { name in
      request.fields.first(name) != nil
    }
    return .web(WebRequest(action: action, isForwarded: isForwarded))
  }

  /// What may be asked at all; for pages of listed origins also how (the Fetch standard, 3.2).
  private func options(_ request: HTTPRequest) -> HTTPReply {
    let methods = "GET, HEAD, POST, OPTIONS"
    var reply = HTTPReply(204, ["Allow": methods])
    if let origin = request.fields.first("origin"), settings.isListed(origin) {
      reply.fields["Access-Control-Allow-Methods"] = methods
      reply.fields["Access-Control-Allow-Headers"] =
        "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
      reply.fields["Access-Control-Max-Age"] = "600"
    }
    return reply
  }

  /// RFC 9110 12.5.3, as far as one coding is concerned.
  private static func acceptsGzip(_ fields: HTTPFields) -> Bool {
    let choices = HTTPChoice.all(fields.all("accept-encoding"))
    let choice = choices.first { $0.name == "gzip" } ?? choices.first { $0.name == "*" }
    return (choice?.weight ?? 0) > 0
  }

  // MARK: WebSocket

  /// RFC 6455 4.2.1.
  private func upgrade(_ request: HTTPRequest) -> Heard {
    let fields = request.fields
    guard request.method == "GET", request.minorVersion >= 1,
      fields.has("upgrade", token: "websocket"), fields.has("connection", token: "upgrade")
    else { return upgradeRequired(WebWords.upgrade) }
    guard fields.all("sec-websocket-version") == ["13"] else {
      return upgradeRequired(WebWords.version)
    }
    guard fields.all("sec-websocket-key").count == 1, let key = fields.first("sec-websocket-key"),
      Self.isKey(key)
    else { return reply(HTTPReply(400, WebWords.key)) }
    // Without a protocol of its own choice it is spoken to as if it had asked for ours.
    let protocols = fields.all("sec-websocket-protocol")
    guard protocols.isEmpty || fields.has("sec-websocket-protocol", token: Self.subprotocol) else {
      return reply(HTTPReply(400, WebWords.subprotocol))
    }
    return web(.upgrade(key: key, isNamed: !protocols.isEmpty), request)
  }

  /// RFC 9110 15.5.22: to what; RFC 6455 4.4: in which version.
  private func upgradeRequired(_ sentence: String) -> Heard {
    reply(
      HTTPReply(
        426, sentence,
        ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"]))
  }

  /// 16 bytes in base64.
  private static func isKey(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    let isDigit = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      case _: false
      }
    }
    return bytes.count == 24 && key.hasSuffix("==") && bytes.dropLast(2).allSatisfy(isDigit)
  }
}
