/// HTTP/1.1: its requests as what the server is asked, and answers as its bytes.

internal import ChatModel
internal import Wire

/// One connection that speaks HTTP; what came for chat stays unheard. A class, so that connections
/// of other dialects have no place for it.
final class HTTPDialect {
  private enum State {
    case reading
    /// A request is being carried out; the next is read when it is answered.
    case answering
    /// It is told what is said in a room, in this form; nothing more is heard.
    case following(Form)
    /// The last answer was given.
    case finished
    /// Nothing is heard any more.
    case ended
  }

  let settings: WebSettings
  private let clock: HTTPClock
  private var reader = HTTPLimits.reader()
  private var state = State.reading
  /// What the answer under way has to keep to.
  var terms = HTTPTerms()
  /// What is asked of a room, if it is that.
  var roomRequest = RoomRequest()
  /// When what it is reading has to be whole, or an idle connection is closed.
  private var due: Duration?
  private var heardAt = Duration.zero
  private var isLate = false
  /// Nothing more comes.
  private(set) var hasEnded = false

  init(_ settings: WebSettings, clock: HTTPClock) {
    self.settings = settings
    self.clock = clock
  }

  func received(_ bytes: UnsafeRawBufferPointer, at now: Duration) {
    guard !isDeaf else { return }
    let wasInside = reader.isInsideRequest
    unsafe reader.received(bytes)
    heardAt = now
    // What waits behind a request is given its time when that is answered.
    if !wasInside, !isAnswering { due = heardAt + timeLeft }
  }

  /// From the last byte or answer on, until what comes is whole, or anything comes.
  private var timeLeft: Duration {
    reader.isInsideRequest ? HTTPLimits.requestTime : HTTPLimits.idleTime
  }

  private var isDeaf: Bool {
    switch state {
    case .reading, .answering: false
    case .following, .finished, .ended: true
    }
  }

  var deadline: Duration? {
    if case .reading = state { due } else { nil }
  }

  func deadlinePassed(at now: Duration) {
    guard let deadline, deadline <= now else { return }
    due = nil
    isLate = true
  }

  func next() -> Heard? {
    switch state {
    case .answering, .following, .ended: return nil
    case .finished:
      finish()
      return .farewell([])
    // Until a request is whole nothing is known of how it wants to be answered.
    case .reading: terms = HTTPTerms()
    }
    guard let heard = reader.next() else {
      if hasEnded {
        finish()
        return nil
      }
      guard isLate else { return nil }
      // RFC 9110 15.5.9; nobody asked anything where the connection was idle.
      return reader.isInsideRequest
        ? farewell(HTTPReply(408, WebWords.tooSlow)) : farewell(nil)
    }
    switch heard {
    case .expectsContinue: return .write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    case .refused(let problem): return farewell(HTTPReply(problem.status, problem.sentence))
    case .request(let request):
      state = .answering
      due = nil
      isLate = false
      terms = HTTPTerms(request)
      return self.heard(request)
    }
  }

  /// The stream has ended; what is whole is still asked.
  func ended() {
    hasEnded = true
    due = nil
  }

  private func finish() {
    state = .ended
    reader = HTTPLimits.reader()
  }

  /// The last that is said; nothing behind it is read.
  func farewell(_ reply: HTTPReply?) -> Heard {
    finish()
    guard let reply else { return .farewell([]) }
    terms.keepsAlive = false
    var bytes: [UInt8] = []
    spell(reply, into: &bytes)
    return .farewell(bytes)
  }

  // MARK: Answers

  /// The answer, as what is heard: nobody else has to see to it.
  func reply(_ reply: HTTPReply) -> Heard {
    var bytes: [UInt8] = []
    encode(reply, into: &bytes)
    return .write(bytes)
  }

  /// Answers the request under way; the next may come.
  func encode(_ reply: HTTPReply, into out: inout [UInt8]) {
    spell(reply, into: &out)
    answered()
  }

  /// The same with a body that is given apart; false where none is to be given.
  func encodeHead(_ reply: HTTPReply, bodyCount: Int, into out: inout [UInt8]) -> Bool {
    appendHead(reply, length: bodyCount, into: &out)
    answered()
    return !terms.isHead && reply.status != 304
  }

  /// Answers with the head alone of what would have no end.
  func encodeHead(_ reply: HTTPReply, into out: inout [UInt8]) {
    appendHead(reply, length: nil, into: &out)
    answered()
  }

  private func spell(_ reply: HTTPReply, into out: inout [UInt8]) {
    appendHead(reply, length: reply.body.count, into: &out)
    if !terms.isHead { out += reply.body }
  }

  private func appendHead(_ reply: HTTPReply, length: Int?, into out: inout [UInt8]) {
    var reply = reply
    if let origin = terms.origin, settings.isListed(origin) {
      reply.fields["Access-Control-Allow-Origin"] = origin
      reply.fields["Vary"] = reply.fields["Vary"].map { "\($0), Origin" } ?? "Origin"
      reply.fields["Access-Control-Expose-Headers"] = "Link, Location, Retry-After"
    }
    reply.appendHead(
      date: clock.date, length: length, connection: terms.connection, to: &out)
  }

  /// Begins an answer that lasts as long as the connection: what it is told belongs to it.
  func begin(_ reply: HTTPReply, in form: Form, into out: inout [UInt8]) {
    checkAnswering()
    terms.keepsAlive = false
    appendHead(reply, length: nil, into: &out)
    reader = HTTPLimits.reader()
    state = .following(form)
  }

  private var isAnswering: Bool {
    if case .answering = state { true } else { false }
  }

  /// An answer that nobody waits for would be taken for that to the next request.
  private func checkAnswering() {
    precondition(isAnswering, "a request is answered once")
  }

  /// What it is told, and in which bytes.
  var form: Form {
    if case .following(let form) = state { form } else { .silent }
  }

  private func answered() {
    checkAnswering()
    state = terms.keepsAlive ? .reading : .finished
    if hasEnded { return }
    due = max(heardAt, clock.now) + timeLeft
  }

  /// The connection speaks another protocol from here on; gives what came for that already.
  func upgraded(accept: String, isNamed: Bool, into out: inout [UInt8]) -> [UInt8] {
    checkAnswering()
    var reply = HTTPReply(
      101,
      ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept])
    if isNamed { reply.fields["Sec-WebSocket-Protocol"] = Self.subprotocol }
    appendHead(reply, length: nil, into: &out)
    state = .ended
    return reader.takeRest()
  }

  var bytesHeld: Int { reader.bytesHeld }
}

/// What an answer has to keep to, by its request.
struct HTTPTerms {
  var isHead = false
  var keepsAlive = false
  /// It was asked in HTTP/1.0.
  private var isOld = false
  /// The page that asks, our own or another; nil where no browser says so.
  var origin: String?

  init() {}

  init(_ request: HTTPRequest) {
    isHead = request.method == "HEAD"
    keepsAlive = request.keepsAlive
    isOld = request.minorVersion == 0
    origin = request.fields.first("origin")
  }

  /// What the answer says of the connection. Whoever speaks HTTP/1.0 takes it for closed unless
  /// told otherwise (RFC 9112 9.3 and C.2.2).
  var connection: String? {
    guard keepsAlive else { return "close" }
    return isOld ? "keep-alive" : nil
  }
}
