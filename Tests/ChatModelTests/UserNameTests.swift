/// The rules for names, one by one: what is shown, what is equal, what is refused and why.

import ChatModel
import Testing

@Suite("User names")
struct UserNameTests {
  @Test(
    "A name is shown as sent, after trimming",
    arguments: [
      ("Bob", "Bob"), ("  Bob\t", "Bob"), ("\u{A0}Bob\u{2003}", "Bob"),
      ("J\u{FC}rgen", "J\u{FC}rgen"),
      ("Ann  Lee", "Ann  Lee"), ("\u{FF22}ob", "\u{FF22}ob"), ("\u{1F600}", "\u{1F600}"),
      ("\u{1F600}\u{FE0F}", "\u{1F600}\u{FE0F}"), ("e\u{301}", "e\u{301}"), ("7", "7"),
      ("\u{738B}\u{5C0F}\u{660E}", "\u{738B}\u{5C0F}\u{660E}"),
      ("\u{645}\u{631}", "\u{645}\u{631}"),
    ])
  func shown(sent: String, shown: String) throws {
    let name = try UserName(sent)
    #expect(Array(name.shown.utf8) == Array(shown.utf8))
  }

  @Test(
    "Names are equal as NFKC with case folded and inner blanks collapsed",
    arguments: [
      ("Bob", "bOB"), ("Stra\u{DF}e", "STRASSE"), ("\u{E9}", "e\u{301}"), ("\u{C9}", "e\u{301}"),
      ("\u{FF22}ob", "bob"), ("\u{FB01}sh", "FISH"), ("Ann  Lee", "ann lee"),
      ("Ann\u{A0}Lee", "ann \u{3000}lee"), ("\u{3A3}\u{3AF}\u{3C3}", "\u{3C3}\u{3AF}\u{3C2}"),
      ("\u{2460}", "1"), ("\u{130}x", "i\u{307}X"), ("\u{1F600}\u{FE0F}", "\u{1F600}"),
      ("\u{212B}ngstr\u{F6}m", "\u{E5}NGSTR\u{D6}M"),
      ("\u{410}\u{43D}\u{43D}\u{430}", "\u{430}\u{41D}\u{41D}\u{410}"),
    ])
  func equal(one: String, other: String) throws {
    #expect(try UserName(one) == UserName(other))
    #expect(try UserName(one).hashValue == UserName(other).hashValue)
  }

  @Test(
    "Names that only resemble each other are not equal",
    arguments: [("Bob", "Rob"), ("Bob", "B0b"), ("Ann Lee", "AnnLee"), ("e", "\u{E9}")])
  func different(one: String, other: String) throws {
    #expect(try UserName(one) != UserName(other))
  }

  @Test(
    "A name is at most 64 bytes of UTF-8 after trimming; longer it is refused, never cut",
    arguments: ["a", "\u{E9}", "\u{20AC}", "\u{1F600}"])
  func length(unit: String) throws {
    let size = unit.utf8.count
    let most = String(repeating: unit, count: 64 / size) + String(repeating: "b", count: 64 % size)
    let longest = try UserName("  \(most)  ")
    #expect(longest.shown.utf8.count == 64)
    #expect(throws: NameProblem.tooLong(limit: 64)) { try UserName(most + "b") }
  }

  @Test("A name cannot be empty", arguments: ["", " ", "\t \u{A0}\u{3000}", "\u{FE0F}"])
  func empty(sent: String) {
    #expect(throws: NameProblem.empty) { try UserName(sent) }
  }

  @Test(
    "No control character stands in a name",
    arguments: [0, 7, 9, 0x0A, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0x2028, 0x2029]
      as [UInt32])
  func control(value: UInt32) throws {
    let character = try #require(Unicode.Scalar(value))
    #expect(throws: NameProblem.control) { try UserName("B\(character)b") }
  }

  @Test(
    "Nor one that turns the direction of writing",
    arguments: [
      0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068,
      0x2069,
    ] as [UInt32])
  func bidirectional(value: UInt32) throws {
    let character = try #require(Unicode.Scalar(value))
    #expect(throws: NameProblem.bidirectional) { try UserName("B\(character)b") }
    #expect(throws: NameProblem.bidirectional) { try UserName("\(character)Bob") }
  }

