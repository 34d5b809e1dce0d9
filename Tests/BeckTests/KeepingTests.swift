/// `beck serve --keep-days` and `--keep-messages` as built: what goes, what is said of it.

import Foundation
import TestSupport
import Testing

@Suite struct KeepingTests {
  private let directory: TemporaryDirectory
  private var data: String { directory.path + "/data" }

  init() throws { directory = try TemporaryDirectory() }

  /// Of 2020 and of now: so many messages of each in the room tea.
  private func makeHistory(old: Int, new: Int) throws {
    let now = ISO8601DateFormatter().string(from: Date()).dropLast() + ".000Z"
    let lines = (1...(old + new)).map { seq in
      let at = seq <= old ? "2020-01-31T10:00:00.000Z" : String(now)
      return
        #"{"room":"tea","seq":\#(seq),"from":"ann","person":"7","text":"\#(seq)","at":"\#(at)"}"#
    }
    let header = #"{"beck":"history","version":1,"rooms":[{"room":"tea","seq":\#(old + new)}]}"#
    let end = #"{"end":{"messages":\#(old + new)}}"#
    let input = ([header] + lines + [end]).map { $0 + "\n" }.joined()
    let ending = try BeckProcess(["import", "--data", data], input: .file(input)).ending()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// Looks until something of the room is gone; gives what is there then, and the gaps.
  private func whenSomethingIsGone(
    _ client: JSONClient
  ) -> (messages: [JSONClient.Said], gaps: [ClosedRange<Int>]) {
    for _ in 0..<100 {
      let found = client.history(of: "tea")
      if !found.gaps.isEmpty { return found }
      _ = client.socket.linesWithin(milliseconds: 200)
    }
    Issue.record("nothing was removed")
    return ([], [])
  }

  @Test func whatIsTooOldGoesWhileTheServerServesAndThatIsSaid() throws {
    try makeHistory(old: 2_500, new: 40)
    let beck = try RunningBeck(RunningBeck.anyPort + ["--data", data, "--keep-days", "30"])
    let ann = try JSONClient(port: beck.port)
    ann.logIn("ann")
    ann.ask("join", ["room": "tea"])
    let notices = ann.events.filter { $0.name == "notice" }.compactMap { $0.fields["text"] }
    #expect(notices as? [String] == ["messages here are kept for 30 days"])
    var found = whenSomethingIsGone(ann)
    while found.messages.count > 40 { found = ann.history(of: "tea") }
    #expect(found.messages.seqs == Array(2_501...2_540) && found.gaps == [1...2_500])
    #expect(ann.answer(to: ann.say("after it", in: "tea")).seq == 2_541)
    let bob = try TestClient(port: beck.port)
    bob.logIn("bob")
    bob.send("join:tea\nhistory:2\n")
    #expect(bob.linesBeforePong().contains("* messages here are kept for 30 days"))
    let ending = try beck.end()
    #expect(ending.status == 0 && ending.errors.isEmpty)
    #expect(ending.output.contains("\nmessages are kept for 30 days, in \(data)\n"))
    let verified = try BeckProcess(["verify", "--data", data]).ending()
    #expect(
      verified.errors == "beck verify: 41 messages in 2 rooms, all sound\n"
        || verified.errors == "beck verify: 41 messages in 1 room, all sound\n")
  }

  @Test func ofEachRoomTheNewestStay() throws {
    try makeHistory(old: 30, new: 30)
    let beck = try RunningBeck(RunningBeck.anyPort + ["--data", data, "--keep-messages", "7"])
    let ann = try JSONClient(port: beck.port)
    ann.logIn("ann")
    ann.ask("join", ["room": "tea"])
    let found = whenSomethingIsGone(ann)
    #expect(found.messages.seqs == Array(54...60) && found.gaps == [1...53])
    let ending = try beck.end()
    #expect(
      ending.output.contains(
        "\nmessages are kept while they are among the newest 7 of their room, in \(data)\n"))
  }

  @Test func inMemoryTheNewestStay() throws {
    let beck = try RunningBeck(RunningBeck.anyPort + ["--memory", "--keep-messages", "7"])
    let ann = try JSONClient(port: beck.port)
    ann.logIn("ann")
    ann.ask("join", ["room": "tea"])
    let ids = (1...10).map { ann.say("\($0)", in: "tea") }
    for id in ids { #expect(ann.answer(to: id).isOK) }
    let found = ann.history(of: "tea")
    #expect(found.messages.seqs == Array(4...10) && found.gaps == [1...3])
    #expect(
      try beck.end().output.contains(
        "\nthe newest 7 of each room are kept in memory: they are gone when this ends\n"))
  }

  @Test func withoutAFlagAllIsKeptAndThatIsSaid() throws {
    let beck = try RunningBeck(RunningBeck.anyPort + ["--data", data])
    let ann = try JSONClient(port: beck.port)
    ann.logIn("ann")
    #expect(ann.ask("ping").isOK)
    #expect(ann.events.map(\.fields).first?["text"] as? String == "messages here are kept for good")
    let again = try JSONClient(port: beck.port)
    again.resume(ann.token)
    #expect(again.ask("ping").isOK)
    #expect(again.events.isEmpty, "who comes back was told")
    #expect(try beck.end().output.contains("\nmessages are kept for good, in \(data)\n"))
  }
}
