/// Framing rules 1 to 5: reads, what a read that begins with a verb means, typing, terminators.

import Testing
import Wire

@Suite("Rules 1 to 5: reads and terminators")
struct PlainSplittingTests {
  @Test("Rule 1: an ended command is heard in the read that ends it, with no timer")
  func atOnce() {
    var reading = Reading()
    reading.read("iam:Bob\n")
    #expect(reading.heard == ["iam:Bob\n"])
    #expect(reading.wait == nil)
  }

  @Test("Rule 1: an empty read is no read")
  func emptyRead() {
    var reading = Reading()
    reading.read("iam:Bob")
    reading.read("", after: 30)
    #expect(reading.wait == 20)
  }

  @Test(
    "Rule 2: a read that begins with a verb runs what is held first",
    arguments: ["msg:hi", " MSG :hi", "\tmsg\t:hi", "mSg  :  hi"])
  func verbRunsHeld(second: String) {
    var reading = Reading()
    reading.read("iam:Bob")
    reading.read(second, after: 1)
    #expect(reading.heard == ["iam:Bob"])
    #expect(reading.reader.mode == .undecided)
    reading.pass(50)
    #expect(reading.heard == ["iam:Bob", "msg:hi"])
  }

  @Test("Rule 2: what is held and no command is heard as unknown")
  func verbRunsUnknown() {
    var reading = Reading.raw()
    reading.read("foo:bar")
    reading.read("msg:hi", after: 200)
    #expect(reading.heard == ["?"])
  }

  @Test("Rule 2: in line mode a verb is no border", arguments: [false, true])
  func verbInLineMode(isTyped: Bool) {
    var reading = Reading.line()
    reading.read(isTyped ? "ms" : "msg:a")
    reading.read(isTyped ? "g:a" : "msg:b")
    reading.read("\n")
    #expect(reading.heard == [isTyped ? "msg:a\n" : "msg:amsg:b\n"])
  }

  @Test(
    "Rule 2: a verb of the newer commands, or a name, is no border", arguments: ["who:", "Bob:"])
  func otherVerbIsNoBorder(second: String) {
    var reading = Reading.raw()
    reading.read("msg:a ")
    reading.read(second, after: 1)
    reading.pass(50)
    #expect(reading.heard == ["msg:a \(second)"])
  }

  @Test(
    "Rule 3: three reads of at most 2 bytes are typed by hand",
    arguments: [
      (["i", "a", "m"], true), (["ia", "m:", "Bo"], true), (["i", "a"], false),
      (["iam", ":", "B", "o"], false), (["i", "am:", "B"], false), (["ia", "m:", "Bob"], false),
    ])
  func typed(reads: [String], isLine: Bool) {
    var reading = Reading()
    for read in reads { reading.read(read, after: 10) }
    #expect(reading.reader.mode == (isLine ? .line : .undecided))
  }

  @Test("Rule 3: three reads count only within one command")
  func typedReadsOfOneBuffer() {
    var reading = Reading()
    reading.read("a")
    reading.read("b")
    reading.read("msg:hi")
    #expect(reading.heard == ["?"])
    reading.read("c")
    reading.read("d")
    #expect(reading.reader.mode == .undecided)
  }

  @Test("Rule 3: who types is not cut off by any pause")
  func typedWaits() {
    var reading = Reading()
    for key in "iam:Bob" { reading.read(String(key), after: 5_000) }
    #expect(reading.heard.isEmpty)
    reading.read("\r\n", after: 5_000)
    #expect(reading.heard == ["iam:Bob\n"])
  }

  @Test("Rule 3: a raw connection stays raw", arguments: [["ms", "g:", "h", "i"]])
  func rawIsNotTyped(reads: [String]) {
    var reading = Reading.raw()
    for read in reads { reading.read(read, after: 10) }
    reading.pass(50)
    #expect(reading.heard == ["msg:hi"])
    #expect(reading.reader.mode == .raw)
  }

  @Test(
    "Rule 4: LF, CR, NUL and any run of them end one command",
    arguments: ["\n", "\r", "\0", "\r\n", "\r\0", "\n\n\n", "\0\0\r\n", "\n\r"])
  func terminators(end: String) {
    var reading = Reading()
    reading.read("iam:Bob\(end)")
    #expect(reading.heard == ["iam:Bob\n"])
    #expect(reading.reader.mode == .line)
    reading.read("msg:hi\(end)msg:ho\(end)")
    #expect(reading.heard == ["iam:Bob\n", "msg:hi\n", "msg:ho\n"])
  }