  @Test(
    "Nor one that shows nothing",
    arguments: [
      0xAD, 0x034F, 0x115F, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2064, 0x2800, 0x3164, 0xFEFF,
      0xFFA0, 0xE0001, 0xE0100,
    ] as [UInt32])
  func zeroWidth(value: UInt32) throws {
    let character = try #require(Unicode.Scalar(value))
    #expect(throws: NameProblem.zeroWidth) { try UserName("B\(character)b") }
  }

  @Test(
    "No colon or bracket stands in a name, wide or narrow",
    arguments: [
      ("B:b", ":"), ("B(b", "("), ("Bob)", ")"), ("B\u{FF1A}b", ":"), ("B\u{FF08}b", "("),
      ("Bob\u{FE5A}", ")"), ("Bob (private)", "("),
    ] as [(String, Character)])
  func punctuation(sent: String, character: Character) {
    #expect(throws: NameProblem.punctuation(character)) { try UserName(sent) }
  }

  @Test(
    "No name begins like a notice, a refusal, a room or a mark of rank",
    arguments: ["*", "!", "[", "(", "#", "@", "+", "{", "<"] as [Character])
  func beginning(character: Character) throws {
    #expect(throws: NameProblem.beginning(character)) { try UserName("\(character)Bob") }
    #expect(throws: NameProblem.beginning(character)) { try UserName("  \(character)") }
    let wide = try #require(Unicode.Scalar(0xFEE0 + UInt32(character.asciiValue ?? 0)))
    #expect(throws: NameProblem.beginning(character)) { try UserName("\(wide)Bob") }
    if character != "(" { #expect(try UserName("B\(character)b").shown == "B\(character)b") }
  }

  @Test(
    "No name ends like a notice of coming or going",
    arguments: [
      ("Eve has joined", "has joined"), ("Eve HAS  JOINED ", "has joined"),
      ("Eve\u{A0}has left", "has left"), ("x has \u{FF4C}eft", "has left"),
      // U+0D4E joins what follows it into one character.
      ("x\u{0D4E} has joined", "has joined"),
    ])
  func ending(sent: String, words: String) {
    #expect(throws: NameProblem.ending(words)) { try UserName(sent) }
  }

  @Test(
    "Such words elsewhere are fine", arguments: ["has joined", "Eve has joined us", "whas left"])
  func noEnding(sent: String) throws {
    #expect(try UserName(sent).shown == sent)
  }

  @Test(
    "No command word is a name, in any case or width",
    arguments: [
      "iam", "msg", "join", "leave", "rooms", "who", "to", "history", "since", "topic", "ping",
      "help", "quit",
    ])
  func commandWord(word: String) throws {
    for sent in [word, word.uppercased(), " \(word) "] {
      #expect(throws: NameProblem.commandWord(word)) { try UserName(sent) }
    }
    #expect(throws: NameProblem.commandWord("msg")) { try UserName("\u{FF4D}sg") }
    #expect(try UserName(word + "s x").shown == word + "s x")
  }

  @Test(
    "No name mixes two of Latin, Greek and Cyrillic",
    arguments: [
      "B\u{43E}b", "\u{391}nn", "\u{3B1}\u{430}", "a\u{1D2B}", "Bob \u{416}", "\u{B5}m",
      "\u{FF22}\u{43E}b", "\u{1E9E}\u{3C9}", "x\u{2126}",
    ])
  func mixed(sent: String) {
    #expect(throws: NameProblem.mixedAlphabets) { try UserName(sent) }
  }

  @Test(
    "Digits, marks and other scripts mix with any of them",
    arguments: [
      "Bob 7", "\u{416}-7!", "\u{3A9} 1\u{301}", "Bob \u{738B}", "Bob \u{1F600}", "\u{5D0}b",
      "\u{43E}\u{301}_7",
    ])
  func unmixed(sent: String) throws {
    #expect(try UserName(sent).shown == sent)
  }
}
