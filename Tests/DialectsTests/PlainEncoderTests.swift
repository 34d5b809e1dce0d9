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

private func room(_ string: String) -> RoomName {
  guard let room = RoomName(string) else { preconditionFailure("\(string) is no room") }
  return room
}

@Suite("Events and answers as plain lines")
struct PlainEncoderTests {
  struct Row: CustomTestStringConvertible {
    var told: String
    var line: [String]
    var raw: [String]
    var shown: [Form: [String]]
    var testDescription: String { told }

    init(_ event: Event, _ line: String?, raw: [String]? = nil) {
      told = "\(event)"
      shown = [.line: encoded(event, .line), .raw: encoded(event, .raw)]
      self.line = line.map { [$0] } ?? []
      self.raw = raw ?? self.line
    }

    init(_ answer: Answer, _ line: String?, raw: [String]? = nil) {
      told = "\(answer)"
      shown = [.line: encoded(answer, .line), .raw: encoded(answer, .raw)]
      self.line = line.map { [$0] } ?? []
      self.raw = raw ?? self.line
    }
  }

  private static let tea = room("tea")

  static let events: [Row] = [
    Row(.joined(.lobby, name("Bob"), members: 2), "Bob has joined"),
    Row(.left(.lobby, name("Bob"), members: 1), "Bob has left"),
    Row(
      .membersChanged(.lobby, joined: 12, left: 3, members: 1_003),
      "* 12 joined, 3 left, 1,003 here", raw: []),
    Row(
      .membersChanged(.lobby, joined: 0, left: 1_200, members: 65), "* 1,200 left, 65 here",
      raw: []),
    Row(
      .membersChanged(.lobby, joined: 1, left: 0, members: 65), "* 1 joined, 65 here", raw: []),
    Row(said(name("Bob"), text("hi")), "Bob: hi"),
    Row(said(name("Bob"), text("a: b\tc")), "Bob: a: b\tc"),
    Row(.catchingUp(.room(tea)), "* catching up", raw: []),
    Row(.caughtUp(.room(tea), seq: 4), "* live again", raw: []),
    Row(.gap(.room(tea), 3...40), "* #3 to #40 are not kept any more", raw: []),
    Row(.gap(.room(tea), 3...3), "* #3 is not kept any more", raw: []),
    Row(.skipped(lines: 1_234), "* 1234 lines skipped"),
    Row(.notice("messages\u{85}are kept for good"), "* messages are kept for good", raw: []),
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

  static let answers: [Row] = [
    Row(.loggedIn(name("Bob"), token: "t"), nil),
    Row(.sent(.room(tea), seq: 4, at: Moment(milliseconds: 0), .stored), nil),
    Row(.quit, nil),
    Row(.joined(.room(tea), seq: 44, members: 1_003), "* you are in tea: 1,003 here, newest #44"),
    Row(.joined(.room(tea), seq: 0, members: 1), "* you are in tea: 1 here, nothing said yet"),
    Row(.left(tea), "* you have left tea; join:ROOM enters a room"),
    Row(
      .members(.lobby, [Member(name("Ann")), Member(name("Bob"), role: .owner)], count: 2),
      "* 2 here: Ann, Bob (owner)"),
    Row(
      .members(.lobby, [Member(name("Ann")), Member(name("Bob"), role: .owner)], count: 1_002),
      "* 1,002 here: Ann, Bob (owner) and 1,000 more"),
    Row(.members(.lobby, [], count: 0), "* 0 here"),
    Row(.rooms([], count: 0), "* join:ROOM enters a room, or makes one"),
    Row(.pong(""), "* pong"),
    Row(.pong("x"), "* pong x"),
  ]

  static let refusals: [Row] = [
    Row(.refused(.notLoggedIn), "! log in first: type iam:NAME", raw: []),
    Row(.refused(.unknownCommand), "! type msg:TEXT to speak, help: for more", raw: []),
    Row(.refused(.tooLong(limit: 4_096)), "! line too long (at most 4,096 bytes)"),
    Row(.refused(.nameTaken(name("Bob"))), "! Bob is taken; log in with another name: iam:NAME"),
    Row(
      .refused(.badName(.tooLong(limit: 64))),
      "! the name is too long (at most 64 bytes); log in with iam:NAME"),
    Row(.refused(.badToken), "! that token is not valid here; log in with iam:NAME"),
    Row(
      .refused(.badRoom),
      "! a room's name is 1 to 64 of the letters a to z, digits, _, - and .; join:ROOM enters one"
    ),
    Row(.refused(.noSuchRoom(tea)), "! there is no room tea; rooms: shows those there are"),
    Row(.refused(.notMember(tea)), "! you are not in tea; join:tea enters it"),
    Row(
      .refused(.keyReused),
      "! this key was given to another message of yours; a new message needs a new key"),
    Row(.refused(.inNoRoom), "! you are in no room; join:lobby enters the first"),
    Row(
      .refused(.tooManyRooms(limit: 100)),
      "! you are in 100 rooms, which is the most; leave one first"),
    Row(.refused(.rateLimited(retryAfter: .milliseconds(1))), "! too fast; try again in 1 s"),
    Row(.refused(.rateLimited(retryAfter: .milliseconds(1_001))), "! too fast; try again in 2 s"),
    Row(
      .refused(.notStored(reason: .diskFull)),
      "! not sent, the server's disk is full; say it again later"),
    Row(
      .refused(.notStored(reason: .failed)),
      "! not sent, the server could not keep it; say it again"),
    Row(
      .refused(.notStored(reason: .busy)),
      "! not sent, the server has too much to keep; say it again in a moment"),
    Row(.refused(.notRead), "! the history cannot be read just now; ask again"),
    Row(
      .refused(.noRoomForRooms(limit: 100_000)),
      "! the server has 100,000 rooms, which is the most; join one that is there"),
    Row(.refused(.badRequest("do so")), "! do so"),
  ]

  @Test("Each event, answer and refusal reads so", arguments: events + answers + refusals)
  func reads(row: Row) {
    #expect(row.shown[.line] == row.line)
    #expect(row.shown[.raw] == row.raw)
  }

  @Test("Rooms are listed one a line, to both")
  func rooms() {
    let rooms = [
      RoomState(place: .room(.lobby), members: 3, seq: 44),
      RoomState(place: .room(room("tea")), members: 0, seq: 0),
    ]
    let lines = ["* lobby: 3 here, newest #44", "* tea: 0 here, nothing said yet"]
    for form in [Form.line, .raw] {
      #expect(
        encoded(Answer.rooms(rooms, count: 2), form)
          == lines + ["* join:ROOM enters a room, or makes one"])
      #expect(
        encoded(Answer.rooms(rooms, count: 1_002), form)
          == lines + ["* and 1,000 more; join:ROOM enters a room, or makes one"])
    }
  }

  @Test(
    "Each reason against a name is one line that says how to go on, to both",
    arguments: [
      .empty, .tooLong(limit: 64), .control, .bidirectional, .zeroWidth, .punctuation(":"),
      .beginning("*"), .ending("has joined"), .commandWord("msg"), .mixedAlphabets,
    ] as [NameProblem])
  func badNames(problem: NameProblem) throws {
    for form in [Form.line, .raw] {
      let lines = encoded(Answer.refused(.badName(problem)), form)
      #expect(lines.count == 1)
      let line = try #require(lines.first)
      #expect(line.hasPrefix("! "))
      #expect(line.hasSuffix("; log in with iam:NAME"))
    }
  }

  @Test("The help page is notices, the same to both")
  func help() {
    let lines = encoded(Event.help, .line)
    #expect(lines.count > 5)
    #expect(lines.allSatisfy { $0.hasPrefix("* ") })
    #expect(encoded(Event.help, .raw) == lines)
    for word in [
      "iam:", "msg:", "to:", "who:", "rooms:", "join:", "leave:", "topic:", "history:", "since:",
      "ping:", "help:", "quit:",
    ] {
      #expect(lines.contains { $0.hasPrefix("*   \(word)") })
    }
    #expect(lines.count <= 24, "one screen")
    #expect(lines.allSatisfy { $0.utf8.count <= 80 })
  }

  @Test("Events are appended, each with its end")
  func appends() {
    var bytes = Array("x\n".utf8)
    for form in [Form.line, .raw] {
      Encoder.encode(said(name("Bob"), text("hi")), for: form, into: &bytes)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "x\nBob: hi\nBob: hi\n")
  }

  /// "Bob: " and LF leave 994 bytes.
  @Test(
    "To raw clients a line has at most 1,000 bytes; a longer one comes in parts with the name",
    arguments: [(994, 1), (995, 2), (1_988, 2), (1_989, 3), (4_096, 5)])
  func parts(count: Int, lines: Int) {
    let long = String(repeating: "a", count: count)
    #expect(encoded(said(name("Bob"), text(long)), .line) == ["Bob: \(long)"])
    let raw = encoded(said(name("Bob"), text(long)), .raw)
    #expect(raw.count == lines)
    #expect(raw.allSatisfy { $0.hasPrefix("Bob: ") && $0.utf8.count < 1_000 })
    #expect(raw.map { $0.dropFirst(5) }.joined() == long)
  }

  @Test(
    "Parts are cut between characters",
    arguments: ["\u{E9}", "\u{20AC}", "\u{1F600}", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}"])
  func partsOfCharacters(unit: String) {
    let long = String(repeating: unit, count: 4_000 / unit.utf8.count)
    let raw = encoded(said(name("Bob"), text(long)), .raw).map { String($0.dropFirst(5)) }
    #expect(raw.joined() == long)
    #expect(raw.allSatisfy { $0.count == $0.utf8.count / unit.utf8.count })
  }

  @Test("A letter under more marks than a line holds is cut among them")
  func hugeCharacter() {
    let long = "a" + String(repeating: "\u{301}", count: 2_000)
    let raw = encoded(said(name("Bob"), text(long)), .raw)
    #expect(raw.allSatisfy { $0.utf8.count < 1_000 && $0.utf8.count > 5 })
    #expect(raw.flatMap { $0.utf8.dropFirst(5) } == Array(long.utf8))
  }

  @Test("Many names fit one raw line")
  func manyNames() throws {
    let names = (0..<50).map { name("\($0)" + String(repeating: "n", count: 60)) }
    #expect(encoded(Answer.members(.lobby, names.map { Member($0) }, count: 50), .line).count == 1)
    let raw = encoded(Answer.members(.lobby, names.map { Member($0) }, count: 50), .raw)
    #expect(raw.count == 1)
    let line = try #require(raw.first)
    #expect(line.utf8.count < 1_000)
    #expect(line.hasPrefix("* 50 here: 0n"))
    #expect(line.hasSuffix(" more"))
  }
}
