/// `beck serve` that nobody owns yet prints how to; one that somebody owns does not.

import Glibc
import TestSupport
import Testing

@Suite struct OwnerTests {
  private func code(in output: String) -> String? {
    output.firstMatch(of: /"code":"([0-9a-z]{26})"/).map { String($0.1) }
  }

  @Test func theCodeThatIsPrintedMakesTheOwnerOnce() throws {
    let directory = try TemporaryDirectory()
    let flags = RunningBeck.anyPort + ["--data", directory.path + "/data"]
    let unused = code(in: try RunningBeck(flags).end().output)
    #expect(unused != nil)

    let first = try RunningBeck(flags)
    try first.process.output.read(until: "}}\n")
    let printed = try #require(code(in: first.process.output.text))
    #expect(printed != unused)
    let ann = try JSONClient(port: first.port)
    let account = ["name": "ann", "password": "correct horse", "code": printed]
    #expect(
      ann.ask("register", account.merging(["code": unused ?? ""]) { $1 }).code == "bad-password")
    #expect(ann.ask("register", account).ok["guest"] as? Bool == false)
    let bob = try JSONClient(port: first.port)
    #expect(bob.ask("register", account.merging(["name": "bob"]) { $1 }).code == "bad-password")
    first.process.send(SIGKILL)
    _ = try first.process.ending()

    let second = try RunningBeck(flags)
    let again = try JSONClient(port: second.port)
    #expect(again.ask("login", ["name": "ann", "password": "correct horse"]).code == nil)
    #expect(!(try second.end().output.contains("owner")))
  }

  @Test func aServerThatKeepsNothingHasNoOwner() throws {
    #expect(!(try RunningBeck().end().output.contains("owner")))
  }
}
