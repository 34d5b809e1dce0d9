/// Frames as a client sends them, and what a WebSocket's reader hears, however the bytes are cut.

import Testing
import Wire

/// A frame; by default the last of its message, masked and with the shortest length. `claims` is
/// the length it says, if that is not its payload's; `lengthBytes` is 0, 2 or 8.
func clientFrame(
  _ opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true, bits: UInt8 = 0,
  mask: [UInt8]? = [0x37, 0xFA, 0x21, 0xBD], claims: UInt64? = nil, lengthBytes: Int? = nil
) -> [UInt8] {
  let count = claims ?? UInt64(payload.count)
  let wide = lengthBytes ?? (count <= 125 ? 0 : count <= 0xFFFF ? 2 : 8)
  var frame = [(isLast ? 0x80 : 0) | bits | opcode]
  frame.append((mask == nil ? 0 : 0x80) | (wide == 0 ? UInt8(count) : wide == 2 ? 126 : 127))
  for place in (0..<wide).reversed() {
    frame.append(UInt8(truncatingIfNeeded: count >> (8 * place)))
  }
  guard let mask else { return frame + payload }
  return frame + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
}

func textFrame(_ text: String, isLast: Bool = true) -> [UInt8] {
  clientFrame(1, Array(text.utf8), isLast: isLast)
}

/// A fragment that is not the first.
func moreFrame(_ text: String, isLast: Bool = true) -> [UInt8] {
  clientFrame(0, Array(text.utf8), isLast: isLast)
}

/// The bytes of a close, of a code and a reason.
func closeFrame(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
  clientFrame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
}

func text(_ text: String) -> WebSocketHeard { .text(Array(text.utf8)) }

func webSocketHeard(_ reads: [[UInt8]], messageBytesMax: Int = 65_536) -> [WebSocketHeard] {
  var reader = WebSocketReader(messageBytesMax: messageBytesMax)
  var heard: [WebSocketHeard] = []
  for read in reads {
    read.withUnsafeBytes { reader.received($0) }
    while let next = reader.next() { heard.append(next) }
  }
  return heard
}

/// The same whole, byte by byte and in every two pieces; of what is long, in pieces of 13 and in
/// two cut near an end. What was heard.
@discardableResult
func webSocketInEveryChop(
  _ bytes: [UInt8], messageBytesMax: Int = 65_536,
  sourceLocation: SourceLocation = #_sourceLocation
) -> [WebSocketHeard] {
  let whole = webSocketHeard([bytes], messageBytesMax: messageBytesMax)
  let step = bytes.count <= 400 ? 1 : 13
  let small = stride(from: 0, to: bytes.count, by: step).map {
    Array(bytes[$0..<min($0 + step, bytes.count)])
  }
  if webSocketHeard(small, messageBytesMax: messageBytesMax) != whole {
    Issue.record("in pieces of \(step) it is otherwise", sourceLocation: sourceLocation)
  }
  let cuts = bytes.count <= 400 ? Array(0...bytes.count) : Array(0...20) + [200, bytes.count - 1]
  for cut in cuts {
    let reads = [Array(bytes[..<cut]), Array(bytes[cut...])]
    if webSocketHeard(reads, messageBytesMax: messageBytesMax) != whole {
      Issue.record("cut at \(cut) it is otherwise", sourceLocation: sourceLocation)
    }
  }
  return whole
}
