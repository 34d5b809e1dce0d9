/// A client's frames: their heads, fragments, control frames in between, closes and limits, by the
/// clauses of RFC 6455.

import Testing
import Wire

@Suite("Frames of a WebSocket's client")
struct WebSocketReaderTests {
  @Test(
    "A message of any size comes as it was sent, in one frame and in fragments",
    arguments: [0, 1, 7, 8, 9, 15, 125, 126, 127, 128, 65_535, 65_536])
  func sizes(count: Int) {
    let payload = (0..<count).map { UInt8(0x20 + $0 % 95) }
    let whole = clientFrame(1, payload)
    #expect(webSocketInEveryChop(whole, messageBytesMax: 70_000) == [.text(payload)])
    for size in [1_000, 65_535] {
      var fragments = clientFrame(1, [], isLast: false)
      for start in stride(from: 0, to: count, by: size) {
        let end = min(count, start + size)
        fragments += clientFrame(0, Array(payload[start..<end]), isLast: end == count)
      }
      if count == 0 { fragments += clientFrame(0) }
      #expect(webSocketHeard([fragments], messageBytesMax: 70_000) == [.text(payload)])
      let reads = stride(from: 0, to: fragments.count, by: 997).map {
        Array(fragments[$0..<min($0 + 997, fragments.count)])
      }
      #expect(webSocketHeard(reads, messageBytesMax: 70_000) == [.text(payload)])
    }
  }

  @Test("Any mask is taken off, wherever the fragments and the reads are cut")
  func masks() {
    let payload = Array("A mask is turned as far as its bytes were used.".utf8)
    for mask in [[0, 0, 0, 0], [1, 2, 3, 4], [0xFF, 0x80, 0x7F, 0x00]] as [[UInt8]] {
      for cut in 0...payload.count {
        let two =
          clientFrame(1, Array(payload[..<cut]), isLast: false, mask: mask)
          + clientFrame(0, Array(payload[cut...]), mask: [9, 8, 7, 6])
        #expect(webSocketHeard([two]) == [.text(payload)])
        #expect(webSocketHeard(two.map { [$0] }) == [.text(payload)])
      }
      #expect(webSocketInEveryChop(clientFrame(1, payload, mask: mask)) == [.text(payload)])
    }
  }

  static let wrongHeads: [(clause: String, frame: [UInt8], problem: WebSocketProblem)] = [
    ("5.2, RSV1", clientFrame(1, [0x61], bits: 0x40), .reservedBits),
    ("5.2, RSV2", clientFrame(1, [0x61], bits: 0x20), .reservedBits),
    ("5.2, RSV3", clientFrame(1, [0x61], bits: 0x10), .reservedBits),
    ("5.2, RSV of a ping", clientFrame(9, [0x61], bits: 0x10), .reservedBits),
    ("5.2, all RSV of a close", clientFrame(8, bits: 0x70), .reservedBits),
    ("5.1, text", clientFrame(1, [0x61], mask: nil), .unmasked),
    ("5.1, ping", clientFrame(9, mask: nil), .unmasked),
    ("5.1, close", clientFrame(8, mask: nil), .unmasked),
    ("5.2, 2 bytes for 125", clientFrame(1, [], claims: 125, lengthBytes: 2), .length),
    ("5.2, 2 bytes for 0", clientFrame(1, [], claims: 0, lengthBytes: 2), .length),
    ("5.2, 8 bytes for 125", clientFrame(1, [], claims: 125, lengthBytes: 8), .length),
    ("5.2, 8 bytes for 65535", clientFrame(1, [], claims: 65_535, lengthBytes: 8), .length),
    ("5.2, top bit", clientFrame(1, [], claims: 1 << 63), .length),
    ("5.2, top bit and more", clientFrame(1, [], claims: .max), .length),
    ("5.5, ping in fragments", clientFrame(9, isLast: false), .controlFragmented),
    ("5.5, pong in fragments", clientFrame(10, isLast: false), .controlFragmented),
    ("5.5, close in fragments", clientFrame(8, isLast: false), .controlFragmented),
    ("5.5, ping of 126", clientFrame(9, [UInt8](repeating: 0, count: 126)), .controlTooLong),
    ("5.5, pong of 126", clientFrame(10, [UInt8](repeating: 0, count: 126)), .controlTooLong),
    ("5.5, close of 126", closeFrame(1000, Array(letters(124).utf8)), .controlTooLong),
    ("5.5, ping of 2^32", clientFrame(9, [], claims: 1 << 32), .controlTooLong),
    ("5.5, long form of a ping", clientFrame(9, [], claims: 1, lengthBytes: 2), .controlTooLong),
    ("5.4, last", clientFrame(0, [0x61]), .continuationOfNothing),
    ("5.4, not last", clientFrame(0, [0x61], isLast: false), .continuationOfNothing),
    ("7.4.1, 1003", clientFrame(2, [0x61]), .binary),
    ("7.4.1, 1003, in fragments", clientFrame(2, isLast: false), .binary),
  ]

