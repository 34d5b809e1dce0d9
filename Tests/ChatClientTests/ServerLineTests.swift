/// What the lines of a server mean, and what of them may reach a terminal. No sockets.

import ChatModel
import Testing

@testable import ChatClient

@Suite struct ServerLineTests {
  @Test(arguments: [
    ("ann: hello", ServerLine.said(from: "ann", text: "hello")),
    ("ann: b: c", .said(from: "ann", text: "b: c")),
    ("ann: bob has joined", .said(from: "ann", text: "bob has joined")),
    ("a b: * pong x", .said(from: "a b", text: "* pong x")),
    ("ann (private): psst", .saidPrivately(from: "ann", text: "psst")),
    ("ann (private to bob): psst", .saidPrivately(from: "ann", text: "psst", to: "bob")),
    ("ann: (private): psst", .said(from: "ann", text: "(private): psst")),
    ("ann has joined", .joined("ann")),
    ("ann has left", .left("ann")),
    ("* 3 here", .notice("3 here")),
    ("* pong", .pong("")),
    ("* pong beck-1", .pong("beck-1")),
    ("* pongo: x", .notice("pongo: x")),
    ("! ann is taken", .refusal("ann is taken")),
    ("[2026-11-30 02:10 #44] ann: hi", .other("[2026-11-30 02:10 #44] ann: hi")),
    ("ann:hi", .other("ann:hi")),
    (": hi", .other(": hi")),
    (" has joined", .other(" has joined")),
    ("hello", .other("hello")),
    ("*", .other("*")),
    ("!no", .other("!no")),
    // A combining mark clings to what stands before it; the bytes count, not the characters.
    ("! \u{0301}x", .refusal("\u{0301}x")),
    ("ann: \u{0301}x", .said(from: "ann", text: "\u{0301}x")),
  ])
  func aLineMeans(line: String, meaning: ServerLine) {
    #expect(ServerLine(line) == meaning)
    #expect(ServerLine(line).text == line)
  }

  @Test(arguments: [
    ("plain", "plain"),
    ("a\tb", "a\tb"),
    ("red \u{1B}[31mred\u{1B}[0m", "red [31mred[0m"),
    ("bell\u{07} back\u{08} null\0 del\u{7F}", "bell back null del"),
    ("a\rb\nc\u{0B}d\u{0C}e", "abcde"),
    ("c1 \u{9B}31m \u{85}\u{90}", "c1 31m "),
    ("turned \u{202E}txet\u{202C} \u{2066}x\u{2069}\u{200F}\u{200E}\u{061C}", "turned txet x"),
    ("two\u{2028}lines\u{2029}here", "two lines here"),
    ("grüße ☕ 👩‍👩‍👧 שלום", "grüße ☕ 👩‍👩‍👧 שלום"),
  ])
  func noControlReachesTheScreen(line: String, shown: String) {
    #expect(ScreenText.guarded(line.utf8) == shown)
    #expect(ServerLine(line).text == shown)
  }

  @Test func everyControlByteIsDroppedWhereverItStands() {
    for byte in UInt8.min...0x9F where byte != 0x09 && !(0x20...0x7E).contains(byte) {
      let scalar = Character(Unicode.Scalar(byte))
      #expect(ScreenText.guarded("a\(scalar)b") == "ab")
    }
  }

  @Test(arguments: [
    ("a\r\nb\u{85}\u{2028}c\0d", "a b c d"), ("\u{B}\u{C}", " "), ("a\u{1B}[2J\u{202E}b", "a[2Jb"),
    ("plain", "plain"), ("", ""),
  ])
  func aTextOfSeveralLinesIsShownInOne(text: String, shown: String) {
    #expect(ScreenText.oneLine(text) == shown)
  }

  @Test func aTextIsQuotedByItsBeginning() throws {
    let forty = String(repeating: "x", count: 40)
    #expect(ScreenText.quoted(try #require(MessageText(forty))) == "\"\(forty)\"")
    #expect(ScreenText.quoted(try #require(MessageText(forty + "y"))) == "\"\(forty)…\"")
  }

  @Test func whatWasSaidBeforeBearsItsTimeAndNumber() throws {
    let line = ServerLine.replayed(
      from: "bob", text: "hi", seq: 44, at: Moment(milliseconds: 1_796_004_600_000))
    // The minute depends on this machine's time zone.
    #expect(line.text.wholeMatch(of: /\[2026-1[12]-\d\d \d\d:\d\d #44\] bob: hi/) != nil)
  }

  @Test func whatElseWasOfBeforeBearsThemToo() throws {
    let line = ServerLine.past("bob (deleted)", seq: 44, at: Moment(milliseconds: 0))
    #expect(line.text.wholeMatch(of: /\[\d{4}-\d\d-\d\d \d\d:\d\d #44\] bob \(deleted\)/) != nil)
  }

  @Test func invalidBytesAreMarked() {
    #expect(ScreenText.guarded([0x61, 0xFF, 0x62, 0xC3]) == "a\u{FFFD}b\u{FFFD}")
  }
}

@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("localhost", "localhost", 12_345, "localhost:12345"),
    ("chat.example.org:80", "chat.example.org", 80, "chat.example.org:80"),
    ("127.0.0.1:1", "127.0.0.1", 1, "127.0.0.1:1"),
    ("::1", "::1", 12_345, "[::1]:12345"),
    ("[::1]", "::1", 12_345, "[::1]:12345"),
    ("[::1]:65535", "::1", 65_535, "[::1]:65535"),
    ("fe80::1%eth0", "fe80::1%eth0", 12_345, "[fe80::1%eth0]:12345"),
  ])
  func anAddressIsRead(text: String, host: String, port: Int, shown: String) throws {
    let address = try #require(ServerAddress(text))
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.description == shown)
  }

  @Test func aPathIsRead() throws {
    let address = try #require(ServerAddress("unix:/run/b:1.sock"))
    #expect(address.path == "/run/b:1.sock")
    #expect(address.description == "unix:/run/b:1.sock")
    #expect(ServerAddress("unix:" + String(repeating: "p", count: 108)) == nil)
  }

  @Test(arguments: [
    "", "unix:", ":1", "host:", "host:0", "host:65536", "host:+1", "host:x", "host:1 ", "a b",
    "[::1", "[::1]1", "[::1]:", "[host]:1", "::1]", "http://host", "host:99999999999999999999",
  ])
  func whatIsNoAddressIsRefused(text: String) {
    #expect(ServerAddress(text) == nil)
  }

  @Test(arguments: [
    ("localhost", true), ("LOCALHOST:1", true), ("127.0.0.1", true), ("127.9.9.9:1", true),
    ("::1", true), ("unix:/run/b", true), ("127.example.org", false), ("chat.example.org", false),
    ("10.0.0.1", false), ("127.0.0.1.example.org", false), ("127.0.0.999", false), ("::2", false),
  ])
  func aNetworkIsKnown(text: String, isHere: Bool) throws {
    #expect(try #require(ServerAddress(text)).isThisMachine == isHere)
  }
}
