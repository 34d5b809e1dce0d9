/// Lines out of reads: their ends, their limit, and no care for how the bytes were cut.

import Testing
import Wire

private func lines(
  _ reads: [[UInt8]], bytesMax: Int = 100, ends: Bool = true
) -> [JSONLineReader.Heard] {
  var reader = JSONLineReader(bytesMax: bytesMax)
  var heard: [JSONLineReader.Heard] = []
  for read in reads {
    read.withUnsafeBytes { reader.received($0) }
    while let next = reader.next() { heard.append(next) }
  }
  if ends {
    reader.ended()
    while let next = reader.next() { heard.append(next) }
    #expect(reader.bytesHeld == 0)
  }
  return heard
}

private func line(_ text: String) -> JSONLineReader.Heard { .line(Array(text.utf8)[...]) }

@Suite("Lines of JSON")
struct JSONLineReaderTests {
  static let samples: [(String, [JSONLineReader.Heard])] = [
    ("{}\n", [line("{}")]), ("{}\r\n", [line("{}")]), ("{}", [line("{}")]),
    ("{}\r", [line("{}")]), ("{}\n\n\r\n \t\r\n[]\n", [line("{}"), line("[]")]),
    ("\n", []), ("", []), ("  ", []), ("{\r}\n", [line("{\r}")]), ("{}\r\r\n", [line("{}\r")]),
    (" {} \n", [line(" {} ")]),
    (
      String(repeating: "a", count: 100) + "\nb\n",
      [line(String(repeating: "a", count: 100)), line("b")]
    ),
    (String(repeating: "a", count: 101) + "\nb\n", [.tooLong, line("b")]),
    (
      String(repeating: "a", count: 99) + "\r\nb\n",
      [line(String(repeating: "a", count: 99)), line("b")]
    ),
    (String(repeating: "a", count: 1_000) + "\nb", [.tooLong, line("b")]),
    (String(repeating: "a", count: 1_000), [.tooLong]),
    ("b\n" + String(repeating: " ", count: 101) + "\nc\n", [line("b"), .tooLong, line("c")]),
    (String(repeating: "a\n", count: 300), Array(repeating: line("a"), count: 300)),
  ]

  @Test(
    "Each sample gives the same lines whole, in every two pieces and byte by byte",
    arguments: samples)
  func chops(text: String, heard: [JSONLineReader.Heard]) {
    let bytes = Array(text.utf8)
    #expect(lines([bytes]) == heard)
    #expect(lines(bytes.map { [$0] }) == heard)
    for cut in 0...bytes.count {
      #expect(lines([Array(bytes[..<cut]), Array(bytes[cut...])]) == heard, "cut at \(cut)")
    }
  }

  @Test("Lines are counted as an editor counts them, however they were cut", arguments: 1...9)
  func numbers(size: Int) {
    let text = "a\n\n \r\nb\n" + String(repeating: "x", count: 30) + "\n\nc\nd"
    var reader = JSONLineReader(bytesMax: 8)
    var numbers: [Int] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      Array(rest.prefix(size)).withUnsafeBytes { reader.received($0) }
      rest = rest.dropFirst(size)
      if rest.isEmpty { reader.ended() }
      while reader.next() != nil { numbers.append(reader.number) }
    }
    #expect(numbers == [1, 4, 5, 7, 8])
  }

  @Test("A line that is too long is told once, as soon as it is known, and is not kept")
  func tooLong() {
    var reader = JSONLineReader(bytesMax: 100)
    var told = 0
    for _ in 0..<1_000 {
      [UInt8](repeating: 0x61, count: 60).withUnsafeBytes { reader.received($0) }
      while let next = reader.next() {
        #expect(next == .tooLong)
        told += 1
      }
      #expect(reader.bytesHeld <= 100)
    }
    #expect(told == 1)
    Array("\nb\n".utf8).withUnsafeBytes { reader.received($0) }
    #expect(reader.next() == line("b"))
    #expect(reader.next() == nil)
  }

  @Test("Reads that come before the lines in front of them were pulled lose nothing")
  func unpulled() {
    var reader = JSONLineReader(bytesMax: 100)
    var heard: [JSONLineReader.Heard] = []
    for number in 0..<50 {
      Array("line \(number)\nli".utf8).withUnsafeBytes { reader.received($0) }
      if number % 3 == 0, let next = reader.next() { heard.append(next) }
      Array("ne \(number) too\n".utf8).withUnsafeBytes { reader.received($0) }
    }
    while let next = reader.next() { heard.append(next) }
    #expect(heard == (0..<50).flatMap { [line("line \($0)"), line("line \($0) too")] })
    #expect(reader.bytesHeld == 0)
  }

  @Test("An empty read and a second end change nothing")
  func nothing() {
    #expect(lines([[], Array("a".utf8), []]) == [line("a")])
    var reader = JSONLineReader(bytesMax: 100)
    reader.ended()
    #expect(reader.next() == nil)
    reader.ended()
    #expect(reader.next() == nil)
  }
}
