/// `beck chat --legacy` against a scripted server that reads as the tutorials' servers do.

import Foundation
import TestSupport
import Testing

@Suite struct LegacyChatTests {
  private let server: ScriptedServer

  init() throws {
    server = try ScriptedServer()
  }

  private func command(_ peer: ScriptedPeer) throws -> (text: String, at: ContinuousClock.Instant) {
    let bytes = try peer.intake.read()
    return (String(decoding: bytes, as: UTF8.self), .now)
  }

  @Test func commandsComeOneAReadWithAPauseAndTheEndWaitsForTheEcho() throws {
    let long = String(repeating: "grüße ", count: 300)
    let beck = try BeckProcess(
      ["chat", "--legacy", "--name", "ann", server.address], input: .file("one\n\(long)\n"))
    let peer = try server.accept()
    #expect(try command(peer).text == "iam:ann")
    try peer.write("ann has joined\n")
    var said = ""
    var last = ContinuousClock.now - .seconds(1)
    var echoed = last
    while said.utf8.count < 3 + long.utf8.count {
      let (text, at) = try command(peer)
      #expect(text.hasPrefix("msg:"))
      #expect(text.utf8.count <= 1_024)
      #expect(!text.contains("\u{FFFD}"))
      // A little under the 100 ms of the rule: reading, too, takes its time.
      #expect(at - last > .milliseconds(60))
      last = at
      said += text.dropFirst(4)
      echoed = .now
      try peer.write("ann: \(text.dropFirst(4))\n")
    }
    #expect(said == "one" + long)
    #expect(try peer.intake.read().isEmpty)
    #expect(ContinuousClock.now - echoed > .milliseconds(1_900))
    let ending = try beck.ending()
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("ann has joined\nann: one\nann: grüße"))
    #expect(ending.errors == "")
  }

  @Test func aServerThatEchoesNothingIsLeftAfterTwoQuietSeconds() throws {
    let beck = try BeckProcess(
      ["chat", "--legacy", "--name", "ann", server.address], input: .file("one\n"))
    let peer = try server.accept()
    #expect(try command(peer).text == "iam:ann")
    #expect(try command(peer).text == "msg:one")
    #expect(try peer.intake.read().isEmpty)
    #expect(try beck.ending().status == 0)
  }

  @Test func aServerThatEndsBeforeTheEchoIsTold() throws {
    let beck = try BeckProcess(
      ["chat", "--legacy", "--name", "ann", server.address], input: .file("one\n"))
    let peer = try server.accept()
    #expect(try command(peer).text == "iam:ann")
    #expect(try command(peer).text == "msg:one")
    peer.end()
    let ending = try beck.ending()
    #expect(ending.status == 1)
    #expect(ending.errors.contains("1 line has no answer and may be lost"))
  }
}
