/// The door to work on passwords, and facts on their way to the store and back. By hand, without
/// sockets, clock or store.

import ChatHub
import ChatModel
import ChatServer
import Loop
import Stores
import Testing

extension Hall {
  /// Does the work on passwords that is asked for, until none is; gives what it was.
  @discardableResult
  mutating func work() -> [PasswordWork] {
    var done: [PasswordWork] = []
    while true {
      let jobs = exchange.takePasswordJobs()
      if jobs.isEmpty { return done }
      for job in jobs {
        done.append(job.work)
        exchange.hashed(job, outcome(of: job.work), at: now)
      }
      exchange.flush(at: now)
    }
  }

  /// A program of this machine that has registered.
  mutating func member(_ name: String, _ password: String = "correct horse") -> Guest {
    let guest = connect(from: .loopback("127.0.0.1"))
    ask(guest, #"{"id":1,"register":{"name":"\#(name)","password":"\#(password)"}}"#)
    work()
    keep()
    _ = guest.socket.lines()
    return guest
  }

  /// Asks, has the work done and the facts kept, and gives what came back.
  mutating func askOut(_ guest: Guest, _ lines: String...) -> [String] {
    var heard: [String] = []
    for line in lines {
      heard += ask(guest, line)
      work()
      keep()
      heard += guest.socket.lines()
    }
    return heard
  }
}

private func login(_ name: String, _ password: String, id: Int = 1) -> String {
  #"{"id":\#(id),"login":{"name":"\#(name)","password":"\#(password)"}}"#
}

@Suite struct AccountDoorTests {
  var hall = Hall(ownerCode: "c0de")

  @Test(arguments: [Origin.path, .loopback("127.0.0.1"), .loopback("::1")])
  func passwordsAreTakenFromThisMachine(origin: Origin) {
    var hall = hall
    let ann = hall.connect(from: origin)
    let line = #"{"id":1,"register":{"name":"ann","password":"correct horse"}}"#
    let heard = hall.askOut(ann, line)
    #expect(heard.gist == ["1 ok"])
    #expect(heard.first?.contains(#""guest":false"#) == true)
  }

  @Test mutating func fromElsewhereNoPasswordIsLookedAt() {
    _ = hall.member("ann")
    let bob = hall.connect(from: .network("10.0.0.1"))
    let heard = hall.ask(
      bob, #"{"id":1,"register":{"name":"bob","password":"correct horse"}}"#,
      login("ann", "correct horse", id: 2), login("eve", "correct horse", id: 3))
    #expect(heard.gist == ["1 not-allowed", "2 not-allowed", "3 not-allowed"])
    let cat = hall.connect(from: .network("10.0.0.1"))
    hall.send(cat, "iam:ann:correct horse\n")
    #expect(cat.socket.lines().first?.hasPrefix("! passwords are taken only from this") == true)
    hall.send(cat, "iam:eve:correct horse\n")
    #expect(cat.socket.lines() == ["eve has joined"])
    #expect(hall.work().isEmpty)
  }

  @Test mutating func aWrongPasswordAndNoAccountAreAlikeInWordsAndInWork() {
    _ = hall.member("ann")
    let bob = hall.connect(from: .path)
    let heard = ["ann", "eve"].map { name in
      let early = hall.ask(bob, login(name, "wrong horse"))
      let work = hall.work()
      return (early, work.count, bob.socket.lines())
    }
    #expect(heard.allSatisfy { $0.0.isEmpty && $0.1 == 1 && $0.2.gist == ["1 bad-password"] })
    #expect(heard[0].2 == heard[1].2)
  }

