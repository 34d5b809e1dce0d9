/// The head of a client's frame (RFC 6455 5.2), read strictly. Looks at no payload.

/// What a frame says of itself. Where it stands among others is checked as well.
struct WebSocketHead {
  var opcode: WebSocketFrame.Opcode
  /// The last fragment of its message.
  var isLast: Bool
  /// Bytes of the payload.
  var count: Int
  /// Its four bytes as they lie in memory.
  var mask: UInt32
  /// Bytes of the head itself: 6, 8 or 14.
  var size: Int

  /// What is asked of a frame besides its own form.
  struct Place {
    /// Fragments have come, and not the last one.
    var isInMessage: Bool
    /// How much the message may still grow.
    var bytesLeft: Int
  }

  /// Nil while bytes are wanting. What is wrong is known at the first byte that makes it so.
  init?(
    _ bytes: Span<UInt8>, at start: Int, in place: Place
  ) throws(WebSocketProblem) {
    let have = bytes.count - start
    guard have >= 1 else { return nil }
    let first = bytes[start]
    guard first & 0x70 == 0 else { throw .reservedBits }
    guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode }
    isLast = first & 0x80 != 0
    self.opcode = opcode
    try Self.check(opcode, isLast: isLast, isInMessage: place.isInMessage)

    guard have >= 2 else { return nil }
    let second = bytes[start + 1]
    guard second & 0x80 != 0 else { throw .unmasked }
    let short = Int(second & 0x7F)
    guard !opcode.isControl || short <= WebSocketFrame.controlBytesMax else {
      throw .controlTooLong
    }
    let wide = short < 126 ? 0 : short == 126 ? 2 : 8
    guard have >= 2 + wide else { return nil }
    count = wide == 0 ? short : try Self.length(bytes, at: start + 2, bytes: wide)
    guard opcode.isControl || count <= place.bytesLeft else { throw .tooBig }

    size = 2 + wide + 4
    guard have >= size else { return nil }
    mask = 0
    for index in (start + size - 4..<start + size).reversed() {
      mask = mask << 8 | UInt32(bytes[index])
    }
    mask = UInt32(littleEndian: mask)
  }

  /// By the first byte: may this frame stand here?
  private static func check(
    _ opcode: WebSocketFrame.Opcode, isLast: Bool, isInMessage: Bool
  ) throws(WebSocketProblem) {
    switch opcode {
    case .continuation:
      guard isInMessage else { throw .continuationOfNothing }
    case .text:
      guard !isInMessage else { throw .messageInsideMessage }
    case .binary:
      throw isInMessage ? .messageInsideMessage : .binary
    case .close, .ping, .pong:
      guard isLast else { throw .controlFragmented }
    }
  }

  /// RFC 6455 5.2: in the fewest bytes, and below 2^63.
  private static func length(
    _ bytes: Span<UInt8>, at start: Int, bytes wide: Int
  ) throws(WebSocketProblem) -> Int {
    var number: UInt64 = 0
    for index in start..<start + wide { number = number << 8 | UInt64(bytes[index]) }
    guard number > (wide == 2 ? 125 : 0xFFFF), let count = Int(exactly: number) else {
      throw .length
    }
    return count
  }
}
