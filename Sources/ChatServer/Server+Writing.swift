/// From events to bytes on sockets: encoded once, gathered, never waiting for a reader.

import ChatHub
import ChatModel
import Dialects
import Loop

extension Server {
  // MARK: Queueing

  /// Tells one connection; also one that is behind.
  func tell(_ connection: ClientConnection, _ event: Event, isOwn: Bool = false) {
    scratch.removeAll(keepingCapacity: true)
    Encoder.encode(event, for: connection.dialect.form, isOwn: isOwn, into: &scratch)
    queueScratch(for: connection)
  }

  /// Answers one connection; also one that is behind.
  func answer(_ connection: ClientConnection, _ asked: RequestID?, _ answer: Answer) {
    scratch.removeAll(keepingCapacity: true)
    Encoder.encode(answer, to: asked, for: connection.dialect.form, into: &scratch)
    queueScratch(for: connection)
  }

  private func queueScratch(for connection: ClientConnection) {
    guard !scratch.isEmpty else { return }
    let slice = Slice(SharedBytes(scratch), 0..<scratch.count, lines: countLines(scratch))
    queue(slice, for: connection)
  }

  /// Tells many what nobody misses for long: a reader that is far behind is not told.
  func tellAll(_ ids: [ConnectionID], _ event: Event) {
    var slices = FormSlices()
    for id in ids {
      guard let connection = connections[id] else { continue }
      let slice = slices.get(connection.dialect.form, isOwn: false) { form, _ in
        encode(event, for: form, isOwn: false)
      }
      guard let slice else { continue }
      switch connection.dialect.form {
      case .raw: queueRaw(slice, for: connection)
      case .line, .json:
        guard connection.outbox.bytes + slice.count <= limits.outboxBytesMax else { continue }
        connection.outbox.append(slice)
        markDirty(connection)
      }
    }
  }

  /// Nil when the form does not show the event.
  func encode(_ event: Event, for form: Form, isOwn: Bool) -> Slice? {
    scratch.removeAll(keepingCapacity: true)
    Encoder.encode(event, for: form, isOwn: isOwn, into: &scratch)
    return scratch.isEmpty ? nil : turnBytes.add(scratch, lines: countLines(scratch))
  }

  private func countLines(_ bytes: [UInt8]) -> Int { bytes.count { $0 == 0x0A } }

  /// Queues what only this connection is sent. It has a bound, since who does not read what was
  /// answered is not read.
  func queue(_ slice: Slice, for connection: ClientConnection) {
    switch connection.dialect.form {
    case .line, .json:
      connection.outbox.append(slice)
      markDirty(connection)
    case .raw: queueRaw(slice, for: connection)
    }
  }

  /// Raw clients are sent one line a write, so each line is a slice of its own.
  func queueRaw(_ slice: Slice, for connection: ClientConnection) {
    for line in slice.eachLine() { connection.outbox.append(line, apart: true) }
    if connection.outbox.lines > limits.rawLinesMax {
      connection.outbox.skip(keepingNewest: limits.rawLinesKept)
    }
    markDirty(connection)
  }

  func markDirty(_ connection: ClientConnection) {
    guard !connection.isDirty, connection.stage != .closed else { return }
    connection.isDirty = true
    dirty.append(connection)
  }

  // MARK: Writing

  /// The end of a turn, or of a part of a long one.
  func flush() {
    // A write that finds its connection broken may let somebody in whose requests ask for another
    // flush: that one is left to this one, which goes on until nobody is dirty.
    guard writing.isEmpty else { return }
    while !dirty.isEmpty {
      turnBytes.endTurn()
      swap(&dirty, &writing)
      for connection in writing {
        connection.isDirty = false
        write(connection)
      }
      writing.removeAll(keepingCapacity: true)
    }
  }

  /// Gives the kernel what it takes; what it refuses goes out when it has room.
  func write(_ connection: ClientConnection) {
    guard connection.stage != .closed, connection.outbox.bytesUnderWay == 0 else { return }
    if connection.isPaced { return writePaced(connection) }
    while writeOnce(connection, piecesMax: StreamSocket.piecesMax) == .wrote {}
    guard connection.outbox.isEmpty, connection.stage != .closed else { return }
    if !catchUp(connection) { drained(connection) }
    takeRequestsHeldBack(connection)
  }