  @Test mutating func fiveWrongOnesAMinuteAnAddress() {
    _ = hall.member("ann")
    let eve = hall.connect(from: .loopback("127.0.0.1"))
    for _ in 0..<3 {
      let right = hall.askOut(eve, login("ann", "correct horse"))
      #expect(right.gist == ["1 ok"], "who is right is not counted")
    }
    for name in ["ann", "bob", "ann", "eve"] {
      #expect(hall.askOut(eve, login(name, "wrong horse")).gist == ["1 bad-password"])
    }
    let code = #"{"id":1,"register":{"name":"zoe","password":"correct horse","code":"c0d3"}}"#
    let guess = hall.connect(from: .loopback("127.0.0.1"))
    #expect(hall.askOut(guess, code).gist == ["1 bad-password"], "a code counts as well")
    let other = hall.connect(from: .loopback("127.0.0.1"))
    let refused = hall.ask(other, login("ann", "correct horse"))
    #expect(refused.gist == ["1 rate-limited"])
    #expect(refused.first?.contains(#""retryAfterMs":12000}"#) == true)
    let elsewhere = hall.connect(from: .loopback("::1"))
    #expect(hall.askOut(elsewhere, login("ann", "wrong horse")).gist == ["1 bad-password"])
    hall.now += .milliseconds(11_999)
    #expect(hall.ask(other, login("ann", "correct horse")).gist == ["1 rate-limited"])
    hall.now += .milliseconds(1)
    #expect(hall.askOut(other, login("ann", "wrong horse")).gist == ["1 bad-password"])
    #expect(hall.ask(other, login("ann", "correct horse")).gist == ["1 rate-limited"])
  }

  @Test mutating func allUnixSocketsAreOneAddress() {
    for _ in 0..<5 {
      let guest = hall.connect(from: .path)
      #expect(hall.askOut(guest, login("ann", "wrong horse")).gist == ["1 bad-password"])
    }
    let guest = hall.connect(from: .path)
    #expect(hall.ask(guest, login("ann", "wrong horse")).gist == ["1 rate-limited"])
  }

  @Test mutating func whatIsAskedAtOnceIsCountedToo() {
    let guests = (0..<10).map { _ in hall.connect(from: .path) }
    for guest in guests { hall.ask(guest, login("ann", "wrong horse")) }
    hall.work()
    // Ten were wrong, so it takes a minute and twelve seconds until the next may be.
    hall.now += .milliseconds(71_999)
    let guest = hall.connect(from: .path)
    #expect(hall.ask(guest, login("ann", "wrong horse")).gist == ["1 rate-limited"])
    hall.now += .milliseconds(2)
    #expect(hall.askOut(guest, login("ann", "wrong horse")).gist == ["1 bad-password"])
  }

