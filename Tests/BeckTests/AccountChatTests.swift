/// Accounts at `beck chat`: made, logged in to, and names that are somebody else's.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct AccountChatTests {
  private let server: RunningBeck

  init() throws { server = try RunningBeck(RunningBeck.anyPort + ["--no-limits"]) }

  private func chat(
    _ words: [String], _ input: BeckProcess.Input = .keyboard
  ) throws -> BeckProcess {
    try BeckProcess(["chat", server.addresses[0]] + words, input: input)
  }

  /// Ann's account is made, and she is gone.
  private func register(password: String = "correct horse") throws {
    let ann = try chat(["--name", "ann"])
    try ann.errors.read(until: "open: ")
    try ann.type("register:\n")
    try ann.errors.read(until: "new password: ")
    try ann.type(password + "\n")
    try ann.errors.read(until: "once more: ")
    try ann.type(password + "\n")
    try ann.output.read(until: "* ann is your account; keep its password\n")
    try ann.type("quit:\n")
    #expect(try ann.ending().status == 0)
  }

  @Test func whoHasAnAccountIsAskedForItsPasswordAndMayTryAgain() throws {
    try register()
    let ann = try chat(["--name", "ann"])
    try ann.output.read(until: "! ann has an account")
    try ann.errors.read(until: "password of ann (or nothing, for another name): ")
    try ann.type("wrong horse\n")
    try ann.output.read(until: "! there is no account of this name with this password")
    try ann.errors.read(until: "password of ann (or nothing, for another name): ")
    try ann.type("correct horse\n")
    try ann.errors.read(until: "open: you are ann. ")
    try ann.type("password:\n")
    try ann.errors.read(until: "password: ")
    try ann.type("correct horse\n")
    try ann.errors.read(until: "new password: ")
    try ann.type("another horse\n")
    try ann.errors.read(until: "once more: ")
    try ann.type("another horse\n")
    try ann.output.read(until: "* ann is your account; keep its password\n")
    try ann.type("quit:\n")
    let ending = try ann.ending()
    #expect(ending.status == 0)
    #expect(!(ending.output + ending.errors).contains("horse"))
  }

  @Test func aNameThatIsTakenIsAskedForAgain() throws {
    let bob = try server.join("ann")
    let ann = try chat([])
    try ann.errors.read(until: "name: ")
    try ann.type("ann\n")
    try ann.output.read(until: "! ann is taken")
    try ann.errors.read(until: "password of ann (or nothing, for another name): ")
    try ann.type("\n")
    try ann.errors.read(until: "name: ")
    try ann.type("(x)\n")
    try ann.errors.read(until: "'(x)' cannot be a name: ")
    try ann.errors.read(until: "name: ")
    try ann.type("bea\n")
    try ann.errors.read(until: "open: you are bea. ")
    try ann.type("hi\n")
    _ = bob.lines(until: "bea: hi")
    try ann.type("quit:\n")
    #expect(try ann.ending().status == 0)
  }

  @Test func whoeverGivesUpAtTheQuestionLeaves() throws {
    let other = try server.join("ann")
    let ann = try chat(["--name", "ann"])
    try ann.errors.read(until: "password of ann")
    try ann.type("\u{4}")
    #expect(try ann.ending().status == 1)
    #expect(!other.isEnded)
  }

  @Test func inAPipeThePasswordComesFromAFileOrFromBeforeTheText() throws {
    try register()
    let directory = try TemporaryDirectory()
    let path = directory.path + "/password"
    try "correct horse\nnotes\n".write(toFile: path, atomically: true, encoding: .utf8)
    let first = try chat(["--name", "ann", "--password-file", path], .file("one\n"))
    #expect(try first.ending().output == "ann has joined\nann: one\n")
    let second = try chat(
      ["--name", "ann", "--password-file", "-"], .file("correct horse\ntwo\n"))
    #expect(try second.ending().output == "ann has joined\nann: two\n")
    let third = try chat(["--name", "ann", "--password-file", "-"], .file("wrong horse\nx\n"))
    let ending = try third.ending()
    #expect(ending.status == 1)
    #expect(ending.errors.hasPrefix("! there is no account of this name with this password"))
    let fourth = try chat(["--name", "ann"], .file("x\n")).ending()
    #expect(fourth.status == 1)
    #expect(fourth.errors.contains("the name ann was not taken"))
    #expect(fourth.errors.contains("--password-file"))
  }

  @Test func privateWordsThatCameMeanwhileAreShownToAnAccountOnce() throws {
    try register()
    let bob = try BeckProcess(
      ["chat", "--name", "bob", server.addresses[0]], input: .keyboard)
    try bob.errors.read(until: "open: ")
    try bob.type("to:ann:one\nto:ann:two\n")
    try bob.output.read(until: "bob (private to ann): two\n")
    for isFirst in [true, false] {
      let ann = try chat(["--name", "ann"])
      try ann.errors.read(until: "password of ann")
      try ann.type("correct horse\n")
      try ann.errors.read(until: "open: ")
      if isFirst {
        try ann.output.read(until: "#1] bob (private): one\n")
        try ann.output.read(until: "#2] bob (private): two\n")
      }
      try ann.type("/ping x\n")
      try ann.output.read(until: "* pong x\n")
      try ann.type("quit:\n")
      #expect(try ann.ending().output.contains("(private): one") == isFirst)
    }
    try bob.type("quit:\n")
    #expect(try bob.ending().status == 0)
  }

  @Test(arguments: [
    (["--password-file", "-"], "whose password is it? "),
    (["--name", "ann", "--password-file", "/nowhere"], "--password-file cannot use '/nowhere': "),
    (
      ["--name", "ann", "--password-file", "/dev/null"], "--password-file cannot use '/dev/null': "
    ),
    (
      ["--name", "ann", "--password-file", "-", "--legacy"],
      "--password-file is of no use with --legacy"
    ),
    (
      ["chat.example.org", "--name", "ann", "--password-file", "/dev/null"],
      "others could read a password on its way to chat.example.org:12345; use --tls"
    ),
  ])
  func aWrongCommandLineIsStatus64(arguments: [String], sentence: String) throws {
    let ending = try BeckProcess(["chat"] + arguments).ending()
    #expect(ending.status == 64)
    #expect(ending.errors.hasPrefix("beck chat: \(sentence)"), "\(ending.errors)")
  }
}
