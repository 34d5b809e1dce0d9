/// Every chop: where the rules make the cuts between reads mean nothing, no cut changes anything.
///
/// They mean nothing (a) in line mode for what terminators end, once one has ended a `msg`, for
/// then there is no timer, no border at a verb and no counting of reads; (b) in any mode for one
/// command in several reads, the quiet moments left out, as long as no read begins with a verb and
/// the reads do not look typed.

import Testing
import Wire

@Suite("Every chop")
struct PlainChopTests {
  static let samples: [String] = [
    "msg:hi\nmsg:ho\n", "msg:hi\r\nmsg:ho\r\n", "msg:hi\0\0\0msg:ho\0\0\0", "\r\n\r\nmsg:hi\r\0",
    "iam:Rob\r\n msg : hi\t\r\nBob: x\nBob :y\n", "who:\nhelp:\r\nfoo:bar\n  \n\nquit:\n",
    "msg:caf\u{E9} \u{1F600} \u{20AC}\n", "iam:Liam:Alice\nmsg:iam:x msg:y\n",
    "msg:\nmsg:   \n\u{1B}\nmsg:\u{85}\n", "msg\n:\nmsg:\ni\nam:\n", "ping:a\nhistory:1\ntopic::\n",
  ]

  private func ready() -> Reading {
    var reading = Reading.line()
    reading.read("msg:first\n")
    return reading
  }

  @Test(
    "Line mode: byte by byte and in every two pieces the commands are the same", arguments: samples)
  func lineMode(sample: String) {
    let bytes = Array(sample.utf8)
    var whole = ready()
    whole.read(bytes)
    var single = ready()
    for byte in bytes { single.read([byte], after: 2_000) }
    #expect(single.heard == whole.heard)
    for cut in 0...bytes.count {
      var two = ready()
      two.read(Array(bytes[..<cut]))
      two.read(Array(bytes[cut...]), after: 2_000)
      #expect(two.heard == whole.heard, "cut at \(cut)")
    }
  }

  @Test(
    "Line mode: nor does a cut matter around the limit", arguments: [4_095, 4_096, 4_097, 9_000])
  func lineModeLong(count: Int) {
    let bytes = Array(" msg: \(letters(count - 3))\u{E9}\r\nmsg:next\n".utf8)
    var whole = ready()
    whole.read(bytes)
    for size in [1, 2, 3, 1_000, 4_096, 4_100] {
      var cut = ready()
      for start in stride(from: 0, to: bytes.count, by: size) {
        cut.read(Array(bytes[start..<min(bytes.count, start + size)]), after: 1_500)
      }
      #expect(cut.heard == whole.heard, "reads of \(size)")
    }
  }

  @Test(
    "Any mode: one command in two quick reads is one command",
    arguments: ["iam:Bob", "msg:hi there", " MSG : caf\u{E9}", "Bob: hi", "Bob :hi", "msg:a\nb\nc"])
  func oneCommand(sample: String) {
    let bytes = Array(sample.utf8)
    for start in [Reading.raw(), .undecided()] {
      var whole = start
      whole.read(bytes)
      whole.pass(500)
      #expect(whole.heard.count == 1)
      for cut in 0...bytes.count {
        // Rule 4: a terminator at the end of a read ends the message.
        if cut > 0, bytes[cut - 1] == 0x0A { continue }
        var two = start
        two.read(Array(bytes[..<cut]))
        two.read(Array(bytes[cut...]), after: 20)
        two.pass(500)
        #expect(two.heard == whole.heard, "cut at \(cut)")
      }
    }
  }

  @Test("Raw mode: byte by byte, quickly, a command is what it is in one read")
  func rawByteByByte() {
    for sample in ["msg:hi there", "Bob: caf\u{E9}", "iam:Rob", "iam:R\u{1F600}"] {
      var reading = Reading.raw()
      for byte in sample.utf8 { reading.read([byte], after: 20) }
      reading.pass(500)
      var whole = Reading.raw()
      whole.read(sample)
      whole.pass(500)
      #expect(reading.heard == whole.heard)
    }
  }

  @Test("Reads that wait to be pulled are read one by one, as they came")
  func unpulled() {
    var reader = PlainReader()
    for read in ["iam:Bob", "msg:a", "b", "msg:c\n"] {
      Array(read.utf8).withUnsafeBytes { reader.received($0, at: .zero) }
    }
    #expect(reader.bytesHeld == 19)
    #expect(reader.deadline == nil)
    var heard: [String] = []
    while let next = reader.next(as: nil) { heard.append(words(next)) }
    #expect(heard == ["iam:Bob", "msg:ab", "msg:c\n"])
    #expect(reader.bytesHeld == 0)
  }
}

@Suite("Work grows with the input, not with its square")
struct PlainWorkTests {
  /// 64 KiB each; a search begun anew for each byte would take minutes.
  static let hostile: [(unit: String, readBytes: Int)] = [
    ("a", 64), (" ", 64), ("\n", 64), ("iam", 64), ("iam ", 64), ("msg:", 64), ("iam:", 64),
    ("iam:i", 61), ("m", 64), ("msg  ", 64), ("\n ", 64), ("Bob", 64), ("Bo", 64),
    ("\u{80}", 64), ("msg:a\n", 64), ("a\nb", 1 << 16), ("iam:", 1 << 16), ("\n  ", 1 << 16),
    ("msg:a\nb", 1 << 16), ("iam:x\n", 1 << 16), ("who:\n", 1 << 16), (" ", 1 << 16),
  ]

  @Test("64 hostile KiB are soon read", .timeLimit(.minutes(20)), arguments: hostile)
  func hostileBytes(unit: String, readBytes: Int) {
    let count = (1 << 16) / unit.utf8.count
    let bytes = Array(String(repeating: unit, count: count).utf8)
    for mode in [Reading.raw(), .line()] {
      var reader = mode.reader
      var index = 0
      while index < bytes.count {
        let end = min(bytes.count, index + readBytes)
        bytes[index..<end].withUnsafeBytes { reader.received($0, at: .zero) }
        while reader.next(as: "Bob") != nil {}
        index = end
      }
      #expect(reader.bytesHeld <= 3 * PlainReader.argumentBytesMax)
    }
  }
}