  @Test("Rule 4: a run of terminators that is split over reads counts once")
  func splitRun() {
    var reading = Reading.line()
    for read in ["msg:hi\r", "\n", "\0", "\n\rmsg:ho", "\r", "\n"] { reading.read(read) }
    #expect(reading.heard == ["msg:hi\n", "msg:ho\n"])
  }

  @Test(
    "Rule 4: nothing before a terminator is nothing, and not unknown",
    arguments: ["\n", "\r\n", "  \n", "\t\r\n", "\u{1B}\n", " \u{7F} \n"])
  func emptyLines(line: String) {
    for start in [Reading.raw(), .line(), .undecided()] {
      var reading = start
      reading.read(line)
      #expect(reading.heard.isEmpty)
    }
  }

  @Test(
    "Rule 4: in a raw connection a terminator ends a message where nothing or a verb follows",
    arguments: [
      ("msg:a\n", ["msg:a\n"]),
      ("msg:a\nmsg:b\n", ["msg:a\n", "msg:b\n"]),
      ("msg:a\r\n iam :Rob", ["msg:a\n", "iam:Rob"]),
      ("msg:a\0\0\0msg:b\0\0\0", ["msg:a\n", "msg:b\n"]),
      ("iam:Rob\nand so on", ["iam:Rob\n"]),
      ("who:\nand so on", ["who:\n"]),
      ("Who :\nand so on", ["who:\n"]),
      ("who:\nping:x\n", ["who:\n", "ping:x\n"]),
      ("foo\nmsg:a", ["?", "msg:a"]),
      ("\nmsg:a", ["msg:a"]),
    ])
  func rawTerminators(read: String, heard: [String]) {
    var reading = Reading.raw()
    reading.read(read)
    reading.pass(50)
    #expect(reading.heard == heard)
    #expect(reading.reader.mode == .raw)
  }

  @Test("Rule 4: a verb that is cut between two reads counts where its terminator comes")
  func verbAcrossReads() {
    var reading = Reading.raw()
    reading.read("wh")
    reading.read("o:\nfoo")
    #expect(reading.heard == ["who:\n"])
    reading.read("\n")
    reading.read("ia", after: 1_000)
    reading.read("m:Rob\nfoo", after: 1)
    #expect(reading.heard == ["who:\n", "?", "iam:Rob\n"])
  }

  @Test("Rule 4: the first terminator that ends a command makes an undecided connection line mode")
  func undecidedBecomesLine() {
    var reading = Reading()
    reading.read("iam:Bob\nmsg:a\nb")
    #expect(reading.heard == ["iam:Bob\n", "msg:a\n"])
    #expect(reading.reader.mode == .line)
    reading.read("\n")
    #expect(reading.heard == ["iam:Bob\n", "msg:a\n", "?"])
  }

  @Test(
    "Rule 5: inside a raw message a run of terminators is one blank",
    arguments: [
      ("msg:a\nb", "msg:a b"), ("msg:a\r\n\r\nb", "msg:a b"), ("msg:a\n\0\rb\nc", "msg:a b c"),
      ("msg:\nhi", "msg:hi"), ("msg:a\nwho:", "msg:a who:"), ("msg:a\nBob:b", "msg:a Bob:b"),
      ("Bob: a\nb", "ownName:a b"), ("msg:a\n b", "msg:a  b"),
    ])
  func newlineInMessage(read: String, heard: String) {
    for start in [Reading.raw(), .undecided()] {
      var reading = start
      reading.read(read)
      #expect(reading.heard.isEmpty)
      reading.pass(50)
      #expect(reading.heard == [heard])
      #expect(reading.reader.mode == .raw)
    }
  }

  @Test("Rule 5: and the message goes on until its own end")
  func manyLinesThenEnd() {
    var reading = Reading.raw()
    reading.read("msg:a\nb")
    reading.read(" c\nd\r\n", after: 10)
    #expect(reading.heard == ["msg:a b c d\n"])
  }

  @Test("Rule 5: line mode knows no message of many lines")
  func lineModeSplits() {
    var reading = Reading.line()
    reading.read("msg:a\nb\n")
    #expect(reading.heard == ["msg:a\n", "?"])
  }
}