  @Test(
    "A head that is wrong fails by its clause, also behind and inside messages",
    arguments: wrongHeads)
  func wrongHead(clause: String, frame: [UInt8], problem: WebSocketProblem) {
    let behind = textFrame("unheard")
    #expect(webSocketInEveryChop(frame + behind) == [.failed(problem)])
    #expect(
      webSocketInEveryChop(textFrame("heard") + frame + behind) == [
        text("heard"), .failed(problem),
      ])
    let isControl = frame[0] & 0x08 != 0
    guard isControl else { return }
    let inside = textFrame("un", isLast: false) + frame + moreFrame("heard")
    #expect(webSocketInEveryChop(inside) == [.failed(problem)])
  }

  @Test(
    "An opcode without meaning fails", arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
  func reservedOpcode(opcode: UInt8) {
    for isLast in [true, false] {
      let frame = clientFrame(opcode, [0x61], isLast: isLast)
      #expect(webSocketInEveryChop(frame) == [.failed(.reservedOpcode)])
      let inside = textFrame("a", isLast: false) + frame
      #expect(webSocketInEveryChop(inside) == [.failed(.reservedOpcode)])
    }
  }

  // MARK: Fragments

  @Test("Control frames between fragments come first, and change nothing of the message")
  func controlBetween() {
    let ping = clientFrame(9, [1, 2])
    let pong = clientFrame(10, [3])
    let frames =
      textFrame("a", isLast: false) + ping + moreFrame("", isLast: false) + pong + ping
      + moreFrame("b", isLast: false) + ping + moreFrame("c") + pong + textFrame("d")
    #expect(
      webSocketInEveryChop(frames)
        == [
          .ping([1, 2]), .pong([3]), .ping([1, 2]), .ping([1, 2]), text("abc"), .pong([3]),
          text("d"),
        ])
  }

  @Test("A message may not begin inside another; what was whole before it is heard")
  func messageInside() {
    let begun = textFrame("a", isLast: false)
    for frame in [textFrame("b"), textFrame("b", isLast: false), clientFrame(2, [0x62])] {
      #expect(webSocketInEveryChop(begun + frame) == [.failed(.messageInsideMessage)])
    }
    let whole = begun + moreFrame("b")
    #expect(webSocketInEveryChop(whole + textFrame("c")) == [text("ab"), text("c")])
    #expect(
      webSocketInEveryChop(whole + moreFrame("c"))
        == [text("ab"), .failed(.continuationOfNothing)])
  }

  @Test("Empty fragments by the thousand are kept nowhere")
  func emptyFragments() {
    var reader = WebSocketReader(messageBytesMax: 100)
    textFrame("a", isLast: false).withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
    let hundred = Array(repeatElement(moreFrame("", isLast: false), count: 100).joined())
    for _ in 0..<100 {
      hundred.withUnsafeBytes { reader.received($0) }
      #expect(reader.next() == nil)
      #expect(reader.bytesHeld == 1)
    }
    moreFrame("b").withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == text("ab"))
    #expect(reader.bytesHeld == 0)
  }

  // MARK: Control frames

  @Test("A ping and a pong bear up to 125 bytes of any kind", arguments: [0, 1, 2, 4, 124, 125])
  func pings(count: Int) {
    let payload = (0..<count).map { UInt8(0xFF - $0) }
    #expect(webSocketInEveryChop(clientFrame(9, payload)) == [.ping(payload)])
    #expect(webSocketInEveryChop(clientFrame(10, payload)) == [.pong(payload)])
  }

  @Test("A close may have a code that the RFC or its registry lets be sent")
  func closeCodes() {
    let mayBeSent: Set<UInt16> = Set(1000...1003).union(1007...1014).union(3000...4999)
    for code in Array(0...5_100) + [0x7FFF, 0x8000, 0xFFFF] as [UInt16] {
      let expected: WebSocketHeard =
        mayBeSent.contains(code) ? .close(code: code, reason: "") : .failed(.closeCode)
      if webSocketHeard([closeFrame(code)]) == [expected] { continue }
      Issue.record("\(code)")
    }
    for code in [0, 999, 1000, 1004, 1005, 1006, 1014, 1015, 1016, 2999, 3000, 4999, 5000, 65_535] {
      webSocketInEveryChop(closeFrame(UInt16(code)))
    }
  }

  @Test("A close may have no code, but not half of one")
  func closeLengths() {
    #expect(webSocketInEveryChop(clientFrame(8)) == [.close(code: nil, reason: "")])
    #expect(webSocketInEveryChop(clientFrame(8, [3])) == [.failed(.closeTooShort)])
  }

  @Test("A close's reason is UTF-8 of at most 123 bytes")
  func closeReasons() {
    for reason in ["", "bye", "水" + letters(120)] {
      #expect(
        webSocketInEveryChop(closeFrame(1001, Array(reason.utf8)))
          == [.close(code: 1001, reason: reason)])
    }
    for wrong in [[0xFF], [0x61, 0xE6, 0xB0], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]] {
      #expect(webSocketInEveryChop(closeFrame(1000, wrong)) == [.failed(.reasonNotUTF8)])
    }
  }

  @Test("Nothing behind a close is read or kept, and inside a message it ends that")
  func behindClose() {
    let closed: [WebSocketHeard] = [.close(code: 1000, reason: "")]
    #expect(webSocketInEveryChop(closeFrame(1000) + textFrame("a")) == closed)
    #expect(webSocketInEveryChop(closeFrame(1000) + [0xFF, 0xFF]) == closed)
    let inside = textFrame("a", isLast: false) + closeFrame(1000) + moreFrame("b")
    #expect(webSocketInEveryChop(inside) == closed)
    var reader = WebSocketReader(messageBytesMax: 100)
    (textFrame("a", isLast: false) + closeFrame(1000)).withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == closed[0])
    textFrame("a").withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
    #expect(reader.bytesHeld == 0)
  }

  // MARK: Limits

  @Test("A message may be as long as the limit, over all its fragments, and no longer")
  func limit() {
    for limit in [1, 100, 125, 126, 200] {
      let most = letters(limit)
      #expect(
        webSocketInEveryChop(textFrame(most) + textFrame(most), messageBytesMax: limit)
          == [text(most), text(most)])
      #expect(
        webSocketInEveryChop(textFrame(most + "a"), messageBytesMax: limit) == [.failed(.tooBig)])
      let parts = textFrame("a", isLast: false) + moreFrame(letters(limit - 1), isLast: false)
      #expect(
        webSocketInEveryChop(parts + moreFrame(""), messageBytesMax: limit) == [text(most)])
      #expect(
        webSocketInEveryChop(parts + moreFrame("a"), messageBytesMax: limit) == [.failed(.tooBig)])
    }
    let big = [UInt8](repeating: 0x61, count: 65_536)
    #expect(webSocketHeard([clientFrame(1, big)]) == [.text(big)])
    #expect(webSocketHeard([clientFrame(1, big + [0x61])]) == [.failed(.tooBig)])
  }

  @Test(
    "A message too long is refused by its length alone", arguments: [101, 126, 65_536, 1 << 62])
  func tooBigByHead(count: Int) {
    // Its length, and nothing of the mask.
    let head = clientFrame(1, [], mask: [], claims: UInt64(count))
    #expect(webSocketInEveryChop(head, messageBytesMax: 100) == [.failed(.tooBig)])
  }

  @Test("A frame that is begun takes no more than what came of it")
  func held() {
    var reader = WebSocketReader(messageBytesMax: 65_536)
    #expect(reader.bytesHeld == 0)
    let head = clientFrame(1, [], claims: 65_536)
    head.withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
    #expect(reader.bytesHeld == 0)
    clientFrame(1, Array(letters(9).utf8)).suffix(9).withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
    #expect(reader.bytesHeld == 9)
  }

  @Test("A failure is told once, and nothing behind it is read or kept")
  func failedOnce() {
    var reader = WebSocketReader(messageBytesMax: 100)
    let frames = textFrame("a", isLast: false) + clientFrame(3) + textFrame("b")
    frames.withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == .failed(.reservedOpcode))
    #expect(reader.next() == nil)
    frames.withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == nil)
    #expect(reader.bytesHeld == 0)
  }

  @Test("Reads that come before the messages in front of them were pulled lose nothing")
  func unpulled() {
    var reader = WebSocketReader(messageBytesMax: 100)
    var heard: [WebSocketHeard] = []
    for number in 0..<50 {
      let frame = textFrame("message \(number)")
      (frame + frame[..<5]).withUnsafeBytes { reader.received($0) }
      if number % 3 == 0, let next = reader.next() { heard.append(next) }
      Array(frame[5...]).withUnsafeBytes { reader.received($0) }
    }
    while let next = reader.next() { heard.append(next) }
    #expect(heard == (0..<50).flatMap { [text("message \($0)"), text("message \($0)")] })
    #expect(reader.bytesHeld == 0)
  }

  @Test("Every problem has a code that may be sent and a reason that fits into a close")
  func problems() {
    for problem in WebSocketProblem.allCases {
      let close = WebSocketFrame.close(problem.code, problem.sentence)
      #expect(close.count == 4 + problem.sentence.utf8.count, "\(problem)")
      #expect([1002, 1003, 1007, 1009].contains(problem.code), "\(problem)")
    }
    let sentences = Set(WebSocketProblem.allCases.map { $0.sentence })
    #expect(sentences.count == WebSocketProblem.allCases.count)
  }
}
