/// Rooms over HTTP, asked page by page and posted to: by hand clock, with a store that answers when
/// it is told to.

import ChatModel
import ChatServer
import Testing

@Suite struct RoomVisitTests {
  private var hall = Hall(facts: [
    account("ann", 11), account("bob", 12), account("boss", 13, .owner),
  ])

  // MARK: Reading

  @Test mutating func aRoomIsReadBackAndForthByItsLinks() {
    let ann = hall.program("eve")
    for number in 1...7 { hall.say(ann, "n\(number)") }
    let guest = hall.connect()
    var page = hall.read(guest, "/rooms/lobby/messages?limit=3")
    var pages = [page.seqs]
    while let link = page.link {
      page = hall.read(guest, link)
      pages.append(page.seqs)
    }
    #expect(pages == [[5, 6, 7], [2, 3, 4], [1]])
    page = hall.read(guest, "/rooms/lobby/messages?after=0&limit=3")
    pages = [page.seqs]
    while let link = page.link {
      page = hall.read(guest, link)
      pages.append(page.seqs)
    }
    #expect(pages == [[1, 2, 3], [4, 5, 6], [7]])
    let newest = hall.read(guest, "/rooms/lobby/messages?after=7")
    #expect(newest.body == #"{"messages":[],"more":false}"# && newest.status == 200)
  }

