/// Finds messages in the bytes of one client's WebSocket, strictly (RFC 6455). Knows no socket, no
/// clock, no handshake.

/// What a client has said.
package enum WebSocketHeard: Hashable, Sendable {
  /// A whole message, of however many fragments; valid UTF-8.
  case text([UInt8])
  /// To be answered with a pong that bears the same (RFC 6455 5.5.2).
  case ping([UInt8])
  /// To be answered by nothing (RFC 6455 5.5.3).
  case pong([UInt8])
  /// The code, if there was one, may be sent back. Told once; nothing behind it is read.
  case close(code: UInt16?, reason: String)
  /// To be answered with a close of the problem's code. Told once; nothing behind it is read.
  case failed(WebSocketProblem)
}

/// Give it each read, then pull until there is nothing.
package struct WebSocketReader {
  private enum Phase {
    case head
    /// Inside the payload of a text's frame.
    case payload
    case over
  }

  /// The most a message may take, over all its fragments.
  private let messageBytesMax: Int
  private var phase = Phase.head
  private var held = HeldBytes()

  /// What has come of a message, unmasked.
  private var message: [UInt8] = []
  private var walk = UTF8Walk()
  /// A message has begun, and its last fragment's end has not come.
  private var isInMessage = false
  /// Of the fragment whose payload is not whole: what is to come, and the mask for it.
  private var payloadLeft = 0
  private var mask: UInt32 = 0
  private var isLastFragment = false

  /// `messageBytesMax` counts the bytes of a message without its frames' heads.
  package init(messageBytesMax: Int) { self.messageBytesMax = messageBytesMax }

  /// How many bytes are kept for this connection at the moment.
  package var bytesHeld: Int { held.count + message.count }

  /// One read, as it came.
  package mutating func received(_ bytes: UnsafeRawBufferPointer) {
    if phase != .over { unsafe held.append(bytes) }
  }

  /// The next thing that was said.
  package mutating func next() -> WebSocketHeard? {
    do throws(WebSocketProblem) {
      while true {
        switch phase {
        case .head:
          guard let head = try nextHead() else { return nil }
          if head.opcode.isControl { return try takeControl(head) }
          begin(head)
        case .payload:
          try takePayload()
          guard payloadLeft == 0 else { return nil }
          phase = .head
          if isLastFragment { return try endMessage() }
        case .over:
          return nil
        }
      }
    } catch {
      end()
      return .failed(error)
    }
  }

  /// A head, and where it is a control frame's, the whole frame: it has at most 125 bytes.
  private func nextHead() throws(WebSocketProblem) -> WebSocketHead? {
    let place = WebSocketHead.Place(
      isInMessage: isInMessage, bytesLeft: messageBytesMax - message.count)
    guard let head = try WebSocketHead(held.bytes.span, at: held.start, in: place) else {
      return nil
    }
    let size = head.opcode.isControl ? head.size + head.count : head.size
    return held.count >= size ? head : nil
  }

  // MARK: Messages

  private mutating func begin(_ head: WebSocketHead) {
    held.drop(head.size)
    isInMessage = true
    isLastFragment = head.isLast
    payloadLeft = head.count
    mask = head.mask
    phase = .payload
  }

  /// Whatever there is of the fragment. A message that came whole is copied once, and only then has
  /// room been taken for it.
  private mutating func takePayload() throws(WebSocketProblem) {
    let count = min(payloadLeft, held.count)
    guard count > 0 else { return }
    let place = message.count
    message += held.bytes[held.start..<held.start + count]
    unmask(&message, from: place, with: mask)
    held.drop(count)
    payloadLeft -= count
    mask = turned(mask, by: count)
    // RFC 6455 8.1: as soon as it is known, so that a wrong message is not waited for.
    let text = message
    guard walk.accepts(text.span, from: place) else { throw .textNotUTF8 }
  }

  private mutating func endMessage() throws(WebSocketProblem) -> WebSocketHeard {
    guard walk.isBetweenCharacters else { throw .textNotUTF8 }
    isInMessage = false
    defer { message = [] }
    return .text(message)
  }

  // MARK: Control frames

  private mutating func takeControl(
    _ head: WebSocketHead
  ) throws(WebSocketProblem) -> WebSocketHeard {
    held.drop(head.size)
    var payload = held.take(head.count)
    unmask(&payload, from: 0, with: head.mask)
    switch head.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong(payload)
    case .close: return try close(payload)
    case .continuation, .text, .binary: preconditionFailure("no control frame")
    }
  }

  /// RFC 6455 5.5.1.
  private mutating func close(_ payload: [UInt8]) throws(WebSocketProblem) -> WebSocketHeard {
    guard payload.count != 1 else { throw .closeTooShort }
    guard payload.count > 1 else {
      end()
      return .close(code: nil, reason: "")
    }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    guard mayBeSent(code) else { throw .closeCode }
    guard let reason = String(validating: payload[2...], as: UTF8.self) else {
      throw .reasonNotUTF8
    }
    end()
    return .close(code: code, reason: reason)
  }

  /// RFC 6455 7.4.1, 7.4.2 and the registry of 11.7: 1004 has no meaning, 1005, 1006 and 1015 never
  /// stand in a frame, and what is below 3000 has to be registered.
  private func mayBeSent(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    case _: false
    }
  }

  private mutating func end() {
    phase = .over
    held = HeldBytes()
    message = []
  }
}

/// RFC 6455 5.3, eight bytes at a time; the first byte goes with the mask's first.
private func unmask(_ bytes: inout [UInt8], from start: Int, with mask: UInt32) {
  let wide = UInt64(mask) << 32 | UInt64(mask)
  unsafe bytes.withUnsafeMutableBytes { all in
    var index = start
    while index + 8 <= all.count {
      let word = unsafe all.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      unsafe all.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    var rest = UInt32(littleEndian: mask)
    while index < all.count {
      unsafe all[index] ^= UInt8(truncatingIfNeeded: rest)
      rest = rest >> 8 | rest << 24
      index += 1
    }
  }
}

/// The mask for what comes behind so many bytes.
private func turned(_ mask: UInt32, by count: Int) -> UInt32 {
  let bits = UInt32(count & 3) * 8
  guard bits > 0 else { return mask }
  let value = UInt32(littleEndian: mask)
  return UInt32(littleEndian: value >> bits | value << (32 - bits))
}
