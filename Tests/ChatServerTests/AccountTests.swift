/// Accounts over real sockets, with real hashes and a history on the disk.

import ChatServer
import Loop
import Stores
import TestSupport
import Testing

@Suite struct AccountTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func server() async throws -> RunningServer {
    let store = try SQLiteStore(in: DataDirectory(directory.path + "/data"))
    let key = [UInt8](repeating: 7, count: 32)
    return try await RunningServer { configuration in
      configuration.store = store
      configuration.tokenKey = key
      configuration.ownerCode = "c0de"
    }
  }

  private let ann = ["name": "ann", "password": "correct horse"]

  @Test func anAccountIsThereAfterARestartAndAGuestsWordsAreItsOwn() async throws {
    let first = try await server()
    let guest = try first.program("Ann")
    let said = guest.answer(to: guest.say("as a guest", key: "k"))
    let owner = ann.merging(["code": "c0de"]) { $1 }
    #expect(guest.ask("register", owner).ok["guest"] as? Bool == false)
    await first.stop()

    let second = try await server()
    #expect(await second.server.ownerCode == nil)
    let again = try JSONClient(port: second.port)
    #expect(again.ask("login", ["name": "ann"]).code == "name-taken")
    #expect(again.ask("login", ["name": "ann", "password": "wrong horse"]).code == "bad-password")
    #expect(again.ask("login", ["name": "bob", "password": "wrong horse"]).code == "bad-password")
    #expect(again.ask("login", ann).ok["name"] as? String == "Ann")
    again.ask("join", ["room": "lobby"])
    #expect(again.answer(to: again.say("as a guest", key: "k")).seq == said.seq)
    let members = again.ask("who", ["room": "lobby"]).ok["members"] as? [JSONClient.Fields]
    #expect(members?.first?["role"] as? String == "owner")
    await second.stop()
  }

  @Test func anotherPasswordAndALogoutMakeTokensVoidAlsoAfterARestart() async throws {
    let first = try await server()
    let client = try JSONClient(port: first.port)
    let old = client.ask("register", ann).ok["token"] as? String ?? ""
    let change = ["old": "correct horse", "new": "battery staple"]
    let new = client.ask("password", change).ok["token"] as? String ?? ""
    #expect(!old.isEmpty && !new.isEmpty && old != new)
    await first.stop()

    let second = try await server()
    let stranger = try JSONClient(port: second.port)
    #expect(stranger.resume(old).code == "bad-token")
    #expect(stranger.resume(new).ok["guest"] as? Bool == false)
    #expect(stranger.ask("logout").ok.isEmpty)
    #expect(stranger.resume(new).code == "bad-token")
    await second.stop()

    let third = try await server()
    let last = try JSONClient(port: third.port)
    #expect(last.resume(new).code == "bad-token")
    #expect(last.ask("login", ["name": "ann", "password": "battery staple"]).code == nil)
    await third.stop()
  }

  @Test func ofManyWhoRegisterOneNameAtOnceOneHasIt() async throws {
    let running = try await server()
    let clients = try (0..<6).map { _ in try JSONClient(port: running.port) }
    let asked = clients.enumerated().map { index, client in
      (client, client.post("register", ["name": "ann", "password": "password \(index)"]))
    }
    let answers = asked.map { client, id in client.answer(to: id) }
    #expect(answers.count { $0.ok["guest"] as? Bool == false } == 1)
    #expect(answers.count { $0.code == "name-taken" } == 5)
    await running.stop()
  }

  @Test func atATerminalAnAccountIsEnteredByNameAndPassword() async throws {
    let running = try await server()
    let client = try JSONClient(port: running.port)
    client.ask("register", ann)
    let person = try TestClient(port: running.port)
    person.send("iam:ann\n")
    #expect(person.line()?.hasPrefix("! ann has an account") == true)
    person.send("iam:ann:wrong horse\n")
    #expect(person.line()?.hasPrefix("! that is not the password") == true)
    person.send("iam:ann:correct horse\nmsg:hello\n")
    #expect(person.lines(until: "ann: hello").last == "ann: hello")
    // A tutorial's client, which sends a friend's name there.
    let friend = try TestClient(port: running.port)
    friend.send("iam:Liam:my friend Alice\n")
    #expect(friend.line() == "Liam has joined")
    await running.stop()
  }

  @Test func aServerThatIsToldToEndWaitsForNoHashButThoseUnderWay() async throws {
    let running = try await server()
    let clients = try (0..<8).map { _ in try JSONClient(port: running.port) }
    // A connection that was not accepted yet is told nothing.
    for client in clients { client.ask("ping") }
    for client in clients { client.post("login", ["name": "ann", "password": "wrong horse"]) }
    await running.stop()
    #expect(clients.allSatisfy { client in client.read { $0.count(of: "closing") > 0 } })
  }
}
