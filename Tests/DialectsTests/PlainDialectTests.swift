/// Commands as requests and answers: what is asked of the hub, and what is said at once.

import ChatModel
import Dialects
import Testing

@Suite("Commands of the plain dialect")
struct PlainDialectTests {
  private func line() -> PlainTalk {
    var talk = PlainTalk()
    talk.read("iam:Bob\n")
    return talk
  }

  private func raw() -> PlainTalk {
    var talk = PlainTalk()
    talk.read("iam:Bob")
    talk.pass(.milliseconds(50))
    return talk
  }

  private func text(_ string: String) throws -> MessageText { try #require(MessageText(string)) }

  @Test("What exists is asked of the hub, or answered, to both modes where a terminator ended it")
  func commands() throws {
    let hi = Request.send(nil, try text("hi"), key: nil, replyTo: nil)
    let topic = ShortText("about: tea")
    let (tea, ann) = (try #require(RoomName("tea")), try UserName("ann"))
    let commands: [(String, Request)] = [
      ("msg:hi", hi), ("Bob: hi", hi), ("iam:Rob", .logIn(try UserName("Rob"), .oneRoom)),
      ("who:", .who(nil)), ("WHO : ignored", .who(nil)), ("ping:x", .ping("x")),
      ("ping:", .ping("")), ("quit:", .quit),
      ("join:tea", .join(.room(tea), .now, code: nil)),
      ("join: TEA : co:de ", .join(.room(tea), .now, code: "co:de")),
      ("join:tea: ", .join(.room(tea), .now, code: nil)),
      ("leave:", .leave(nil)), ("rooms:", .rooms),
      ("to:ann:hi", .send(.with(ann), try text("hi"), key: nil, replyTo: nil)),
      ("TO : Ann : a:b ", .send(.with(ann), try text("a:b"), key: nil, replyTo: nil)),
      ("topic:", .topic(nil)), ("topic: \u{202E}", .topic(nil)),
      ("topic: about: tea", .setTopic(nil, topic)),
      ("history:", .history(nil, .before(nil), limit: 20)),
      ("history:1", .history(nil, .before(nil), limit: 1)),
      ("history: 500", .history(nil, .before(nil), limit: 500)),
      ("since:0", .history(nil, .after(0), limit: 500)),
      ("since:#44", .history(nil, .after(44), limit: 500)),
      ("since:9223372036854775807", .history(nil, .after(.max), limit: 500)),
    ]
    for (sent, heard) in commands {
      for start in [line(), raw()] {
        var talk = start
        talk.read("\(sent)\r\n")
        #expect(talk.heard.count == 2)
        guard case .request(let asked, _) = talk.heard.last else {
          Issue.record("\(sent) asks for nothing")
          continue
        }
        #expect(asked == heard)
      }
    }
  }

  @Test("Help is asked for by itself")
  func help() {
    for start in [line(), raw()] {
      var talk = start
      talk.read("help:\n")
      #expect(talk.heard.last == .help)
    }
  }

  @Test(
    "What a command of rooms cannot take is refused with what it takes, to both modes",
    arguments: [
      ("join:", PlainRules.room), ("join: :x", PlainRules.room),
      ("join:two words", PlainRules.room),
      ("join:" + String(repeating: "r", count: 65), PlainRules.room),
      ("history:0", PlainRules.history), ("history:501", PlainRules.history),
      ("history:-1", PlainRules.history), ("history:+1", PlainRules.history),
      ("history:x", PlainRules.history), ("history:1.5", PlainRules.history),
      ("history:99999999999999999999", PlainRules.history),
      ("topic:" + String(repeating: "t", count: 257), PlainRules.topic),
      ("to:", PlainRules.to), ("to:ann", PlainRules.to),
      ("to::hi", PlainRules.toNobody),
      ("to:*ann:hi", PlainRules.toStar),
      ("since:", PlainRules.since), ("since:#", PlainRules.since), ("since:##1", PlainRules.since),
      ("since:-1", PlainRules.since), ("since:9223372036854775808", PlainRules.since),
      ("since:\u{661}", PlainRules.since),
    ])
  func badArguments(sent: String, answer: String) {
    for start in [line(), raw()] {
      var talk = start
      talk.read(sent + "\n")
      #expect(talk.answered == [answer])
    }
  }

  @Test(
    "Unterminated, none of the newer commands is one",
    arguments: [
      "join:x", "leave:", "rooms:", "who:", "to:a:b", "history:1", "since:1", "topic:x", "ping:x",
      "help:", "quit:",
    ])
  func unterminated(command: String) {
    var talk = raw()
    talk.read(command)
    talk.pass(.seconds(60))
    talk.read("msg:hi")
    talk.pass(.milliseconds(50))
    #expect(talk.seen == ["Bob has joined", "Bob: hi"])
    #expect(talk.answered.isEmpty)

    var ended = raw()
    ended.read(command)
    ended.end()
    #expect(ended.answered.isEmpty)
    #expect(ended.heard.count == 1)
  }

  @Test("A terminator may come late")
  func lateTerminator() {
    var talk = raw()
    talk.read("ping:x")
    talk.read("\n", after: .seconds(60))
    #expect(talk.answered == ["* pong x"])
  }

  @Test(
    "A name ends at the next colon",
    arguments: ["iam:Bob:Alice", "iam:Bob:", "iam: Bob : secret", "iam:Bob:a:b"])
  func nameEnds(sent: String) {
    for end in ["", "\n"] {
      var talk = PlainTalk()
      talk.read(sent + end)
      talk.pass(.milliseconds(50))
      #expect(talk.seen == ["Bob has joined"])
    }
  }

  @Test("The same name again is ignored, another one is a leave and a join")
  func rename() {
    var talk = raw()
    for next in ["iam:Bob", "iam: bob ", "iam:Rob", "msg:hi"] {
      talk.read(next, after: .milliseconds(100))
    }
    talk.pass(.milliseconds(50))
    #expect(talk.seen == ["Bob has joined", "Bob has left", "Rob has joined", "Rob: hi"])
    #expect(talk.answered.isEmpty)
  }

  @Test("A name that cannot be one is refused, to both modes", arguments: ["", "\n"])
  func badName(end: String) {
    var talk = PlainTalk()
    talk.read("iam:*Bob" + end)
    talk.pass(.milliseconds(50))
    #expect(talk.answered == ["! a name cannot begin with *; log in with iam:NAME"])
    talk.read("iam:Bob" + end)
    talk.pass(.milliseconds(50))
    #expect(talk.seen == ["Bob has joined"])
  }

  @Test("Without a name nothing said is shown; line mode is told how to log in, raw nothing")
  func nameless() {
    var typed = PlainTalk()
    typed.read("msg:hi\n")
    #expect(typed.seen.isEmpty)
    #expect(typed.answered == ["! log in first: type iam:NAME"])

    var program = PlainTalk()
    program.read("msg:hi")
    program.pass(.milliseconds(50))
    #expect(program.seen.isEmpty)
    #expect(program.answered.isEmpty)
    program.read("iam:Bob")
    program.pass(.milliseconds(50))
    #expect(program.seen == ["Bob has joined"])
  }

  @Test(
    "An empty text is nothing, and is not answered",
    arguments: [
      "msg:", "msg:   ", "msg:\u{1B}", "msg:\u{2003}", "Bob:", "Bob : ", "", "   ", "to:ann:",
      "to:ann: \u{1B} ", "to:ann:\u{202E}",
    ])
  func emptyText(sent: String) {
    for (start, end) in [(line(), "\n"), (raw(), ""), (raw(), "\0")] {
      var talk = start
      talk.read(sent + end)
      talk.pass(.seconds(1))
      #expect(talk.heard.count == 1)
      #expect(talk.answered.isEmpty)
    }
  }

  @Test("Anything else is answered in line mode only")
  func unknown() {
    var typed = line()
    typed.read("hello\n")
    #expect(typed.answered == ["! type msg:TEXT to speak, help: for more"])
    var program = raw()
    program.read("foo:bar")
    program.read("msg:hi")
    program.pass(.milliseconds(50))
    #expect(program.answered.isEmpty)
    #expect(program.seen == ["Bob has joined", "Bob: hi"])
  }

  @Test("Own-name messages count as they come, cut anywhere")
  func ownName() {
    let sent = "Bob : see http://x:80"
    for cut in 0...sent.count {
      var talk = raw()
      talk.read(String(sent.prefix(cut)))
      talk.read(String(sent.dropFirst(cut)), after: .milliseconds(20))
      talk.pass(.milliseconds(50))
      #expect(talk.seen == ["Bob has joined", "Bob: see http://x:80"], "cut at \(cut)")
    }
  }

  @Test("What grows by U+FFFD is cut for a raw client and refused in line mode")
  func grown() throws {
    let bytes = Array("msg:".utf8) + [UInt8](repeating: 0xFF, count: 2_000)
    var program = raw()
    program.read(bytes)
    program.pass(.milliseconds(50))
    let whole = String(repeating: "\u{FFFD}", count: 1_365)
    let sent = Request.send(nil, try text(whole), key: nil, replyTo: nil)
    #expect(program.heard.last == .request(sent, nil))
    var typed = line()
    typed.read(bytes + [0x0A])
    #expect(typed.answered == ["! line too long (at most 4,096 bytes)"])
  }

  @Test("A line that is too long is refused once")
  func tooLong() {
    var talk = line()
    for _ in 0..<10 { talk.read(String(repeating: "a", count: 1_000)) }
    talk.read("\nmsg:hi\n")
    #expect(talk.answered == ["! line too long (at most 4,096 bytes)"])
    #expect(talk.seen == ["Bob has joined", "Bob: hi"])
  }

  @Test("The form follows the mode")
  func form() {
    #expect(Dialect().form == .raw)
    #expect(line().dialect.form == .line)
    #expect(raw().dialect.form == .raw)
  }

  @Test("A login that is not answered leaves the connection nameless")
  func unansweredLogin() throws {
    var dialect = Dialect()
    Array("iam:Bob\nBob: hi\n".utf8).withUnsafeBytes { dialect.received($0, at: .zero) }
    #expect(dialect.next() == .request(.logIn(try UserName("Bob"), .oneRoom), nil))
    #expect(dialect.next() == .answer(.refused(.unknownCommand), nil))
    #expect(dialect.next() == nil)
  }
}

/// What those commands answer that were given something wrong.
private enum PlainRules {
  static let room =
    "! a room's name is 1 to 64 of the letters a to z, digits, _, - and .; join:ROOM enters one"
  static let history = "! history:N shows the newest N messages, at most 500"
  static let to = "! to:NAME:TEXT says TEXT to NAME alone, as in to:ann:hello"
  static let toNobody =
    "! a name is missing; to:NAME:TEXT says TEXT to NAME alone, as in to:ann:hello"
  static let toStar =
    "! a name cannot begin with *; to:NAME:TEXT says TEXT to NAME alone, as in to:ann:hello"
  static let topic = "! line too long (at most 256 bytes)"
  static let since = "! since:SEQ shows what followed a message, by its number, as in since:44"
}
