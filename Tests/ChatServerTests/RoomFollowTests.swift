/// Rooms over HTTP, followed: by hand clock, with readers that stop, are cut off, and are put out.

import ChatModel
import ChatServer
import Glibc
import Loop
import Testing

@Suite struct RoomFollowTests {
  private var hall = Hall(facts: [account("ann", 11), account("bob", 12)])

  private mutating func pass(_ time: Duration) {
    hall.now += time
    hall.exchange.wake(at: hall.now)
    hall.exchange.flush(at: hall.now)
  }

  /// All that comes once the guest reads again.
  private mutating func readOn(_ guest: Guest) -> [String] {
    while !guest.socket.underWay.isEmpty {
      guest.socket.finishWrite()
      hall.exchange.wrote(guest.connection, nil, at: hall.now)
      hall.exchange.flush(at: hall.now)
      hall.giveAllPages()
    }
    return guest.socket.webLines().filter { !$0.isEmpty }
  }

  private func seqs(_ lines: [String]) -> [Int] {
    lines.compactMap { $0.firstMatch(of: /"seq":(\d+),"from"/).flatMap { Int($0.1) } }
  }

  @Test mutating func whatIsSaidComesInEachFormAsItIsSaid() {
    let eve = hall.program("eve")
    let (lines, text, events) = (hall.connect(), hall.connect(), hall.connect())
    let type = { (lines: [String]) in lines.contains { $0.hasPrefix("Content-Type: ") } }
    #expect(type(hall.follow(lines)) && type(hall.follow(text, as: "text/plain")))
    #expect(type(hall.follow(events, as: "text/event-stream")))
    hall.say(eve, "hi")
    hall.ask(eve, #"{"typing":{"room":"lobby","on":true}}"#)
    let bob = hall.program("bob2")
    let at = "2026-11-30T12:00:00.000Z"
    let line =
      #"{"message":{"room":"lobby","seq":1,"from":"eve","text":"hi","at":"\#(at)"}}"#
    #expect(lines.socket.lines() == [line])
    #expect(text.socket.lines() == ["eve: hi"])
    #expect(events.socket.lines() == ["id: 1", "data: \(line)"])
    hall.send(bob, #"{"id":1,"who":{"room":"lobby"}}"# + "\n")
    #expect(bob.socket.lines().last?.contains(#""count":2"#) == true, "followers are no members")
  }

  @Test mutating func aReaderThatIsCutOffGoesOnWhereItWas() {
    let eve = hall.program("eve")
    for number in 1...3 { hall.say(eve, "n\(number)") }
    let first = hall.connect()
    let given = hall.follow(first, "after=0", as: "text/event-stream")
    #expect(seqs(given) == [1, 2, 3])
    #expect(given.suffix(2) == ["id: 3", #"data: {"caughtUp":{"room":"lobby","seq":3}}"#])
    hall.say(eve, "n4")
    #expect(seqs(first.socket.lines()) == [4])
    hall.exchange.ended(first.connection, .broken(errno: ECONNRESET), at: hall.now)
    for number in 5...6 { hall.say(eve, "n\(number)") }
    let second = hall.connect()
    let rest = hall.follow(second, "after=0", as: "text/event-stream", "Last-Event-ID: 4")
    #expect(seqs(rest) == [5, 6], "nothing is missing, and nothing comes twice")
    hall.say(eve, "n7")
    #expect(seqs(second.socket.lines()) == [7])
  }

  @Test mutating func theNewestComeFirstWhereSoManyAreAskedFor() {
    let eve = hall.program("eve")
    for number in 1...5 { hall.say(eve, "n\(number)") }
    let guest = hall.connect()
    let lines = hall.follow(guest, "limit=2", as: "text/plain")
    #expect(lines.suffix(4) == ["* catching up", "eve: n4", "eve: n5", "* live again"])
  }

  @Test mutating func aSlowFollowerHasEverythingOnceInOrder() {
    hall = Hall(.tight)
    let eve = hall.program("eve")
    let words = String(repeating: "w", count: 3_000)
    for type in ["application/x-ndjson", "text/event-stream"] {
      let guest = hall.connect()
      _ = hall.follow(guest, as: type)
      let before = hall.read(hall.connect(), "/rooms/lobby/messages?limit=1").seqs.last ?? 0
      guest.socket.room = 0
      for _ in 0..<60 { hall.say(eve, words) }
      hall.giveAllPages()
      let lines = readOn(guest)
      #expect(seqs(lines) == Array(before + 1...before + 60), "\(type)")
      #expect(lines.last?.contains(#"{"caughtUp":{"room":"lobby","#) == true)
      hall.say(eve, "live")
      #expect(seqs(guest.socket.lines()) == [before + 61])
    }
  }

  // MARK: The end

  /// As `nc -N` does at once.
  @Test mutating func whoEndsItsSideIsGivenWhatItIsToCatchUpWith() {
    hall = Hall(.tight)
    let eve = hall.program("eve")
    for _ in 0..<60 { hall.say(eve, String(repeating: "w", count: 3_000)) }
    let guest = hall.connect()
    hall.request(
      guest, "GET /rooms/lobby/messages?follow=1&after=0", ["Accept: application/x-ndjson"])
    hall.exchange.ended(guest.connection, .finished, at: hall.now)
    hall.exchange.flush(at: hall.now)
    #expect(!guest.socket.isClosed)
    while hall.giveAllPages() > 0 { hall.exchange.flush(at: hall.now) }
    let lines = guest.socket.webLines().filter { !$0.isEmpty }
    #expect(seqs(lines) == Array(1...60))
    #expect(lines.last?.contains(#"{"caughtUp":{"room":"lobby","#) == true)
    #expect(guest.socket.isClosed)
  }

  @Test mutating func whoIsPutOutIsToldSoAndGetsNothingMoreOfTheRoom() {
    let eve = hall.program("eve")
    let bob = "Authorization: Bearer \(hall.operatorsToken(of: "bob"))"
    for (type, last) in [
      ("application/x-ndjson", #"{"closing":{"reason":"kicked","message":"you were put out of "#),
      ("text/plain", "! you were put out of lobby by operator: why"),
      ("text/event-stream", #"data: {"closing":{"reason":"kicked","message":"you were put out"#),
    ] {
      let guest = hall.connect()
      _ = hall.follow(guest, as: type, bob)
      guest.socket.room = 5
      hall.say(eve, "begun")
      hall.say(eve, "waiting")
      hall.operate(#"{"id":1,"ban":{"name":"bob","room":"lobby","reason":"why"}}"#)
      hall.say(eve, "behind")
      let lines = readOn(guest)
      #expect(lines.last?.hasPrefix(last) == true, "\(lines)")
      #expect(!lines.joined().contains("waiting") && !lines.joined().contains("behind"))
      #expect(guest.socket.isFinished)
      hall.operate(#"{"id":1,"unban":{"name":"bob","room":"lobby"}}"#)
    }
  }

  @Test mutating func whoIsPutOutBeforeItsHeadWasSentIsSentThatFirst() {
    let guest = hall.connect()
    guest.socket.room = 0
    let bob = hall.operatorsToken(of: "bob")
    hall.request(
      guest, "GET /rooms/lobby/messages?follow=1", ["Authorization: Bearer \(bob)"])
    hall.operate(#"{"id":1,"ban":{"name":"bob"}}"#)
    let lines = readOn(guest)
    #expect(lines.first == "HTTP/1.1 200 OK")
    #expect(lines.last?.contains(#"{"closing":{"reason":"banned","#) == true)
    #expect(guest.socket.isFinished)
  }

  @Test mutating func aTokenThatBecomesVoidEndsWhoFollowsByIt() {
    let (own, others) = (hall.connect(), hall.connect())
    for (guest, name) in [(own, "bob"), (others, "ann")] {
      let token = hall.operatorsToken(of: name)
      _ = hall.follow(guest, as: "text/plain", "Authorization: Bearer \(token)")
    }
    hall.operate(#"{"id":1,"disable":{"name":"bob"}}"#)
    #expect(own.socket.lines().last?.hasPrefix("! your account was disabled or removed") == true)
    #expect(own.socket.isFinished && !others.socket.isFinished)
  }

  @Test mutating func atTheServersEndFollowersAreToldAndEnded() {
    let guest = hall.connect()
    _ = hall.follow(guest)
    hall.exchange.stopTaking()
    hall.exchange.endAll(at: hall.now)
    #expect(guest.socket.lines().last?.hasPrefix(#"{"closing":{"reason":"shutdown","#) == true)
    #expect(guest.socket.isFinished)
  }

  @Test mutating func whoGoesIsToldNothingMore() {
    let eve = hall.program("eve")
    let guest = hall.connect()
    _ = hall.follow(guest)
    hall.exchange.ended(guest.connection, .finished, at: hall.now)
    hall.exchange.flush(at: hall.now)
    hall.say(eve, "hi")
    #expect(guest.socket.lines().isEmpty && guest.socket.isClosed)
  }

  @Test mutating func whatAFollowerSendsIsDropped() {
    let eve = hall.program("eve")
    let guest = hall.connect()
    _ = hall.follow(guest)
    _ = eve.socket.lines()
    hall.request(guest, "GET /health")
    hall.send(guest, "iam:mallory\nmsg:hi\n")
    #expect(guest.socket.lines().isEmpty && eve.socket.lines().isEmpty)
  }

  // MARK: Silence

  @Test mutating func anEventStreamIsNeverSilentForLong() {
    let eve = hall.program("eve")
    let (events, lines) = (hall.connect(), hall.connect())
    _ = hall.follow(events, as: "text/event-stream")
    _ = hall.follow(lines)
    pass(.milliseconds(24_999))
    #expect(events.socket.lines().isEmpty)
    pass(.milliseconds(1))
    #expect(events.socket.lines() == [":"])
    pass(.seconds(20))
    hall.say(eve, "hi")
    #expect(events.socket.lines().count == 2)
    pass(.seconds(24))
    #expect(events.socket.lines().isEmpty, "it was told something since")
    pass(.seconds(1))
    #expect(events.socket.lines() == [":"])
    #expect(lines.socket.lines().count == 1, "lines have no comments")
  }

  @Test mutating func whoDoesNotReadIsSentNoComments() {
    let guest = hall.connect()
    _ = hall.follow(guest, as: "text/event-stream")
    guest.socket.room = 0
    for _ in 0..<40 { pass(.seconds(25)) }
    #expect(readOn(guest).filter { $0 == ":" }.count <= 1)
  }
}
