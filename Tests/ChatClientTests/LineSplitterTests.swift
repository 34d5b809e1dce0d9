/// Lines come out the same however their bytes were cut. No sockets.

import Testing

@testable import ChatClient

@Suite struct LineSplitterTests {
  private static let samples: [String] = [
    "", "\n", "a", "a\n", "a\r\nb\r\n", "\r\n\r\n", "ann: hello\nbob: hi", "grüße ☕ 👋🏽\nnoch eine\n",
    "a\rb\n", "exactly ten\n", "far too long for the limit of the test\nshort\n",
    "twelve bytes\r\n", "thirteenbytes\r\n", "thirteenbytes and more\r\n\r\nx",
  ]

  private func lines(_ pieces: [ArraySlice<UInt8>]) -> [LineSplitter.Line] {
    var splitter = LineSplitter(bytesMax: 12)
    var lines: [LineSplitter.Line] = []
    for piece in pieces {
      splitter.append(piece)
      while let line = splitter.next() { lines.append(line) }
    }
    if let rest = splitter.rest() { lines.append(rest) }
    #expect(splitter.isEmpty)
    return lines
  }

  @Test(arguments: samples) func everyChopGivesTheSameLines(sample: String) {
    let bytes = Array(sample.utf8)
    let whole = lines([bytes[...]])
    #expect(lines(bytes.indices.map { bytes[$0...$0] }) == whole)
    for cut in 0...bytes.count {
      #expect(lines([bytes[..<cut], bytes[cut...]]) == whole)
    }
  }

  @Test func theTerminatorIsNoPartOfTheLine() {
    let bytes = Array("a\r\n\nb\rc\nd".utf8)
    let expected = ["a", "", "b\rc", "d"].map { LineSplitter.Line.whole(Array($0.utf8)) }
    #expect(lines([bytes[...]]) == expected)
  }

  @Test func aLineMayBeAsLongAsTheLimitAndNotAByteLonger() {
    #expect(lines([Array("twelve bytes\r\n".utf8)[...]]) == [.whole(Array("twelve bytes".utf8))])
    #expect(lines([Array("thirteenbytes\n".utf8)[...]]) == [.tooLong(bytes: 13)])
    #expect(lines([Array("thirteenbytes".utf8)[...]]) == [.tooLong(bytes: 13)])
  }

  @Test func aLineTooLongIsNotKept() {
    var splitter = LineSplitter(bytesMax: 12)
    for _ in 1...1_000 {
      splitter.append(repeatElement(0x61, count: 1_000))
      #expect(splitter.next() == nil)
    }
    splitter.append(Array("\nb\n".utf8))
    #expect(splitter.next() == .tooLong(bytes: 1_000_000))
    #expect(splitter.next() == .whole([0x62]))
  }

  @Test(arguments: ["é", "☕", "👋", "aé", "a👋"])
  func aRestEndsBetweenCharacters(text: String) {
    let bytes = Array(text.utf8)
    var splitter = LineSplitter(bytesMax: 12)
    splitter.append(bytes.dropLast())
    let before = Array(text.dropLast().utf8)
    #expect(splitter.restOfWholeCharacters() == (before.isEmpty ? nil : .whole(before)))
    splitter.append(bytes.suffix(1))
    #expect(splitter.restOfWholeCharacters() == .whole(Array(text.suffix(1).utf8)))
  }
}
