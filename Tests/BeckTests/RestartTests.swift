/// `beck serve --data` ended and started again: people, keys and messages are as they were.

import Foundation
import TestSupport
import Testing

@Suite struct RestartTests {
  private let directory: TemporaryDirectory
  private var data: String { directory.path + "/data" }

  init() throws { directory = try TemporaryDirectory() }

  private func start(_ data: String) throws -> RunningBeck {
    try RunningBeck(RunningBeck.anyPort + ["--data", data])
  }

  @Test func aTokenIsGoodAndAKeyIsKnownAfterARestart() throws {
    let first = try start(data)
    let ann = try JSONClient(port: first.port)
    ann.logIn("Ann")
    ann.ask("join", ["room": "tea"])
    let answer = ann.answer(to: ann.say("hello", in: "tea", key: "k"))
    #expect(answer.ok["durability"] as? String == "stored")
    #expect(try first.end().status == 0)

    let second = try start(data)
    let again = try JSONClient(port: second.port)
    #expect(again.resume(ann.token).ok["name"] as? String == "Ann")
    again.ask("join", ["room": "tea", "after": 0])
    let retry = again.answer(to: again.say("hello", in: "tea", key: "k"))
    #expect(retry.seq == answer.seq && retry.ok["at"] as? String == answer.ok["at"] as? String)
    #expect(again.answer(to: again.say("more", in: "tea")).seq == 2)
    again.read(untilMessage: "more")
    #expect(again.messages.seqs == [1, 2])
    #expect(again.messages.first?.key == "k", "still one's own")
    let rooms = again.ask("rooms").ok["rooms"] as? [JSONClient.Fields] ?? []
    #expect(rooms.contains { $0["name"] as? String == "tea" && $0["seq"] as? Int == 2 })
    #expect(try second.end().status == 0)
  }

  @Test func aTokenOfAnotherServerIsRefused() throws {
    let first = try start(data)
    let ann = try JSONClient(port: first.port)
    ann.logIn("ann")
    let other = try start(directory.path + "/other")
    let stranger = try JSONClient(port: other.port)
    #expect(stranger.resume(ann.token).code == "bad-token")
    #expect(try first.end().status == 0)
    #expect(try other.end().status == 0)
  }

  @Test func whatIsSaidInLinesIsThereForPrograms() throws {
    let first = try start(data)
    let ann = try first.join("ann")
    ann.send("msg:from netcat\n")
    _ = ann.lines(until: "ann: from netcat")
    #expect(try first.end().status == 0)
    let second = try start(data)
    let bob = try JSONClient(port: second.port)
    bob.logIn("bob")
    #expect(bob.history().messages.texts == ["from netcat"])
    let line = try second.join("cat")
    line.send("history:5\n")
    let shown = line.line() ?? ""
    #expect(shown.hasPrefix("[20") && shown.hasSuffix(" #1] ann: from netcat"), "\(shown)")
    #expect(try second.end().status == 0)
  }
}
