/// `beck serve` on the command line: where it listens, what it says, what it refuses.

import Foundation
import TestSupport
import Testing

@Suite struct ServeTests {
  @Test func itSaysWhereItListensAndHowToJoin() throws {
    let beck = try RunningBeck()
    #expect(beck.addresses == ["127.0.0.1:\(beck.port)"])
    #expect(beck.port != 0)
    let ending = try beck.end()
    #expect(ending.status == 0)
    #expect(
      ending.output == """
        listening on 127.0.0.1:\(beck.port)
        messages are kept in memory: they are gone when this ends
        join:  open http://127.0.0.1:\(beck.port)/ in a browser
          or:  \(BeckProcess.beck) chat --name YOU 127.0.0.1:\(beck.port)
          or:  nc 127.0.0.1 \(beck.port)    then type iam:YOU, and msg:TEXT to speak

        """)
    #expect(ending.errors == "")
  }

  @Test func itListensWhereverItIsTold() throws {
    let beck = try RunningBeck([
      "--listen", "127.0.0.1:0", "--listen=[::1]:0", "--listen", "127.0.0.2:0", "--memory",
    ])
    #expect(beck.addresses.count == 3)
    let clients = try beck.addresses.map { text in
      let colon = try #require(text.lastIndex(of: ":"))
      let port = try #require(UInt16(text[text.index(after: colon)...]))
      let host = text[..<colon].trimmingCharacters(in: ["[", "]"])
      return try TestClient(host: host, port: port)
    }
    #expect(beck.addresses[1].hasPrefix("[::1]:"))
    for (index, client) in clients.enumerated() { client.logIn("p\(index)") }
    clients[1].send("msg:one room\n")
    for client in clients { #expect(client.lines(until: "p1: one room").last == "p1: one room") }
    #expect(try beck.end().status == 0)
  }

  @Test func theJoinLineOfAnAddressOfTheSixthVersionHasItsBrackets() throws {
    let beck = try RunningBeck(["--listen", "[::1]:0"])
    let output = try beck.end().output
    #expect(output.contains(" chat --name YOU [::1]:\(beck.port)\n"))
    #expect(output.contains("nc ::1 \(beck.port) "))
  }

  @Test func whatIsOpenToOthersIsSaid() throws {
    let beck = try RunningBeck(["--listen", "127.0.0.1:0", "--listen", "0.0.0.0:0"])
    let output = try beck.end().output
    let open = output.split(separator: "\n").filter { $0.hasPrefix("open to other machines: ") }
    #expect(open == ["open to other machines: \(beck.addresses[1])"])
  }

  @Test func helpTeaches() throws {
    let ending = try BeckProcess(["serve", "--help"]).ending()
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    for words in [
      "--listen ADDRESS:PORT", "Default: 127.0.0.1:12345 and [::1]:12345", "examples:\n",
      "--no-limits",
      "Exit status: 0 ended so; 1 it cannot\nlisten, or cannot keep messages; 64 the command line",
    ] { #expect(ending.output.contains(words)) }
  }

  @Test(arguments: [
    (["--lisn", "127.0.0.1:0"], "--lisn is not a flag of this command"),
    (["--listen"], "--listen needs a value"),
    (["--listen", "localhost:0"], "not 'localhost:0'"),
    (["--listen", "127.0.0.1"], "not '127.0.0.1'"),
    (["--listen", "127.0.0.1:65536"], "not '127.0.0.1:65536'"),
    (["--listen", "::1:12345"], "not '::1:12345'"),
    (["--listen", "127.0.0.1:0", "--listen", ""], "not ''"),
    (["--memory=yes"], "--memory takes no value"),
    (["-x"], "-x is not a flag of this command"),
    (["--memory", "-xy"], "-x is not a flag of this command"),
    (["-é"], "-é is not a flag of this command"),
    (["--keep-days", "0"], "--keep-days takes a number of days, 1 to 36500, not '0'"),
    (["--keep-days", "1.5"], "not '1.5'"), (["--keep-days", "36501"], "not '36501'"),
    (["--keep-days="], "not ''"), (["--keep-messages", "-1"], "--keep-messages takes a number, 1"),
    (["--keep-messages", "99999999999999999999"], "not '99999999999999999999'"),
    (["--memory", "--keep-days", "2"], "--keep-days and --memory exclude each other; --keep"),
    (["--keep-days", "2", "--memory"], "--keep-days and --memory exclude each other; --keep"),
    (["12345"], "'12345' is not a flag of beck serve"),
    (["--public-name"], "--public-name needs a value"),
    (["--public-name", "a.example:80"], "--public-name takes a name without a port, such as "),
    (["--public-name", "https://a.example"], "not 'https://a.example'"),
    (["--public-name", "a.example", "--public-name="], "not ''"),
    (["--allow-origin"], "--allow-origin needs a value"),
    (["--allow-origin", "a.example"], "--allow-origin takes a scheme and a host as browsers send"),
    (["--allow-origin", "https://a.example/"], "and nothing behind, not 'https://a.example/'"),
    (["--allow-origin", "https://a.example", "--allow-origin", "*"], "not '*'"),
  ])
  func aWrongCommandLineIsOneSentenceAndStatus64(flags: [String], words: String) throws {
    let ending = try BeckProcess(["serve"] + flags).ending()
    #expect(ending.status == 64)
    #expect(ending.output == "")
    #expect(isOneLine(ending.errors), "\(ending.errors)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
    #expect(ending.errors.hasSuffix("; try: beck serve --help\n"))
  }

  @Test func anAddressInUseIsOneSentenceAndNothingIsListenedTo() throws {
    let first = try RunningBeck()
    let ending = try BeckProcess(
      ["serve", "--memory", "--listen", "127.0.0.1:0", "--listen", first.addresses[0]]
    ).ending()
    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(
      ending.errors == """
        beck serve: cannot listen on \(first.addresses[0]): Address already in use; \
        stop what listens there, or choose another port with --listen

        """)
    #expect(try first.join("ann").linesBeforePong() == [])
  }

  @Test func anAddressOfAnotherMachineIsOneSentence() throws {
    // An address of the documentation's (RFC 5737).
    let ending = try BeckProcess(["serve", "--memory", "--listen", "192.0.2.1:0"]).ending()
    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(isOneLine(ending.errors) && ending.errors.contains("this machine has no such address"))
  }

  private static let firstFreePort =
    (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8))
    .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 1_024

  @Test(.enabled(if: firstFreePort > 80, "here everybody may listen on port 80"))
  func aPortWithoutPermissionIsOneSentence() throws {
    // Root keeps its name, so that it can still run the program, and loses its powers.
    let powerless = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    let ending = try BeckProcess(
      ["serve", "--memory", "--listen", "127.0.0.1:80"], under: geteuid() == 0 ? powerless : []
    ).ending()
    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(isOneLine(ending.errors) && ending.errors.contains("ports below 1024 need root"))
  }

  @Test func aPortThatBrowsersRefuseIsWarnedOf() throws {
    // All of 127.0.0.0/8 is this machine, and nobody listens there by chance.
    let beck = try RunningBeck(["--listen", "127.66.66.7:6667"])
    let ending = try beck.end()
    #expect(ending.status == 0)
    #expect(isOneLine(ending.errors))
    #expect(ending.errors.contains("web browsers refuse to open port 6667"))
  }

  private func isOneLine(_ text: String) -> Bool {
    text.hasPrefix("beck serve: ") && text.hasSuffix("\n") && text.count { $0 == "\n" } == 1
  }
}

