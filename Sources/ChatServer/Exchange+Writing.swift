/// From what waits to sockets: gathered, never waiting for a reader.

import ChatHub
import ChatModel
import Dialects
import Loop

extension Exchange {
  /// Writes to all who have something waiting.
  mutating func writeToDirty() {
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
  mutating func write(_ connection: ClientConnection) {
    guard connection.stage != .closed else { return }
    guard connection.outbox.bytesUnderWay == 0 else { return connection.outbox.compact() }
    if connection.isPaced { return writePaced(connection) }
    while writeOnce(connection, piecesMax: StreamSocket.piecesMax) == .wrote {}
    guard connection.outbox.isEmpty, connection.stage != .closed else { return }
    if !catchUp(connection) { drained(connection) }
    // It has read what was answered, so it may ask again.
    if connection.isHeldBack { markReady(connection) }
  }

  private enum WriteOutcome { case wrote, blocked }

  private mutating func writeOnce(_ connection: ClientConnection, piecesMax: Int) -> WriteOutcome {
    let (count, bytes) = gather(connection.outbox, piecesMax: piecesMax)
    guard count > 0 else { return .blocked }
    switch connection.socket.tryWrite(pieces.first(count)) {
    case .took(let taken):
      connection.outbox.sent(taken)
      connection.wroteAt = now
      noteUnacknowledged(connection)
      guard taken < bytes else { return .wrote }
      connection.outbox.compact()
      startWrite(connection, piecesMax: piecesMax)
      return .blocked
    case .broken:
      close(connection)
      return .blocked
    }
  }

  private mutating func startWrite(_ connection: ClientConnection, piecesMax: Int) {
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

  /// Puts the line that says how much was skipped in front of what waits.
  private mutating func putSkipped(into connection: ClientConnection) {
    scratch.removeAll(keepingCapacity: true)
    let skipped = Event.skipped(lines: connection.outbox.skipped)
    Encoder.encode(skipped, for: connection.dialect.form, into: &scratch)
    connection.outbox.skipped = 0
    connection.outbox.prepend(Slice(SharedBytes(scratch), 0..<scratch.count, units: 1))
  }

  // MARK: Pacing

  /// One line, and the next not before the next tick but one.
  private mutating func writePaced(_ connection: ClientConnection) {
    guard connection.pacing == .free else { return }
    writeLine(connection)
  }

  private mutating func writeLine(_ connection: ClientConnection) {
    if connection.outbox.skipped > 0, !connection.outbox.isInsideUnit {
      putSkipped(into: connection)
    }
    guard !connection.outbox.isEmpty else { return drained(connection) }
    let isListed = connection.pacing != .free
    _ = writeOnce(connection, piecesMax: 1)
    guard connection.stage != .closed else { return }
    if !isListed {
      connection.pacing = .fresh
      paced.append(connection)
      if !alarms.isSet(.pacing) { alarms.set(.pacing, at: now + limits.rawTick) }
    }
    guard connection.outbox.isEmpty else { return }
    drained(connection)
  }

  mutating func pacingTick() {
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
        // Lines may come as fast as they go, so that it never has read all.
        if connection.isHeldBack { markReady(connection) }
        if connection.outbox.isEmpty && connection.outbox.skipped == 0 {
          connection.pacing = .free
        } else {
          if connection.outbox.bytesUnderWay == 0 { writeLine(connection) }
          paced.append(connection)
        }
      }
    }
    if !paced.isEmpty { alarms.set(.pacing, at: now + limits.rawTick) }
  }
}
