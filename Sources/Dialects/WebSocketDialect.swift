/// JSON in a WebSocket: its frames as requests, and the silence of whoever is behind it.

internal import ChatModel
internal import Wire

/// One connection that was upgraded. What is asked inside is JSON, one object a text frame.
final class WebSocketDialect {
  private var reader = WebSocketReader(messageBytesMax: JSONLimits.lineBytesMax)
  private var json = JSONDialect()
  private var isEnded = false
  /// Nothing more comes.
  private var hasFinished = false
  private var hasSaidClose = false
  private var heardAt: Duration
  /// A ping is on its way since then.
  private var askedAt: Duration?
  private var waiting: [Heard] = []

  /// `rest` came behind the request to upgrade.
  init(at now: Duration, rest: [UInt8]) {
    heardAt = now
    unsafe rest.withUnsafeBytes { unsafe reader.received($0) }
  }

  func received(_ bytes: UnsafeRawBufferPointer, at now: Duration) {
    guard !isEnded else { return }
    heardAt = now
    askedAt = nil
    unsafe reader.received(bytes)
  }

  func next() -> Heard? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    while !isEnded {
      if json.isDeaf {
        finish()
        return json.next()
      }
      guard let heard = reader.next() else {
        guard hasFinished else { return nil }
        finish()
        return nil
      }
      switch heard {
      case .text(let message): return json.heard(message: message)
      case .ping(let payload): return .write(WebSocketFrame.pong(payload))
      case .pong: continue
      // RFC 6455 5.5.1: the code is given back.
      case .close(let code, _): return close(code ?? 1_000, "")
      case .failed(let problem): return close(problem.code, problem.sentence)
      }
    }
    return nil
  }

  /// The stream has ended; what is whole is still asked.
  func ended() { hasFinished = true }

  /// Nothing is heard any more, or kept of what came.
  private func finish() {
    isEnded = true
    reader = WebSocketReader(messageBytesMax: JSONLimits.lineBytesMax)
    waiting = []
  }

  private func close(_ code: UInt16, _ reason: String) -> Heard {
    finish()
    hasSaidClose = true
    return .farewell(WebSocketFrame.close(code, reason))
  }

  /// The frame that ends what we say; nil where it was said.
  func farewell(_ reason: ClosingReason?) -> [UInt8]? {
    guard !hasSaidClose else { return nil }
    hasSaidClose = true
    finish()
    // RFC 6455 7.4.1: done, going away, or against a rule of ours.
    let code: UInt16 =
      switch reason {
      case nil, .quit: 1_000
      case .shutdown: 1_001
      case _: 1_008
      }
    return WebSocketFrame.close(code, reason.map { JSONClosingCode($0).rawValue } ?? "")
  }

  // MARK: Silence

  var deadline: Duration? {
    if isEnded { return nil }
    return askedAt.map { $0 + WebSocketLimits.answerTime } ?? heardAt + WebSocketLimits.silence
  }

  func deadlinePassed(at now: Duration) {
    guard let deadline, deadline <= now else { return }
    guard askedAt == nil else {
      finish()
      return waiting = [.close]
    }
    askedAt = now
    waiting.append(.write(WebSocketFrame.ping([])))
  }

  var bytesHeld: Int { reader.bytesHeld }
}

/// docs/wire/websocket.md has them.
enum WebSocketLimits {
  /// Whoever is silent for so long is asked whether it is there.
  static let silence = Duration.seconds(30)
  /// Whoever does not answer for so long then is not.
  static let answerTime = Duration.seconds(15)
}
