/// How `beck chat` ends when something else than its input ends it, and how it begins.

import Foundation
import TestSupport
import Testing

@Suite struct ChatEndingTests {
  private func run(_ arguments: String..., environment: [String: String] = [:]) throws
    -> BeckProcess.Ending
  {
    try BeckProcess(arguments, environment: environment).ending()
  }

  @Test func aServerOutOfReachIsToldWithAdvice() throws {
    // Bound and gone again: nothing listens there.
    let address = try ScriptedServer().address
    let ending = try run("chat", "--name", "ann", address)
    #expect(ending.status == 2)
    #expect(
      ending.errors == """
        beck chat: cannot reach \(address): connection refused; \
        is a server running there? try: beck serve

        """)
  }

  @Test func aHostThatDoesNotExistIsTold() throws {
    let ending = try run("chat", "--name", "ann", "no-such-host.invalid")
    #expect(ending.status == 2)
    #expect(ending.errors.hasPrefix("beck chat: cannot reach no-such-host.invalid:12345: "))
    #expect(ending.errors.hasSuffix("; check the address and the network\n"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsIt(signal: Int32) throws {
    let server = try ScriptedServer()
    let beck = try BeckProcess(["chat", "--name", "ann", server.address, "--plain"], input: .pipe)
    let peer = try server.accept()
    try peer.welcome()
    try beck.output.read(until: "joined\n")
    beck.send(signal)
    let ending = try beck.ending()
    #expect(ending.status == 128 + signal)
    #expect(ending.errors == "")
    #expect(try peer.intake.line() == nil)
  }

  @Test func anOutputThatNobodyReadsEndsItQuietly() throws {
    let server = try ScriptedServer()
    let beck = try BeckProcess(["chat", "--name", "ann", server.address, "--plain"], input: .pipe)
    let peer = try server.accept()
    try peer.welcome()
    try beck.output.read(until: "joined\n")
    beck.stopReadingOutput()
    try peer.write("bob: anyone?\n")
    let ending = try beck.ending()
    #expect(ending.status == 128 + SIGPIPE)
    #expect(ending.errors == "")
  }

  @Test func theUsersNameIsTakenFromAPipe() throws {
    let server = try ScriptedServer()
    let beck = try BeckProcess(
      ["chat", server.address, "--plain"], environment: ["USER": "bea"])
    let peer = try server.accept()
    try peer.welcome("bea")
    try peer.farewell()
    #expect(try beck.ending().status == 0)
  }

  @Test func withoutAnyNameItSaysHowToGiveOne() throws {
    let ending = try run("chat", "127.0.0.1:1")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("give a name with --name NAME"))
  }

  @Test func anAddressOfTheSixthVersionIsReached() throws {
    let server = try ScriptedServer(isIPv6: true)
    let beck = try BeckProcess(["chat", "--name", "ann", server.address, "--plain"])
    let peer = try server.accept()
    try peer.welcome()
    try peer.farewell()
    #expect(try beck.ending().status == 0)
  }

  @Test func aServerThatDoesNotAnswerIsWaitedForWithAWord() throws {
    let server = try ScriptedServer()
    let beck = try BeckProcess(["chat", "--name", "ann", server.address, "--plain"])
    let peer = try server.accept()
    try beck.errors.read(until: "has not answered yet; still waiting.")
    try peer.welcome()
    try peer.farewell()
    let ending = try beck.ending()
    #expect(ending.status == 0)
    #expect(ending.errors.contains("try: beck chat --legacy"))
  }

  @Test(arguments: [
    ([], "beck chat"),
    (["caht"], "there is no subcommand 'caht'; try: beck --help"),
    (["--nmae"], "there is no option '--nmae'"),
    (["chat", "--nmae", "ann"], "--nmae"),
    (["chat", "--name"], "--name needs a value"),
    (["chat", "--name", ""], "cannot be a name"),
    (["chat", "--name", "ann", "one", "two"], "'two' is one more"),
    (["chat", "--name", "ann", "host:port"], "'host:port' is no HOST, HOST:PORT or unix:PATH"),
  ])
  func aWrongCommandLineIsStatus64(arguments: [String], sentence: String) throws {
    let ending = try BeckProcess(arguments).ending()
    #expect(ending.status == 64)
    #expect(ending.errors.contains(sentence))
    #expect(ending.output == "")
  }

  @Test(arguments: [
    (["--help"], "beck chat"), (["chat", "--help"], "Examples:"), (["--version"], "beck 0.1.0\n"),
  ])
  func helpIsNoError(arguments: [String], sentence: String) throws {
    let ending = try BeckProcess(arguments).ending()
    #expect(ending.status == 0)
    #expect(ending.output.contains(sentence))
    #expect(ending.errors == "")
  }
}
