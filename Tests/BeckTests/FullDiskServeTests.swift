/// `beck serve` on a disk that is full: refusals that say so, nothing half kept, and an end of it.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SmallDisk.hindrance == nil, "\(SmallDisk.hindrance ?? "")"))
struct FullDiskServeTests {
  private let text = String(repeating: "x", count: 3_000)

  @Test func whatIsRefusedIsNotKeptAndWhatIsAnsweredIs() throws {
    let disk = try SmallDisk(mebibytes: 4)
    let flags = RunningBeck.anyPort + ["--data", disk.path + "/data", "--no-limits"]
    let beck = try RunningBeck(flags, under: disk.wrapper)
    let (ann, bob) = (try JSONClient(port: beck.port), try JSONClient(port: beck.port))
    ann.logIn("ann")
    bob.logIn("bob")
    for client in [ann, bob] { client.ask("join", ["room": "lobby"]) }

    func say(_ texts: [String]) -> [(text: String, answer: JSONClient.Answer?)] {
      let ids = texts.map { ann.say("\($0) \(text)", key: $0) }
      return zip(texts, ids).map { ($0, ann.answer(to: $1)) }
    }
    var kept = say((0..<50).map { "early \($0)" }).map(\.text)
    #expect(kept.count == 50)
    for round in 0..<3 {
      try disk.fill()
      let answers = say((0..<300).map { "\(round)-\($0)" })
      kept += answers.filter { $0.answer.isOK }.map(\.text)
      let refused = answers.filter { !$0.answer.isOK }
      #expect(refused.count > 50)
      #expect(Set(refused.map { $0.answer.code }) == ["not-stored"])
      // Nobody saw them; what was kept can still be read, and everybody else goes on.
      #expect(bob.ask("ping").isOK)
      #expect(bob.messages.texts == kept.map { "\($0) \(text)" })
      #expect(bob.history().messages == bob.messages)
      let netcat = try beck.join("netcat\(round)")
      netcat.send("msg:\(text)\nmsg:\(text)\nmsg:\(text)\n")
      #expect(netcat.line()?.hasPrefix("! not sent, the server's disk is full") == true)
      netcat.close()
      disk.makeRoom()
      // Each goes through now, in place of those that were refused.
      let retries = say(refused.map(\.text).prefix(20).map { $0 })
      #expect(retries.filter { $0.answer.isOK }.count == 20)
      kept += retries.map(\.text)
    }
    bob.ask("ping")
    #expect(bob.messages.texts == kept.map { "\($0) \(text)" })
    let ending = try beck.end()
    #expect(ending.status == 0)
    #expect(
      ending.errors.hasPrefix("beck serve: no room is left on the disk for ")
        && ending.errors.count { $0 == "\n" } == 1, "said once a minute: \(ending.errors)")

    try verify(disk.path + "/data", under: disk.wrapper)
    let again = try RunningBeck(flags, under: disk.wrapper)
    let reader = try JSONClient(port: again.port)
    reader.logIn("reader")
    #expect(reader.history().messages.map(\.text) == bob.messages.texts)
    #expect(try again.end().status == 0)
  }
}
