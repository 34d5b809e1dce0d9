/// Every event as lines, to line mode and to raw clients.

import ChatModel
import Dialects
import Testing

private func name(_ shown: String) -> UserName {
  guard let name = try? UserName(shown) else { preconditionFailure("\(shown) is no name") }
  return name
}

private func text(_ string: String) -> MessageText {
  guard let text = MessageText(string) else { preconditionFailure("no text") }
  return text
}

@Suite("Events as lines")
struct PlainEncoderTests {
  struct Row: CustomTestStringConvertible {
    var event: Event
    var line: [String]
    var raw: [String]
    var testDescription: String { "\(event)" }

    init(_ event: Event, _ line: String, raw: [String]? = nil) {
      (self.event, self.line, self.raw) = (event, [line], raw ?? [line])
    }
  }

  static let rows: [Row] = [
    Row(.joined(name("Bob"), members: 2), "Bob has joined"),
    Row(.left(name("Bob"), members: 1), "Bob has left"),
    Row(
      .membersChanged(joined: 12, left: 3, members: 1_003), "* 12 joined, 3 left, 1,003 here",
      raw: []),
    Row(.membersChanged(joined: 0, left: 1_200, members: 65), "* 1,200 left, 65 here", raw: []),
    Row(.membersChanged(joined: 1, left: 0, members: 65), "* 1 joined, 65 here", raw: []),
    Row(.said(name("Bob"), text("hi")), "Bob: hi"),
    Row(.said(name("Bob"), text("a: b\tc")), "Bob: a: b\tc"),
    Row(.members([name("Ann"), name("Bob")], count: 2), "* 2 here: Ann, Bob"),
    Row(
      .members([name("Ann"), name("Bob")], count: 1_002), "* 1,002 here: Ann, Bob and 1,000 more"),
    Row(.members([], count: 0), "* 0 here"),
    Row(.pong(""), "* pong"),
    Row(.pong("x"), "* pong x"),
    Row(.refused(.notLoggedIn), "! log in first: type iam:NAME", raw: []),
    Row(.refused(.unknownCommand), "! type msg:TEXT to speak, help: for more", raw: []),
    Row(.refused(.tooLong(limit: 4_096)), "! line too long (at most 4,096 bytes)"),
    Row(.refused(.nameTaken(name("Bob"))), "! Bob is taken; log in with another name: iam:NAME"),
    Row(
      .refused(.notYet(command: "join")), "! join: is not yet possible here; help: shows what is"),
    Row(
      .refused(.badName(.tooLong(limit: 64))),
      "! the name is too long (at most 64 bytes); log in with iam:NAME"),
    Row(.skipped(lines: 1_234), "* 1234 lines skipped"),
    Row(.closing(.quit), "* goodbye"),
    Row(.closing(.shutdown), "* the server is closing; connect again in a moment", raw: []),
    Row(
      .closing(.silent),
      "* your name was asked for and this connection seemed dead; connect again", raw: []),
    Row(
      .closing(.crowded),
      "! too many are connected without a name; connect again and log in at once"),
    Row(
      .closing(.tooManyFromAddress(limit: 64)),
      "! more than 64 connections from your address; close one and connect again"),
  ]

  @Test("Each event reads so", arguments: rows)
  func reads(row: Row) {
    #expect(encoded(row.event, .line) == row.line)
    #expect(encoded(row.event, .raw) == row.raw)
  }

  @Test(
    "Each reason against a name is one line that says how to go on, to both",
    arguments: [
      .empty, .tooLong(limit: 64), .control, .bidirectional, .zeroWidth, .punctuation(":"),
      .beginning("*"), .ending("has joined"), .commandWord("msg"), .mixedAlphabets,
    ] as [NameProblem])
  func badNames(problem: NameProblem) throws {
    for form in [PlainForm.line, .raw] {
      let lines = encoded(.refused(.badName(problem)), form)
      #expect(lines.count == 1)
      let line = try #require(lines.first)
      #expect(line.hasPrefix("! "))
      #expect(line.hasSuffix("; log in with iam:NAME"))
    }
  }

  @Test("The help page is notices, the same to both")
  func help() {
    let lines = encoded(.help, .line)
    #expect(lines.count > 5)
    #expect(lines.allSatisfy { $0.hasPrefix("* ") })
    #expect(encoded(.help, .raw) == lines)
    for word in ["iam:", "msg:", "who:", "ping:", "help:", "quit:"] {
      #expect(lines.contains { $0.contains(word) })
    }
  }

  @Test("Events are appended, each with its end")
  func appends() {
    var bytes = Array("x\n".utf8)
    for form in [PlainForm.line, .raw] {
      PlainEncoder.encode(.said(name("Bob"), text("hi")), for: form, into: &bytes)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "x\nBob: hi\nBob: hi\n")
  }

  /// "Bob: " and LF leave 994 bytes.
  @Test(
    "To raw clients a line has at most 1,000 bytes; a longer one comes in parts with the name",
    arguments: [(994, 1), (995, 2), (1_988, 2), (1_989, 3), (4_096, 5)])
  func parts(count: Int, lines: Int) {
    let said = String(repeating: "a", count: count)
    #expect(encoded(.said(name("Bob"), text(said)), .line) == ["Bob: \(said)"])
    let raw = encoded(.said(name("Bob"), text(said)), .raw)
    #expect(raw.count == lines)
    #expect(raw.allSatisfy { $0.hasPrefix("Bob: ") && $0.utf8.count < 1_000 })
    #expect(raw.map { $0.dropFirst(5) }.joined() == said)
  }

  @Test(
    "Parts are cut between characters",
    arguments: ["\u{E9}", "\u{20AC}", "\u{1F600}", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}"])
  func partsOfCharacters(unit: String) {
    let said = String(repeating: unit, count: 4_000 / unit.utf8.count)
    let raw = encoded(.said(name("Bob"), text(said)), .raw).map { String($0.dropFirst(5)) }
    #expect(raw.joined() == said)
    #expect(raw.allSatisfy { $0.count == $0.utf8.count / unit.utf8.count })
  }

  @Test("A letter under more marks than a line holds is cut among them")
  func hugeCharacter() {
    let said = "a" + String(repeating: "\u{301}", count: 2_000)
    let raw = encoded(.said(name("Bob"), text(said)), .raw)
    #expect(raw.allSatisfy { $0.utf8.count < 1_000 && $0.utf8.count > 5 })
    #expect(raw.flatMap { $0.utf8.dropFirst(5) } == Array(said.utf8))
  }

  @Test("Many names fit one raw line")
  func manyNames() throws {
    let names = (0..<50).map { name("\($0)" + String(repeating: "n", count: 60)) }
    #expect(encoded(.members(names, count: 50), .line).count == 1)
    let raw = encoded(.members(names, count: 50), .raw)
    #expect(raw.count == 1)
    let line = try #require(raw.first)
    #expect(line.utf8.count < 1_000)
    #expect(line.hasPrefix("* 50 here: 0n"))
    #expect(line.hasSuffix(" more"))
  }
}
