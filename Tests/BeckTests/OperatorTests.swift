/// `beck status`, `account`, `room`, `ban` and `audit` as built, against a server that runs.

import Foundation
import TestSupport
import Testing

@Suite struct OperatorTests {
  private let secret = "correct horse"

  // MARK: Who is asked

  @Test func theSocketIsForItsUserAloneAndGoesWithTheServer() throws {
    let stage = try OperatorStage()
    let path = stage.data + "/control.sock"
    var found = stat()
    #expect(lstat(path, &found) == 0 && found.st_mode & 0o7777 == 0o600)
    #expect(found.st_mode & S_IFMT == S_IFSOCK)
    stage.beck.process.send(SIGKILL)
    _ = try stage.beck.process.ending()
    #expect(access(path, F_OK) == 0, "a dead server's lies there")
    #expect(try stage.run("status").status == 2)
    try stage.restart()
    #expect(try stage.run("status").status == 0)
    #expect(try stage.beck.end().status == 0)
    #expect(access(path, F_OK) != 0)
  }

  @Test func whereNoServerRunsThatIsSaid() throws {
    let directory = try TemporaryDirectory()
    for words in [
      ["status"], ["account", "list"], ["account", "disable", "ann"], ["room", "list"],
      ["ban", "list"], ["audit"], ["account", "erase", "ann", "--yes"],
    ] {
      let ending = try BeckProcess(words + ["--data", directory.path]).ending()
      #expect(ending.status == 2 && ending.output.isEmpty)
      let command = words.prefix(words[0] == "status" || words[0] == "audit" ? 1 : 2)
      #expect(
        ending.errors == """
          beck \(command.joined(separator: " ")): no server is running on \(directory.path); \
          start it with: beck serve --data \(directory.path) (one that runs with --memory cannot \
          be asked)

          """)
    }
  }

  @Test func anOperatorIsServedWhereNobodyElseIs() throws {
    // The capacity is what is left of the descriptors: 100 less 64.
    let stage = try OperatorStage(under: ["sh", "-c", "ulimit -n 100; exec \"$@\"", "sh"])
    let clients = try (0..<36).map { _ in try TestClient(port: stage.beck.port) }
    for (number, client) in clients.enumerated() { client.logIn("p\(number)") }
    for client in clients { #expect(!client.linesBeforePong().isEmpty) }
    let status = try #require(try stage.rows("status").first)
    let connections = try #require(status["connections"] as? [String: Int])
    #expect(connections["named"] == 36 && connections["operators"] == 1)
  }

  @Test func somethingElseInItsPlaceIsSaidAndLeftAlone() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/control.sock"
    #expect(FileManager.default.createFile(atPath: path, contents: Data("mine".utf8)))
    let beck = try RunningBeck(RunningBeck.anyPort + ["--data", directory.path])
    #expect(try BeckProcess(["status", "--data", directory.path]).ending().status == 2)
    let ending = try beck.end()
    #expect(ending.status == 0 && ending.errors.contains("operator's commands cannot reach"))
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
  }

  @Test func nothingElseIsAnsweredThere() throws {
    let stage = try OperatorStage()
    let operating = JSONClient(try TestClient(path: stage.data + "/control.sock"))
    for method in ["login", "join", "send", "history", "register", "ping", "quit"] {
      #expect(operating.ask(method, ["name": "ann", "room": "lobby"]).code == "bad-request")
    }
    let ann = try stage.client("ann")
    for method in ["status", "accounts", "erase", "operate"] {
      #expect(ann.ask(method, ["name": "ann"]).code == "unknown-method")
    }
  }

  // MARK: Accounts

  @Test func anAccountFromItsBeginningToItsEnd() throws {
    let stage = try OperatorStage()
    #expect(
      try stage.output(
        "account", "create", "ann", "--role", "owner", "--password-file", "-",
        input: "\(secret)\n") == "ann has an account, as owner of the server\n")
    let again = try stage.run(
      "account", "create", "ANN", "--password-file", "-", input: "\(secret)\n")
    #expect(again.status == 1)
    #expect(
      again.errors
        == "beck account create: ANN has an account already; choose another name\n")
    let ann = try stage.client("ann", password: secret)
    let rows = try stage.rows("account", "list")
    #expect(rows.count == 1 && rows[0]["role"] as? String == "owner")
    #expect(rows[0]["connections"] as? Int == 1)
    #expect(
      try stage.output(
        "account", "password", "ann", "--password-file", "-",
        input: "battery staple") == "ann has another password\n")
    #expect(ann.event("closing")?["reason"] as? String == "logged-out")
    let back = try stage.client("ann", password: "battery staple")
    let token = back.token
    _ = try stage.output("account", "disable", "ann")
    #expect(back.event("closing")?["reason"] as? String == "account-ended")
    let other = try JSONClient(port: stage.beck.port)
    let login = ["name": "ann", "password": "battery staple"]
    #expect(other.ask("login", login).code == "not-allowed")
    #expect(other.ask("login", ["token": token]).code == "bad-token")
    #expect(try stage.rows("account", "list")[0]["disabled"] as? Bool == true)
    // It is as it was when the server comes back.
    #expect(try stage.beck.end().status == 0)
    try stage.restart()
    let later = try JSONClient(port: stage.beck.port)
    #expect(later.ask("login", login).code == "not-allowed")
    _ = try stage.output("account", "enable", "ann")
    #expect(later.ask("login", login).isOK)
    _ = try stage.output("account", "remove", "ann", "--yes")
    #expect(try stage.rows("account", "list").isEmpty)
    #expect(try stage.client("ann").ask("ping").isOK, "the name is free")
    let lines = try stage.rows("audit").compactMap { $0["text"] as? String }
    #expect(
      lines == [
        "created the account ann, owner of the server", "set the password of ann",
        "disabled the account ann", "enabled the account ann", "removed the account ann",
      ])
    #expect(try stage.rows("audit", "--last", "2").count == 2)
  }

  @Test func passwordsComeFromAFileOrTheTerminalAndAreNotShown() throws {
    let stage = try OperatorStage()
    let file = stage.directory.path + "/password"
    #expect(FileManager.default.createFile(atPath: file, contents: Data("\(secret)\r\nx".utf8)))
    _ = try stage.output("account", "create", "ann", "--password-file", file)
    _ = try stage.client("ann", password: secret)
    let nobody = try stage.run("account", "create", "bob")
    #expect(nobody.status == 64 && nobody.errors.contains("give --password-file"))
    let asking = try BeckProcess(
      ["account", "create", "bob", "--data", stage.data], input: .keyboard)
    try asking.errors.read(until: "new password for bob: ")
    try asking.type("\(secret)\n")
    try asking.errors.read(until: "once more: ")
    try asking.type("\(secret)\n")
    let ending = try asking.ending()
    #expect(ending.status == 0 && ending.output == "bob has an account, as member of the server\n")
    #expect(!ending.errors.contains(secret))
    let differing = try BeckProcess(
      ["account", "password", "bob", "--data", stage.data], input: .keyboard)
    try differing.errors.read(until: "new password for bob: ")
    try differing.type("\(secret)\n")
    try differing.errors.read(until: "once more: ")
    try differing.type("battery staple\n")
    #expect(try differing.ending().status == 64)
    _ = try stage.client("bob", password: secret)
  }

  // MARK: Words

  /// Again for as long as it is too fast.
  @Test func whatSomebodySaidIsErasedEverywhere() throws {
    let stage = try OperatorStage("--no-limits")
    for name in ["ann", "bob"] {
      _ = try stage.output(
        "account", "create", name, "--password-file", "-", input: secret)
    }
    let ann = try stage.client("ann", password: secret)
    let bob = try stage.client("bob", password: secret)
    for client in [ann, bob] { client.ask("join", ["room": "tea"]) }
    // More than are erased at a time.
    for number in 1...450 {
      #expect(ann.ask("send", ["room": "tea", "text": "zebra \(number)"]).isOK)
    }
    #expect(ann.ask("send", ["with": "bob", "text": "zebra for two"]).isOK)
    #expect(bob.ask("send", ["room": "tea", "text": "bob says zebra"]).isOK)
    #expect(bob.ask("send", ["with": "ann", "text": "and zebra back"]).isOK)
    let asked = try stage.run("account", "erase", "ann")
    #expect(asked.status == 64 && asked.errors.contains("--yes"))
    let erased = try stage.output("account", "erase", "ann", "--yes")
    #expect(erased.hasPrefix("451 messages have no text any more: those of ann, person "))
    #expect(erased.contains("what stays, and why:\n  - that something was said, when"))
    #expect(bob.ask("ping").isOK)
    #expect(bob.events.count { $0.name == "deleted" } == 451)
    let texts = bob.history(of: "tea").messages.filter { !$0.text.isEmpty }.map(\.text)
    #expect(texts == ["bob says zebra"])
    let person = try #require(try stage.rows("account", "list")[0]["person"] as? String)
    let again = try stage.rows("account", "erase", "--person", person, "--yes")
    #expect(again.count == 1 && again[0]["messages"] as? Int == 0)
    #expect(try stage.beck.end().status == 0)
    let exported = try stage.output("export")
    #expect(exported.components(separatedBy: "zebra").count == 3, "bob's own are there")
    #expect(try stage.files(with: "zebra 4") == [])
  }

  @Test func aRoomIsRemovedWithAllThatWasSaidThere() throws {
    let stage = try OperatorStage()
    _ = try stage.output("account", "create", "ann", "--password-file", "-", input: secret)
    let ann = try stage.client("ann", password: secret)
    ann.ask("create", ["room": "plans", "private": true, "topic": "all of it"])
    for text in ["okapi one", "okapi two"] {
      #expect(ann.ask("send", ["room": "plans", "text": text]).isOK)
    }
    let rooms = try stage.rows("room", "list")
    #expect(rooms.map { $0["name"] as? String } == ["lobby", "plans"])
    #expect(rooms[1]["private"] as? Bool == true && rooms[1]["topic"] as? String == "all of it")
    #expect(try stage.output("room", "archive", "plans") == "plans is archived\n")
    #expect(ann.ask("send", ["room": "plans", "text": "more"]).code == "not-allowed")
    #expect(
      try stage.output("room", "remove", "plans", "--yes")
        == "plans is removed, with 2 messages\n")
    #expect(ann.event("kicked")?["room"] as? String == "plans")
    let bob = try stage.client("bob")
    #expect(bob.ask("history", ["room": "plans"]).code == "no-such-room")
    #expect(try stage.beck.end().status == 0)
    try stage.restart()
    #expect(try stage.rows("room", "list").map { $0["name"] as? String } == ["lobby"])
    let zoe = try stage.client("zoe")
    #expect(zoe.ask("create", ["room": "plans"]).isOK)
    #expect(zoe.answer(to: zoe.say("anew", in: "plans")).seq == 3)
    #expect(zoe.history(of: "plans").messages.map(\.text) == ["anew"])
    #expect(try stage.beck.end().status == 0)
    #expect(try stage.files(with: "okapi") == [])
  }

  // MARK: Bans

  @Test func bansAreSetShownAndLifted() throws {
    let stage = try OperatorStage()
    let ann = try stage.client("ann")
    ann.ask("join", ["room": "tea"])
    #expect(
      try stage.output("ban", "add", "ann", "--room", "tea", "--for", "2h", "--reason", "a\tb")
        == "ann is banned in tea for 2h\n")
    #expect(ann.event("kicked")?["reason"] as? String == "a\tb")
    #expect(ann.ask("join", ["room": "tea"]).code == "banned")
    _ = try stage.output("ban", "add", "203.0.113.0/24")
    let list = try stage.output("ban", "list").split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(list.count == 2 && list.allSatisfy { $0.count == 8 })
    #expect(list[0][0] == "203.0.113.0/24" && list[0][3] == "the server")
    #expect(list[1][0] == "ann" && list[1][3] == "tea" && list[1][7] == "a b")
    #expect(try stage.rows("ban", "list").count == 2)
    #expect(try stage.run("ban", "remove", "ann").status == 1)
    _ = try stage.output("ban", "remove", "ann", "--room", "tea")
    #expect(ann.ask("join", ["room": "tea"]).isOK)
    _ = try stage.output("ban", "add", "ann", "--mute")
    #expect(ann.ask("send", ["room": "tea", "text": "hm"]).code == "muted")
    _ = try stage.output("ban", "remove", "ann", "--mute")
    _ = try stage.output("ban", "add", "ann", "--reason", "enough")
    #expect(ann.event("closing")?["reason"] as? String == "banned")
  }

  // MARK: The command line

  @Test func eachCommandHelpsWithExamples() throws {
    let commands = [
      ["status"], ["audit"], ["token"], ["account", "list"], ["account", "create"],
      ["account", "password"],
      ["account", "disable"], ["account", "enable"], ["account", "remove"], ["account", "erase"],
      ["room", "list"], ["room", "archive"], ["room", "remove"], ["ban", "list"], ["ban", "add"],
      ["ban", "remove"],
    ]
    for words in commands {
      let ending = try BeckProcess(words + ["--help"]).ending()
      #expect(ending.status == 0 && ending.errors.isEmpty)
      #expect(ending.output.hasPrefix("beck \(words.joined(separator: " "))"))
      #expect(ending.output.contains("\nExamples:\n  beck "), "\(words)")
      for line in ending.output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
    for group in ["account", "room", "ban"] {
      let ending = try BeckProcess([group, "--help"]).ending()
      #expect(ending.status == 0 && ending.output.contains("beck \(group) list --help"))
      #expect(try BeckProcess([group]).ending().status == 64)
    }
  }

  @Test(
    "A command line that is wrong is refused in words",
    arguments: [
      (["account", "frobnicate"], "there is no 'frobnicate'"),
      (["account", "disable"], "NAME is missing"),
      (["account", "disable", "a", "b"], "'b' is one word too many"),
      (["account", "disable", "a", "--person", "7"], "is it 'a' or --person?"),
      (["account", "disable", "--person", "seven"], "--person takes the number"),
      (["account", "create", "a:b", "--password-file", "-"], "a name cannot hold :"),
      (["account", "create", "ann", "--role", "king"], "--role takes owner"),
      (["room", "archive", "two words"], "there can be no room"),
      (["room", "remove", "tea"], "give --yes"),
      (["ban", "add", "ann", "--for", "soon"], "--for takes a time"),
      (["ban", "add", "1.2.3.4/8"], "is no network"),
      (["ban", "add", "ann", "--reason", String(repeating: "x", count: 257)], "at most 256"),
      (["token"], "NAME is missing"),
      (["token", "ann", "--days", "0"], "--days takes a number from 1 to 3,650"),
      (["token", "ann", "--days", "3651"], "--days takes a number from 1 to 3,650"),
      (["audit", "--last", "many"], "--last takes a number"),
      (["status", "--frob"], "not a flag of this command"),
    ])
  func wrongLine(words: [String], complaint: String) throws {
    let directory = try TemporaryDirectory()
    let ending = try BeckProcess(words + ["--data", directory.path]).ending()
    #expect(ending.status == 64 && ending.output.isEmpty)
    #expect(ending.errors.contains(complaint), "\(ending.errors)")
    #expect(ending.errors.count { $0 == "\n" } == 1)
  }

  @Test func tablesAreAlignedOnATerminalAlone() throws {
    let stage = try OperatorStage()
    let ann = try stage.client("安娜")
    let bob = try stage.client("bob")
    for client in [ann, bob] { client.ask("ping") }
    for name in ["安娜", "bob"] { _ = try stage.output("ban", "add", name, "--mute") }
    let shown = try BeckProcess(
      ["ban", "list", "--data", stage.data], terminalOutput: true, environment: ["TERM": "xterm"]
    ).ending().output
    #expect(shown.hasPrefix("\u{1B}[1mwhom"))
    let lines = shown.replacing("\r\n", with: "\n").split(separator: "\n").dropFirst()
    #expect(lines.count == 2)
    let columns = lines.map { line in
      line.range(of: "  mute").map { range in
        // What East Asian scripts write takes two columns each.
        line[..<range.lowerBound].unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 ? 2 : 1) }
      }
    }
    #expect(Set(columns).count == 1 && columns[0] != nil)
    let plain = try BeckProcess(
      ["ban", "list", "--data", stage.data], terminalOutput: true,
      environment: ["NO_COLOR": "1"]
    ).ending().output
    #expect(!plain.contains("\u{1B}"))
  }
}
