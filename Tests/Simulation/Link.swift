/// One connection through a hostile network: cuts bytes anywhere, holds them back, breaks. Between
/// a device and the exchange; reads neither's bytes.

import ChatServer
import Loop

final class Link: PeerSocket {
  unowned let world: World
  private unowned let device: Device
  var connection: ClientConnection?

  /// Reads of the server to come; what may be cut is cut.
  private var up: [(bytes: [UInt8], isWhole: Bool)] = []
  private var isUpPlanned = false
  private var isServerReading = true
  private var isFinishing = false

  /// What the kernel holds for the device, and when the server let go of it.
  private var down: [UInt8] = []
  private var stamps: [(end: Int, stamp: Stamp)] = []
  private var downStart = 0
  private var isDownPlanned = false
  /// A write that waits for room: the memory must still be there when room comes.
  private var underWay: [Piece] = []
  private var isServerFinished = false
  private var isServerClosed = false
  private var brokenAt: Duration?
  private var isDeviceGone = false
  /// When the first byte of the line that comes was handed over.
  private var begun = 0
  private var isLineStart = true
  /// When that was which waits for room.
  private var handedOver: Stamp?
  /// For ``Stamp/clean``.
  private var clean = -1

  init(_ device: Device, in world: World) {
    self.device = device
    self.world = world
  }

  /// Nothing can come of it any more.
  var isOver: Bool { isServerClosed && isDeviceGone }

  /// The server does not read it.
  var isUnheard: Bool { !isServerReading && !isServerClosed && brokenAt == nil }

  func check() throws(Violation) {
    guard let connection, !isServerClosed else { return }
    let weight = connection.outbox.weight
    guard weight <= world.plan.waitingBytesMax else {
      throw Violation(.bounded, "\(weight) bytes wait for \(device.name)")
    }
    if weight == 0 { clean = max(clean, world.pagesAreFresh) }
  }

  // MARK: The device's end

  /// Sends bytes; `isWhole` where they are to arrive as one read.
  func send(_ bytes: [UInt8], isWhole: Bool = false) {
    guard brokenAt == nil, !isDeviceGone else { return }
    up.append((bytes, isWhole))
    planUp()
  }

  /// Sends the end of the stream after everything else.
  func finish() {
    isFinishing = true
    planUp()
  }

  /// The device stopped reading, or reads again.
  func readingChanged() { planDown() }

  private var latency: Duration {
    world.isCalm ? .microseconds(200) : world.dice.time(0...world.plan.latency)
  }

  private func planUp() {
    guard !isUpPlanned, isServerReading, !isServerClosed, brokenAt == nil,
      !up.isEmpty || isFinishing
    else { return }
    isUpPlanned = true
    world.after(latency) { [self] in
      isUpPlanned = false
      guard isServerReading, !isServerClosed, brokenAt == nil else { return }
      carryUp()
      planUp()
    }
  }

  private func carryUp() {
    guard let first = up.first else {
      guard isFinishing else { return }
      isFinishing = false
      return world.end(self, isBroken: false)
    }
    var bytes = first.bytes
    if !first.isWhole {
      // Several writes may come as one read, and one write as several.
      let wholes = up.dropFirst().firstIndex { $0.isWhole } ?? up.endIndex
      bytes = up[..<wholes].flatMap(\.bytes)
      up.removeFirst(wholes)
      let count = world.dice.number(1...bytes.count)
      if count < bytes.count, !world.isCalm {
        up.insert((Array(bytes[count...]), false), at: 0)
        bytes.removeLast(bytes.count - count)
      }
    } else {
      up.removeFirst()
    }
    world.give(bytes, of: self)
  }

  // MARK: What comes down

  private func planDown() {
    guard !isDownPlanned, !isDeviceGone, brokenAt == nil, !device.isStalled,
      !down.isEmpty || isServerFinished || isServerClosed
    else { return }
    isDownPlanned = true
    world.after(latency) { [self] in
      isDownPlanned = false
      guard !isDeviceGone, brokenAt == nil, !device.isStalled else { return }
      try carryDown(
        down.isEmpty ? 0 : world.isCalm ? down.count : world.dice.number(1...down.count))
      if down.isEmpty, isServerFinished || isServerClosed { return lose() }
      planDown()
    }
  }

