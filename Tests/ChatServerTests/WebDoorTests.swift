/// Rooms over HTTP on real sockets: pages, posts and followers of a server that runs.

import ChatServer
import Stores
import TestSupport
import Testing

@Suite struct WebDoorTests {
  private func head(_ line: String, _ fields: [String] = []) -> String {
    (["\(line) HTTP/1.1", "Host: localhost"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// The status and the fields of the next answer.
  private func answer(_ client: TestClient) -> (status: String, fields: [String]) {
    let status = client.line().map { String($0.dropFirst(9).prefix(3)) } ?? ""
    var fields: [String] = []
    while let line = client.line(), line != "\r" { fields.append(String(line.dropLast())) }
    return (status, fields)
  }

  /// Somebody who follows the lobby, told events as lines; its head was read.
  private func follower(
    _ running: RunningServer, _ query: String = "", receiveBuffer: Int32? = nil
  ) throws -> JSONClient {
    let client = try JSONClient(port: running.port, receiveBuffer: receiveBuffer)
    client.socket.send(head("GET /rooms/lobby/messages?follow=1\(query)"))
    #expect(answer(client.socket).status == "200")
    return client
  }

  @Test(arguments: Keeping.allCases)
  func whatIsPostedIsReadAndFollowed(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    let follower = try follower(running)
    let script = try TestClient(port: running.port)
    for number in 1...20 {
      let fields = [
        "Authorization: Bearer \(ann.token)", "Content-Type: application/json",
        "Content-Length: 27", "Idempotency-Key: key-\(number)",
      ]
      // Sent twice, as by somebody who got no answer: kept once.
      for _ in 1...2 {
        script.send(
          head("POST /rooms/lobby/messages", fields) + #"{"text":"the number is \#(number + 10)"}"#)
        #expect(answer(script).status == "201")
        #expect(script.line()?.hasPrefix(#"{"seq":\#(number),"#) == true)
      }
    }
    follower.read { $0.messages.count == 20 }
    ann.read { $0.messages.count == 20 }
    #expect(follower.messages.seqs == Array(1...20) && ann.messages.seqs == Array(1...20))
    #expect(follower.messages.allSatisfy { $0.from == "ann" && $0.key == nil })
    #expect(ann.messages.first?.key == "key-1", "the sender's own connections see the key")
    script.send(head("GET /rooms/lobby/messages?after=18", ["Accept: application/x-ndjson"]))
    #expect(answer(script).status == "200")
    #expect(script.line()?.contains(#""seq":19,"#) == true)
    #expect(script.line()?.contains(#""seq":20,"#) == true)
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func aFollowerThatComesBackMissesNothing(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try running.program("ann")
    var had = 0
    var seqs: [Int] = []
    for round in 0..<5 {
      let follower = try follower(running, "&after=\(had)")
      // Some before it is live, some after, some while nobody follows.
      ann.sayAll((0..<20).map { "\(round) \($0)" })
      follower.read { $0.messages.count >= 10 }
      follower.socket.reset()
      ann.sayAll(["between \(round)"])
      seqs += follower.messages.seqs
      had = seqs.last ?? 0
    }
    let last = try follower(running, "&after=\(had)")
    ann.sayAll(["the end"])
    last.read(untilMessage: "the end")
    seqs += last.messages.seqs
    #expect(seqs == Array(1...106))
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func aSlowFollowerHoldsNobodyUpAndHasEverything(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits = .tight }
    let slow = try follower(running, receiveBuffer: 4_096)
    let ann = try running.program("ann")
    let text = String(repeating: "x", count: 4_000)
    for first in stride(from: 0, to: 400, by: 10) {
      ann.sayAll((first..<first + 10).map { "\($0) \(text)" })
    }
    slow.socket.widen()
    #expect(slow.read { $0.count(of: "caughtUp") == 2 })
    #expect(slow.messages.seqs == Array(1...400))
    ann.sayAll(["live"])
    slow.read(untilMessage: "live")
    await running.stop()
  }

  @Test func atTheEndOfTheServerFollowersAreTold() async throws {
    let running = try await RunningServer()
    let follower = try follower(running)
    let page = try TestClient(port: running.port)
    page.send(head("GET /ready"))
    #expect(answer(page).status == "200")
    running.beginToStop()
    #expect(follower.event("closing")?["reason"] as? String == "shutdown")
    follower.readToEnd()
    #expect(follower.socket.isEnded)
    await running.stop()
  }

  @Test func aFollowerIsNotInTheWayOfOthers() async throws {
    let running = try await RunningServer()
    let ann = try running.program("ann")
    let followers = try (0..<20).map { _ in try follower(running) }
    ann.sayAll(["hi"])
    for follower in followers { follower.read(untilMessage: "hi") }
    for follower in followers.dropLast() { follower.socket.reset() }
    let answer = ann.ask("who", ["room": "lobby"])
    #expect(answer.ok["count"] as? Int == 1)
    ann.sayAll(["again"])
    followers.last?.read(untilMessage: "again")
    await running.stop()
  }
}
