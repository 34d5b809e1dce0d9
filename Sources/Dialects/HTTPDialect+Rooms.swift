/// Rooms over HTTP: a request becomes a visit, an answer becomes bytes.

internal import ChatModel
internal import Wire

extension HTTPDialect {
  /// The room of `/rooms/ROOM/messages`, as it was sent; nil for another path.
  static func room(in path: String) -> Substring? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "rooms", parts[3] == "messages" else {
      return nil
    }
    return parts[2]
  }

  /// What is asked of a room, or the answer where that is clear.
  func messages(of name: Substring, _ request: HTTPRequest) -> Heard {
    let accepted = RoomMediaType.accepted(request.fields)
    roomRequest = RoomRequest(mediaType: accepted ?? .json)
    do throws(RoomRefused) {
      guard let decoded = percentDecoded(name), let room = RoomName(decoded) else {
        throw RoomRefused(.badRoom)
      }
      let token = try Self.token(request.fields)
      let query = try RoomQuery(request.target.drop { $0 != "?" }.dropFirst())
      switch request.method {
      case "GET", "HEAD":
        guard accepted != nil else { throw RoomRefused(WebWords.accept, 406) }
        try read(room, query, request)
      case "POST":
        guard query == (try RoomQuery("")) else { throw RoomRefused(WebWords.postQuery) }
        guard token != nil else { throw RoomRefused(.notLoggedIn) }
        let post = try RoomPost(request)
        roomRequest.visit = .say(room, post.text, key: post.key, replyTo: post.replyTo)
      case _:
        return reply(HTTPReply(405, WebWords.readAndPost, ["Allow": "GET, HEAD, POST"]))
      }
      guard let visit = roomRequest.visit else { preconditionFailure("each method has one") }
      return web(.visit(visit, token: token), request)
    } catch {
      return reply(roomRequest.refusal(error.refusal, error.status))
    }
  }

  private func read(
    _ room: RoomName, _ query: RoomQuery, _ request: HTTPRequest
  ) throws(RoomRefused) {
    roomRequest.follows = query.follows || roomRequest.mediaType == .events
    roomRequest.limit = query.limit
    guard roomRequest.follows else {
      let limit = query.limit ?? JSONLimits.historyDefault
      roomRequest.visit = .page(room, query.stretch, limit: limit)
      return
    }
    if roomRequest.mediaType == .json { roomRequest.mediaType = .lines }
    let beginning = try query.beginning(behind: try Self.lastEvent(request.fields))
    // Who asks for a head alone is told nothing: it is looked whether it might be.
    roomRequest.visit =
      terms.isHead ? .page(room, .before(nil), limit: 1) : .follow(room, beginning)
  }

  /// The HTML standard, 9.2.4: what a browser had before its connection was cut.
  private static func lastEvent(_ fields: HTTPFields) throws(RoomRefused) -> Int64? {
    let values = fields.all("last-event-id")
    guard let value = values.first else { return nil }
    guard values.count == 1 else { throw RoomRefused(WebWords.repeated("Last-Event-ID")) }
    return try RoomQuery.number("Last-Event-ID", value, 0...Int64.max)
  }

  /// RFC 6750 2.1; nil where nobody says who it is.
  private static func token(_ fields: HTTPFields) throws(RoomRefused) -> String? {
    let values = fields.all("authorization")
    guard let value = values.first else { return nil }
    let parts = value.split(separator: " ")
    guard values.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw RoomRefused(.badToken)
    }
    return String(parts[1])
  }

  // MARK: Answers

  /// The answer to what was asked of a room.
  func encode(_ answer: Answer, into out: inout [UInt8]) {
    switch answer {
    case .joined(let place, let seq, members: _, topic: _): follow(place, seq, into: &out)
    case .sent(let place, let seq, let at, let durability):
      encode(roomRequest.sent(place, seq: seq, at: at, durability), into: &out)
    case .refused(let refusal): encode(roomRequest.refusal(refusal), into: &out)
    case _: preconditionFailure("nobody who visits a room is answered so")
    }
  }

  /// A page as the answer, as much of it as fits.
  func encode(
    _ page: HistoryPage, of stretch: Stretch, in place: Place, bytesMax: Int,
    into out: inout [UInt8]
  ) {
    if roomRequest.follows { return encodeHead(roomRequest.head, into: &out) }
    encode(roomRequest.page(page, of: stretch, in: place, bytesMax: bytesMax), into: &out)
  }

  /// Begins what has no end of its own. Where nothing comes from the history the first that is told
  /// is the cursor: whoever is cut off at once misses nothing.
  private func follow(_ place: Place, _ seq: Int64, into out: inout [UInt8]) {
    let form = roomRequest.mediaType.form
    begin(roomRequest.head, in: form, into: &out)
    guard case .follow(_, .now) = roomRequest.visit, form != .line else { return }
    Encoder.encode(.caughtUp(place, seq: seq), for: form, into: &out)
  }
}
