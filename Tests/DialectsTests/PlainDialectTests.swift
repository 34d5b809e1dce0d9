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
    let commands: [(String, Heard)] = [
      ("msg:hi", .request(.say(try text("hi")))), ("Bob: hi", .request(.say(try text("hi")))),
      ("iam:Rob", .request(.logIn(try UserName("Rob")))), ("who:", .request(.who)),
      ("ping:x", .request(.ping("x"))), ("ping:", .request(.ping(""))),
      ("help:", .answer(.help)), ("quit:", .request(.quit)), ("WHO : ignored", .request(.who)),
    ]
    for (sent, heard) in commands {
      for start in [line(), raw()] {
        var talk = start
        talk.read("\(sent)\r\n")
        #expect(talk.heard.dropFirst() == [heard])
      }
    }
  }

  @Test(
    "What does not exist yet says so, to both modes where a terminator ended it",
    arguments: ["join", "leave", "rooms", "to", "history", "since", "topic"])
  func notYet(word: String) {
    for start in [line(), raw()] {
      var talk = start
      talk.read("\(word.uppercased()):x:y\n")
      #expect(talk.answered == ["! \(word): is not yet possible here; help: shows what is"])
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
    arguments: ["msg:", "msg:   ", "msg:\u{1B}", "msg:\u{2003}", "Bob:", "Bob : ", "", "   "])
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
    #expect(program.heard.last == .request(.say(try text(whole))))
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
    #expect(dialect.next() == .request(.logIn(try UserName("Bob"))))
    #expect(dialect.next() == .answer(.refused(.unknownCommand)))
    #expect(dialect.next() == nil)
  }
}
