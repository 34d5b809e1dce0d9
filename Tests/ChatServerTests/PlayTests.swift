/// Every play, in process by a hand clock and over real sockets, in each form of the dialect.

import ChatServer
import Dialects
import Testing

/// Where a play can be given.
protocol Stage: AnyObject {
  func connect(_ person: String, _ speech: Speech) throws
  /// Logs in, and enters the lobby.
  func enter(_ person: String)
  func say(_ text: String, from person: String)
  /// One command or request as it stands, with the end that the person's speech gives it.
  func send(_ command: String, from person: String)
  /// Returns when everything that was said before can be found.
  func catchUpSearch() async throws
  func leave(_ person: String)
  /// Whether a server of its own does what is asked, in its own time.
  var isServed: Bool { get }
  /// What each person has been sent since the last call; everything done before is carried out.
  func seen() -> [String: [String]]
}

private func give(_ play: Play, on stage: some Stage) async throws {
  var known: [String: String] = [:]
  for step in play.steps {
    switch step.action {
    case .connect(let speech): try stage.connect(step.person, speech)
    case .enter(let speech):
      try stage.connect(step.person, speech)
      stage.enter(step.person)
    case .say(let text): stage.say(text, from: step.person)
    case .send(let command):
      if command.contains("\"search\"") { try await stage.catchUpSearch() }
      stage.send(Play.filled(command, known), from: step.person)
    case .leave: stage.leave(step.person)
    }
    var seen = stage.seen()
    // What a store has to read comes behind the barrier.
    let latest = ContinuousClock.now + .seconds(10)
    while step.sees.contains(where: { seen[$0.key]?.count ?? 0 < $0.value.count }),
      ContinuousClock.now < latest, stage.isServed
    {
      seen.merge(stage.seen()) { $0 + $1 }
    }
    for person in Set(seen.keys).union(step.sees.keys).sorted() {
      let lines = seen[person] ?? []
      let expected = step.sees[person] ?? []
      let isRight =
        lines.count == expected.count
        && zip(lines, expected).allSatisfy { Play.matches($0, $1, &known) }
      #expect(isRight, "\(play.name):\(step.line) \(person) saw \(lines), not \(expected)")
    }
  }
}

@Suite struct PlayTests {
  @Test func thereArePlays() { #expect(Play.all.count >= 5) }

  @Test(arguments: Play.all)
  func inProcessWithLines(play: Play) async throws {
    try await give(play, on: HandStage(.line))
  }

  @Test(arguments: Play.all.filter { !$0.isForLinesOnly })
  func inProcessUnterminated(play: Play) async throws {
    try await give(play, on: HandStage(.raw))
  }

  @Test(arguments: Play.all, Keeping.allCases)
  func overSocketsWithLines(play: Play, keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    try await give(play, on: SocketStage(running, form: .line))
    await running.stop()
  }

  @Test(arguments: Play.all.filter { !$0.isForLinesOnly })
  func overSocketsUnterminated(play: Play) async throws {
    let running = try await RunningServer()
    try await give(play, on: SocketStage(running, form: .raw))
    await running.stop()
  }
}
