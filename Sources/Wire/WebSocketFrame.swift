/// The frames that a server sends: unmasked, never in fragments (RFC 6455 5.1, 5.2). Sends nothing.

/// Text frames as a head that stands before bytes which many readers share; the others whole.
package enum WebSocketFrame {
  /// What a frame is (RFC 6455 5.2, 11.8).
  enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// RFC 6455 5.5.
    var isControl: Bool { rawValue >= 8 }
  }

  /// RFC 6455 5.5: the most a control frame may bear.
  package static let controlBytesMax = 125

  /// The head of a text frame with so many bytes behind it: 2, 4 or 10 bytes.
  package static func appendTextHead(count: Int, to out: inout [UInt8]) {
    appendHead(.text, count: count, to: &out)
  }

  /// At most 125 bytes.
  package static func ping(_ payload: [UInt8]) -> [UInt8] { control(.ping, payload) }

  /// The answer to a ping bears what the ping did (RFC 6455 5.5.3): at most 125 bytes.
  package static func pong(_ payload: [UInt8]) -> [UInt8] { control(.pong, payload) }

  /// A code and a reason, which is cut at a character to what fits beside the code: 123 bytes.
  package static func close(_ code: UInt16, _ reason: String) -> [UInt8] {
    let reason = Array(reason.utf8)
    let cut = plainCut(reason.span, bytesMax: controlBytesMax - 2)
    return control(.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason[..<cut])
  }

  /// How many bytes the frame has that begins here, its head counted. Needs its first ten bytes, or
  /// all of them where it is shorter.
  package static func size(of head: UnsafeRawBufferPointer) -> Int {
    precondition(head.count >= 2, "a frame has two bytes at least")
    let masked = unsafe head[1] & 0x80 == 0 ? 0 : 4
    let short = unsafe Int(head[1] & 0x7F)
    guard short > 125 else { return 2 + masked + short }
    let wide = short == 126 ? 2 : 8
    precondition(head.count >= 2 + wide, "a frame has its length before anything else")
    var count = 0
    for index in 2..<2 + wide { count = unsafe count << 8 | Int(head[index]) }
    return 2 + wide + masked + count
  }

  private static func control(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count <= controlBytesMax, "a control frame has at most 125 bytes")
    var frame: [UInt8] = []
    frame.reserveCapacity(2 + payload.count)
    appendHead(opcode, count: payload.count, to: &frame)
    frame += payload
    return frame
  }

  /// RFC 6455 5.2: the last fragment is the only one, and the length takes the fewest bytes.
  private static func appendHead(_ opcode: Opcode, count: Int, to out: inout [UInt8]) {
    out.append(0x80 | opcode.rawValue)
    if count <= 125 {
      out.append(UInt8(count))
    } else if count <= 0xFFFF {
      out.append(126)
      appendNumber(count, bytes: 2, to: &out)
    } else {
      out.append(127)
      appendNumber(count, bytes: 8, to: &out)
    }
  }

  /// The first byte is the greatest part.
  private static func appendNumber(_ number: Int, bytes: Int, to out: inout [UInt8]) {
    for place in (0..<bytes).reversed() {
      out.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
    }
  }
}
