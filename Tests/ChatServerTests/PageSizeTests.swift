/// Pages of long texts over sockets: each is bounded, and who goes on from it has everything.

import ChatHub
import ChatModel
import ChatServer
import Dialects
import TestSupport
import Testing

@Suite struct PageSizeTests {
  private static let text = String(repeating: "\\", count: 3_000)

  private func speak(_ running: RunningServer) throws -> JSONClient {
    let ann = try running.program("ann")
    ann.sayAll((0..<80).map { "\($0) \(Self.text)" })
    return ann
  }

  @Test(arguments: Keeping.allCases)
  func whoGoesOnFromPageToPageHasEverything(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try speak(running)
    let (messages, gaps) = ann.history()
    #expect(messages.seqs == Array(1...80) && gaps.isEmpty)
    var before = 81
    var pages = 0
    while before > 1 {
      let page = ann.ask("history", ["room": "lobby", "before": before, "limit": 500]).ok
      let seqs = (page["messages"] as? [JSONClient.Fields] ?? []).compactMap { $0["seq"] as? Int }
      guard let first = seqs.first else { break }
      #expect(seqs == Array(first..<before), "the newest of what lies before")
      #expect(page["more"] as? Bool == (first > 1))
      before = first
      pages += 1
    }
    #expect(before == 1 && (8...10).contains(pages), "\(pages)")
    await running.stop()
  }

  @Test func plainIsToldHowToGoOn() async throws {
    let running = try await RunningServer { $0.limits.liftRates() }
    _ = try speak(running)
    let bob = try TestClient(port: running.port)
    bob.logIn("bob")
    bob.send("history:500\n")
    let shown = bob.linesBeforePong()
    #expect(shown.first?.hasSuffix("fit here; since:0 shows all from the first on") == true)
    #expect(shown.reduce(0) { $0 + $1.utf8.count } < 70_000)
    var seqs: [Int] = []
    var since: Int? = 0
    while let next = since {
      bob.send("since:\(next)\n")
      let lines = bob.linesBeforePong()
      seqs += lines.compactMap { $0.firstMatch(of: /#(\d+)\]/).flatMap { Int($0.1) } }
      since = lines.last?.firstMatch(of: /more; since:(\d+) shows/).flatMap { Int($0.1) }
    }
    #expect(seqs == Array(1...80))
    await running.stop()
  }

  @Test func theLongestListsFitIntoALineOfJSON() throws {
    let limits = HubLimits()
    let longest = try #require(RoomName(String(repeating: "r", count: 64)))
    var state = RoomState(place: .room(longest), members: .max, seq: .max)
    state.mark = .max
    let states = Array(repeating: state, count: limits.roomsListedBytesMax / 211)
    let member = Member(try UserName(String(repeating: "\\", count: 64)), role: .moderator)
    let members = Array(repeating: member, count: limits.whoNamesMax)
    let id = RequestID.text(String(repeating: "\u{1}", count: 64))
    for answer in [
      Answer.rooms(states, count: .max), .members(longest, members, count: .max),
    ] {
      var line: [UInt8] = []
      Encoder.encode(answer, to: id, for: .json, into: &line)
      #expect((1...JSONLimits.lineBytesMax + 1).contains(line.count), "with its LF")
    }
  }
}
