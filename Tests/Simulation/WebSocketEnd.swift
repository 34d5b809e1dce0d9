/// A client's end of a WebSocket (RFC 6455): what it says goes out as masked text messages, and
/// what it is told comes as unmasked ones, a line of JSON each.

struct WebSocketEnd {
  static let request = """
    GET /ws HTTP/1.1\r
    Host: localhost\r
    Upgrade: websocket\r
    Connection: Upgrade\r
    Sec-WebSocket-Version: 13\r
    Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
    \r

    """

  enum Heard {
    case line([UInt8])
    /// To be answered with the same bytes.
    case ping([UInt8])
    case nothing
  }

  private var head = WebHead()
  private var held: [UInt8] = []

  /// The server has agreed; before that nothing may be said.
  var isOpen: Bool { head.isWhole && head.status == 101 }

  /// Nothing of what comes next has come.
  var isBetweenUnits: Bool { held.isEmpty }

  /// How far the bytes go that belong to what comes: a line of the head, or a frame.
  func unitEnd(in bytes: ArraySlice<UInt8>) -> Int {
    guard isOpen else {
      return bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
    }
    return min(bytes.endIndex, bytes.startIndex + max(1, missing))
  }

  /// So many bytes are missing of the frame, or of the part of its head that says how many.
  private var missing: Int {
    let head = held.count < 2 ? 2 : held[1] == 126 ? 4 : held[1] == 127 ? 10 : 2
    return held.count < head ? head - held.count : head + payloadSize - held.count
  }

  private var payloadSize: Int {
    switch held[1] {
    case 126: Int(held[2]) << 8 | Int(held[3])
    case 127: held[2..<10].reduce(0) { $0 << 8 | Int($1) }
    case let size: Int(size)
    }
  }

  /// Takes what ``unitEnd(in:)`` has parted.
  mutating func received(_ bytes: ArraySlice<UInt8>) throws(Violation) -> Heard {
    held += bytes
    guard isOpen else {
      guard held.last == 0x0A else { return .nothing }
      defer { held = [] }
      let line = String(decoding: held.dropLast(), as: UTF8.self)
      // Before it said a word; or it is refused, and this is the body of that.
      if !line.hasPrefix("! "), !head.isWhole { try head.take(line) }
      return .nothing
    }
    guard missing == 0 else { return .nothing }
    defer { held = [] }
    let payload = Array(held.suffix(payloadSize))
    switch held[0] {
    case 0x81: return .line(payload)
    case 0x89: return .ping(payload)
    case 0x88, 0x8A: return .nothing
    case let first: throw Violation(.spelled, "a frame begins with \(first)")
    }
  }

  /// A text message of one frame or more, or a pong.
  static func frames(_ text: [UInt8], isPong: Bool = false, _ dice: inout Dice) -> [UInt8] {
    var frames: [UInt8] = []
    var rest = text[...]
    repeat {
      let isCut = !isPong && rest.count > 1 && dice.chance(10)
      let part = rest.prefix(isCut ? dice.number(0...(rest.count - 1)) : rest.count)
      let opcode: UInt8 = isPong ? 0x0A : frames.isEmpty ? 0x01 : 0x00
      frames.append(isCut ? opcode : opcode | 0x80)
      switch part.count {
      case ..<126: frames.append(0x80 | UInt8(part.count))
      case ..<65_536:
        frames += [0xFE, UInt8(part.count >> 8), UInt8(truncatingIfNeeded: part.count)]
      case let count:
        frames.append(0xFF)
        frames += (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
      }
      let mask = (0..<4).map { _ in UInt8(dice.number(0...255)) }
      frames += mask
      frames += part.enumerated().map { $1 ^ mask[$0 % 4] }
      rest = rest.dropFirst(part.count)
      if !isCut { return frames }
    } while true
  }
}
