/// What a typed line is: something to say, or which command. No sockets.

import ChatModel
import Testing

@testable import ChatClient

@Suite struct TypedLineTests {
  @Test(arguments: [
    ("hello", TypedLine.text("hello")),
    (" /who", .text(" /who")),
    ("/who", .question(.who)),
    ("/who else", .question(.who)),
    ("who:", .question(.who)),
    ("WHO: ", .question(.who)),
    ("/help", .question(.help)),
    ("help:", .question(.help)),
    ("/ping", .question(.ping("?"))),
    ("/ping one two", .question(.ping("one two"))),
    ("ping:a:b", .question(.ping("a:b"))),
    ("/rooms", .question(.rooms)),
    ("rooms:", .question(.rooms)),
    ("/history", .question(.history(20))),
    ("history:", .question(.history(20))),
    ("/history  7 ", .question(.history(7))),
    ("history:500", .question(.history(500))),
    ("/history 501", .misused("history:N takes a number from 1 to 500")),
    ("/history 0", .misused("history:N takes a number from 1 to 500")),
    ("history:all", .misused("history:N takes a number from 1 to 500")),
    ("topic:", .question(.topic)),
    ("/topic", .question(.topic)),
    ("register:", .register(code: nil)),
    ("register: abc ", .register(code: "abc")),
    ("password:", .changePassword),
    ("/quit", .quit),
    ("quit:", .quit),
    ("//who", .text("/who")),
    ("///", .text("//")),
    ("/", .unknown("/")),
    ("/quti now", .unknown("/quti")),
    ("", .blank),
    (" \t", .blank),
    ("\u{7}", .blank),
    ("msg:", .blank),
    ("msg:who:", .text("who:")),
    ("msg:/who", .text("/who")),
  ])
  func aTypedLineIs(line: String, meaning: TypedLine) {
    #expect(TypedLine(line) == meaning)
  }

  @Test(
    "what only looks like a command is said",
    arguments: [
      "who: me?", "edit: I meant ten", "reply: yes", "delete: no", "re: tea", "note: to: bob",
      "https://example.org", "password: secret123", "quit: never", "help: me", " who:", "who",
      "12:30", ":", "\u{301}who:", "edit:#x:y", "delete:#0", "leave: it",
    ])
  func said(line: String) {
    #expect(TypedLine(line) == .text(line))
  }

  @Test func roomsAreNamedInAnyCaseAndJudged() throws {
    let tea = try #require(RoomName("tea"))
    for line in ["/join Tea", "/join  tea ", "join:tea", "join: TEA "] {
      #expect(TypedLine(line) == .join(tea, code: nil))
    }
    for line in ["/join tea c0de", "join:tea:c0de", "/join tea:c0de", "join: tea : c0de "] {
      #expect(TypedLine(line) == .join(tea, code: "c0de"))
    }
    let wrong = ["/join", "/join ", "join:", "/join a b c", "join:tea:", "/join #tea", "join:@1.2"]
    for line in wrong { expectMisuse(line, "join:ROOM takes a room: ") }
  }