  /// It has read what was answered, so it may ask again.
  private func takeRequestsHeldBack(_ connection: ClientConnection) {
    guard connection.isHeldBack else { return }
    connection.isHeldBack = false
    takeRequests(of: connection)
  }

  private enum WriteOutcome { case wrote, blocked }

  private func writeOnce(_ connection: ClientConnection, piecesMax: Int) -> WriteOutcome {
    let (count, bytes) = gather(connection.outbox, piecesMax: piecesMax)
    guard count > 0 else { return .blocked }
    switch connection.socket.tryWrite(pieces.first(count)) {
    case .took(let taken):
      connection.outbox.sent(taken)
      noteUnacknowledged(connection)
      guard taken < bytes else { return .wrote }
      startWrite(connection, piecesMax: piecesMax)
      return .blocked
    case .broken:
      close(connection)
      return .blocked
    }
  }

  private func startWrite(_ connection: ClientConnection, piecesMax: Int) {
    let (count, bytes) = gather(
      connection.outbox, piecesMax: piecesMax, bytesMax: limits.writeUnderWayBytesMax)
    connection.outbox.handedOver(bytes)
    connection.socket.startWrite(pieces.first(count))
  }

  private func gather(
    _ outbox: Outbox, piecesMax: Int, bytesMax: Int = .max
  ) -> (count: Int, bytes: Int) {
    var count = 0
    var bytes = 0
    outbox.pieces(piecesMax: piecesMax, bytesMax: bytesMax) { base, size in
      pieces.set(count, to: Piece(base: base, count: size))
      count += 1
      bytes += size
    }
    return (count, bytes)
  }

  /// What was under way has gone, or never will.
  func wrote(_ connection: ClientConnection, _ failure: SocketEnd?) {
    guard connection.stage != .closed else { return }
    if failure != nil { return close(connection) }
    connection.outbox.sent(connection.outbox.bytesUnderWay)
    markDirty(connection)
  }

  /// Puts the line that says how much was skipped in front of what waits.
  private func putSkipped(into connection: ClientConnection) {
    scratch.removeAll(keepingCapacity: true)
    let skipped = Event.skipped(lines: connection.outbox.skipped)
    Encoder.encode(skipped, for: connection.dialect.form, into: &scratch)
    connection.outbox.skipped = 0
    connection.outbox.prepend(Slice(SharedBytes(scratch), 0..<scratch.count, lines: 1))
  }

  // MARK: Pacing

  /// One line, and the next not before the next tick but one.
  private func writePaced(_ connection: ClientConnection) {
    guard connection.pacing == .free else { return }
    writeLine(connection)
  }

  private func writeLine(_ connection: ClientConnection) {
    if connection.outbox.skipped > 0, !connection.outbox.isInsideLine {
      putSkipped(into: connection)
    }
    guard !connection.outbox.isEmpty else { return drained(connection) }
    let isListed = connection.pacing != .free
    _ = writeOnce(connection, piecesMax: 1)
    guard connection.stage != .closed else { return }
    if !isListed {
      connection.pacing = .fresh
      paced.append(connection)
      if !pacingTimer.isRunning { startPacingTimer() }
    }
    if connection.outbox.isEmpty { drained(connection) }
  }

  private func startPacingTimer() {
    pacingTimer.start(after: limits.rawTick, onLoop { $0.pacingTick() })
  }

  private func pacingTick() {
    let batch = paced
    paced.removeAll(keepingCapacity: true)
    for connection in batch where connection.stage != .closed {
      guard connection.isPaced else {
        connection.pacing = .free
        markDirty(connection)
        continue
      }
      switch connection.pacing {
      case .free: continue
      case .fresh:
        connection.pacing = .due
        paced.append(connection)
      case .due:
        if connection.outbox.isEmpty && connection.outbox.skipped == 0 {
          connection.pacing = .free
        } else {
          if connection.outbox.bytesUnderWay == 0 { writeLine(connection) }
          paced.append(connection)
        }
      }
    }
    if !paced.isEmpty { startPacingTimer() }
  }
}
