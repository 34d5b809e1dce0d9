/// What can be typed at `beck chat` beyond saying something, against a running server and in plain.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ChatVerbTests {
  private let server: RunningBeck

  init() throws { server = try RunningBeck(RunningBeck.anyPort + ["--no-limits"]) }

  private func chat(_ name: String, _ more: String...) throws -> BeckProcess {
    let beck = try BeckProcess(
      ["chat", "--name", name, server.addresses[0], "--numbers"] + more, input: .keyboard,
      environment: ["TZ": "UTC"])
    try beck.errors.read(until: "open: you are \(name). ")
    return beck
  }

  /// Types it, and goes on once it was answered.
  private func settle(_ chat: BeckProcess, _ line: String) throws {
    let mark = "settled \(chat.output.text.utf8.count)"
    try chat.type("\(line)\nping:\(mark)\n")
    try chat.output.read(until: "* pong \(mark)\n")
  }

  private func leave(_ chats: BeckProcess...) throws {
    for chat in chats {
      try chat.type("quit:\n")
      #expect(try chat.ending().status == 0)
    }
  }

  @Test func aMessageIsAnsweredChangedAndTakenBackByItsNumber() throws {
    let ann = try chat("ann")
    let bob = try chat("bob")
    try ann.type("hi\n")
    try bob.output.read(until: "#1 ann: hi\n")
    try bob.type("reply:#1:hello: you\n")
    try ann.output.read(until: "#2 bob: (re #1) hello: you\n")
    try ann.type("edit:#1:hi there\n")
    try bob.output.read(until: "* ann changed #1: hi there\n")
    try bob.type("edit:#1:mine\n")
    try bob.output.read(until: "! message #1 is not yours")
    try bob.type("delete:#2\n")
    try ann.output.read(until: "* bob deleted #2\n")
    try ann.type("history:9\n")
    try ann.output.read(until: " #1] ann: hi there (edited)\n")
    try ann.output.read(until: " #2] bob (deleted)\n")
    try ann.type("edit: I meant hello\nmsg:who:\n")
    try bob.output.read(until: "ann: edit: I meant hello\n")
    try bob.output.read(until: "ann: who:\n")
    try leave(ann, bob)
  }

  @Test func whatIsSaidToOneAloneIsSeenByNobodyElse() throws {
    let ann = try chat("ann")
    let bob = try chat("bob")
    let eve = try chat("eve")
    try ann.type("to:bob:psst\n")
    try ann.output.read(until: "#1 ann (private to bob): psst\n")
    try bob.output.read(until: "#1 ann (private): psst\n")
    try bob.type("reply:ann:#1:yes\n")
    try ann.output.read(until: "#2 bob (private): (re #1) yes\n")
    try ann.type("edit:bob:#1:hush\n")
    try bob.output.read(until: "* ann (private) changed #1: hush\n")
    try bob.type("rooms:\n")
    try bob.output.read(until: "* with ann: 2 here, newest #3")
    try ann.type("to:nobody:x\n")
    try ann.output.read(until: #"! "x" was not said: nobody is not here"#)
    try ann.type("bye\n")
    try eve.output.read(until: "ann: bye\n")
    #expect(!eve.output.text.contains("private"))
    try leave(ann, bob, eve)
  }

  @Test func aRoomOfOnesOwnIsPrivateAndOpensByACode() throws {
    let ann = try chat("ann")
    let bob = try chat("bob")
    try ann.type("create:den:private\n")
    try ann.output.read(until: "* you are in den: 1 here, nothing said yet\n")
    try ann.type("topic:tea: hot\n")
    try ann.output.read(until: "* topic of den, by ann: tea: hot\n")
    try bob.type("join:den\n")
    try bob.output.read(until: "! no room den is open to you")
    try ann.type("invite:\n")
    try ann.output.read(until: " lets others in\n")
    let code = try #require(ann.output.text.firstMatch(of: /join:den:(\S+) lets/)).1
    try bob.type("join:den:\(code)\n")
    try bob.output.read(until: "* you are in den: 2 here")
    try bob.output.read(until: "* topic of den: tea: hot\n")
    try bob.type("who:\n")
    try bob.output.read(until: "* 2 here: ann (owner), bob\n")
    try bob.type("away:lunch\n")
    try ann.output.read(until: "* bob is away: lunch\n")
    try bob.type("away:\n")
    try ann.output.read(until: "* bob is back\n")
    try bob.type("kick:ann:no\n")
    try bob.output.read(until: "! only a moderator can do that")
    try ann.type("role:bob:moderator\n")
    try ann.output.read(until: "* done\n")
    try ann.type("create:den\n")
    try ann.output.read(until: "! den is there already")
    try leave(ann, bob)
  }

  @Test func whoMisbehavesIsMutedPutOutAndBanned() throws {
    let ann = try chat("ann")
    let bob = try chat("bob")
    try ann.type("create:den\n")
    try ann.output.read(until: "* you are in den")
    try bob.type("join:den\n")
    try ann.output.read(until: "bob has joined\n")
    try settle(ann, "mute:bob:1h:loud")
    try bob.type("what?\n")
    try bob.output.read(until: #"! "what?" was not said: you are muted in den; "#)
    try ann.type("unmute:bob\nkick:bob:spam\n")
    try bob.output.read(until: "! you were put out of den by ann: spam\n")
    try settle(bob, "join:den")
    try settle(ann, "ban:bob:enough")
    try bob.type("join:den\n")
    try bob.output.read(until: "! you are banned from den; ask its moderators to lift that: enough")
    try settle(ann, "unban:bob")
    try settle(bob, "join:den\nthank you")
    try ann.output.read(until: "bob: thank you\n")
    try leave(ann, bob)
  }

  @Test func misusesAreToldWithWhatToTypeInstead() throws {
    let ann = try chat("ann")
    try ann.type("to:bob\njoin:\nreply:#1:\n/edit it\n")
    try ann.errors.read(until: "beck chat: to:NAME:TEXT says TEXT to NAME alone")
    try ann.errors.read(until: "beck chat: join:ROOM takes a room")
    try ann.errors.read(until: "beck chat: reply:#N:TEXT takes")
    try ann.errors.read(until: "beck chat: edit:#N:TEXT takes")
    try leave(ann)
  }

  @Test func inPlainThereIsWhatPlainHas() throws {
    let ann = try chat("ann", "--plain")
    let bob = try chat("bob")
    try ann.type("to:bob:psst\n")
    try ann.output.read(until: "ann (private to bob): psst\n")
    try bob.output.read(until: "ann (private): psst\n")
    try ann.type("topic:\n")
    try ann.output.read(until: "* lobby has no topic")
    try ann.type("reply:#1:x\n")
    try ann.errors.read(until: "beck chat: that cannot be asked here: it needs a server that")
    try ann.type("away:x\njoin:den\n")
    try ann.output.read(until: "* you are in den")
    try leave(ann, bob)
  }

  @Test("a conversation that is cut goes on with what was said meanwhile, once")
  func cutConversation() throws {
    let directory = try TemporaryDirectory()
    let flags = ["--no-limits", "--data", directory.path + "/data"]
    var server = try RunningBeck(["--listen", "127.0.0.1:0"] + flags)
    let address = server.addresses[0]
    let chats = try ["ann", "bob"].map { name in
      let chat = try BeckProcess(["chat", "--name", name, address], input: .keyboard)
      try chat.errors.read(until: "open: ")
      return chat
    }
    let (ann, bob) = (chats[0], chats[1])
    for round in 1...3 {
      try ann.type("to:bob:line \(round)a\n")
      try bob.output.read(until: "ann (private): line \(round)a\n")
      try ann.type("to:bob:line \(round)b\n")
      server.process.send(SIGKILL)
      _ = try server.process.ending()
      server = try RunningBeck(["--listen", "127.0.0.1:\(server.port)"] + flags)
      try bob.output.read(until: "ann (private): line \(round)b\n")
    }
    try leave(ann, bob)
    let lines = bob.output.text.split(separator: "\n").compactMap {
      $0.firstMatch(of: /ann \(private\): (line \d[ab])/).map { String($0.1) }
    }
    #expect(lines == (1...3).flatMap { ["line \($0)a", "line \($0)b"] })
    #expect(try server.end().status == 0)
  }
}