  @Test mutating func aPrivateRoomLooksAbsent() {
    let ann = hall.connect()
    hall.ask(ann, #"{"login":{"token":"\#(hall.operatorsToken(of: "ann"))"}}"#)
    hall.ask(ann, #"{"create":{"room":"den","private":true}}"#)
    hall.keep()
    hall.say(ann, "secret", in: "den")
    let (guest, bob) = (hall.connect(), hall.operatorsToken(of: "bob"))
    for who in ["X-Nobody: 1", "Authorization: Bearer \(bob)"] {
      let there = hall.read(guest, "/rooms/den/messages", who)
      let absent = hall.read(guest, "/rooms/cave/messages", who)
      #expect(there.status == 404 && absent.status == 404)
      #expect(there.body.replacing("den", with: "cave") == absent.body)
      #expect(hall.follow(hall.connect(), in: "den", who).first?.hasPrefix("HTTP/1.1 404 ") == true)
    }
    let own = "Authorization: Bearer \(hall.operatorsToken(of: "ann"))"
    #expect(hall.read(guest, "/rooms/den/messages", own).seqs == [1])
    hall.post(guest, "hi", in: "den", by: bob)
    #expect(guest.answer().status == 404)
  }

  @Test mutating func whoIsBannedWhileItsPageIsOnTheWayIsShownNothing() {
    let eve = hall.program("eve")
    hall.say(eve, "secret")
    let guest = hall.connect()
    let bob = "Authorization: Bearer \(hall.operatorsToken(of: "bob"))"
    hall.request(guest, "GET /rooms/lobby/messages", [bob])
    let pages = hall.readPages()
    hall.operate(#"{"id":1,"ban":{"name":"bob","room":"lobby"}}"#)
    hall.give(pages)
    let answer = guest.answer()
    #expect(answer.status == 403 && !answer.body.contains("secret"))
    #expect(hall.read(guest, "/rooms/lobby/messages", bob).status == 403)
    #expect(hall.read(guest, "/rooms/lobby/messages").seqs == [1])
  }

  @Test mutating func aTokenIsGoodForAsLongAsItsAccountCanBeUsed() {
    let guest = hall.connect()
    let token = hall.operatorsToken(of: "bob")
    let bob = "Authorization: Bearer \(token)"
    #expect(hall.read(guest, "/rooms/lobby/messages", bob).status == 200)
    hall.operate(#"{"id":1,"disable":{"name":"bob"}}"#)
    for target in ["/rooms/lobby/messages", "/rooms/lobby/messages?follow=1"] {
      #expect(hall.read(guest, target, bob).status == 401)
    }
    hall.post(guest, "hi", by: token)
    #expect(guest.answer().status == 401)
    #expect(hall.read(guest, "/rooms/lobby/messages", "Authorization: Bearer x").status == 401)
    #expect(hall.operate(#"{"id":1,"token":{"name":"bob"}}"#).contains(#""code":"not-allowed""#))
    #expect(hall.read(guest, "/rooms/lobby/messages").status == 200)
  }

  // MARK: Posting

  @Test mutating func aPostIsAnsweredWhenItIsKeptAndIsSaidThere() throws {
    let eve = hall.program("eve")
    let guest = hall.connect()
    let token = hall.operatorsToken(of: "ann")
    hall.post(guest, "deployed\n", by: token)
    #expect(guest.answers().isEmpty, "it is not kept yet")
    _ = eve.socket.lines()
    hall.keep()
    let answer = guest.answer()
    #expect(answer.status == 201)
    #expect(
      answer.body == #"{"seq":1,"at":"2026-11-30T12:00:00.000Z","durability":"stored"}"#)
    let said = try #require(eve.socket.lines().first)
    #expect(said.hasPrefix(#"{"message":{"room":"lobby","seq":1,"from":"ann","text":"deployed","#))
    let place = try #require(answer.fields["location"])
    #expect(hall.read(guest, place).seqs == [1], "the connection goes on")
    hall.send(eve, #"{"id":1,"who":{"room":"lobby"}}"# + "\n")
    #expect(eve.socket.lines().first?.contains("ann") == false, "nobody came in")
  }

  @Test mutating func aKeySentAgainIsAnsweredAgainAndSaidOnce() {
    let eve = hall.program("eve")
    let token = hall.operatorsToken(of: "ann")
    let (one, other) = (hall.connect(), hall.connect())
    hall.post(one, "once", by: token, key: "k")
    hall.keep()
    _ = eve.socket.lines()
    for guest in [one, other] {
      hall.post(guest, "once", by: token, key: "\"k\"")
      hall.keep()
    }
    let first = one.answers()
    #expect(first.map(\.status) == [201, 201] && first[0].body == first[1].body)
    let again = other.answer()
    #expect(again.body == first[0].body && again.fields["location"] == first[0].fields["location"])
    #expect(eve.socket.lines().isEmpty, "nobody sees it twice")
    hall.post(one, "another text", by: token, key: "k")
    hall.keep()
    #expect(one.answer().status == 409)
  }

  @Test mutating func whatIsNotKeptIsToldAndTheConnectionGoesOn() {
    let guest = hall.connect()
    let token = hall.operatorsToken(of: "ann")
    hall.post(guest, "hi", by: token)
    hall.refuseToKeep()
    let answer = guest.answer()
    #expect(answer.status == 503 && answer.fields["retry-after"] == "1")
    hall.post(guest, "hi", by: token)
    hall.keep()
    #expect(guest.answer().status == 201)
  }

  @Test mutating func requestsInOneReadAreAnsweredInTheirOrder() {
    let guest = hall.connect()
    let token = hall.operatorsToken(of: "ann")
    let post = { (text: String) in
      "POST /rooms/lobby/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
        + "Content-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }
    let get = "GET /rooms/lobby/messages HTTP/1.1\r\nHost: localhost\r\n\r\n"
    hall.send(guest, post("one") + get + post("two") + get)
    for _ in 1...4 {
      hall.keep()
      hall.giveAllPages()
    }
    let answers = guest.answers()
    #expect(answers.map(\.status) == [201, 200, 201, 200])
    #expect(answers.map(\.seqs) == [[], [1], [], [1, 2]])
  }

  @Test mutating func whoSpeaksTooFastIsToldWhenToComeBack() {
    let guest = hall.connect()
    let token = hall.operatorsToken(of: "ann")
    for number in 1...50 {
      hall.post(guest, "\(number)", by: token)
      hall.keep()
    }
    #expect(guest.answers().allSatisfy { $0.status == 201 })
    hall.post(guest, "51", by: token)
    let answer = guest.answer()
    #expect(answer.status == 429 && answer.fields["retry-after"] == "1")
    hall.now += .milliseconds(100)
    hall.post(guest, "51", by: token)
    hall.keep()
    #expect(guest.answer().status == 201)
  }

  // MARK: What is no request

  @Test mutating func chatInABodyIsSeenByNobody() {
    let eve = hall.program("eve")
    _ = eve.socket.lines()
    let body = "iam:mallory\r\nmsg:from a page\r\n"
    for target in ["/", "/ws", "/rooms/lobby/messages", "/rooms/lobby", "/health"] {
      for type in ["text/plain", "application/x-www-form-urlencoded", "application/json"] {
        let guest = hall.connect()
        hall.request(guest, "POST \(target)", ["Content-Type: \(type)"], body: body)
        #expect(guest.answer().status >= 400, "\(target)")
        hall.send(guest, body)
      }
    }
    hall.keep()
    #expect(eve.socket.lines().isEmpty)
  }

  @Test(arguments: [
    "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 5\r\nContent-Length: 6",
    "Transfer-Encoding: chunked\r\nContent-Length: 5", "Content-Length: 5, 5",
    "Transfer-Encoding: identity, chunked", "Content-Length : 5", "Content-Length: +5",
    "Content-Length: 5\r\n folded: 1",
  ])
  mutating func whatTwoReadersWouldReadInTwoWaysEndsTheConnection(fields: String) {
    let eve = hall.program("eve")
    _ = eve.socket.lines()
    let guest = hall.connect()
    let token = hall.operatorsToken(of: "ann")
    let who = "Authorization: Bearer \(token)\r\nContent-Type: text/plain"
    let head = "POST /rooms/lobby/messages HTTP/1.1\r\nHost: localhost\r\n\(who)\r\n"
    hall.send(guest, "\(head)\(fields)\r\n\r\nhello\(head)Content-Length: 2\r\n\r\nhi")
    hall.keep()
    let answers = guest.answers()
    #expect(answers.count == 1 && answers[0].status >= 400)
    #expect(answers[0].fields["connection"] == "close" && guest.socket.isFinished)
    #expect(eve.socket.lines().isEmpty)
  }

  @Test mutating func aSlowRequestAndAnIdleConnectionAreEndedByTheClock() {
    let (slow, idle) = (hall.connect(), hall.connect())
    hall.send(slow, "GET /rooms/lobby/messages HTTP/1.1\r\n")
    #expect(hall.read(idle, "/rooms/lobby/messages").status == 200)
    hall.now = .seconds(10)
    hall.exchange.wake(at: hall.now)
    hall.exchange.flush(at: hall.now)
    #expect(slow.answer().status == 408 && slow.socket.isFinished && !idle.socket.isFinished)
    hall.now = .seconds(60)
    hall.exchange.wake(at: hall.now)
    hall.exchange.flush(at: hall.now)
    #expect(idle.answers().isEmpty && idle.socket.isFinished)
  }
}