/// Without flags, on a machine of its own, where port 12345 is free.
@Suite(.enabled(if: NetworkNamespace.hindrance == nil, "needs root and ip(8)"))
struct ServeDefaultTests {
  @Test func thisMachineOnlyInBothVersions() throws {
    let machine = try NetworkNamespace("default")
    let beck = try RunningBeck([], under: machine.wrapper)
    #expect(beck.addresses == ["127.0.0.1:12345", "[::1]:12345"])
    let ann = try TestClient(port: 12_345, in: machine)
    let bob = try TestClient(host: "::1", port: 12_345, in: machine)
    ann.logIn("ann")
    bob.logIn("bob")
    #expect(ann.lines(until: "bob has joined").count == 1)
    let ending = try beck.end()
    let invitation = "  or:  \(BeckProcess.beck) chat --name YOU\n"
    #expect(ending.output.contains(invitation), "the port goes without saying")
    #expect(ending.errors == "")
  }

  @Test func aMachineWithoutTheSixthVersionIsNoError() throws {
    let machine = try NetworkNamespace("four")
    let without = [
      "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6; exec \"$@\"", "sh",
    ]
    let beck = try RunningBeck([], under: machine.wrapper + without)
    #expect(beck.addresses == ["127.0.0.1:12345"])
    let ending = try beck.end()
    #expect(ending.status == 0)
    #expect(ending.errors == "")
  }

  @Test func somebodyElseOnTheSixthVersionsPortIsAnError() throws {
    // Otherwise who joins at localhost might talk to that one.
    let machine = try NetworkNamespace("taken")
    let other = try RunningBeck(["--listen", "[::1]:12345"], under: machine.wrapper)
    let ending = try BeckProcess(["serve", "--memory"], under: machine.wrapper).ending()
    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(ending.errors.contains("cannot listen on [::1]:12345: Address already in use"))
    #expect(try other.end().status == 0)
  }
}
