/// Who is put out of a room that it has not read to the end: nothing more of it reaches them.

import ChatServer
import Loop
import Testing

@Suite struct PutOutTests {
  private var hall = Hall()
  private let words = String(repeating: "w", count: 3_000)

  /// Ann has made a room, and bob in it does not read what 60 times is said there.
  private mutating func begin() -> (ann: Guest, bob: Guest) {
    hall = Hall(
      {
        var limits = Limits()
        limits.liftRates()
        return limits
      }(), facts: [account("mallory", 12)])
    let (ann, bob) = (hall.program("ann"), hall.program("bob"))
    hall.ask(ann, #"{"create":{"room":"tea"}}"#)
    hall.keep()
    hall.ask(bob, #"{"join":{"room":"tea"}}"#)
    bob.socket.room = 0
    for _ in 0..<60 { hall.say(ann, words, in: "tea") }
    return (ann, bob)
  }

  /// All that comes once it reads again.
  private mutating func read(_ guest: Guest) -> [String] {
    while !guest.socket.underWay.isEmpty {
      guest.socket.finishWrite()
      hall.exchange.wrote(guest.connection, nil, at: hall.now)
      hall.exchange.flush(at: hall.now)
      hall.giveAllPages()
    }
    return guest.socket.lines()
  }

  /// The same as bytes.
  private mutating func readBytes(_ guest: Guest) -> [UInt8] {
    while !guest.socket.underWay.isEmpty {
      guest.socket.finishWrite()
      hall.exchange.wrote(guest.connection, nil, at: hall.now)
      hall.exchange.flush(at: hall.now)
    }
    return guest.socket.bytes()
  }

  @Test mutating func whatWaitsOfTheRoomIsTakenBackAndAnswersOfItAreRefused() throws {
    let (ann, bob) = begin()
    hall.send(bob, #"{"id":7,"history":{"room":"tea","limit":3}}"# + "\n")
    hall.giveAllPages()
    hall.send(bob, #"{"id":8,"ping":{}}"# + "\n")
    _ = ann.socket.lines()
    hall.ask(ann, #"{"id":9,"ban":{"room":"tea","name":"bob"}}"#)
    hall.keep()
    let told = ann.socket.lines()
    #expect(told.last == #"{"id":9,"ok":{}}"#)
    // What the kernel was given before is on its way.
    let underWay = bob.socket.underWay.reduce(0) { $0 + $1.count }
    #expect(underWay > 0 && underWay <= Limits().writeUnderWayBytesMax)
    let lines = read(bob)
    let heard = lines.count { $0.contains(words) }
    #expect(heard <= underWay / 3_000 + 1, "the rest of a line that has begun")
    #expect(lines.contains { $0.hasPrefix(#"{"id":7,"error":{"code":"not-member""#) })
    #expect(lines.contains(#"{"id":8,"ok":{}}"#), "answers that tell nothing of it stay")
    #expect(lines.contains(#"{"kicked":{"room":"tea","by":"ann"}}"#))
  }

  @Test mutating func pagesOverHTTPThatHaveNotBegunAreTakenBack() throws {
    let (ann, bob) = begin()
    let (eve, token) = hall.token(of: "eve")
    _ = (bob, eve)
    let reader = hall.connect()
    reader.socket.room = 0
    let request =
      "GET /rooms/tea/messages?limit=10 HTTP/1.1\r\nHost: localhost\r\n"
      + "Authorization: Bearer \(token)\r\n\r\n"
    for _ in 0..<5 {
      hall.send(reader, request)
      hall.giveAllPages()
    }
    hall.ask(ann, #"{"ban":{"room":"tea","name":"eve"}}"#)
    hall.keep()
    let underWay = reader.socket.underWay.reduce(0) { $0 + $1.count }
    let lines = read(reader)
    let heads = lines.count { $0.contains("HTTP/1.1 200 OK") }
    #expect(heads >= 1 && heads <= underWay / 30_000 + 1, "what has begun is given whole")
    #expect(reader.socket.isFinished, "the others are not answered")
  }

  /// Eve has asked for four pages of the room over HTTP, which she does not read.
  private mutating func beginPages() -> (ann: Guest, reader: Guest, eve: String) {
    let (ann, _) = begin()
    let (_, token) = hall.token(of: "eve")
    let reader = hall.connect()
    reader.socket.room = 0
    let eve = "Authorization: Bearer \(token)"
    for _ in 0..<4 {
      hall.request(reader, "GET /rooms/tea/messages?limit=10", [eve])
      hall.giveAllPages()
    }
    return (ann, reader, eve)
  }

  /// What is given still are pages that have begun, whole, and the end.
  private mutating func expectPagesAlone(
    _ guest: Guest, _ reader: Guest, after line: String = #"{"ban":{"room":"tea","name":"eve"}}"#
  ) {
    hall.ask(guest, line)
    hall.keep()
    let underWay = reader.socket.underWay.reduce(0) { $0 + $1.count }
    let told = read(reader).joined(separator: "\n")
    let pages = told.matches(of: /"messages":\[/).count
    #expect(pages >= 1 && pages <= underWay / 30_000 + 1)
    #expect(told.matches(of: /HTTP.1\.1 \d/).count == pages && told.hasSuffix("}"))
    #expect(!told.contains("not-member") && !told.contains("closing"))
    #expect(reader.socket.isFinished)
  }

  @Test mutating func anAnswerBehindAPageThatWasTakenBackIsNotTakenForIt() {
    let (ann, reader, _) = beginPages()
    hall.request(reader, "GET /health")
    expectPagesAlone(ann, reader)
  }

  @Test mutating func pagesAreTakenBackWhoeverAsksBehindThem() {
    let (ann, reader, _) = beginPages()
    hall.request(reader, "GET /rooms/lobby/messages")
    hall.giveAllPages()
    expectPagesAlone(ann, reader)
  }

  @Test mutating func pagesAreTakenBackFromWhoeverFollowsBehindThem() {
    let (ann, reader, eve) = beginPages()
    hall.request(reader, "GET /rooms/tea/messages?follow=1", [eve])
    hall.giveAllPages()
    expectPagesAlone(ann, reader)
  }

  @Test mutating func pagesAreTakenBackFromWhoeverIsUpgradedBehindThem() {
    let (ann, reader, _) = beginPages()
    hall.request(reader, "GET /ws", Self.upgrade)
    expectPagesAlone(ann, reader)
  }

  @Test mutating func pagesAreTakenBackFromWhoseTokensAreVoid() {
    let (_, reader, eve) = beginPages()
    let other = hall.connect()
    let token = eve.split(separator: " ").last ?? ""
    hall.ask(other, #"{"login":{"token":"\#(token)"}}"#)
    expectPagesAlone(other, reader, after: #"{"logout":{}}"#)
  }

  // MARK: Off the server

  /// Whole answers over HTTP in their order, and nothing that is none.
  private func expectAnswers(_ told: String, _ bodies: Int) {
    var rest = told[...]
    var count = 0
    while let head = rest.firstRange(of: "\r\n\r\n") {
      #expect(rest.hasPrefix("HTTP/1.1 "), "\(rest.prefix(80))")
      let size = rest[..<head.lowerBound].firstMatch(of: /Content-Length: (\d+)/)
      let length = size.flatMap { Int($0.1) } ?? 0
      #expect(rest[head.upperBound...].utf8.count >= length, "an answer is torn")
      rest = rest[head.upperBound...]
      rest = Substring(rest.utf8.dropFirst(length))
      count += 1
    }
    #expect(rest.isEmpty && count >= bodies, "\(rest.prefix(80))")
  }

  private static let upgrade = [
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ]

  @Test(arguments: [true, false])
  mutating func noFrameStandsWhereAnAnswerOverHTTPIsAwaited(hasPages: Bool) {
    _ = begin()
    let (_, token) = hall.token(of: "eve")
    let reader = hall.connect()
    reader.socket.room = 0
    for _ in 0..<4 {
      let target = hasPages ? "/rooms/tea/messages?limit=10" : "/health"
      hall.request(reader, "GET \(target)", ["Authorization: Bearer \(token)"])
      hall.giveAllPages()
    }
    hall.request(reader, "GET /ws", Self.upgrade)
    let login = Array(#"{"id":1,"login":{"token":"\#(token)"}}"#.utf8)
    // RFC 6455 5.2, with a mask of zeros.
    let count = UInt8(login.count)
    let head: [UInt8] = count < 126 ? [0x81, 0x80 | count] : [0x81, 0xFE, 0, count]
    let frame = head + [0, 0, 0, 0] + login
    frame.withUnsafeBytes { hall.exchange.received($0, from: reader.connection, at: hall.now) }
    hall.exchange.flush(at: hall.now)
    hall.operate(#"{"id":1,"ban":{"name":"eve","reason":"why"}}"#)
    let bytes = readBytes(reader)
    let text = String(decoding: bytes, as: UTF8.self)
    if hasPages {
      #expect(!text.contains("closing"))
      expectAnswers(text, 1)
    } else {
      let head = "HTTP/1.1 101 Switching Protocols"
      #expect(text.matches(of: /HTTP.1\.1 200/).count == 4 && text.contains(head))
      #expect(text.contains("closing"), "a frame behind the answer that there will be frames")
    }
    #expect(reader.socket.isFinished)
  }

  @Test mutating func aNetworkThatIsPutOffGetsNoMorePagesAlsoInFrontOfWhatItFollows() {
    let (_, reader, eve) = beginPages()
    hall.request(reader, "GET /rooms/tea/messages?follow=1", [eve])
    hall.giveAllPages()
    hall.operate(#"{"id":1,"ban":{"network":"10.0.0.0/8"}}"#)
    let underWay = reader.socket.underWay.reduce(0) { $0 + $1.count }
    let told = read(reader).joined(separator: "\n")
    #expect(told.matches(of: /"messages":\[/).count <= underWay / 30_000 + 1)
    #expect(!told.contains("closing") && reader.socket.isFinished)
  }

  // MARK: However it was asked for

  /// Five pages in chat, of which nothing is read.
  private mutating func askForHistories(_ guest: Guest) {
    guest.socket.room = 0
    for id in 1...5 {
      hall.send(guest, #"{"id":\#(id),"history":{"room":"tea","limit":10}}"# + "\n")
      hall.giveAllPages()
    }
  }

  private mutating func expectRefusals(_ guest: Guest) {
    let lines = read(guest)
    #expect(lines.count { $0.contains("not-member") } >= 2)
    #expect(lines.count { $0.contains(words) } <= 3)
  }

  @Test mutating func whoeverIsInNoRoomLosesItsPagesToo() throws {
    let (ann, _) = begin()
    let eve = hall.connect()
    hall.ask(eve, #"{"login":{"name":"eve"}}"#)
    askForHistories(eve)
    hall.ask(ann, #"{"ban":{"room":"tea","name":"eve"}}"#)
    hall.keep()
    expectRefusals(eve)
  }

  @Test mutating func whatWasAskedBeforeTheConnectionBecameSomebodyElseIsRefusedToo() {
    let (ann, _) = begin()
    let eve = hall.connect()
    hall.ask(eve, #"{"login":{"token":"\#(hall.operatorsToken(of: "mallory"))"}}"#)
    askForHistories(eve)
    hall.send(eve, #"{"id":6,"login":{"name":"eve"}}"# + "\n")
    hall.ask(ann, #"{"ban":{"room":"tea","name":"mallory"}}"#)
    hall.keep()
    expectRefusals(eve)
  }

  @Test mutating func aRawClientIsGivenNoMoreLinesOfHistoryEither() {
    let (ann, _) = begin()
    let eve = hall.connect()
    hall.send(eve, "iam:eve")
    hall.now += .seconds(1)
    hall.exchange.wake(at: hall.now)
    hall.exchange.flush(at: hall.now)
    hall.send(eve, "join:tea")
    hall.now += .seconds(1)
    hall.exchange.wake(at: hall.now)
    hall.send(eve, "history:50\n")
    hall.giveAllPages()
    eve.socket.room = 0
    hall.exchange.flush(at: hall.now)
    hall.ask(ann, #"{"ban":{"room":"tea","name":"eve"}}"#)
    hall.keep()
    eve.socket.room = .max
    var count = 0
    for _ in 0..<200 {
      hall.now += .milliseconds(20)
      hall.exchange.wake(at: hall.now)
      hall.exchange.flush(at: hall.now)
      count += eve.socket.lines().count { $0.contains(words) }
    }
    #expect(count <= 2, "\(count) lines of the room")
  }

  @Test mutating func whatWaitsOfOtherRoomsStays() throws {
    let (ann, bob) = begin()
    hall.say(ann, "elsewhere")
    hall.ask(ann, #"{"ban":{"room":"tea","name":"bob"}}"#)
    hall.keep()
    let lines = read(bob)
    #expect(lines.contains { $0.contains("elsewhere") })
  }
}