  @Test mutating func twoAreDoneAtOnceSixteenWaitAndTheNextIsRefused() {
    let guests = (0..<19).map { _ in hall.connect(from: .path) }
    var jobs: [PasswordJob] = []
    for (index, guest) in guests.enumerated() {
      let heard = hall.ask(
        guest, #"{"id":1,"register":{"name":"p\#(index)","password":"correct horse"}}"#)
      #expect(heard.gist == (index < 18 ? [] : ["1 busy"]))
      jobs += hall.exchange.takePasswordJobs()
    }
    #expect(jobs.count == 2 && hall.exchange.isHashing)
    for job in jobs { hall.exchange.hashed(job, outcome(of: job.work), at: hall.now) }
    #expect(hall.work().count == 16)
    #expect(!hall.exchange.isHashing)
    hall.keep()
    #expect(guests.dropLast().allSatisfy { $0.socket.lines().gist == ["1 ok"] })
  }

  @Test mutating func whoHasGoneIsNotWorkedFor() {
    let guests = (0..<4).map { _ in hall.connect(from: .path) }
    for guest in guests { hall.ask(guest, login("ann", "wrong horse")) }
    hall.exchange.ended(guests[2].connection, .broken(errno: 104), at: hall.now)
    #expect(hall.work().count == 3)
  }

  @Test mutating func nothingIsTakenFromWhoWaitsForWorkOnAPassword() {
    _ = hall.member("ann")
    let bob = hall.connect(from: .path)
    let early = hall.ask(bob, login("ann", "correct horse"), #"{"id":2,"ping":{}}"#)
    #expect(early.isEmpty)
    hall.work()
    #expect(bob.socket.lines().gist == ["1 ok", "2 ok"])
  }

  @Test mutating func atTheEndWorkThatHasNotBegunIsDropped() {
    let guests = (0..<4).map { _ in hall.connect(from: .path) }
    for guest in guests { hall.ask(guest, login("ann", "wrong horse")) }
    let jobs = hall.exchange.takePasswordJobs()
    hall.exchange.stopTaking()
    hall.exchange.endAll(at: hall.now)
    for job in jobs { hall.exchange.hashed(job, outcome(of: job.work), at: hall.now) }
    #expect(!hall.exchange.isHashing && hall.exchange.takePasswordJobs().isEmpty)
    #expect(guests.allSatisfy { $0.socket.lines().gist == ["closing"] })
  }
}

@Suite struct RecordTests {
  var hall = Hall()

  private let change = #"{"id":3,"password":{"old":"correct horse","new":"battery staple"}}"#

  @Test mutating func factsAreKeptInTheirOrderAmongWhatIsSaid() {
    let ann = hall.member("ann")
    hall.ask(ann, #"{"join":{"room":"lobby"}}"#)
    let bob = hall.program("bob")
    hall.send(bob, #"{"send":{"room":"lobby","text":"before"}}"# + "\n")
    hall.ask(ann, #"{"id":2,"logout":{}}"#)
    hall.send(bob, #"{"send":{"room":"lobby","text":"after"}}"# + "\n")
    let batch = hall.exchange.takeBatch() ?? []
    let gist = batch.map { entry in
      switch entry {
      case .message(let draft): draft.words
      case .facts(let facts): "\(facts.count) facts"
      }
    }
    #expect(gist == ["before", "1 facts", "after"])
  }

  @Test mutating func whatWaitsBehindFactsThatAreNotKeptIsNotKeptEither() {
    let ann = hall.member("ann")
    let bob = hall.program("bob")
    hall.ask(ann, change)
    hall.work()
    _ = hall.exchange.takeBatch()
    // Under way with the store is the change; behind it waits what was judged by it.
    hall.send(bob, #"{"id":5,"send":{"room":"lobby","text":"x"}}"# + "\n")
    let eve = hall.connect(from: .path)
    hall.ask(eve, login("ann", "correct horse", id: 6))
    hall.work()
    #expect(eve.socket.lines().gist == ["6 bad-password"])
    _ = bob.socket.lines()
    hall.exchange.kept(.failure(.diskFull(path: "/")), at: hall.now)
    hall.exchange.flush(at: hall.now)
    #expect(ann.socket.lines().gist == ["3 not-stored"])
    #expect(bob.socket.lines().gist == ["5 not-stored"])
    #expect(!hall.exchange.isKeeping)
    #expect(hall.askOut(eve, login("ann", "correct horse", id: 7)).gist == ["7 ok"])
  }

  @Test mutating func messagesAloneThatAreNotKeptTakeNothingWithThem() {
    let bob = hall.program("bob")
    hall.send(bob, #"{"id":5,"send":{"room":"lobby","text":"x"}}"# + "\n")
    _ = hall.exchange.takeBatch()
    hall.send(bob, #"{"id":6,"send":{"room":"lobby","text":"y"}}"# + "\n")
    hall.exchange.kept(.failure(.failed("no")), at: hall.now)
    hall.keep()
    #expect(bob.socket.lines().gist == ["5 not-stored", "6 ok", "y"])
  }

  @Test mutating func aTokenThatIsGivenWhileALogoutWaitsIsVoidWithIt() {
    let ann = hall.member("ann")
    let second = hall.connect(from: .path)
    _ = hall.askOut(second, login("ann", "correct horse"))
    hall.ask(second, change)
    hall.work()
    let finish = hall.keepQuietly()
    hall.ask(ann, #"{"id":2,"logout":{}}"#)
    finish(&hall)
    let answer = second.socket.lines()
    #expect(answer.gist == ["3 ok"])
    let token = answer.first?.firstMatch(of: /"token":"([^"]*)"/)?.1 ?? ""
    hall.keep()
    #expect(second.socket.lines().gist == ["closing"])
    let third = hall.connect(from: .path)
    #expect(hall.ask(third, #"{"id":4,"login":{"token":"\#(token)"}}"#).gist == ["4 bad-token"])
    #expect(hall.askOut(third, login("ann", "battery staple")).gist == ["1 ok"])
  }

  @Test mutating func factsThatAreTooMuchToKeepArePutBackAtOnce() {
    var limits = Limits()
    limits.draftsWaitingMax = 1
    hall = Hall(limits)
    let ann = hall.member("ann")
    let bob = hall.program("bob")
    hall.send(bob, #"{"send":{"room":"lobby","text":"x"}}"# + "\n")
    #expect(hall.ask(ann, #"{"id":2,"logout":{}}"#).gist == ["2 busy"])
    #expect(hall.ask(ann, #"{"id":3,"rooms":{}}"#).gist == ["3 ok"])
    hall.keep()
    #expect(hall.askOut(ann, #"{"id":4,"logout":{}}"#).gist == ["4 ok"])
  }

  @Test mutating func anotherServerWithTheFactsKnowsThePeople() {
    let ann = hall.member("ann")
    let heard = hall.askOut(ann, change)
    let token = heard.first?.firstMatch(of: /"token":"([^"]*)"/)?.1 ?? ""
    var later = Hall(facts: Array(hall.facts.values))
    let guest = later.connect(from: .path)
    #expect(later.askOut(guest, login("ann", "correct horse")).gist == ["1 bad-password"])
    #expect(later.ask(guest, #"{"id":2,"login":{"token":"\#(token)"}}"#).gist == ["2 ok"])
    let other = later.connect(from: .path)
    #expect(later.askOut(other, login("ann", "battery staple")).gist == ["1 ok"])
  }

  @Test mutating func whoHasLoggedOutIsNamelessAndItsTokenVoid() {
    let (ann, token) = hall.token(of: "ann")
    let second = hall.connect()
    hall.ask(second, #"{"login":{"token":"\#(token)"}}"#, #"{"join":{"room":"lobby"}}"#)
    _ = second.socket.lines()
    #expect(hall.askOut(ann, #"{"id":2,"logout":{}}"#).gist == ["2 ok"])
    #expect(second.socket.lines().gist == ["closing"])
    #expect(
      hall.ask(ann, #"{"id":3,"rooms":{}}"#, #"{"id":4,"login":{"token":"\#(token)"}}"#).gist
        == ["3 not-logged-in", "4 bad-token"])
    let eve = hall.program("eve")
    hall.say(eve, "hello")
    #expect(ann.socket.lines().isEmpty, "nameless connections hear nothing of rooms")
    #expect(hall.ask(ann, #"{"id":5,"login":{"name":"ann"}}"#).gist == ["5 ok"])
  }

  @Test func withoutAStoreFactsAreKeptAtOnce() {
    var parts = Exchange.Parts()
    parts.ownerCode = "c0de"
    var exchange = Exchange(parts)
    let socket = PaperSocket()
    let connection = exchange.accepted(socket, from: .path, at: .zero)
    let line = #"{"id":1,"register":{"name":"ann","password":"correct horse","code":"c0de"}}"#
    Array("\(line)\n".utf8).withUnsafeBytes {
      exchange.received($0, from: connection, at: .zero)
    }
    for job in exchange.takePasswordJobs() {
      exchange.hashed(job, outcome(of: job.work), at: .zero)
    }
    exchange.flush(at: .zero)
    #expect(socket.lines().gist == ["1 ok"])
    #expect(exchange.ownerCode == nil)
  }
}
