/// The race of a host's addresses as tables: each line is a moment, what happens then, and what
/// the race makes of it. No socket, no clock.

import Foundation
import SocketStreams
import Testing

/// A table's lines read `MILLISECONDS EVENT -> OUTCOME`. Events: `ipv6 ADDRESS ...`, `ipv6 lacks
/// CODE` (likewise `ipv4`), `time`, `fails ATTEMPT ERRNO`, `connects ATTEMPT`. Outcomes: an action
/// or `nothing`, and `wake MILLISECONDS` where the race waits for the time.
struct RaceTable: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let lines: String

  init(_ name: String, _ lines: String) {
    testDescription = name
    self.lines = lines
  }

  func play() throws {
    var race = AddressRace()
    for line in lines.split(separator: "\n") {
      let halves = line.split(separator: "->").map { $0.trimmingCharacters(in: .whitespaces) }
      let words = halves[0].split(separator: " ").map(String.init)
      let action = try Self.act(words, on: &race)
      var outcome = action.map(Self.words) ?? "nothing"
      if let wake = race.wake { outcome += ", wake \(Int(wake / .milliseconds(1)))" }
      #expect(outcome == halves[1], "\(line)")
    }
  }

  private static func act(
    _ words: [String], on race: inout AddressRace
  ) throws -> AddressRace.Action? {
    let number = { (index: Int) throws -> Int in try #require(Int(words[index])) }
    let now = Duration.milliseconds(try number(0))
    switch words[1] {
    case "time": return race.timePassed(at: now)
    case "connects": return race.attemptConnected(try number(2))
    case "fails":
      return race.attemptFailed(try number(2), code: Int32(try number(3)), at: now)
    case let family:
      let answer: AddressRace.Answer
      if words.count > 2, words[2] == "lacks" {
        answer = .failure(LookUpFailure(code: Int32(try number(3))))
      } else {
        answer = .success(try words.dropFirst(2).map { try #require(IPAddress($0)) })
      }
      return race.answer(family == "ipv6" ? .ipv6 : .ipv4, answer, at: now)
    }
  }

  private static func words(_ action: AddressRace.Action) -> String {
    switch action {
    case .start(let attempt, let address): "start \(attempt) \(address)"
    case .finished(let winner): "won by \(winner)"
    case .failed(.lookUp(let code)): "not found \(code)"
    case .failed(.connect(let code)): "errno \(code)"
    }
  }
}

private let lookUps = [
  RaceTable(
    "IPv6 addresses start at once, without waiting for IPv4",
    """
    20 ipv6 2001:db8::1 -> start 0 2001:db8::1
    30 ipv4 192.0.2.1 -> nothing, wake 270
    """),
  RaceTable(
    "IPv4 addresses wait 50 ms for IPv6, which comes in time",
    """
    20 ipv4 192.0.2.1 -> nothing, wake 70
    60 ipv6 2001:db8::1 -> start 0 2001:db8::1, wake 310
    310 time -> start 1 192.0.2.1
    """),
  RaceTable(
    "IPv4 addresses wait 50 ms for IPv6 and no longer",
    """
    20 ipv4 192.0.2.1 -> nothing, wake 70
    69 time -> nothing, wake 70
    70 time -> start 0 192.0.2.1
    """),
  RaceTable(
    "the answer that there is no IPv6 address ends the waiting",
    """
    20 ipv4 192.0.2.1 -> nothing, wake 70
    30 ipv6 lacks -5 -> start 0 192.0.2.1
    """),
  RaceTable(
    "an empty answer is no address either",
    """
    20 ipv4 192.0.2.1 -> nothing, wake 70
    30 ipv6 -> start 0 192.0.2.1
    """),
  RaceTable(
    "without IPv6 addresses IPv4's start at once",
    """
    20 ipv6 lacks -2 -> nothing
    500 ipv4 192.0.2.1 -> start 0 192.0.2.1
    """),
  RaceTable(
    "late IPv6 addresses join while IPv4's are being tried, and have the next turn",
    """
    0 ipv4 192.0.2.1 192.0.2.2 -> nothing, wake 50
    50 time -> start 0 192.0.2.1, wake 300
    100 ipv6 2001:db8::1 -> nothing, wake 300
    300 time -> start 1 2001:db8::1, wake 550
    550 time -> start 2 192.0.2.2
    """),
  RaceTable(
    "late addresses start at once when every attempt so far has failed",
    """
    0 ipv6 2001:db8::1 -> start 0 2001:db8::1
    10 fails 0 101 -> nothing
    90 ipv4 192.0.2.1 -> start 1 192.0.2.1
    """),
  RaceTable(
    "a second answer of a family is ignored",
    """
    0 ipv6 2001:db8::1 -> start 0 2001:db8::1
    5 ipv6 2001:db8::2 -> nothing
    """),
]

private let attempts = [
  RaceTable(
    "attempts begin 250 ms apart and the families take turns, IPv6 first",
    """
    0 ipv6 2001:db8::1 2001:db8::2 2001:db8::3 -> start 0 2001:db8::1, wake 250
    0 ipv4 192.0.2.1 -> nothing, wake 250
    249 time -> nothing, wake 250
    250 time -> start 1 192.0.2.1, wake 500
    500 time -> start 2 2001:db8::2, wake 750
    760 time -> start 3 2001:db8::3
    """),
  RaceTable(
    "a failed attempt starts the next one at once",
    """
    0 ipv6 2001:db8::1 -> start 0 2001:db8::1
    0 ipv4 192.0.2.1 192.0.2.2 -> nothing, wake 250
    3 fails 0 111 -> start 1 192.0.2.1, wake 253
    9 fails 1 111 -> start 2 192.0.2.2
    """),
  RaceTable(
    "the failure of an earlier attempt does not hurry the one after the latest",
    """
    0 ipv6 2001:db8::1 2001:db8::2 2001:db8::3 -> start 0 2001:db8::1, wake 250
    0 ipv4 lacks -5 -> nothing, wake 250
    250 time -> start 1 2001:db8::2, wake 500
    260 fails 0 113 -> nothing, wake 500
    500 time -> start 2 2001:db8::3
    """),
  RaceTable(
    "a wait that lasted too long starts one attempt, not all that are due",
    """
    0 ipv6 2001:db8::1 2001:db8::2 2001:db8::3 -> start 0 2001:db8::1, wake 250
    9000 time -> start 1 2001:db8::2, wake 9250
    """),
  RaceTable(
    "the first connection wins, an early attempt's too, and nothing starts afterwards",
    """
    0 ipv6 2001:db8::1 2001:db8::2 2001:db8::3 -> start 0 2001:db8::1, wake 250
    250 time -> start 1 2001:db8::2, wake 500
    260 connects 0 -> won by 0
    500 time -> nothing
    500 connects 1 -> nothing
    501 fails 1 111 -> nothing
    502 ipv4 192.0.2.1 -> nothing
    """),
  RaceTable(
    "an address is tried once, however often it was answered",
    """
    0 ipv6 lacks -2 -> nothing
    0 ipv4 192.0.2.1 192.0.2.1 192.0.2.2 -> start 0 192.0.2.1, wake 250
    1 fails 0 111 -> start 1 192.0.2.2
    2 fails 1 111 -> errno 111
    """),
]

private let failures = [
  RaceTable(
    "no address of either family is the look-up's failure",
    "0 ipv6 lacks -2 -> nothing\n9 ipv4 lacks -2 -> not found -2"),
  RaceTable(
    "a code that says why nothing is known outweighs one that says there is nothing",
    "0 ipv6 lacks -2 -> nothing\n9 ipv4 lacks -3 -> not found -3"),
  RaceTable(
    "an unknown name outweighs a family without addresses",
    "0 ipv4 lacks -2 -> nothing\n9 ipv6 lacks -5 -> not found -2"),
  RaceTable(
    "one family's failed look-up is no error while the other one's addresses are tried",
    """
    0 ipv6 lacks -3 -> nothing
    5 ipv4 192.0.2.1 -> start 0 192.0.2.1
    6 fails 0 111 -> errno 111
    """),
  RaceTable(
    "the race is not lost while a look-up is under way",
    """
    0 ipv6 2001:db8::1 -> start 0 2001:db8::1
    5 fails 0 101 -> nothing
    70 ipv4 lacks -3 -> errno 101
    """),
  RaceTable(
    "nor while an attempt is",
    """
    0 ipv6 2001:db8::1 -> start 0 2001:db8::1
    0 ipv4 192.0.2.1 -> nothing, wake 250
    250 time -> start 1 192.0.2.1
    260 fails 1 111 -> nothing
    900 fails 0 110 -> errno 111
    """),
  RaceTable(
    "a host that answered outweighs a network that is not there, whichever came last",
    """
    0 ipv6 2001:db8::1 -> start 0 2001:db8::1
    0 ipv4 192.0.2.1 192.0.2.2 -> nothing, wake 250
    1 fails 0 101 -> start 1 192.0.2.1, wake 251
    2 fails 1 111 -> start 2 192.0.2.2
    3 fails 2 113 -> errno 111
    """),
  RaceTable(
    "our own shortage outweighs everything: that address was not tried",
    """
    0 ipv6 2001:db8::1 -> start 0 2001:db8::1
    0 ipv4 192.0.2.1 -> nothing, wake 250
    1 fails 0 111 -> start 1 192.0.2.1
    1 fails 1 24 -> errno 24
    """),
  RaceTable(
    "of equally telling errors the preferred address's counts",
    """
    0 ipv6 2001:db8::1 -> start 0 2001:db8::1
    0 ipv4 192.0.2.1 -> nothing, wake 250
    250 time -> start 1 192.0.2.1
    260 fails 1 13 -> nothing
    261 fails 0 113 -> errno 113
    """),
]

@Suite struct AddressRaceTests {
  @Test("RFC 8305, section 3: look-ups", arguments: lookUps)
  func lookUp(table: RaceTable) throws { try table.play() }

  @Test("RFC 8305, sections 4 and 5: the order and the times of attempts", arguments: attempts)
  func attempt(table: RaceTable) throws { try table.play() }

  @Test("line 5: the race is lost when everything has failed", arguments: failures)
  func failure(table: RaceTable) throws { try table.play() }

  @Test("RFC 8305, section 5: attempts are never set closer together than 100 ms")
  func minimum() throws {
    var delays = AddressRace.Delays()
    delays.attempt = .milliseconds(1)
    var race = AddressRace(delays)
    let addresses = try ["2001:db8::1", "2001:db8::2"].map { try #require(IPAddress($0)) }
    #expect(race.answer(.ipv6, .success(addresses), at: .zero) != nil)
    #expect(race.wake == .milliseconds(100))
  }

  @Test("a host of a thousand addresses has 32 attempts under way, and every address its turn")
  func many() throws {
    var race = AddressRace()
    let addresses = try (0..<1000).map { try #require(IPAddress("2001:db8::\($0)")) }
    var action = race.answer(.ipv6, .success(addresses), at: .zero)
    #expect(race.answer(.ipv4, .success([]), at: .zero) == nil)
    var now = Duration.zero
    var started = 0
    while case .start(let attempt, let address)? = action {
      #expect(attempt == started && address == addresses[started])
      started += 1
      if let wake = race.wake {
        now = wake
        action = race.timePassed(at: now)
      } else {
        #expect(started >= AddressRace.attemptsMax)
        // The latest fails: the one that waits for its room starts.
        action = race.attemptFailed(attempt, code: ETIMEDOUT, at: now)
      }
    }
    #expect(started == 1000)
    #expect(action == nil && race.wake == nil)
  }
}
