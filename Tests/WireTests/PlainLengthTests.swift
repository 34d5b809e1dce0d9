/// Framing rule 9: commands that are too long, in each mode, ended or not.

import Testing
import Wire

@Suite("Rule 9: 4,096 bytes after the colon")
struct PlainLengthTests {
  @Test("At the limit a command is run whole, in each mode, ended or not")
  func atLimit() {
    for verb in ["msg:", " MSG  :", "Bob:"] {
      for start in [Reading.raw(), .line(), .undecided()] {
        for end in ["", "\n"] {
          var reading = start
          reading.read("\(verb)\(letters(4_096))\(end)")
          reading.pass(1_000)
          let word = verb == "Bob:" ? "ownName" : "msg"
          #expect(reading.heard == ["\(word):\(letters(4_096))\(end)"])
        }
      }
    }
  }

  @Test("Above it a raw or undecided command that nothing ended is run cut, at once")
  func rawIsCut() {
    for start in [Reading.raw(), .undecided()] {
      var reading = start
      reading.read("msg:\(letters(4_097))")
      #expect(reading.heard == ["msg:\(letters(4_096))"])
      #expect(reading.reader.mode == .raw)
      #expect(reading.reader.bytesHeld == 0)
    }
  }

  @Test("It is cut between characters")
  func cutBetweenCharacters() {
    var reading = Reading.raw()
    reading.read("msg:" + letters(4_095) + "\u{E9}")
    #expect(reading.heard == ["msg:\(letters(4_095))"])
  }

  @Test(
    "No cut goes through a character, and none loses more than it must",
    arguments: [
      ("ab", 1, 1), ("ab", 2, 2), ("a\u{E9}", 2, 1), ("a\u{20AC}", 2, 1), ("a\u{20AC}", 3, 1),
      ("a\u{1F600}", 4, 1), ("a\u{1F600}", 5, 5), ("\u{E9}\u{E9}", 3, 2),
    ])
  func cuts(text: String, most: Int, kept: Int) {
    let bytes = Array(text.utf8)
    #expect(plainCut(bytes.span, bytesMax: most) == kept)
  }

  @Test("Bytes that are no character are cut at the limit itself")
  func cutsNoCharacter() {
    let bytes = [UInt8](repeating: 0x80, count: 10)
    #expect(plainCut(bytes.span, bytesMax: 6) == 6)
  }

  @Test("What follows a cut command is dropped up to a quiet moment of exactly 50 ms")
  func dropsUntilQuiet() {
    var reading = Reading.raw()
    reading.read("msg:\(letters(5_000))")
    reading.read("msg:lost", after: 49)
    reading.read("msg:lost", after: 49)
    #expect(reading.wait == 50)
    reading.read("msg:hi", after: 50)
    reading.pass(50)
    #expect(reading.heard == ["msg:\(letters(4_096))", "msg:hi"])
  }

  @Test("Or up to the next terminator")
  func dropsUntilTerminator() {
    var reading = Reading.raw()
    reading.read("msg:\(letters(5_000))")
    reading.read("lost\r\nmsg:hi\n", after: 10)
    #expect(reading.heard == ["msg:\(letters(4_096))", "msg:hi\n"])
  }

  @Test("A raw message of many lines is one command, and is measured as one")
  func manyLines() {
    var reading = Reading.raw()
    reading.read("msg:\(letters(3_000))\n\(letters(3_000))")
    #expect(reading.heard == ["msg:\(letters(3_000)) \(letters(1_095))"])
  }

  @Test("A raw command that a terminator ended is run cut, and nothing after it is dropped")
  func rawEnded() {
    var reading = Reading.raw()
    reading.read("msg:\(letters(5_000))\nmsg:hi\n")
    #expect(reading.heard == ["msg:\(letters(4_096))\n", "msg:hi\n"])
  }

  @Test("Rule 4 runs first: an undecided command that was ended is measured by line mode")
  func undecidedEnded() {
    var reading = Reading()
    reading.read("msg:\(letters(4_097))\nmsg:hi\n")
    #expect(reading.heard == ["too long", "msg:hi\n"])
    #expect(reading.reader.mode == .line)
  }

  @Test("In line mode nothing of it is run, it is said once, and its end is waited for")
  func line() {
    var reading = Reading.line()
    reading.read("msg:\(letters(4_097))")
    #expect(reading.heard == ["too long"])
    #expect(reading.wait == nil)
    reading.read("msg:lost", after: 10_000)
    reading.read("lost\nmsg:hi\n", after: 10_000)
    #expect(reading.heard == ["too long", "msg:hi\n"])
  }

  @Test("In line mode an ended one costs nothing that follows")
  func lineEnded() {
    var reading = Reading.line()
    reading.read("msg:\(letters(9_000))\nmsg:hi\n")
    #expect(reading.heard == ["too long", "msg:hi\n"])
  }

  @Test("What has no verb is measured whole, blanks in front left out")
  func withoutVerb() {
    for (count, heard) in [(4_096, "?"), (4_097, "too long")] {
      var whole = Reading.line()
      whole.read("   " + letters(count) + "\n")
      #expect(whole.heard == [heard])
      var chopped = Reading.line()
      for _ in 0..<3 { chopped.read(" ") }
      chopped.read(letters(count))
      chopped.read("\n")
      #expect(chopped.heard == [heard])
    }
  }

  @Test("Commands in one read are measured one by one")
  func oneByOne() {
    var reading = Reading.raw()
    reading.read("iam:\(letters(4_000))msg:\(letters(4_000))")
    reading.pass(50)
    #expect(reading.heard == ["iam:\(letters(4_000))", "msg:\(letters(4_000))"])

    var ended = Reading.line()
    ended.read("msg:\(letters(4_000))\nmsg:\(letters(4_000))\n")
    #expect(ended.heard == ["msg:\(letters(4_000))\n", "msg:\(letters(4_000))\n"])
  }

  @Test("One of several that is too long is cut alone")
  func oneOfSeveral() {
    var reading = Reading.raw()
    reading.read("iam:Robmsg:\(letters(5_000))")
    #expect(reading.heard == ["iam:Rob", "msg:\(letters(4_096))"])
    #expect(reading.reader.bytesHeld == 0)
  }

  @Test("The end of the stream runs nothing of what was dropped")
  func endWhileDropping() {
    for start in [Reading.raw(), .line()] {
      var reading = start
      reading.read("msg:\(letters(5_000))")
      let before = reading.heard
      reading.read("msg:lost")
      reading.end()
      #expect(reading.heard == before)
      #expect(reading.reader.bytesHeld == 0)
    }
  }

  @Test("However much comes, little is held", arguments: ["msg:", "", "who:", "Bob:", "iam:"])
  func held(start: String) {
    for mode in [Reading.raw(), .line(), .undecided()] {
      var reading = mode
      reading.read(start)
      for _ in 0..<100 {
        reading.read(letters(1_000))
        #expect(reading.reader.bytesHeld <= 3 * PlainReader.argumentBytesMax)
      }
    }
  }
}
