/// Who asks and does not read is not read: by what waits for it in memory, whatever it speaks.

import ChatServer
import Testing

@Suite struct HeldBackTests {
  private var hall = Hall(Self.limits)

  private static var limits: Limits {
    var limits = Limits()
    limits.liftRates()
    limits.outboxBytesMax = 1_000
    return limits
  }

  /// An unterminated client with a name.
  private mutating func raw() -> Guest {
    let raw = hall.connect()
    hall.send(raw, "iam:raw")
    tick(3)
    return raw
  }

  /// So many of the ticks at which raw clients are sent a line.
  private mutating func tick(_ count: Int) {
    for _ in 0..<count {
      hall.now += Self.limits.rawTick
      hall.exchange.wake(at: hall.now)
      hall.exchange.flush(at: hall.now)
    }
  }

  @Test(arguments: ["{\"id\":1,\"ping\":{}}\n", "ping:\n"])
  mutating func shortAnswersAreWeighedByTheMemoryThatTheyTake(ping: String) {
    let eve = hall.connect()
    hall.send(eve, ping.hasPrefix("{") ? "{\"login\":{\"name\":\"eve\"}}\n" : "iam:eve\n")
    eve.socket.room = 0
    for _ in 0..<100 { hall.send(eve, ping) }
    #expect(!eve.socket.isReading)
    #expect(eve.connection.outbox.weight < 1_200)
    _ = eve.socket.lines()
    for _ in 0..<10 {
      eve.socket.finishWrite()
      hall.exchange.wrote(eve.connection, nil, at: hall.now)
      hall.exchange.flush(at: hall.now)
    }
    let answers = eve.socket.lines().filter { $0.hasPrefix("* pong") || $0.contains("\"ok\"") }
    #expect(answers.count == 100)
    #expect(eve.socket.isReading)
  }

  @Test mutating func aRawClientIsReadAgainWhenItHasBeenSentWhatHeldItBack() {
    let raw = raw()
    let ann = hall.program("ann")
    for number in 0..<20 { hall.say(ann, "\(number)") }
    hall.send(raw, "msg:hi")
    #expect(!raw.socket.isReading)
    tick(25)
    hall.keep()
    #expect(raw.socket.isReading)
    #expect(ann.socket.lines().gist.last == "hi")
  }

  @Test mutating func whatARawClientHadNotTerminatedIsCarriedOutThen() {
    let raw = raw()
    let ann = hall.program("ann")
    hall.send(raw, "msg:hi")
    for number in 0..<20 { hall.say(ann, "\(number)") }
    tick(3)
    #expect(ann.socket.lines().gist.last == "19", "its quiet time is over, and it is held back")
    tick(25)
    hall.keep()
    #expect(ann.socket.lines().gist.last == "hi")
  }

  @Test mutating func aRawClientIsReadAgainThoughSomethingAlwaysWaitsForIt() {
    let raw = raw()
    let ann = hall.program("ann")
    for number in 0..<20 { hall.say(ann, "\(number)") }
    hall.send(raw, "msg:hi")
    for number in 0..<25 {
      tick(1)
      if number > 12 { hall.say(ann, "more") }
    }
    tick(1)
    #expect(!raw.connection.outbox.isEmpty && raw.socket.isReading)
  }
}
