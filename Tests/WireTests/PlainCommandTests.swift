/// Framing rule 8: verbs, the first colon, trimming, decoding, the own name.

import Testing
import Wire

@Suite("Rule 8: what a command is")
struct PlainCommandTests {
  static let verbs = PlainVerb.allCases.filter { $0 != .ownName }

  @Test("Each verb is known in any case, with blanks around it", arguments: verbs)
  func anyCase(verb: PlainVerb) {
    let word = "\(verb)"
    let upper = word.uppercased()
    let mixed = "\(upper.prefix(1))\(word.dropFirst())"
    for spelled in [word, upper, mixed, "  \(word)", "\t\(word) \t "] {
      var reading = Reading.line()
      reading.read("\(spelled):x\n")
      #expect(reading.heard == ["\(word):x\n"])
    }
  }

  @Test(
    "What only looks like a verb is unknown",
    arguments: [
      "msgs:x", "xmsg:x", "ms g:x", "msg", "msg;x", "historyy:x", "m\u{FF53}g:x", "\u{1}msg:x",
      "iamm:x", "-msg:x", "msg" + String(repeating: " ", count: 65) + ":x",
    ])
  func noVerb(line: String) {
    var reading = Reading.line()
    reading.read("\(line)\n")
    #expect(reading.heard == ["?"])
  }

  @Test("Up to 64 blanks stand between a verb and its colon")
  func innerBlanks() {
    var reading = Reading.line()
    reading.read("msg" + String(repeating: " ", count: 63) + ":x\n")
    #expect(reading.heard == ["msg:x\n"])
  }

  @Test("Only iam, msg and the own name are commands where no terminator ended them")
  func unterminated() {
    for verb in Self.verbs {
      var reading = Reading.raw()
      reading.read("\(verb):x")
      reading.pass(50)
      reading.read("msg:z")
      #expect(reading.heard == [verb == .iam || verb == .msg ? "\(verb):x" : "?"])
    }
  }

  @Test(
    "The argument begins at the first colon, trimmed of blanks and control characters",
    arguments: [
      ("msg:a:b::c", "a:b::c"), ("msg::a", ":a"), ("msg: \t a b \t ", "a b"),
      ("msg:\u{1}\u{1B}a\u{7F}", "a"), ("msg:\u{A0}a\u{85}\u{2003}", "a"),
      ("msg:\u{3000}\u{2028}", ""), ("msg:", ""), ("msg:   ", ""), ("msg:a\tb", "a\tb"),
      ("msg:\u{E9}", "\u{E9}"), ("msg:\u{200B}", "\u{200B}"),
    ])
  func argument(line: String, argument: String) {
    var reading = Reading.line()
    reading.read("\(line)\n")
    #expect(reading.heard == ["msg:\(argument)\n"])
  }

  @Test(
    "What is no UTF-8 becomes U+FFFD",
    arguments: [
      ([0x63, 0xE9, 0x20, 0xFF, 0x21], "c\u{FFFD} \u{FFFD}!"), ([0xC3], "\u{FFFD}"),
      ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xE2, 0x82, 0x61], "\u{FFFD}a"),
      ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"),
    ] as [([UInt8], String)])
  func decoding(bytes: [UInt8], text: String) {
    var reading = Reading.line()
    reading.read(Array("msg:".utf8) + bytes + [0x0A])
    #expect(reading.heard == ["msg:\(text)\n"])
  }

  @Test(
    "The own name and a colon in front make a message",
    arguments: [
      ("Bob: hi", "ownName:hi\n"), ("Bob :hi", "ownName:hi\n"), ("  Bob:hi", "ownName:hi\n"),
      ("BOB: hi", "ownName:hi\n"), ("Bob:", "ownName:\n"), ("Bob\t:hi", "ownName:hi\n"),
      ("Bob  :hi", "?"), ("Bobby: hi", "?"), ("Rob: hi", "?"), ("Bob hi", "?"), ("Bob", "?"),
    ])
  func ownName(line: String, heard: String) {
    var reading = Reading.line()
    reading.read("\(line)\n")
    #expect(reading.heard == [heard])
  }

  @Test("A name with blanks and letters of any script is known in front of a text")
  func wideOwnName() {
    var reading = Reading.raw(as: "J\u{FC}rgen der 1.")
    reading.read("J\u{FC}rgen der 1. : hi")
    reading.pass(50)
    #expect(reading.heard == ["ownName:hi"])
  }

  @Test("A name that a read changes counts for what follows in that read")
  func nameWithinRead() {
    var reading = Reading()
    reading.followsLogins = true
    reading.read("iam:Bob\nBob: hi\niam:Rob\nBob: ho\nRob: he\n")
    #expect(reading.heard == ["iam:Bob\n", "ownName:hi\n", "iam:Rob\n", "?", "ownName:he\n"])
  }
}
