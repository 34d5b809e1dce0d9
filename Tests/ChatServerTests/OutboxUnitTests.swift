/// Frames and server-sent events in an outbox: like lines, none is ever torn.

import ChatServer
import Testing
import Wire

@Suite struct OutboxUnitTests {
  private var outbox = Outbox()
  private let turn = SharedBytes(capacity: 200_000)

  private func frame(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    WebSocketFrame.appendTextHead(count: text.utf8.count, to: &bytes)
    return bytes + Array(text.utf8)
  }

  private mutating func append(
    _ bytes: [UInt8], _ unit: Slice.Unit, of room: RoomNumbers.Number? = nil
  ) {
    outbox.append(Slice(turn, turn.append(bytes), of: room, unit: unit))
  }

  private func waiting() -> [UInt8] {
    var bytes: [UInt8] = []
    outbox.pieces(piecesMax: 1_024) { base, count in
      bytes += UnsafeRawBufferPointer(start: base, count: count)
    }
    return bytes
  }

  /// Sizes at which a head is another, and those whose head has a line feed among its bytes.
  private static let texts = [1, 10, 125, 126, 2_570, 65_535, 65_536].map {
    String(repeating: "x", count: $0)
  }

  @Test func framesThatTouchAreOnePieceAndAreCounted() {
    var tests = self
    for text in Self.texts { tests.append(tests.frame(text), .frame) }
    #expect(tests.outbox.units == Self.texts.count)
    var pieces = 0
    tests.outbox.pieces(piecesMax: 1_024) { _, _ in pieces += 1 }
    #expect(pieces == 1)
  }

  @Test(arguments: texts)
  func whatHasBegunOfAFrameIsKeptAndTheRestForgotten(text: String) {
    let whole = frame(text)
    for sent in [1, 2, 3, whole.count / 2, whole.count - 1] where sent < whole.count && sent > 0 {
      var tests = OutboxUnitTests()
      tests.append(frame("before"), .frame)
      tests.append(whole, .frame)
      tests.append(frame("after"), .frame)
      tests.outbox.sent(frame("before").count + sent)
      #expect(tests.outbox.isInsideUnit && tests.outbox.units == 2)
      tests.outbox.skip()
      #expect(tests.waiting() == Array(whole.dropFirst(sent)), "\(sent) of \(whole.count)")
      #expect(tests.outbox.skipped == 1)
    }
  }

  @Test func nothingIsTakenFromTheMiddleOfFramesUnderWay() {
    var tests = self
    let frames = ["one", "two", "three"].map { tests.frame($0) }
    for (index, frame) in frames.enumerated() {
      tests.append(frame, .frame, of: 7 + UInt32(index % 2))
    }
    tests.outbox.handedOver(frames[0].count + 1)
    tests.outbox.replaceWaiting { $0.room == 8 ? nil : $0 }
    #expect(tests.waiting() == frames.flatMap { $0 }, "the second has begun")
    tests.outbox.sent(frames[0].count + 1)
    tests.outbox.replaceWaiting { $0.room == 7 ? nil : $0 }
    #expect(tests.waiting() == Array(frames[1].dropFirst()))
    #expect(tests.outbox.units == 1)
  }

  @Test func framesBetweenTwoOthersAreTakenOut() {
    var tests = self
    for (text, room) in [("a", 1), ("b", 2), ("c", 2), ("d", 1)] as [(String, UInt32)] {
      tests.append(tests.frame(text), .frame, of: room)
    }
    tests.outbox.replaceWaiting { $0.room == 2 ? nil : $0 }
    #expect(tests.waiting() == tests.frame("a") + tests.frame("d"))
    #expect(tests.outbox.bytes == 6 && tests.outbox.units == 2)
  }

  @Test func aFrameSentInPartIsCopiedWithWhatTellsItsSize() {
    let text = String(repeating: "y", count: 300)
    outboxOf(text, sent: 2)
    outboxOf(text, sent: 3)
    outboxOf(text, sent: 200)
  }

  private func outboxOf(_ text: String, sent: Int) {
    var tests = OutboxUnitTests()
    tests.append(frame(text), .frame)
    tests.append(frame("z"), .frame)
    tests.outbox.sent(sent)
    tests.outbox.compact()
    tests.outbox.skip()
    #expect(tests.waiting() == Array(frame(text).dropFirst(sent)), "\(sent)")
  }

  @Test func anEventHasSeveralLinesAndIsOneUnit() {
    var tests = self
    let event = { (seq: Int) in Array("id: \(seq)\ndata: {}\n\n".utf8) }
    for seq in 1...3 { tests.append(event(seq), .event) }
    #expect(tests.outbox.units == 3)
    tests.outbox.sent(8)
    tests.outbox.skip(keepingNewest: 0)
    #expect(tests.waiting() == Array(event(1).dropFirst(8)))
    #expect(tests.outbox.skipped == 2)
  }

  @Test func whatIsOneWholeIsNeitherMergedNorTorn() {
    var tests = self
    tests.append(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), .whole)
    tests.append(Array("a\nb\n".utf8), .whole)
    var pieces = 0
    tests.outbox.pieces(piecesMax: 1_024) { _, _ in pieces += 1 }
    #expect(pieces == 2 && tests.outbox.units == 2)
    tests.outbox.sent(20)
    tests.outbox.skip()
    #expect(tests.waiting() == Array("\nb\n".utf8))
  }
}

@Suite struct FloodTests {
  @Test func whoPingsAndDoesNotReadIsSoonNotReadEither() {
    var hall = Hall()
    let guest = hall.connect()
    hall.send(
      guest,
      "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    guest.socket.room = 0
    // Masked, without a payload.
    let pings = (0..<1_000).flatMap { _ in [0x89, 0x80, 1, 2, 3, 4] as [UInt8] }
    var reads = 0
    while guest.socket.isReading, reads < 100 {
      pings.withUnsafeBytes { hall.exchange.received($0, from: guest.connection, at: hall.now) }
      hall.exchange.flush(at: hall.now)
      reads += 1
    }
    #expect(reads < 5, "an answer of two bytes takes more memory than that")
    #expect(guest.connection.outbox.units < 5_000)
  }
}