  private func carryDown(_ count: Int) throws {
    let bytes = Array(down[..<count])
    down.removeFirst(count)
    world.note(bytes, 2)
    var start = downStart
    downStart += count
    drain()
    // Line by line to the device, each with the step in which its last byte was let go.
    var from = bytes.startIndex
    while from < bytes.endIndex {
      let end = device.unitEnd(in: bytes[from...])
      while let stamp = stamps.first, stamp.end <= start { stamps.removeFirst() }
      if isLineStart { begun = stamps.first?.stamp.step ?? 0 }
      start += end - from
      while let stamp = stamps.first, stamp.end < start { stamps.removeFirst() }
      var stamp = stamps.first?.stamp ?? Stamp()
      stamp.begun = begun
      try device.received(bytes[from..<end], writtenAs: stamp)
      isLineStart = device.isBetweenUnits
      from = end
    }
  }

  /// The device sees the end.
  private func lose() {
    guard !isDeviceGone else { return }
    isDeviceGone = true
    device.lost(self)
    guard !isServerClosed, brokenAt == nil else { return }
    // Having read the end it closes as well.
    up = []
    isFinishing = true
    isServerReading = true
    planUp()
  }

  // MARK: Mischief

  /// Breaks: what is under way is lost, each end learns of it in its own time, or only by asking.
  func breakOff() {
    guard brokenAt == nil, !isDeviceGone else { return }
    world.tell?("\(world.now.formatted) \(device.name): its link breaks")
    brokenAt = world.now
    world.after(world.dice.time(0...3_000)) { [self] in
      guard !isDeviceGone else { return }
      isDeviceGone = true
      device.lost(self)
    }
    world.after(world.dice.time(0...20_000)) { [self] in
      guard !isServerClosed else { return }
      world.end(self, isBroken: true)
    }
  }

  /// The server's process is gone; its kernel may still hand over what it had taken.
  func serverDied() {
    isServerClosed = true
    connection = nil
    underWay = []
    if world.dice.chance(50) { brokenAt = brokenAt ?? world.now }
    up = []
    guard brokenAt != nil else { return planDown() }
    world.after(world.dice.time(0...3_000)) { [self] in
      guard !isDeviceGone else { return }
      isDeviceGone = true
      device.lost(self)
    }
  }

  // MARK: The server's end

  func resumeReading() {
    isServerReading = true
    planUp()
  }

  func pauseReading() { isServerReading = false }

  func tryWrite(_ pieces: UnsafeBufferPointer<Piece>) -> WriteResult {
    precondition(!isServerClosed && underWay.isEmpty, "two writes at once would mix their bytes")
    precondition(!isServerFinished, "nothing is written behind the end of the stream")
    precondition((1...StreamSocket.piecesMax).contains(pieces.count), "too many pieces")
    let most = world.dice.chance(5) ? world.dice.number(0...40) : Int.max
    handedOver = nil
    let taken = take(Array(pieces), atMost: most)
    planDown()
    return .took(taken)
  }

  func startWrite(_ pieces: UnsafeBufferPointer<Piece>) {
    precondition(!isServerClosed && underWay.isEmpty, "two writes at once would mix their bytes")
    precondition(!isServerFinished, "nothing is written behind the end of the stream")
    underWay = Array(pieces)
    handedOver = Stamp(step: world.step, clean: clean)
    world.after(.zero) { [self] in drain() }
  }

  private func take(_ pieces: [Piece], atMost most: Int) -> Int {
    var room = min(most, world.plan.kernelBytes - down.count)
    var taken = 0
    for piece in pieces where room > 0 {
      let count = min(room, piece.count)
      down += UnsafeRawBufferPointer(start: piece.base, count: count)
      taken += count
      room -= count
    }
    stamps.append(
      (downStart + down.count, handedOver ?? Stamp(step: world.step, clean: clean)))
    return taken
  }

  private func drain() {
    guard !underWay.isEmpty, !isServerClosed else { return }
    var taken = take(underWay, atMost: .max)
    while taken > 0, let first = underWay.first {
      let count = min(taken, first.count)
      taken -= count
      if count == first.count {
        underWay.removeFirst()
      } else {
        underWay[0] = Piece(base: first.base.advanced(by: count), count: first.count - count)
      }
    }
    planDown()
    guard underWay.isEmpty else { return }
    world.after(.zero) { [self] in
      if !isServerClosed { world.wrote(self) }
    }
  }

  func finishWriting() {
    isServerFinished = true
    planDown()
  }

  func close() {
    isServerClosed = true
    underWay = []
    planDown()
  }

  func setKeepAlive(_ keepAlive: KeepAlive) {}
  func limitUnsent(toBytes most: Int) {}

  /// A peer that is there answers every question of the kernel at once.
  var peerSigns: PeerSigns? {
    let heardAt = brokenAt ?? world.now
    return PeerSigns(
      heardAgo: world.now - heardAt, heardAt: heardAt, isOutstanding: !down.isEmpty,
      isUnanswered: brokenAt != nil && !down.isEmpty)
  }
}
