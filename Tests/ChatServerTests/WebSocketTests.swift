/// WebSockets with an exchange by hand: the handshake's proof, JSON inside, silence, and the end.

import ChatServer
import Testing
import Wire

@Suite struct WebSocketTests {
  private var hall = Hall()

  private mutating func open(_ fields: String...) -> Guest {
    let guest = hall.connect()
    hall.request(
      guest, "GET /ws",
      [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: beck.json",
      ] + fields)
    return guest
  }

  /// One text frame, masked with zeros (RFC 6455 5.3 lets a client choose).
  private mutating func say(_ guest: Guest, _ text: String) {
    var frame: [UInt8] = [0x81]
    if text.utf8.count < 126 {
      frame.append(0x80 | UInt8(text.utf8.count))
    } else {
      frame += [0xFE, UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)]
    }
    send(guest, frame + [0, 0, 0, 0] + Array(text.utf8))
  }

  private mutating func send(_ guest: Guest, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      hall.exchange.received($0, from: guest.connection, at: hall.now)
    }
    hall.exchange.flush(at: hall.now)
  }

  /// The payloads of the text frames since the last look; of others their first bytes.
  private func frames(_ guest: Guest) -> [String] {
    var rest = guest.socket.bytes()[...]
    var frames: [String] = []
    while !rest.isEmpty {
      let size = rest.withUnsafeBytes { WebSocketFrame.size(of: $0) }
      let frame = rest.prefix(size)
      rest = rest.dropFirst(size)
      let head = frame.count > 1 && frame[frame.startIndex + 1] == 126 ? 4 : 2
      let payload = String(decoding: frame.dropFirst(head), as: UTF8.self)
      frames.append(frame.first == 0x81 ? payload : Array(frame.prefix(4)).description)
    }
    return frames
  }

  private mutating func pass(_ time: Duration) {
    hall.now += time
    hall.exchange.wake(at: hall.now)
    hall.exchange.flush(at: hall.now)
  }

  @Test mutating func theKeyIsProvedToHaveBeenRead() {
    // The example of RFC 6455 1.3.
    let answer = open().answer()
    #expect(answer.status == 101)
    #expect(answer.fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(answer.fields["sec-websocket-protocol"] == "beck.json")
  }

  @Test mutating func whoSpeaksInFramesIsInTheRoomsOfAll() {
    let eve = hall.program("eve")
    let ann = open()
    _ = ann.answer()
    say(ann, #"{"id":1,"login":{"name":"ann"}}"#)
    say(ann, #"{"id":2,"join":{"room":"lobby"}}"#)
    #expect(frames(ann).gist.prefix(2) == ["1 ok", "2 ok"])
    #expect(eve.socket.lines().last == #"{"joined":{"room":"lobby","name":"ann","members":2}}"#)
    say(ann, #"{"id":3,"send":{"room":"lobby","text":"from a page"}}"#)
    hall.keep()
    #expect(frames(ann).gist == ["3 ok", "from a page"])
    #expect(eve.socket.lines().gist == ["from a page"])
    hall.say(eve, "to a page")
    #expect(frames(ann).gist == ["to a page"])
    say(ann, #"{"id":4,"history":{"room":"lobby"}}"#)
    hall.giveAllPages()
    #expect(frames(ann).first?.hasPrefix(#"{"id":4,"ok":{"messages":[{"#) == true)
  }

  @Test mutating func aPageOfAnotherOriginIsRefused() {
    let eve = hall.program("eve")
    _ = eve.socket.lines()
    let guest = open("Origin: http://evil.example")
    let answer = guest.answer()
    #expect(answer.status == 403 && guest.socket.isFinished)
    say(guest, #"{"id":1,"login":{"name":"mallory"}}"#)
    #expect(guest.socket.bytes().isEmpty && eve.socket.lines().isEmpty)
    #expect(open("Origin: http://localhost").answer().status == 101)
  }

  @Test mutating func whoIsSilentIsAskedAndThenGivenUp() {
    let (silent, alive) = (open(), open())
    for guest in [silent, alive] { _ = guest.answer() }
    pass(.seconds(30))
    for guest in [silent, alive] { #expect(frames(guest) == ["[137, 0]"]) }
    send(alive, [0x8A, 0x80, 0, 0, 0, 0])
    pass(.seconds(15))
    #expect(silent.socket.isClosed && !alive.socket.isClosed)
  }

  @Test mutating func theEndIsToldAndThenAFrameOfItsOwn() {
    let ann = open()
    _ = ann.answer()
    say(ann, #"{"id":1,"login":{"name":"ann"}}"#)
    _ = frames(ann)
    hall.exchange.stopTaking()
    hall.exchange.endAll(at: hall.now)
    let last = frames(ann)
    #expect(last.count == 2 && last[0].hasPrefix(#"{"closing":{"reason":"shutdown","#))
    #expect(last.last == "[136, 10, 3, 233]" && ann.socket.isFinished, "1001")
  }

  @Test mutating func whatBreaksAFramesRuleEndsTheConnectionAndIsNotSeen() {
    let eve = hall.program("eve")
    let ann = open()
    _ = ann.answer()
    say(ann, #"{"id":1,"login":{"name":"ann"}}"#)
    _ = (frames(ann), eve.socket.lines())
    // A client's frame that is not masked (RFC 6455 5.1).
    send(ann, [0x81, 0x02, 0x7B, 0x7D] + Array("iam:mallory\nmsg:hi\n".utf8))
    #expect(frames(ann).last?.hasPrefix("[136, ") == true && ann.socket.isFinished)
    #expect(eve.socket.lines().isEmpty)
  }

  @Test mutating func aSlowPageHasEverythingOnceInOrder() {
    hall = Hall(.tight)
    let eve = hall.program("eve")
    let ann = open()
    _ = ann.answer()
    say(ann, #"{"id":1,"login":{"name":"ann"}}"#)
    say(ann, #"{"id":2,"join":{"room":"lobby"}}"#)
    _ = frames(ann)
    ann.socket.room = 0
    for _ in 0..<60 { hall.say(eve, String(repeating: "w", count: 3_000)) }
    while !ann.socket.underWay.isEmpty {
      ann.socket.finishWrite()
      hall.exchange.wrote(ann.connection, nil, at: hall.now)
      hall.exchange.flush(at: hall.now)
      hall.giveAllPages()
    }
    let told = frames(ann)
    let seqs = told.compactMap { $0.firstMatch(of: /"seq":(\d+),"from"/).flatMap { Int($0.1) } }
    #expect(seqs == Array(1...60))
    #expect(told.last == #"{"caughtUp":{"room":"lobby","seq":60}}"#)
  }
}
