/// An exchange with sockets of paper and a store that answers when it is told to. Asserts nothing.

import ChatHub
import ChatModel
import ChatServer
import Loop
import Stores

/// What was written to one client, and whether it is read.
final class PaperSocket: PeerSocket {
  /// What the kernel takes; zero for a reader that does not read.
  var room = Int.max
  private(set) var isClosed = false
  private(set) var isFinished = false
  private(set) var isReading = true
  private var written: [UInt8] = []
  private(set) var underWay: [Piece] = []

  /// The lines since the last look.
  func lines() -> [String] {
    defer { written = [] }
    return String(decoding: written, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  /// The bytes since the last look.
  func bytes() -> [UInt8] {
    defer { written = [] }
    return written
  }

  func resumeReading() { isReading = true }
  func pauseReading() { isReading = false }

  func tryWrite(_ pieces: UnsafeBufferPointer<Piece>) -> WriteResult {
    precondition(!isFinished, "nothing is written behind the end of the stream")
    return .took(take(Array(pieces)))
  }

  func startWrite(_ pieces: UnsafeBufferPointer<Piece>) {
    precondition(!isFinished, "nothing is written behind the end of the stream")
    underWay = Array(pieces)
  }

  /// Takes what waits.
  func finishWrite() {
    room = .max
    _ = take(underWay)
    underWay = []
  }

  private func take(_ pieces: [Piece]) -> Int {
    var taken = 0
    for piece in pieces where room > 0 {
      let count = min(piece.count, room)
      written += UnsafeRawBufferPointer(start: piece.base, count: count)
      taken += count
      if room != .max { room -= count }
    }
    return taken
  }

  func finishWriting() { isFinished = true }
  func close() { isClosed = true }
  func setKeepAlive(_ keepAlive: KeepAlive) {}
  func limitUnsent(toBytes most: Int) {}
  var peerSigns: PeerSigns? { nil }
}

/// One client and its socket.
struct Guest {
  let socket: PaperSocket
  let connection: ClientConnection
}

/// What the operator is told.
final class PaperLog {
  var lines: [String] = []
}

/// Everything of a server but what waits.
struct Hall {
  var exchange: Exchange
  var now = Duration.zero
  let log = PaperLog()
  private var history = MemoryHistory()
  private(set) var facts: [Fact.Key: Fact] = [:]

  init(
    _ limits: Limits = Limits(), facts: [Fact] = [], ownerCode: String? = nil,
    pages: WebPages = WebPages()
  ) {
    var parts = Exchange.Parts()
    parts.limits = limits
    parts.keeping = .inStore(.stored)
    parts.tokenKey = [1]
    parts.facts = facts
    parts.ownerCode = ownerCode
    parts.pages = pages
    parts.wallClock = { Moment(milliseconds: 1_796_040_000_000) }
    parts.log = { [log] in log.lines.append($0) }
    exchange = Exchange(parts)
  }

  mutating func connect(from origin: Origin = .network("10.0.0.1")) -> Guest {
    let socket = PaperSocket()
    return Guest(socket: socket, connection: exchange.accepted(socket, from: origin, at: now))
  }

  mutating func send(_ guest: Guest, _ text: String) {
    Array(text.utf8).withUnsafeBytes {
      exchange.received($0, from: guest.connection, at: now)
    }
    exchange.flush(at: now)
  }

  /// Sends lines of JSON, and gives what came back at once.
  @discardableResult
  mutating func ask(_ guest: Guest, _ lines: String...) -> [String] {
    send(guest, lines.map { "\($0)\n" }.joined())
    return guest.socket.lines()
  }

  /// A program with a name, in the lobby.
  mutating func program(_ name: String) -> Guest {
    let guest = connect()
    ask(guest, #"{"login":{"name":"\#(name)"}}"#, #"{"join":{"room":"lobby"}}"#)
    return guest
  }

  /// The token of the answer to a login.
  mutating func token(of name: String) -> (Guest, String) {
    let guest = connect()
    let answer = ask(guest, #"{"id":1,"login":{"name":"\#(name)"}}"#).first ?? ""
    let token = answer.firstMatch(of: /"token":"([^"]*)"/)?.1 ?? ""
    return (guest, String(token))
  }

  /// The store keeps what is handed to it; false when there was nothing.
  @discardableResult
  mutating func keep() -> Bool {
    guard let batch = exchange.takeBatch() else { return false }
    exchange.kept(.success(append(batch)), at: now)
    exchange.flush(at: now)
    return true
  }

  private mutating func append(_ batch: [Entry]) -> [Kept] {
    batch.map { entry in
      switch entry {
      case .message(let draft):
        let kept = history.append(draft, at: Moment(milliseconds: 1_796_040_000_000))
        if case .stored = kept {
          for fact in draft.facts { self.facts[fact.key] = fact }
        }
        return kept
      case .facts(let facts):
        for fact in facts { self.facts[fact.key] = fact }
        return .recorded
      }
    }
  }

  /// The store keeps nothing of what is handed to it.
  mutating func refuseToKeep() {
    _ = exchange.takeBatch()
    exchange.kept(.failure(.failed("no")), at: now)
    exchange.flush(at: now)
  }

  /// The store has committed and not answered yet; what is given answers.
  mutating func keepQuietly() -> (inout Hall) -> Void {
    let batch = exchange.takeBatch() ?? []
    let kept = append(batch)
    return { hall in
      hall.exchange.kept(.success(kept), at: hall.now)
      hall.exchange.flush(at: hall.now)
    }
  }

  /// Says something and keeps it.
  mutating func say(_ guest: Guest, _ text: String, in room: String = "lobby") {
    send(guest, #"{"send":{"room":"\#(room)","text":"\#(text)"}}"# + "\n")
    keep()
  }

  /// What the store is asked to read, read now and not yet given.
  mutating func readPages() -> [(PageRequest, HistoryPage)] {
    read(exchange.takePageRequests())
  }

  func read(_ requests: [PageRequest]) -> [(PageRequest, HistoryPage)] {
    requests.map { ($0, history.page(of: $0.room, $0.stretch, $0.reading, limit: $0.limit)) }
  }

  /// The store cannot read what it is asked to.
  mutating func failPages(_ error: StoreError) {
    for request in exchange.takePageRequests() {
      exchange.received(.failure(error), for: request, at: now)
    }
    exchange.flush(at: now)
  }

  mutating func give(_ pages: [(PageRequest, HistoryPage)]) {
    for (request, page) in pages { exchange.received(.success(page), for: request, at: now) }
    exchange.flush(at: now)
  }

  /// Reads and gives pages until none is asked for; gives how many there were.
  @discardableResult
  mutating func giveAllPages() -> Int {
    var count = 0
    while true {
      let pages = readPages()
      if pages.isEmpty { return count }
      count += pages.count
      give(pages)
    }
  }
}

extension [String] {
  /// What becomes of each line: a message's text, or the name of the event, or of the answer.
  var gist: [String] {
    map { line in
      if let text = line.firstMatch(of: /"message":\{.*"text":"([^"]*)"/)?.1 { return String(text) }
      if let code = line.firstMatch(of: /"id":(\d+),"error":\{"code":"([^"]*)"/) {
        return "\(code.1) \(code.2)"
      }
      if let id = line.firstMatch(of: /"id":(\d+),"ok"/)?.1 { return "\(id) ok" }
      return line.firstMatch(of: /\{"(\w+)"/).map { String($0.1) } ?? line
    }
  }
}
