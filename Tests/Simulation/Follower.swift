/// What follows the lobby over HTTP and is in no room, as lines of JSON or as server-sent events:
/// keeps its place over cuts by the cursor, and holds every event against the ledger.

import ChatHub
import ChatModel
import ChatServer
import Dialects

final class Follower: Device {
  private let room = RoomName.lobby
  private let isEvents: Bool
  private var codec = JSONClientCodec()
  private var head = WebHead()
  private var reading: Reading?
  /// For the next link.
  private var seen: Int64?
  private var known: [Int64: Content] = [:]
  /// The id of the event that comes.
  private var cursor: Int64?

  init(_ name: String, isEvents: Bool, in world: World) {
    self.isEvents = isEvents
    super.init(name, in: world)
  }

  override func opened() {
    codec = JSONClientCodec()
    head = WebHead()
    self.cursor = nil
    // At first from the beginning, or what comes from now on.
    let cursor = seen ?? (world.dice.chance(50) ? 0 : nil)
    reading = cursor.map { Reading(room, .at($0), isLive: false, known: known) }
    var query = "follow=1"
    var fields = "Host: localhost\r\n"
    if isEvents {
      fields += "Accept: text/event-stream\r\n"
      // A browser asks again as it asked first.
      query += "&after=0"
      fields += cursor.map { "Last-Event-ID: \($0)\r\n" } ?? ""
      reading = reading ?? Reading(room, .at(0), isLive: false)
    } else {
      fields += "Accept: application/x-ndjson\r\n"
      query += cursor.map { "&after=\($0)" } ?? ""
    }
    send("GET /rooms/\(room.string)/messages?\(query) HTTP/1.1\r\n\(fields)\r\n")
  }

  override func heard(_ line: String, writtenAs stamp: Stamp) throws(Violation) {
    // Before it said a word, and so before the server knew what it speaks.
    if head.status == nil, line.hasPrefix("! ") { return }
    guard head.isWhole else { return try head.take(line) }
    guard head.status == 200 else { return }
    guard isEvents else { return try told(line, stamp) }
    if line.hasPrefix("data: ") {
      try told(String(line.dropFirst(6)), stamp)
      guard cursor == nil || cursor == seen else {
        throw Violation(.noHole, "\(name) has #\(seen ?? 0), and the cursor is \(cursor ?? 0)")
      }
      cursor = nil
    } else if line.hasPrefix("id: "), let cursor = Int64(line.dropFirst(4)) {
      self.cursor = cursor
    } else if !line.isEmpty, line != ":" {
      throw Violation(.spelled, "\(name) is sent \(line)")
    }
  }

  private func told(_ line: String, _ stamp: Stamp) throws(Violation) {
    Array("\(line)\n".utf8).withUnsafeBytes { codec.received($0) }
    while let heard = codec.next() {
      switch heard {
      case .event(let event): try told(event, stamp)
      case .closing: break
      case .answer, .refused, .notice, .malformed:
        throw Violation(.spelled, "\(name) is told \(line)")
      }
    }
  }

  private func told(_ event: Event, _ stamp: Stamp) throws(Violation) {
    switch event {
    case .message(let message, .room(room)):
      guard message.draft.key == nil else {
        throw Violation(.onlyMembers, "\(name) was told a key: \(message)")
      }
      try change { reading throws(Violation) in
        try reading.shown(message, in: world.ledger, writtenAs: stamp)
      }
    case .gap(.room(room), let gap):
      try change { reading throws(Violation) in try reading.told(gap, in: world.ledger) }
    case .caughtUp(.room(room), let seq):
      reading = reading ?? Reading(room, .at(seq), isLive: true)
      try change { reading throws(Violation) in try reading.caughtUp(seq, in: world.ledger) }
    case .closing: break
    case _: throw Violation(.spelled, "\(name) is told \(event)")
    }
  }

  private func change(
    _ body: (inout Reading) throws(Violation) -> Void
  ) throws(Violation) {
    guard var reading else {
      throw Violation(.spelled, "\(name) is told more before it has a cursor")
    }
    try body(&reading)
    self.reading = reading
    seen = reading.seen
    known = reading.known
  }

  override func closed() { reading = nil }

  // MARK: The end

  override var lacks: String? {
    guard let reading, reading.isLive else { return "the word that it is live" }
    let newest = world.ledger.newest(room)
    guard let seen = reading.seen, seen >= newest else {
      return "what follows #\(reading.seen ?? 0), up to #\(newest)"
    }
    return nil
  }

  override func looksBack() throws(Violation) {
    if let seq = reading?.mistake(in: world.ledger) {
      throw Violation(.noHole, "\(name) never learnt what #\(seq) is by now")
    }
  }
}
