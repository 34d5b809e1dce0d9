/// A room of thousands: entering it is quick, and so is everybody else when all leave at once.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct LargeRoomTests {
  /// Debug builds under a sanitizer are many times slower; `make soak` measures a release build.
  private static let isMeasured = ProcessInfo.processInfo.environment["BECK_SOAK_MEMBERS"] != nil
  private static let members = amount("BECK_SOAK_MEMBERS", otherwise: 600)

  @Test func enteringIsQuickAndWhenAllLeaveAtOnceOthersStayQuick() throws {
    try raiseDescriptorLimit()
    let beck = try RunningBeck(RunningBeck.anyPort + ["--memory", "--no-limits"])
    let ann = try JSONClient(port: beck.port)
    ann.logIn("ann")
    ann.ask("join", ["room": "lobby"])
    var crowd: [TestClient] = []
    crowd.reserveCapacity(Self.members)
    var times: [Duration] = []
    for index in 0..<Self.members {
      let client = try JSONClient(port: beck.port)
      client.logIn("member \(index)")
      let start = ContinuousClock.now
      client.ask("join", ["room": "lobby"])
      times.append(ContinuousClock.now - start)
      crowd.append(client.socket)
    }
    let last = times.suffix(100).sorted()
    #expect(last[50] < (Self.isMeasured ? .milliseconds(5) : .milliseconds(200)))

    // All at once, and in between a message and its answer, again and again.
    for client in crowd { client.close() }
    var longest = Duration.zero
    var isAlone = false
    while !isAlone {
      let start = ContinuousClock.now
      ann.answer(to: ann.say("still here"))
      longest = max(longest, ContinuousClock.now - start)
      isAlone = ann.ask("who", ["room": "lobby"]).ok["count"] as? Int == 1
    }
    #expect(longest < (Self.isMeasured ? .milliseconds(200) : .seconds(2)), "\(longest)")
    #expect(ann.read { $0.events.last { $0.name == "left" }?.fields["members"] as? Int == 1 })
    print(
      "room of \(Self.members): entering took \(last[50]) (99th of 100: \(last[98])); when all "
        + "left at once the longest answer took \(longest)")
    #expect(try beck.end().status == 0)
  }

  private func raiseDescriptorLimit() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur > Self.members + 200
    else { throw Failure("\(limit.rlim_cur) descriptors are too few for \(Self.members) people") }
  }
}
