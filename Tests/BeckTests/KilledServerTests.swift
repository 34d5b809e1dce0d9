/// `beck serve` that is killed, or told to end, at any moment under load. The answered is kept.

import Foundation
import TestSupport
import Testing

@Suite struct KilledServerTests {
  private let directory: TemporaryDirectory
  private var data: String { directory.path + "/data" }
  private var flags: [String] { RunningBeck.anyPort + ["--data", data, "--no-limits"] }
  private let speakers = (0..<4).map { Speaker("p\($0)") }
  private let witness = Witness()

  init() throws { directory = try TemporaryDirectory() }

  private func start() throws -> RunningBeck {
    let beck = try RunningBeck(flags)
    for (index, speaker) in speakers.enumerated() {
      // One has little room for what it is told.
      let room: Int32? = index == 0 ? 4_096 : nil
      speaker.connect(try TestClient(port: beck.port, receiveBuffer: room))
    }
    witness.connect(try TestClient(port: beck.port))
    return beck
  }

  /// Everything that was asked is answered now; what the witness saw is the history.
  private func checkAll(_ beck: RunningBeck) throws {
    for speaker in speakers { speaker.finish() }
    let client = try JSONClient(port: beck.port)
    client.logIn("reader")
    let history = client.history().messages
    check(history, holdsAllOf: speakers)
    witness.read(upTo: history.last?.seq ?? 0)
    #expect(witness.seen == history, "nobody was shown what a crash took back, or anything twice")
  }

  @Test func killedAtAnyMomentItKeepsWhatItAnsweredOnceAndInOrder() throws {
    let kills = amount("BECK_SOAK_KILLS", otherwise: 5)
    for _ in 0..<kills {
      let beck = try start()
      load(speakers, witness, until: .now + .milliseconds(.random(in: 0...400)))
      beck.process.send(SIGKILL)
      for speaker in speakers { speaker.lose() }
      witness.lose()
      #expect(try beck.process.ending().status == -SIGKILL)
      try verify(data)
    }
    let beck = try start()
    try checkAll(beck)
    let count = speakers.reduce(0) { $0 + $1.answered.count }
    print("killed \(kills) times under load: \(count) messages answered, each kept once, in order")
    #expect(try beck.end().status == 0)
  }

  @Test func toldToEndUnderLoadItAnswersWhatItKeptAndKeepsWhatItAnswered() throws {
    for _ in 0..<amount("BECK_SOAK_TERMS", otherwise: 5) {
      let beck = try start()
      load(speakers, witness, until: .now + .milliseconds(.random(in: 20...300)))
      let start = ContinuousClock.now
      beck.process.send(SIGTERM)
      for speaker in speakers { speaker.lose() }
      witness.lose()
      #expect(try beck.process.ending().status == 0)
      #expect(ContinuousClock.now - start < .seconds(3))
      for speaker in speakers {
        let last = speaker.client?.events.last
        #expect(last?.name == "closing" && last?.fields["reason"] as? String == "shutdown")
      }
      // What is kept and was not answered would be told here.
      let again = try RunningBeck(flags)
      let client = try JSONClient(port: again.port)
      client.logIn("reader")
      let kept = client.history().messages
      let answered = speakers.reduce(0) { $0 + $1.answered.count }
      #expect(kept.count == answered, "what was kept was answered before the end")
      #expect(witness.seen == kept, "and shown")
      #expect(try again.end().status == 0)
    }
    let beck = try start()
    try checkAll(beck)
    #expect(try beck.end().status == 0)
  }
}
