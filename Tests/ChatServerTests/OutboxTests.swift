/// What waits for one reader: pieces, parts, and what is forgotten when there is too much.

import ChatServer
import Testing

@Suite struct RoomNumbersTests {
  @Test func roomsThatAreNoMoreAreForgotten() {
    var limits = Limits()
    limits.liftRates()
    var hall = Hall(limits)
    let ann = hall.program("ann")
    for number in 0..<3_000 {
      hall.ask(ann, #"{"join":{"room":"r\#(number)"}}"#, #"{"leave":{"room":"r\#(number)"}}"#)
    }
    #expect((1...1_025).contains(hall.exchange.roomNumbers.count))
  }
}

@Suite struct OutboxTests {
  private var outbox = Outbox()
  private let turn = SharedBytes(capacity: 4_096)

  private func line(_ text: String) -> Slice {
    Slice(turn, turn.append(Array("\(text)\n".utf8)), units: 1)
  }

  /// What would be sent, piece by piece.
  private func pieces(bytesMax: Int = .max) -> [String] {
    var pieces: [String] = []
    outbox.pieces(piecesMax: 1_024, bytesMax: bytesMax) { base, count in
      pieces.append(
        String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self))
    }
    return pieces
  }

  @Test mutating func linesThatTouchAreOnePiece() {
    outbox.append(line("a"))
    outbox.append(line("b"))
    #expect(pieces() == ["a\nb\n"])
    #expect(outbox.units == 2 && outbox.bytes == 4)
  }

  @Test mutating func linesThatDoNotTouchOrAreKeptApartAreSeveral() {
    outbox.append(line("a"))
    _ = line("for somebody else")
    outbox.append(line("b"))
    outbox.append(line("c"), apart: true)
    #expect(pieces() == ["a\n", "b\n", "c\n"])
  }

  @Test mutating func whatIsSentInPartGoesOnWhereItStopped() {
    outbox.append(line("abc"))
    outbox.append(line("d"), apart: true)
    outbox.sent(2)
    #expect(outbox.isInsideUnit)
    #expect(pieces() == ["c\n", "d\n"])
    outbox.sent(2)
    #expect(!outbox.isInsideUnit)
    outbox.sent(2)
    #expect(outbox.isEmpty && outbox.units == 0)
  }

  @Test mutating func aSmallPartOfItsMemoryIsCopiedForWhoDoesNotRead() {
    weak var memory: SharedBytes?
    do {
      let busy = SharedBytes(capacity: 65_536)
      busy.append(Array("x".utf8))
      outbox.append(Slice(busy, busy.append(Array("abc\n".utf8)), units: 1))
      memory = busy
    }
    outbox.sent(1)
    #expect(memory != nil)
    outbox.compact()
    #expect(memory == nil, "what others were written is let go")
    #expect(outbox.isInsideUnit && outbox.units == 1 && outbox.bytes == 3)
    #expect(pieces() == ["bc\n"])
    outbox.handedOver(3)
    outbox.append(line("d"))
    outbox.append(line("e"))
    outbox.compact()
    #expect(pieces() == ["bc\n", "d\ne\n"])
    outbox.sent(3)
    outbox.sent(4)
    #expect(outbox.isEmpty)
  }

  @Test mutating func aLargePartOfItsMemoryIsShared() {
    let full = SharedBytes(Array("abcdefgh\n".utf8))
    outbox.append(Slice(full, 0..<9, units: 1))
    outbox.compact()
    outbox.pieces(piecesMax: 1) { base, _ in #expect(base == UnsafeRawPointer(full.base)) }
  }

  @Test mutating func piecesStopAtTheBytesAllowed() {
    outbox.append(line("abc"))
    outbox.append(line("def"), apart: true)
    #expect(pieces(bytesMax: 6) == ["abc\n", "de"])
  }

  @Test mutating func skippingForgetsAndCountsAllThatHasNotBegun() {
    outbox.append(line("abc"))
    outbox.append(line("d"))
    outbox.append(line("e"))
    outbox.sent(1)
    outbox.skip()
    #expect(pieces() == ["bc\n"])
    #expect(outbox.skipped == 2)
    #expect(outbox.bytes == 3 && outbox.units == 1)
  }

  @Test mutating func skippingBetweenTwoLinesForgetsAll() {
    outbox.append(line("abc"))
    outbox.append(line("d"))
    outbox.sent(4)
    outbox.skip()
    #expect(outbox.isEmpty)
    #expect(outbox.skipped == 1)
  }

  @Test mutating func whatTheKernelWasHandedStaysToTheEndOfItsLine() {
    for text in ["ab", "cd", "ef"] { outbox.append(line(text)) }
    outbox.handedOver(4)
    outbox.skip()
    #expect(pieces() == ["ab\ncd\n"])
    #expect(outbox.skipped == 1)
    #expect(outbox.units == 2)
    outbox.sent(4)
    #expect(pieces() == ["d\n"])
  }

  @Test(arguments: [true, false])
  mutating func whatTheKernelWasHandedStaysInItsMemoryThoughTheRestIsForgotten(isSkip: Bool) {
    weak var memory: SharedBytes?
    do {
      let busy = SharedBytes(capacity: 65_536)
      for text in ["ab\n", "cd\n"] {
        outbox.append(Slice(busy, busy.append(Array(text.utf8)), units: 1), apart: true)
      }
      memory = busy
    }
    outbox.handedOver(2)
    if isSkip { outbox.skip(keepingNewest: 1) } else { outbox.replaceWaiting { $0 } }
    outbox.compact()
    #expect(memory != nil, "the kernel may still read it")
    #expect(pieces() == ["ab\n", "cd\n"])
  }

  @Test mutating func handedOverExactlyToALinesEndKeepsNoMore() {
    for text in ["ab", "cd", "ef"] { outbox.append(line(text)) }
    outbox.handedOver(6)
    outbox.skip()
    #expect(pieces() == ["ab\ncd\n"])
    #expect(outbox.skipped == 1)
  }

  @Test mutating func theNewestMayBeKept() {
    for index in 0..<30 { outbox.append(line("\(index)"), apart: true) }
    outbox.skip(keepingNewest: 20)
    #expect(outbox.skipped == 10)
    #expect(pieces().first == "10\n" && pieces().count == 20)
  }

  @Test mutating func aNoticeGoesInFrontOfWhatWaits() {
    outbox.append(line("b"))
    outbox.prepend(line("* 1 lines skipped"))
    #expect(pieces() == ["* 1 lines skipped\n", "b\n"])
    #expect(outbox.bytes == 20 && outbox.units == 2)
  }

  @Test mutating func aLongQueueIsSentInAnyPortions() {
    for index in 0..<500 { outbox.append(line("\(index)"), apart: true) }
    let whole = pieces().joined()
    var sent = ""
    while !outbox.isEmpty {
      let portion = pieces(bytesMax: 7).joined()
      sent += portion
      outbox.sent(portion.utf8.count)
    }
    #expect(sent == whole)
  }
}
