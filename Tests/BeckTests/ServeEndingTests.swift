/// How `beck serve` ends, and what does not end it.

import Foundation
import TestSupport
import Testing

@Suite struct ServeEndingTests {
  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalEndsItWithinASecondAndEverybodyIsTold(signal: Int32) throws {
    let beck = try RunningBeck()
    let clients = try (0..<200).map { try beck.join("p\($0)") }
    let strangers = try (0..<5).map { _ in try TestClient(port: beck.port) }
    for client in strangers + clients { _ = client.linesBeforePong() }
    let start = ContinuousClock.now
    beck.process.send(signal)
    let ending = try beck.process.ending()
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    for client in strangers + clients {
      // The count line of the joins may still be on the way when the signal comes; how many it
      // counts hangs on how fast they came.
      let lines = client.linesUntilEnd().filter { !$0.hasSuffix(" joined, 200 here") }
      #expect(
        lines == ["* the server is closing; connect again in a moment"],
        "and nobody is told that the others leave")
    }
  }

  @Test func aSignalRightAfterTheFirstLineIsHeeded() throws {
    for _ in 0..<10 {
      let process = try BeckProcess(["serve"] + RunningBeck.anyPort + ["--memory"])
      _ = try process.output.line()
      process.send(SIGTERM)
      #expect(try process.ending().status == 0)
    }
  }

  @Test func anOutputThatNobodyReadsIsNoReasonToEnd() throws {
    // Bound and gone again: nobody listens there.
    let port = UInt16(try ScriptedServer().port)
    let process = try BeckProcess(
      ["serve", "--memory", "--listen", "127.0.0.1:\(port)"],
      under: ["sh", "-c", "read go; exec \"$@\"", "sh"], input: .pipe)
    process.stopReadingOutput()
    try process.type("go\n")
    let ann = try connect(to: port)
    ann.logIn("ann")
    ann.send("msg:hello\n")
    #expect(ann.lines(until: "ann: hello").count == 1)
    process.send(SIGTERM)
    #expect(try process.ending().status == 0)
  }

  /// As soon as somebody listens there.
  private func connect(to port: UInt16) throws -> TestClient {
    for _ in 0..<500 {
      if let client = try? TestClient(port: port) { return client }
      _ = poll(nil, 0, 20)
    }
    throw Failure("nobody listens on \(port)")
  }
}
