/// `beck serve --listen unix:PATH`: a place on this machine alone, and what lies there already.

import Foundation
import TestSupport
import Testing

@Suite struct UnixListenTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/beck.sock" }

  init() throws { directory = try TemporaryDirectory() }

  private var isThere: Bool { access(path, F_OK) == 0 }

  private func refusal(at path: String) throws -> String {
    let ending = try BeckProcess(["serve", "--memory", "--listen", "unix:\(path)"]).ending()
    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(ending.errors.count { $0 == "\n" } == 1, "\(ending.errors)")
    return ending.errors
  }

  @Test func peopleMeetWhateverTheyCameBy() throws {
    let beck = try RunningBeck(["--listen", "127.0.0.1:0", "--listen", "unix:\(path)"])
    #expect(beck.addresses == ["127.0.0.1:\(beck.port)", "unix:\(path)"])
    let ann = try TestClient(path: path)
    let bob = try TestClient(port: beck.port)
    ann.logIn("ann")
    bob.logIn("bob")
    ann.send("msg:by a path\n")
    #expect(bob.lines(until: "ann: by a path").count == 1)
    bob.send("msg:by an address\n")
    #expect(ann.lines(until: "bob: by an address").last == "bob: by an address")
    let ending = try beck.end()
    #expect(ending.status == 0)
    #expect(ending.errors == "")
  }

  @Test func theClientJoinsByIt() throws {
    let beck = try RunningBeck(["--listen", "unix:\(path)"])
    let ending = try BeckProcess(
      ["chat", "unix:\(path)", "--name", "ann"], input: .file("hello\n")
    ).ending()
    #expect(ending.status == 0)
    #expect(ending.output == "ann has joined\nann: hello\n")
    #expect(try beck.end().status == 0)
  }

  @Test func howToJoinByItIsSaid() throws {
    let beck = try RunningBeck(["--listen", "unix:\(path)"])
    let ending = try beck.end()
    #expect(
      ending.output == """
        listening on unix:\(path)
        messages are kept in memory: they are gone when this ends
        join:  \(BeckProcess.beck) chat --name YOU unix:\(path)
          or:  nc -U \(path)    then type iam:YOU, and msg:TEXT to speak

        """)
  }

  @Test func itsFileIsRemovedAtTheEnd() throws {
    let beck = try RunningBeck(["--listen", "unix:\(path)"])
    #expect(isThere)
    #expect(try beck.end().status == 0)
    #expect(!isThere)
  }

  @Test func whatADeadServerLeftIsReplaced() throws {
    let dead = try RunningBeck(["--listen", "unix:\(path)"])
    dead.process.send(SIGKILL)
    #expect(try dead.process.ending().status == -SIGKILL)
    #expect(isThere)
    let beck = try RunningBeck(["--listen", "unix:\(path)"])
    let ann = try TestClient(path: path)
    ann.logIn("ann")
    #expect(try beck.end().status == 0)
    #expect(!isThere)
  }

  @Test func aLiveServersPlaceIsRefusedAndStaysItsOwn() throws {
    let beck = try RunningBeck(["--listen", "unix:\(path)"])
    #expect(
      try refusal(at: path) == """
        beck serve: cannot listen on unix:\(path): Address already in use; \
        stop what listens there, or choose another path with --listen

        """)
    let ann = try TestClient(path: path)
    ann.logIn("ann")
    #expect(try beck.end().status == 0)
  }

  @Test func whatIsNoSocketStaysAsItIs() throws {
    try "mine".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try refusal(at: path).contains("something else is there"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func aFileThatSomebodyPutInItsPlaceIsNotRemoved() throws {
    let beck = try RunningBeck(["--listen", "unix:\(path)"])
    #expect(unlink(path) == 0)
    try "mine".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try beck.end().status == 0)
    #expect(isThere)
  }

  @Test func aPathThatIsTooLongIsOneSentence() throws {
    let long = directory.path + "/" + String(repeating: "x", count: 108)
    #expect(try refusal(at: long).contains("a socket's path has at most 107 bytes"))
  }

  @Test func aDirectoryThatIsNotThereIsOneSentence() throws {
    #expect(try refusal(at: directory.path + "/none/beck.sock").contains("No such file"))
  }

  @Test func ofManyThatFindADeadOnesFileOneGetsIt() throws {
    let dead = try RunningBeck(["--listen", "unix:\(path)"])
    dead.process.send(SIGKILL)
    _ = try dead.process.ending()
    let all = try (0..<6).map { _ in
      try BeckProcess(["serve", "--memory", "--listen", "unix:\(path)"])
    }
    // Who is refused ends by itself.
    for _ in 0..<500 where all.count(where: \.isGone) < 5 { _ = poll(nil, 0, 20) }
    let alive = all.filter { !$0.isGone }
    #expect(alive.count == 1)
    let ann = try TestClient(path: path)
    ann.logIn("ann")
    for process in alive { process.send(SIGTERM) }
    #expect(try all.map { try $0.ending().status }.sorted() == [0, 1, 1, 1, 1, 1])
  }
}
