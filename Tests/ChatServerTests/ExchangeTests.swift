/// What comes in an unlucky order: pages, answers and joins that cross each other. By hand, without
/// sockets, clock or store.

import ChatHub
import ChatModel
import ChatServer
import Loop
import Stores
import Testing

@Suite struct CrossingTests {
  var hall = Hall()

  @Test mutating func aMessageThatIsKeptWhileAnEmptyPageIsOnItsWayIsShown() {
    let ann = hall.program("ann")
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","after":0}}"#)
    let pages = hall.readPages()
    #expect(pages.map(\.1.messages.count) == [0])
    hall.say(ann, "meanwhile")
    #expect(bob.socket.lines().gist.isEmpty)
    hall.give(pages)
    hall.giveAllPages()
    #expect(bob.socket.lines().gist == ["meanwhile", "caughtUp"])
  }

  @Test mutating func aReplayOfTheNewestOfAnEmptyRoomHasWhatCameMeanwhile() {
    let ann = hall.program("ann")
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","last":10}}"#)
    let pages = hall.readPages()
    hall.say(ann, "meanwhile")
    hall.give(pages)
    hall.giveAllPages()
    #expect(bob.socket.lines().gist == ["meanwhile", "caughtUp"])
  }

  @Test mutating func aPageIsNotForAReaderThatHasJoinedAgainFromFurtherBack() {
    let ann = hall.program("ann")
    for text in ["a", "b", "c"] { hall.say(ann, text) }
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","after":2}}"#)
    let pages = hall.readPages()
    hall.ask(bob, #"{"join":{"room":"lobby","after":0}}"#)
    hall.give(pages)
    hall.giveAllPages()
    #expect(bob.socket.lines().gist == ["a", "b", "c", "caughtUp"])
  }

  @Test mutating func aPageIsNotForWhoHasLeftMeanwhile() {
    let ann = hall.program("ann")
    hall.say(ann, "a")
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","after":0}}"#)
    let pages = hall.readPages()
    hall.ask(bob, #"{"leave":{"room":"lobby"}}"#)
    hall.give(pages)
    let further = hall.giveAllPages()
    #expect(further == 0)
    #expect(bob.socket.lines().isEmpty)
  }

  @Test mutating func whoBecomesSomebodyElseIsGivenNothingMoreOfTheFormerRooms() {
    let (_, token) = hall.token(of: "eve")
    let ann = hall.program("ann")
    hall.say(ann, "a")
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","after":0}}"#)
    let pages = hall.readPages()
    let answer = hall.ask(bob, #"{"id":3,"login":{"token":"\#(token)"}}"#)
    #expect(answer.gist == ["3 ok"])
    hall.give(pages)
    hall.say(ann, "b")
    #expect(bob.socket.lines().isEmpty)
  }

  @Test mutating func aReaderInABusyRoomIsLiveWithOnePage() {
    let ann = hall.program("ann")
    for index in 0..<10 { hall.say(ann, "\(index)") }
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","after":8}}"#)
    let early = hall.readPages()
    hall.say(ann, "early")
    hall.give(early)
    #expect(bob.socket.lines().gist == ["8", "9", "early", "caughtUp"])
    let further = hall.giveAllPages()
    #expect(further == 0, "one page is enough, whatever came meanwhile")
    hall.say(ann, "live")
    #expect(bob.socket.lines().gist == ["live"])
  }

  @Test mutating func aPageThatHasWhatCameMeanwhileGivesItOnce() {
    let ann = hall.program("ann")
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","after":0}}"#)
    let asked = hall.exchange.takePageRequests()
    hall.say(ann, "a")
    hall.say(ann, "b")
    hall.give(hall.read(asked))
    #expect(bob.socket.lines().gist == ["a", "b", "caughtUp"])
  }

  @Test mutating func whatIsKeptAndNotYetShownToAnybodyIsInNoPage() {
    let ann = hall.program("ann")
    hall.send(ann, #"{"send":{"room":"lobby","text":"a"}}"# + "\n")
    let finish = hall.keepQuietly()
    let page = hall.ask(ann, #"{"id":9,"ping":{}}"#)
    #expect(page.isEmpty, "it waits for the answer to the message")
    let bob = hall.connect()
    hall.ask(
      bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby"}}"#)
    hall.ask(bob, #"{"id":1,"history":{"room":"lobby"}}"#)
    hall.giveAllPages()
    #expect(bob.socket.lines().first?.contains(#""messages":[]"#) == true)
    finish(&hall)
    #expect(bob.socket.lines().gist == ["a"])
  }
}

@Suite struct AnswerOrderTests {
  @Test func aRefusalWaitsForTheAnswersToTheMessagesBefore() {
    var hall = Hall()
    let ann = hall.program("ann")
    let early = hall.ask(
      ann, #"{"id":1,"send":{"room":"lobby","text":"a"}}"#,
      #"{"id":2,"send":{"room":"nowhere","text":"b"}}"#, #"{"id":3,"ping":{}}"#)
    #expect(early.isEmpty)
    hall.keep()
    #expect(ann.socket.lines().gist == ["1 ok", "a", "2 no-such-room", "3 ok"])
  }

  @Test func whatIsTooFastIsRefusedInItsTurn() {
    var limits = Limits()
    limits.hub.messagesBurst = 2
    var hall = Hall(limits)
    let ann = hall.program("ann")
    hall.send(
      ann, (1...3).map { #"{"id":\#($0),"send":{"room":"lobby","text":"m"}}"# + "\n" }.joined())
    #expect(ann.socket.lines().isEmpty)
    hall.keep()
    #expect(ann.socket.lines().gist == ["1 ok", "m", "2 ok", "m", "3 rate-limited"])
  }

  @Test func whatIsTooMuchToKeepIsRefusedInItsTurn() {
    var limits = Limits()
    limits.draftsWaitingMax = 2
    var hall = Hall(limits)
    let ann = hall.program("ann")
    hall.send(
      ann, (1...4).map { #"{"id":\#($0),"send":{"room":"lobby","text":"m"}}"# + "\n" }.joined())
    hall.keep()
    #expect(ann.socket.lines().gist == ["1 ok", "m", "2 ok", "m", "3 busy", "4 busy"])
    let isMore = hall.keep()
    #expect(!isMore, "answers alone are no batch")
  }

  @Test func oneWhoStopsIsStillAnsweredWhatIsWithTheStore() {
    var hall = Hall()
    let ann = hall.program("ann")
    hall.ask(ann, #"{"id":1,"send":{"room":"lobby","text":"a"}}"#)
    hall.exchange.stopTaking()
    #expect(hall.exchange.isKeeping)
    let answer = hall.ask(ann, #"{"id":2,"send":{"room":"lobby","text":"b"}}"#)
    #expect(answer.isEmpty)
    hall.keep()
    #expect(!hall.exchange.isKeeping)
    hall.exchange.endAll(at: hall.now)
    #expect(ann.socket.lines().gist == ["1 ok", "a", "closing"])
    #expect(ann.socket.isClosed)
  }

  @Test func thoseWhoLoseTheServerAtItsEndAreAskedToComeBackAtDifferentTimes() {
    var hall = Hall()
    let guests = (0..<50).map { hall.program("p\($0)") }
    for guest in guests { _ = guest.socket.lines() }
    hall.exchange.stopTaking()
    hall.exchange.endAll(at: hall.now)
    let times = guests.compactMap { guest in
      guest.socket.lines().last?.firstMatch(of: /"retryAfterMs":(\d+)}}/).flatMap { Int($0.1) }
    }
    #expect(times.count == 50 && times.allSatisfy { (1_000...5_000).contains($0) })
    #expect(Set(times).count > 40 && (times.max() ?? 0) - (times.min() ?? 0) > 2_000)
  }
}

@Suite struct BrokenLinkTests {
  @Test(arguments: [(SocketEnd.finished, ["whole", "hal"]), (.broken(errno: 104), ["whole"])])
  func halfALineIsSaidOnlyWhereItsSenderEndedIt(end: SocketEnd, said: [String]) {
    var hall = Hall()
    let ann = hall.program("ann")
    let bob = hall.connect()
    hall.send(bob, "iam:bob\n")
    hall.send(bob, "msg:whole\nmsg:hal")
    _ = ann.socket.lines()
    hall.exchange.ended(bob.connection, end, at: hall.now)
    hall.keep()
    #expect(ann.socket.lines().gist.filter { $0 != "left" } == said)
  }
}

@Suite struct BehindTests {
  @Test func aReaderThatDoesNotReadIsBehindAndEndsComplete() {
    var limits = Limits()
    limits.outboxBytesMax = 1_000
    limits.hub.messagesPerSecond = nil
    var hall = Hall(limits)
    let ann = hall.program("ann")
    let bob = hall.program("bob")
    _ = bob.socket.lines()
    bob.socket.room = 0
    for index in 0..<100 {
      hall.say(ann, "\(index)")
      #expect(bob.connection.outbox.weight <= 1_000)
    }
    while !bob.socket.underWay.isEmpty {
      bob.socket.finishWrite()
      hall.exchange.wrote(bob.connection, nil, at: hall.now)
      hall.exchange.flush(at: hall.now)
    }
    hall.giveAllPages()
    #expect(bob.socket.lines().gist == (0..<100).map { "\($0)" } + ["caughtUp"])
    hall.say(ann, "live")
    #expect(bob.socket.lines().gist == ["live"])
  }

  @Test func whoJoinsBehindTheEndHearsAllThatComesMeanwhile() {
    var hall = Hall()
    let ann = hall.program("ann")
    hall.say(ann, "a")
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","after":1000}}"#)
    let pages = hall.readPages()
    hall.say(ann, "b")
    hall.give(pages)
    hall.giveAllPages()
    hall.say(ann, "c")
    #expect(bob.socket.lines().gist.filter { $0 != "joined" } == ["b", "caughtUp", "c"])
  }

  @Test func aPageThatCannotBeReadIsAskedForAgain() {
    var hall = Hall()
    let ann = hall.program("ann")
    hall.say(ann, "a")
    let bob = hall.connect()
    hall.ask(bob, #"{"login":{"name":"bob"}}"#, #"{"join":{"room":"lobby","after":0}}"#)
    for request in hall.exchange.takePageRequests() {
      hall.exchange.received(.failure(.failed("no")), for: request, at: hall.now)
    }
    hall.exchange.flush(at: hall.now)
    let further = hall.giveAllPages()
    #expect(further == 0)
    hall.now += Limits().catchUpRetry
    #expect(hall.exchange.nextWake.map { $0 <= hall.now } == true)
    hall.exchange.wake(at: hall.now)
    hall.exchange.flush(at: hall.now)
    hall.giveAllPages()
    #expect(bob.socket.lines().gist == ["a", "caughtUp"])
  }
}
