/// A link that drops everything, while nobody is told of any end; then it is there again.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: NetworkNamespace.hindrance == nil, "needs root and ip(8)"))
struct CutLinkTests {
  private static let nearPort: UInt16 = 4_000

  @Test func afterTheCutNothingIsMissingAndNothingIsThereTwice() throws {
    let cable = try Cable("cut-\(UInt32.random(in: 0 ... .max))")
    let directory = try TemporaryDirectory()
    let beck = try RunningBeck(
      [
        "--listen", "\(cable.nearHost):0", "--listen", "127.0.0.1:\(Self.nearPort)", "--no-limits",
        "--data", directory.path + "/data",
      ],
      under: cable.near.wrapper)
    func far() throws -> TestClient {
      try TestClient(host: cable.nearHost, port: beck.port, in: cable.far)
    }
    let (near, mobile, witness) = (Speaker("near"), Speaker("mobile"), Witness())
    near.connect(try TestClient(port: Self.nearPort, in: cable.near))
    mobile.connect(try far())
    witness.connect(try far())
    for _ in 0..<amount("BECK_SOAK_CUTS", otherwise: 3) {
      load([near, mobile], witness, until: .now + .milliseconds(200))
      try cable.cut()
      // The far ones go on speaking into nothing, the near one is not held up.
      let before = near.answered.count
      load([near, mobile], witness, until: .now + .milliseconds(300))
      #expect(near.answered.count > before)
      // They give up; of that, too, nothing arrives.
      mobile.giveUp()
      witness.giveUp()
      try cable.mend()
      mobile.connect(try far())
      witness.connect(try far())
    }
    for speaker in [near, mobile] { speaker.finish() }
    let reader = JSONClient(try TestClient(port: Self.nearPort, in: cable.near))
    reader.logIn("reader")
    let history = reader.history().messages
    check(history, holdsAllOf: [near, mobile])
    witness.read(upTo: history.last?.seq ?? 0)
    #expect(witness.seen == history)
    #expect(try beck.end().status == 0)
    try verify(directory.path + "/data")
  }
}
