/// Framing rules 6 and 7, and the end of the stream: when what no terminator ended is run.

import Testing
import Wire

@Suite("Rules 6 and 7: the quiet timer and what it runs")
struct PlainTimingTests {
  @Test(
    "Rule 6: a raw or undecided command is run after exactly 50 ms",
    arguments: ["msg:hi", " IAM : Rob", "Bob: hi", "Bob :hi", "bOB:hi", "msg:", "msg:caf\u{E9}"])
  func quiet(read: String) {
    for start in [Reading.raw(), .undecided()] {
      var reading = start
      reading.read(read)
      #expect(reading.wait == 50)
      reading.pass(49)
      #expect(reading.heard.isEmpty)
      reading.pass(1)
      #expect(reading.heard.count == 1)
      #expect(reading.reader.mode == .raw)
    }
  }

  @Test("Rule 6: each read starts the wait anew")
  func restart() {
    var reading = Reading.raw()
    reading.read("msg:a")
    for _ in 0..<5 { reading.read("b", after: 49) }
    #expect(reading.heard.isEmpty)
    reading.pass(50)
    #expect(reading.heard == ["msg:abbbbb"])
  }

  @Test("Rule 6: too early a call does nothing")
  func early() {
    var reader = PlainReader()
    Array("msg:hi".utf8).withUnsafeBytes { reader.received($0, at: .seconds(1)) }
    #expect(reader.next(as: nil) == nil)
    reader.deadlinePassed(at: .milliseconds(1_049))
    #expect(reader.next(as: nil) == nil)
    reader.deadlinePassed(at: .milliseconds(1_050))
    #expect(reader.next(as: nil).map(words) == "msg:hi")
  }

  @Test(
    "Rule 6: what is no command has no timer, however long it waits",
    arguments: [
      "hello", "foo:bar", "who:", "help:", "quit:", "ms", "msg", "iam ", "Bo", "Bob", "Bob  :x",
      "Rob: x", ":x",
    ])
  func noTimer(read: String) {
    for start in [Reading.raw(), .undecided(), .line()] {
      var reading = start
      reading.read(read)
      #expect(reading.wait == nil)
    }
  }

  @Test("Rule 6: a name in front means nothing before there is one")
  func namelessOwnName() {
    var reading = Reading()
    reading.read("Bob: hi")
    #expect(reading.wait == nil)
  }

  @Test(
    "Rule 6: inside a character the wait is exactly 500 ms",
    arguments: [
      [0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98], [0xF4, 0x8F, 0xBF],
      [0xED, 0x9F], [0xE0, 0xA0],
    ] as [[UInt8]])
  func insideCharacter(tail: [UInt8]) {
    var reading = Reading.raw()
    reading.read(Array("msg:caf".utf8) + tail)
    #expect(reading.wait == 500)
    reading.pass(499)
    #expect(reading.heard.isEmpty)
    reading.pass(1)
    #expect(reading.heard == ["msg:caf\u{FFFD}"])
  }

