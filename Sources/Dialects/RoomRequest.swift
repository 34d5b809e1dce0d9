/// One request for a room over HTTP: what is asked, and how its answer is spelled.

internal import ChatModel
internal import Wire

/// Kept while it is being carried out.
struct RoomRequest {
  var mediaType = RoomMediaType.json
  /// It stays open and goes live, or would with another method.
  var follows = false
  var visit: Visit?
  /// How many messages of a page were asked for, where that was said.
  var limit: Int?

  // MARK: Answers

  /// Why nothing was done, as a program reads it, or for people the sentence alone.
  func refusal(_ refusal: Refusal, _ status: Int? = nil) -> HTTPReply {
    var reply = HTTPReply(status ?? HTTPStatus.of(refusal), ["Cache-Control": "no-store"])
    switch reply.status {
    case 401:
      // RFC 6750 3: no reason where nothing was given.
      reply.fields["WWW-Authenticate"] =
        refusal == .notLoggedIn ? "Bearer" : #"Bearer error="invalid_token""#
    case 429, 503: reply.fields["Retry-After"] = "\(HTTPStatus.seconds(refusal))"
    case _: break
    }
    let words = WebWords.refusal(refusal)
    switch mediaType {
    case .text:
      reply.fields["Content-Type"] = mediaType.contentType
      PlainGuard.append(words, to: &reply.body)
      reply.body.append(0x0A)
    case .json, .lines, .events:
      reply.fields["Content-Type"] = RoomMediaType.json.contentType
      let code = JSONErrorCode(refusal)
      JSONSpelling.string(#"{"error":{"code":"#, code.rawValue, &reply.body)
      JSONSpelling.string(#","message":"#, words, &reply.body)
      if case .rateLimited(let wait) = refusal {
        JSONSpelling.number(#","retryAfterMs":"#, JSONWords.milliseconds(wait), &reply.body)
      }
      reply.body.append(UInt8(ascii: "}"))
      JSONSpelling.end(&reply.body)
    }
    return reply
  }

  /// It is kept (RFC 9110 15.3.2), and can be read there.
  func sent(
    _ place: Place, seq: Int64, at: Moment, _ durability: Durability
  ) -> HTTPReply {
    var reply = HTTPReply(
      201, ["Content-Type": RoomMediaType.json.contentType, "Cache-Control": "no-store"])
    if case .room(let room) = place {
      reply.fields["Location"] = "\(Self.path(room))?after=\(seq - 1)&limit=1"
    }
    JSONSpelling.sent(seq: seq, at: at, durability, &reply.body)
    reply.body.append(0x0A)
    return reply
  }

  /// As much of a page as fits into so many bytes.
  func page(_ page: HistoryPage, of stretch: Stretch, in place: Place, bytesMax: Int) -> HTTPReply {
    var reply = HTTPReply(
      200, ["Content-Type": mediaType.contentType, "Cache-Control": "no-store"])
    let cut = Encoder.fitting(
      page, of: stretch, in: place, bytesMax: bytesMax, to: nil, for: mediaType.form)
    reply.fields["Link"] = link(cut, of: stretch)
    switch mediaType {
    case .json:
      JSONSpelling.history(cut, in: place, &reply.body)
      reply.body.append(0x0A)
    case .text:
      PlainEncoder.encode(.history(cut, in: place), to: nil, for: .line, into: &reply.body)
    case .lines, .events: lines(cut, in: place, &reply.body)
    }
    return reply
  }

  /// Each as it would be told, a gap where it lies.
  private func lines(_ page: HistoryPage, in place: Place, _ out: inout [UInt8]) {
    var gap = page.gap
    for message in page.messages where message.draft.content.isMessage {
      if let before = gap, before.lowerBound < message.seq {
        JSONSpelling.encode(.gap(place, before), isOwn: false, into: &out)
        gap = nil
      }
      JSONSpelling.encode(.message(message, in: place), isOwn: false, into: &out)
    }
    if let gap { JSONSpelling.encode(.gap(place, gap), isOwn: false, into: &out) }
  }

  /// Where to go on (RFC 8288): to newer messages, or to older ones.
  private func link(_ page: HistoryPage, of stretch: Stretch) -> String? {
    guard page.more else { return nil }
    let limit = limit.map { "&limit=\($0)" } ?? ""
    let path = Self.path(page.room)
    switch stretch {
    case .after:
      guard let last = page.messages.last?.seq ?? page.gap?.upperBound else { return nil }
      return "<\(path)?after=\(last)\(limit)>; rel=\"next\""
    case .before:
      guard let first = page.messages.first?.seq ?? page.gap?.lowerBound else { return nil }
      return "<\(path)?before=\(first)\(limit)>; rel=\"prev\""
    }
  }

  private static func path(_ room: RoomName) -> String { "/rooms/\(room.string)/messages" }

  /// The head of what goes on for as long as somebody listens: nobody in between is to keep it, or
  /// to wait until it is much.
  var head: HTTPReply {
    HTTPReply(
      200,
      [
        "Content-Type": mediaType.contentType, "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
      ])
  }
}

/// RFC 9110 15: what a refusal is over HTTP.
enum HTTPStatus {
  static func of(_ refusal: Refusal) -> Int {
    switch refusal {
    case .keyReused: return 409
    case .badRoom: return 404
    case _: break
    }
    return switch JSONErrorCode(refusal) {
    case .badRequest, .badName, .unknownMethod: 400
    case .notLoggedIn, .badPassword, .badToken: 401
    case .notMember, .notAllowed, .banned, .muted: 403
    case .noSuchRoom, .notHere, .noSuchMessage: 404
    case .nameTaken: 409
    case .tooLong: 413
    case .rateLimited: 429
    case .notStored, .busy: 503
    }
  }

  /// Whole seconds after which it may go well: rounded up, waiting so long is enough.
  static func seconds(_ refusal: Refusal) -> Int64 {
    guard case .rateLimited(let wait) = refusal else { return 1 }
    return max(1, (JSONWords.milliseconds(wait) + 999) / 1_000)
  }
}
