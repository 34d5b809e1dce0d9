/// A JSON session with a hand clock, and a server that a test plays line by line.

import ChatModel
import Testing

@testable import ChatClient

/// Gives 1, 2, 3 …: keys that can be foreseen, and waits of no time.
struct Counting: RandomNumberGenerator {
  var number: UInt64 = 0

  mutating func next() -> UInt64 {
    number += 1
    return number
  }
}

/// Gives the largest number: waits as long as they can be.
struct Largest: RandomNumberGenerator {
  func next() -> UInt64 { .max }
}

struct JSONTalk {
  var session: JSONSession
  var now = Duration.zero
  /// Of requests: each has the number after the one before it.
  private var requests = 0

  init(
    room: String = "lobby", replay: Int = 0, isOpen: Bool = true,
    generator: any RandomNumberGenerator = Counting()
  ) throws {
    session = JSONSession(
      name: try UserName("ann"), room: try #require(RoomName(room)), replay: replay,
      generator: generator)
    if isOpen { try open() }
  }

  /// Logs in and enters the room, whose newest message is `seq`.
  mutating func open(seq: Int = 0, token: String = "T1") throws {
    _ = session.opened(at: now)
    requests += 1
    _ = hear(login(requests, token: token))
    requests += 1
    _ = hear(entered(requests, seq: seq))
    try #require(session.state == .open)
  }

  /// What the server says: each a line.
  mutating func hear(_ lines: String...) -> [SessionAction] {
    session.received(Array(lines.map { $0 + "\n" }.joined().utf8), at: now)
  }

  mutating func say(_ text: String) throws -> [SessionAction]? {
    session.say(try #require(MessageText(text)), at: now)
  }

  mutating func pass(_ time: Duration) -> [SessionAction] {
    now += time
    return session.timePassed(at: now)
  }

  /// The connection is lost, and another one is being made.
  mutating func cut(_ end: ConnectionEnd = .byServer) throws {
    _ = session.ended(end, at: now)
    try #require(session.state.isInterrupted)
    now = try #require(session.deadline)
    #expect(session.timePassed(at: now) == [.enter(.connecting)])
  }

  /// Requests that were made otherwise than by ``open(seq:token:)``.
  mutating func skip(_ count: Int) { requests += count }
}

// What a server says.
func login(_ id: Int, token: String = "T1") -> String {
  #"{"id":\#(id),"ok":{"name":"ann","token":"\#(token)","guest":true,"server":"x","limits":{}}}"#
}

func entered(_ id: Int, room: String = "lobby", seq: Int = 0, members: Int = 1) -> String {
  #"{"id":\#(id),"ok":{"room":"\#(room)","seq":\#(seq),"members":\#(members)}}"#
}

func stored(_ id: Int, seq: Int) -> String {
  #"{"id":\#(id),"ok":{"seq":\#(seq),"at":"2026-11-30T02:10:00.123Z","durability":"stored"}}"#
}

func refusal(_ id: Int, _ code: String, _ words: String = "no", wait: Int? = nil) -> String {
  let retry = wait.map { #","retryAfterMs":\#($0)"# } ?? ""
  return #"{"id":\#(id),"error":{"code":"\#(code)","message":"\#(words)"\#(retry)}}"#
}

func message(
  _ seq: Int, _ text: String = "hi", from: String = "bob", room: String = "lobby", minute: Int = 10
) -> String {
  #"{"message":{"room":"\#(room)","seq":\#(seq),"from":"\#(from)","text":"\#(text)","#
    + #""at":"2026-11-30T02:\#(minute):00.000Z"}}"#
}

func caughtUp(_ seq: Int, room: String = "lobby") -> String {
  #"{"caughtUp":{"room":"\#(room)","seq":\#(seq)}}"#
}

func closing(_ reason: String, wait: Int? = nil) -> String {
  let retry = wait.map { #","retryAfterMs":\#($0)"# } ?? ""
  return #"{"closing":{"reason":"\#(reason)","message":"bye"\#(retry)}}"#
}

// What a session wants.
func write(_ lines: String...) -> SessionAction {
  .write(Array(lines.map { $0 + "\n" }.joined().utf8))
}

func send(_ id: Int, _ text: String, key: String, room: String = "lobby") -> String {
  #"{"id":\#(id),"send":{"room":"\#(room)","text":"\#(text)","key":"\#(key)"}}"#
}

func shown(_ actions: [SessionAction]) -> [String] {
  actions.compactMap { if case .show(let line) = $0 { line.text } else { nil } }
}

/// What is sent for the person, and not beside it.
func written(_ actions: [SessionAction]?) -> [String] {
  everythingWritten(actions).filter { !$0.hasPrefix(#"{"id":"a"#) }
}

/// What is sent beside what the person asks for: without the id.
func asides(_ actions: [SessionAction]?) -> [String] {
  everythingWritten(actions).filter { $0.hasPrefix(#"{"id":"a"#) }
    .map { "{" + $0.drop { $0 != "," }.dropFirst() }
}

private func everythingWritten(_ actions: [SessionAction]?) -> [String] {
  (actions ?? []).flatMap { action -> [String] in
    guard case .write(let bytes) = action else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