  @Test(
    "Rule 6: bytes that no character can begin with are not waited for",
    arguments: [
      [0x80], [0xBF, 0xBF], [0xC0], [0xC1], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xE0, 0x9F],
      [0xED, 0xA0], [0xF0, 0x8F], [0xF4, 0x90], [0xF5], [0xFF], [0xC3, 0x28], [0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func noCharacter(tail: [UInt8]) {
    var reading = Reading.raw()
    reading.read(Array("msg:caf".utf8) + tail)
    #expect(reading.wait == 50)
  }

  @Test("Rule 6: a character cut in two is whole if the rest comes within the wait")
  func cutCharacter() {
    var reading = Reading.raw()
    reading.read([0x6D, 0x73, 0x67, 0x3A, 0xF0, 0x9F])
    reading.read([0x98], after: 499)
    reading.read([0x80], after: 499)
    #expect(reading.wait == 50)
    reading.pass(50)
    #expect(reading.heard == ["msg:\u{1F600}"])
  }

  @Test("Rule 6: line mode waits exactly 1,000 ms, and stays line mode")
  func lineWait() {
    var reading = Reading.line()
    reading.read("msg:hi")
    #expect(reading.wait == 1_000)
    reading.pass(999)
    #expect(reading.heard.isEmpty)
    reading.pass(1)
    #expect(reading.heard == ["msg:hi"])
    #expect(reading.reader.mode == .line)
  }

  @Test(
    "Rule 6: line mode waits only after a read of more than 2 bytes",
    arguments: [("c", nil), ("cd", nil), ("cde", 1_000)] as [(String, Int?)])
  func lineWaitAfterLongRead(last: String, wait: Int?) {
    var reading = Reading.line()
    reading.read("msg:ab")
    reading.read(last, after: 10)
    #expect(reading.wait == wait)
  }

  @Test("Rule 6: line mode does not wait within a character either")
  func lineInsideCharacter() {
    var reading = Reading.line()
    reading.read(Array("msg:caf".utf8) + [0xC3])
    #expect(reading.wait == 1_000)
  }

  @Test(
    "Rule 6: line mode has no timer once a terminator has ended a msg",
    arguments: [
      "msg:x\n", "msg:\n", "MSG :x\r\n", "msg:\(letters(4_097))\n",
    ])
  func noLineWait(first: String) {
    var reading = Reading.line()
    reading.read(first)
    reading.read("msg:hi")
    #expect(reading.wait == nil)
    var chopped = Reading.line()
    for byte in first.utf8 { chopped.read([byte]) }
    chopped.read("msg:hi")
    #expect(chopped.wait == nil)
  }

  @Test(
    "Rule 6: other commands do not count for that",
    arguments: ["iam:Bob\n", "who:\n", "Bob: hi\n", "foo\n"])
  func stillLineWait(first: String) {
    var reading = Reading.line()
    reading.read(first)
    reading.read("msg:hi")
    #expect(reading.wait == 1_000)
  }

  @Test(
    "Rule 7: an unterminated iam ends where a verb begins inside it",
    arguments: [
      ("iam:Bobmsg:hi", ["iam:Bob", "msg:hi"]),
      ("iam:Bob msg : hi", ["iam:Bob", "msg:hi"]),
      ("iam:Bob:msg:hi", ["iam:Bob:", "msg:hi"]),
      ("iam:Liam:Alice", ["iam:L", "iam:Alice"]),
      ("iam:aiam:bmsg:ciam:d", ["iam:a", "iam:b", "msg:ciam:d"]),
      ("iam:Bobwho:", ["iam:Bobwho:"]),
      ("iam:Bob msg hi", ["iam:Bob msg hi"]),
      ("msg:aiam:b", ["msg:aiam:b"]),
      ("msg:amsg:b", ["msg:amsg:b"]),
      ("Bob: aiam:b", ["ownName:aiam:b"]),
    ])
  func cut(read: String, heard: [String]) {
    var byTimer = Reading.raw()
    byTimer.read(read)
    byTimer.pass(50)
    #expect(byTimer.heard == heard)

    var byEnd = Reading.raw()
    byEnd.read(read)
    byEnd.end()
    #expect(byEnd.heard == heard)

    var byNext = Reading.raw()
    byNext.read(read)
    byNext.read("msg:z", after: 1)
    #expect(byNext.heard == heard)
  }

  @Test("Rule 7: the timer of line mode cuts as well")
  func lineCut() {
    var reading = Reading.line()
    reading.read("iam:Robmsg:hi")
    reading.pass(1_000)
    #expect(reading.heard == ["iam:Rob", "msg:hi"])
  }

  @Test("Rule 7: a terminated iam is not cut")
  func endedIsWhole() {
    for start in [Reading.raw(), .line(), .undecided()] {
      var reading = start
      reading.read("iam:Liam:Alice\n")
      #expect(reading.heard == ["iam:Liam:Alice\n"])
    }
  }

  @Test(
    "The end of the stream runs what begins with a verb or the own name",
    arguments: [
      ("msg:hi", ["msg:hi"]), ("iam:Rob", ["iam:Rob"]), ("Bob: hi", ["ownName:hi"]),
      ("Bob :hi", ["ownName:hi"]), ("hello", []), ("who:", []), ("quit:", []), ("", []),
      ("msg:caf", ["msg:caf"]),
    ])
  func endOfStream(read: String, heard: [String]) {
    for start in [Reading.raw(), .line(), .undecided()] {
      var reading = start
      reading.read(read)
      reading.end()
      #expect(reading.heard == heard)
      #expect(reading.reader.bytesHeld == 0)
      #expect(reading.wait == nil)
    }
  }

  @Test("The end comes after all reads that were not pulled yet")
  func endAfterReads() {
    var reader = PlainReader()
    for read in ["iam:Bob", "msg:hi", "\nmsg:ho"] {
      Array(read.utf8).withUnsafeBytes { reader.received($0, at: .zero) }
    }
    reader.ended()
    var heard: [String] = []
    while let next = reader.next(as: "Bob") { heard.append(words(next)) }
    #expect(heard == ["iam:Bob", "msg:hi\n", "msg:ho"])
  }
}