  @Test func wordsForOneAloneAreForAName() throws {
    let bob = Place.with(try UserName("bob"))
    #expect(TypedLine("to:bob: hi: there") == .aside(" hi: there", to: bob, replyTo: nil))
    #expect(TypedLine("/to bob:hi") == .aside("hi", to: bob, replyTo: nil))
    #expect(
      TypedLine("to:bob b:hi") == .aside("hi", to: .with(try UserName("bob b")), replyTo: nil))
    for line in ["to:", "to:bob", "to:bob:", "to:bob: ", "to:(bob):hi", "to: everyone"] {
      expectMisuse(line, "to:NAME:TEXT says TEXT to NAME alone")
    }
  }

  @Test func aMessageIsMeantByItsNumberInTheRoomOrInAConversation() throws {
    let tea = try #require(RoomName("tea"))
    let bob = Place.with(try UserName("bob"))
    let yes = try #require(MessageText("yes: no"))
    let lines: [(String, TypedLine)] = [
      ("reply:#4:yes: no", .aside("yes: no", to: .room(tea), replyTo: 4)),
      ("reply:4:yes", .aside("yes", to: .room(tea), replyTo: 4)),
      ("/reply #4:yes", .aside("yes", to: .room(tea), replyTo: 4)),
      ("reply:bob:#4:yes", .aside("yes", to: bob, replyTo: 4)),
      ("edit:#4:yes: no", .request(.edit(.room(tea), of: 4, yes))),
      ("edit:bob:#4:yes: no", .request(.edit(bob, of: 4, yes))),
      ("delete:#4", .request(.delete(.room(tea), of: 4))),
      ("delete:bob:#4", .request(.delete(bob, of: 4))),
      ("since:#4", .request(.history(.room(tea), .after(4), limit: 500))),
    ]
    for (line, meaning) in lines { #expect(TypedLine(line, in: tea) == meaning) }
    expectMisuse("reply:#4:", "reply:#N:TEXT takes")
    expectMisuse("edit:#4", "edit:#N:TEXT takes")
    expectMisuse("/delete it", "delete:#N takes")
    expectMisuse("since:x", "since:N takes")
  }

  @Test func roomsOfOnesOwnAreMadeAndOpened() throws {
    let tea = try #require(RoomName("tea"))
    let text = try #require(ShortText("a: b"))
    let lines: [(String, Request)] = [
      ("create:Tea", .create(tea, isPrivate: false, topic: nil)),
      ("create:tea:private", .create(tea, isPrivate: true, topic: nil)),
      ("topic: a: b ", .setTopic(nil, text)),
      ("invite:", .invite(tea, uses: 1, seconds: nil)),
      ("invite:7", .invite(tea, uses: 7, seconds: nil)),
      ("uninvite: x ", .uninvite(tea, code: "x")),
      ("away:a: b", .away(text)),
      ("away:", .away(nil)),
      ("search: \"green tea\" hot ", .search(Search("\"green tea\" hot"))),
    ]
    for (line, request) in lines { #expect(TypedLine(line, in: tea) == .request(request)) }
    let long = String(repeating: "x", count: 257)
    expectMisuse("create:tea:secret", "create:ROOM makes")
    expectMisuse("create:", "create:ROOM makes")
    expectMisuse("topic:\(long)", "topic:TEXT takes at most 256")
    expectMisuse("away:\(long)", "away:TEXT takes at most 256")
    expectMisuse("invite:0", "invite:N takes")
    expectMisuse("uninvite:", "uninvite:CODE takes")
    expectMisuse("search:", "search:WORDS takes")
    expectMisuse("leave:", "join:ROOM leaves")
    expectMisuse("iam:bob", "your name is given")
  }

  @Test func moderatorsNameSomebodyAReasonAndATime() throws {
    let tea = try #require(RoomName("tea"))
    let bob = try UserName("bob")
    let spam = try #require(ShortText("spam: lots"))
    let lines: [(String, Request)] = [
      ("kick:bob", .kick(tea, bob, nil)),
      ("kick:bob:spam: lots", .kick(tea, bob, spam)),
      ("ban:bob", .sanction(.ban, tea, .name(bob), nil, seconds: nil)),
      ("ban:bob:spam: lots", .sanction(.ban, tea, .name(bob), spam, seconds: nil)),
      ("ban:bob:2h:spam: lots", .sanction(.ban, tea, .name(bob), spam, seconds: 7_200)),
      ("mute:bob:90s", .sanction(.mute, tea, .name(bob), nil, seconds: 90)),
      ("/mute bob:7d:spam: lots", .sanction(.mute, tea, .name(bob), spam, seconds: 604_800)),
      ("ban:bob:3650d", .sanction(.ban, tea, .name(bob), nil, seconds: 315_360_000)),
      ("ban:bob:#7d", .sanction(.ban, tea, .name(bob), ShortText("#7d"), seconds: nil)),
      ("unban:bob", .lift(.ban, tea, .name(bob))),
      ("unmute: bob ", .lift(.mute, tea, .name(bob))),
      ("role:bob:moderator", .setRole(tea, bob, .moderator)),
    ]
    for (line, request) in lines { #expect(TypedLine(line, in: tea) == .request(request)) }
    expectMisuse("kick:", "kick:NAME:REASON takes")
    expectMisuse("ban:(x)", "ban:NAME:REASON takes")
    expectMisuse("role:bob:king", "role:NAME:ROLE takes")
    expectMisuse("ban:bob:3651d", "ban:NAME:REASON takes")
    expectMisuse("mute:bob:99999999999999999999d:spam", "mute:NAME:REASON takes")
    expectMisuse("mute:bob:\(String(repeating: "x", count: 257))", "mute:NAME:REASON takes")
  }

  @Test func theHelpFitsOnOneScreen() {
    #expect(TypedLine.help.count <= 24)
    // With its mark before it.
    #expect(TypedLine.help.allSatisfy { $0.count <= 78 })
  }

  private func expectMisuse(
    _ line: String, _ words: String, _ location: SourceLocation = #_sourceLocation
  ) {
    guard case .misused(let clause) = TypedLine(line) else {
      Issue.record("\(line) is \(TypedLine(line))", sourceLocation: location)
      return
    }
    #expect(clause.hasPrefix(words), sourceLocation: location)
  }
}
