/// Fuzzes the reader of a WebSocket's client: no care for how the bytes were cut, bounded memory,
/// and texts that are UTF-8; and the sizes of what a server sends.

import Wire

func fuzzWebSocket(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let step = 1 + Int(input.byte())
  let messageBytesMax = Int(input.byte())
  let isRaw = input.byte().isMultiple(of: 2)
  let bytes = isRaw ? input.all() : frames(&input)
  let whole = heard([bytes], messageBytesMax)
  precondition(
    heard(bytes.map { [$0] }, messageBytesMax) == whole, "byte by byte it is otherwise")
  let reads = stride(from: 0, to: bytes.count, by: step).map {
    Array(bytes[$0..<min($0 + step, bytes.count)])
  }
  precondition(heard(reads, messageBytesMax) == whole, "cutting the bytes changed the messages")
  for next in whole { check(next, messageBytesMax) }
  return 0
}

/// Frames with heads that are mostly right, which no mutation of masked bytes would find.
private func frames(_ input: inout FuzzInput) -> [UInt8] {
  var bytes: [UInt8] = []
  while !input.isEmpty {
    let first = input.byte()
    let payload = input.bytes(Int(input.byte()))
    bytes.append(first)
    if payload.count > 125 {
      bytes += [0xFE, 0, UInt8(payload.count)]
    } else {
      bytes.append(0x80 | UInt8(payload.count))
    }
    let mask = [first, 0, UInt8(payload.count), 0x5A]
    bytes += mask
    bytes += payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }
  return bytes
}

private func heard(_ reads: [[UInt8]], _ messageBytesMax: Int) -> [WebSocketHeard] {
  var reader = WebSocketReader(messageBytesMax: messageBytesMax)
  var all: [WebSocketHeard] = []
  var isOver = false
  for read in reads {
    read.withUnsafeBytes { reader.received($0) }
    while let next = reader.next() {
      precondition(!isOver, "something behind the last")
      all.append(next)
      switch next {
      case .close, .failed: isOver = true
      case .text, .ping, .pong: break
      }
    }
    // A message, and a control frame that is not whole.
    precondition(reader.bytesHeld < messageBytesMax + 131, "too much is held")
    precondition(!isOver || reader.bytesHeld == 0, "held behind the last")
  }
  return all
}

private func check(_ heard: WebSocketHeard, _ messageBytesMax: Int) {
  switch heard {
  case .text(let text):
    precondition(text.count <= messageBytesMax, "too long")
    precondition(String(validating: text, as: UTF8.self) != nil, "no UTF-8")
    var frame: [UInt8] = []
    WebSocketFrame.appendTextHead(count: text.count, to: &frame)
    checkSize(frame + text)
  case .ping(let payload): checkSize(WebSocketFrame.pong(payload))
  case .pong(let payload): checkSize(WebSocketFrame.ping(payload))
  case .close(let code, let reason):
    precondition(reason.utf8.count <= 123 && (code ?? 1000) >= 1000)
    checkSize(WebSocketFrame.close(code ?? 1000, reason + reason))
  case .failed(let problem):
    checkSize(WebSocketFrame.close(problem.code, problem.sentence))
  }
}

private func checkSize(_ frame: [UInt8]) {
  let behind = frame + [0xFF, 0xFF, 0xFF]
  let size = behind.prefix(10).withUnsafeBytes { WebSocketFrame.size(of: $0) }
  precondition(size == frame.count, "another size")
}
