/// Readers that stop reading for a while under load: they end complete, and hold nobody up.

import Foundation
import TestSupport
import Testing

@Suite struct StoppedReaderTests {
  /// For so long they read nothing: a minute in `make soak`.
  private static let seconds = amount("BECK_SOAK_STOPPED_SECONDS", otherwise: 2)

  @Test(arguments: ["--memory", "--data"])
  func whoReadsNothingForAWhileEndsComplete(keeping: String) throws {
    let directory = try TemporaryDirectory()
    let data = keeping == "--data" ? ["--data", directory.path + "/data"] : ["--memory"]
    let beck = try RunningBeck(RunningBeck.anyPort + ["--no-limits"] + data)
    let program = try JSONClient(port: beck.port, receiveBuffer: 4_096)
    program.logIn("program")
    program.ask("join", ["room": "lobby"])
    let typist = try TestClient(port: beck.port, receiveBuffer: 4_096)
    typist.logIn("typist")

    let speakers = (0..<2).map { Speaker("p\($0)") }
    for speaker in speakers { speaker.connect(try TestClient(port: beck.port)) }
    let start = ContinuousClock.now
    load(speakers, until: start + .seconds(Self.seconds))
    for speaker in speakers { speaker.finish() }
    let rate = Double(speakers.reduce(0) { $0 + $1.texts.count }) / Double(Self.seconds)

    let reader = try JSONClient(port: beck.port)
    reader.logIn("reader")
    reader.ask("join", ["room": "lobby"])
    #expect(reader.answer(to: reader.say("the end")).isOK)
    let (history, gaps) = reader.history()
    let newest = try #require(history.last?.seq)
    // What memory has no room for is said, to them as to everybody.
    program.read { ($0.messages.last?.seq ?? 0) >= newest }
    let told = program.events.filter { $0.name == "gap" }.compactMap { JSONClient.range($0.fields) }
    #expect(program.messages.seqs.isIncreasing)
    let missing = Set(1...newest).subtracting(program.messages.seqs)
    #expect(missing == Set(told.joined()), "what it lacks is what it was told to be gone")
    #expect(keeping == "--memory" || told.isEmpty && gaps.isEmpty)
    // Who was behind is told that it is live again after the newest, and before this answer.
    program.ask("ping")
    let wasBehind = program.events.contains { $0.name == "caughtUp" }

    let lines = typist.lines(until: "reader: the end")
    let said = lines.filter { line in ["p0: ", "p1: ", "reader: "].contains { line.hasPrefix($0) } }
    #expect(Set(said).count == said.count, "nothing twice")
    if keeping == "--data" { #expect(said == history.map { "\($0.from): \($0.text)" }) }
    print(
      "stopped for \(Self.seconds) s under \(Int(rate)) messages a second (\(keeping)): "
        + (wasBehind ? "behind, then complete" : "complete, and never behind"))
    #expect(try beck.end().status == 0)
  }
}
