/// One connection's dialect: bytes to requests. Knows no socket; what is answered, the hub decides.

package import ChatModel
internal import Wire

/// What a dialect makes of the bytes.
package enum Heard: Hashable, Sendable {
  /// The id is what the answer bears, where the dialect has such.
  case request(Request, RequestID?)
  /// By the dialect itself, in its place among the answers to this connection: refusals of what
  /// is no request, or none yet.
  case answer(Answer, RequestID?)
  /// Somebody asks how to use the dialect: to be told by ``Event/help``.
  case help
  /// So many lines were no requests; nothing more is heard. To be closed with
  /// ``ClosingReason/tooManyMistakes(limit:)``.
  case tooManyMistakes(limit: Int)
  /// Write exactly these bytes, then close.
  case farewell([UInt8])
  /// Write exactly these bytes; it goes on.
  case write([UInt8])
  /// To be answered by ``Dialect/encode(_:into:)`` and its like.
  case web(WebRequest)
  /// Close without a word.
  case close
}

/// At first the detector, then the dialect it picked.
///
/// Give it each read, the passing of its deadline and the end of the stream; after each, pull
/// ``next()`` until it is nil. ``loggedIn(as:)`` may come between two pulls.
package struct Dialect {
  /// Where we are; the bytes lie beside it.
  private enum State {
    /// Not enough bytes yet to tell.
    case detecting
    case plain
    case json
    case http(HTTPDialect)
    case webSocket(WebSocketDialect)
    /// It spoke something that does not exist here yet, and has not been told.
    case refusing(Detector.Spoken)
    /// Nothing it sends is read any more.
    case deaf
  }

  private var state = State.detecting
  private var detector = Detector()
  private var plain = PlainDialect()
  private var json = JSONDialect()

  private let settings: WebSettings
  private let clock: HTTPClock

  /// One that has heard nothing yet, of a server that may be asked over HTTP by these settings, and
  /// answers with this date.
  package init(_ settings: WebSettings = WebSettings(), clock: HTTPClock = HTTPClock()) {
    self.settings = settings
    self.clock = clock
  }

  /// What operators speak, from the first byte on: nothing is detected, and nothing else is heard.
  package static var control: Dialect {
    var dialect = Dialect()
    dialect.state = .json
    dialect.json = JSONDialect(.control)
    return dialect
  }

  /// One read, as it came.
  package mutating func received(_ bytes: UnsafeRawBufferPointer, at now: Duration) {
    switch state {
    case .detecting: unsafe detect(bytes, at: now)
    case .plain: unsafe plain.received(bytes, at: now)
    case .json: unsafe json.received(bytes)
    case .http(let http): unsafe http.received(bytes, at: now)
    case .webSocket(let socket): unsafe socket.received(bytes, at: now)
    case .refusing, .deaf: break
    }
  }

  /// Pull until nil; after each read, passed deadline and end.
  package mutating func next() -> Heard? {
    switch state {
    case .detecting, .deaf:
      return nil
    case .plain:
      return plain.next()
    case .json:
      return json.next()
    case .http(let http):
      return http.next()
    case .webSocket(let socket):
      return socket.next()
    case .refusing(let spoken):
      state = .deaf
      return refusal(of: spoken)
    }
  }

  /// When to call ``deadlinePassed(at:)``; nil is never.
  package var deadline: Duration? {
    switch state {
    case .plain: plain.deadline
    case .http(let http): http.deadline
    case .webSocket(let socket): socket.deadline
    case .detecting, .json, .refusing, .deaf: nil
    }
  }

  /// The deadline has come. Too early a call does nothing.
  package mutating func deadlinePassed(at now: Duration) {
    switch state {
    case .plain: plain.deadlinePassed(at: now)
    case .http(let http): http.deadlinePassed(at: now)
    case .webSocket(let socket): socket.deadlinePassed(at: now)
    case .detecting, .json, .refusing, .deaf: break
    }
  }

  /// The stream has ended; what was not finished may still be a request.
  package mutating func ended() {
    switch state {
    case .detecting:
      becomePlain(at: .zero)
      plain.ended()
    case .plain: plain.ended()
    case .json: json.ended()
    // A request that is not whole is none.
    case .http(let http): http.ended()
    case .webSocket(let socket): socket.ended()
    case .refusing, .deaf: break
    }
  }

  /// The hub accepted a name for this connection.
  package mutating func loggedIn(as name: UserName) { plain.name = name }

  /// It bears no name any more.
  package mutating func loggedOut() { plain.name = nil }

  /// How to encode for it at this moment.
  package var form: Form {
    switch state {
    case .json: .json
    case .webSocket: .frame
    case .http(let http): http.form
    case .detecting, .plain, .refusing, .deaf: plain.form == .line ? .line : .raw
    }
  }

  /// Whether it is told over HTTP what is said in a room.
  package var isFollowing: Bool {
    if case .http(let http) = state { http.form != .silent } else { false }
  }

  /// How many bytes are kept for this connection at the moment; 0 when nothing is unfinished.
  package var bytesHeld: Int {
    switch state {
    case .http(let http): http.bytesHeld
    case .webSocket(let socket): socket.bytesHeld
    case .detecting, .plain, .json, .refusing, .deaf:
      detector.reads.reduce(plain.bytesHeld + json.bytesHeld) { sum, read in sum + read.count }
    }
  }

  // MARK: Answers

  /// Appends the answer to a request of this connection; nothing where it is not shown.
  package mutating func encode(_ answer: Answer, to id: RequestID?, into out: inout [UInt8]) {
    if case .http(let http) = state { return http.encode(answer, into: &out) }
    Encoder.encode(answer, to: id, for: form, into: &out)
  }

  /// Appends a page as the answer, as much of it as fits.
  package mutating func encode(
    _ page: HistoryPage, of stretch: Stretch, in place: Place, bytesMax: Int, to id: RequestID?,
    into out: inout [UInt8]
  ) {
    if case .http(let http) = state {
      return http.encode(page, of: stretch, in: place, bytesMax: bytesMax, into: &out)
    }
    Encoder.encode(
      page, of: stretch, in: place, bytesMax: bytesMax, to: id, for: form, into: &out)
  }

  /// Appends what a ``Heard/web(_:)`` is answered; to be called once for each, for nothing else.
  package mutating func encode(_ reply: HTTPReply, into out: inout [UInt8]) {
    asked().encode(reply, into: &out)
  }

  /// The same with a body that is given apart; false where none is to be given.
  package mutating func encodeHead(
    _ reply: HTTPReply, bodyCount: Int, into out: inout [UInt8]
  ) -> Bool {
    asked().encodeHead(reply, bodyCount: bodyCount, into: &out)
  }

  /// Answers a request to upgrade with `accept`, which proves that its key was read. From here on
  /// JSON is spoken in frames.
  package mutating func upgrade(
    accept: String, isNamed: Bool, at now: Duration, into out: inout [UInt8]
  ) {
    let http = asked()
    let rest = http.upgraded(accept: accept, isNamed: isNamed, into: &out)
    let socket = WebSocketDialect(at: now, rest: rest)
    if http.hasEnded { socket.ended() }
    state = .webSocket(socket)
  }

  /// Who has asked over HTTP, and was not answered.
  private func asked() -> HTTPDialect {
    guard case .http(let http) = state else {
      preconditionFailure("only who asks over HTTP is answered so")
    }
    return http
  }

  /// What is said last to this connection, behind its last event; nil where that is nothing.
  package mutating func farewell(_ reason: ClosingReason?) -> [UInt8]? {
    if case .webSocket(let socket) = state { socket.farewell(reason) } else { nil }
  }

  private mutating func detect(_ bytes: UnsafeRawBufferPointer, at now: Duration) {
    switch unsafe detector.received(bytes) {
    case .unknown:
      break
    case .plain:
      becomePlain(at: now)
      unsafe plain.received(bytes, at: now)
    case .other(.json):
      // Its first byte tells, so no read was kept back.
      detector = Detector()
      state = .json
      unsafe json.received(bytes)
    case .other(.http):
      let http = HTTPDialect(settings, clock: clock)
      state = .http(http)
      for read in detector.reads {
        unsafe read.withUnsafeBytes { unsafe http.received($0, at: now) }
      }
      detector = Detector()
      unsafe http.received(bytes, at: now)
    case .other(let spoken):
      detector = Detector()
      state = .refusing(spoken)
    }
  }

  /// The reads that were kept back go on as they came; none of them can have started a timer.
  private mutating func becomePlain(at now: Duration) {
    state = .plain
    for read in detector.reads {
      unsafe read.withUnsafeBytes { bytes in unsafe plain.received(bytes, at: now) }
    }
    detector = Detector()
  }
}
