/// Encoded units (lines, frames, events) that many readers are sent from the same memory.

internal import Glibc
import Wire

/// Bytes with a stable address: written at the end, never moved, shared by reference.
///
/// What is written in one turn of the loop goes into one of these as long as it fits, so that a
/// reader who gets several messages of a room gets them as one piece.
package final class SharedBytes {
  package let base: UnsafeMutableRawPointer
  package let capacity: Int
  package private(set) var count = 0
  /// Where all of it is one answer with words of rooms.
  var answer: RoomAnswer?

  package init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity, alignment: 1)
  }

  package convenience init(_ bytes: some Collection<UInt8>) {
    self.init(capacity: bytes.count)
    append(Array(bytes))
  }

  deinit { base.deallocate() }

  package var room: Int { capacity - count }

  /// Where the bytes now stand. The caller has looked that there is room.
  @discardableResult
  package func append(_ bytes: [UInt8]) -> Range<Int> {
    precondition(bytes.count <= room, "shared bytes never move, so they cannot grow")
    let start = count
    bytes.withUnsafeBytes { bytes in
      if let source = bytes.baseAddress {
        base.advanced(by: start).copyMemory(from: source, byteCount: bytes.count)
      }
    }
    count += bytes.count
    return start..<count
  }
}

/// Whole units in shared bytes: lines, or others of which none is torn.
package struct Slice {
  package let bytes: SharedBytes
  /// Four bytes each: a thousand readers have a slice of 32 bytes for every message.
  private var unitStart: UInt32
  private var startOffset: UInt32
  private var endOffset: UInt32
  private var unitCount: UInt32
  private var roomNumber: RoomNumbers.Number
  private let unit: Unit

  /// It is one unit, whatever it holds.
  var isWhole: Bool { unit == .whole }

  /// What a reader takes at a time: between two of them something else may be said.
  package enum Unit: UInt8 {
    /// Up to a line feed.
    case line
    /// A frame of a WebSocket, whose head tells its size.
    case frame
    /// Up to an empty line, as server-sent events are.
    case event
    /// All of the slice.
    case whole
  }

  package var start: Int { Int(startOffset) }
  package var end: Int { Int(endOffset) }

  /// How many units are not wholly sent.
  package var units: Int { Int(unitCount) }

  /// The number of the room that they tell of; nil: of none. So that they can be withdrawn.
  package var room: RoomNumbers.Number? { roomNumber == 0 ? nil : roomNumber }

  package init(
    _ bytes: SharedBytes, _ range: Range<Int>, units: Int, of room: RoomNumbers.Number? = nil,
    unit: Unit = .line
  ) {
    self.bytes = bytes
    unitStart = UInt32(range.lowerBound)
    startOffset = unitStart
    endOffset = UInt32(range.upperBound)
    unitCount = UInt32(units)
    roomNumber = room ?? 0
    self.unit = unit
  }

  /// All units of a range, by default of all bytes.
  package init(
    _ bytes: SharedBytes, _ range: Range<Int>? = nil, of room: RoomNumbers.Number? = nil,
    unit: Unit
  ) {
    self.init(bytes, range ?? 0..<bytes.count, units: 0, of: room, unit: unit)
    unitCount = UInt32(countUnits())
  }

  package var count: Int { end - start }

  /// What it takes in memory, about, where it lies by itself.
  var weight: Int { count + Self.ownWeight }

  /// Of that its own: itself, its shared bytes and what lies around those.
  static let ownWeight = 96

  private var memory: UnsafePointer<UInt8> {
    UnsafePointer(bytes.base.assumingMemoryBound(to: UInt8.self))
  }

  /// Whether the first unit has been sent in part.
  var startsInsideUnit: Bool { startOffset > unitStart }

  /// Whether what stands behind this one in memory can be one piece with it.
  func isContinued(by other: Slice) -> Bool {
    bytes === other.bytes && endOffset == other.startOffset && !other.startsInsideUnit
      && roomNumber == other.roomNumber && unit == other.unit && unit != .whole
  }

  mutating func continued(by other: Slice) {
    endOffset = other.endOffset
    unitCount += other.unitCount
  }

  /// So many bytes have gone, fewer than there are.
  mutating func sent(_ count: Int) {
    startOffset += UInt32(count)
    while unitStart < startOffset {
      let next = endOfUnit(at: Int(unitStart))
      guard next <= start else { break }
      unitStart = UInt32(next)
      unitCount -= 1
    }
  }

  /// Leaves what is behind `position`, which is between two units; gives what is before it.
  mutating func cut(at position: Int) -> Slice {
    var front = self
    front.endOffset = UInt32(position)
    unitStart = UInt32(position)
    startOffset = unitStart
    unitCount = UInt32(countUnits())
    front.unitCount -= unitCount
    return front
  }

  /// The same units in memory of their own.
  func copied() -> Slice {
    let from = Int(unitStart)
    let own = SharedBytes(UnsafeBufferPointer(start: memory + from, count: end - from))
    own.answer = bytes.answer
    var copy = Slice(own, 0..<own.count, units: units, of: room, unit: unit)
    copy.startOffset = startOffset - unitStart
    return copy
  }

  /// Where the unit ends that `position` is inside of; `position` itself between two.
  func endOfUnit(after position: Int) -> Int {
    var end = Int(unitStart)
    while end < position { end = endOfUnit(at: end) }
    return end
  }

  /// The same units, each by itself.
  func eachUnit() -> [Slice] {
    if units == 1 { return [self] }
    var result: [Slice] = []
    var rest = self
    while rest.count > 0 { result.append(rest.cut(at: rest.endOfUnit(at: Int(rest.unitStart)))) }
    return result
  }

  private func countUnits() -> Int {
    var count = 0
    var at = Int(unitStart)
    while at < end {
      at = endOfUnit(at: at)
      count += 1
    }
    return count
  }

  /// Where the unit ends that begins at this place.
  private func endOfUnit(at first: Int) -> Int {
    switch unit {
    case .line: return endOfLine(at: first)
    case .event:
      var at = first
      repeat { at = endOfLine(at: at) } while at < end && memory[at] != lineFeed
      return min(at + 1, end)
    case .frame:
      let head = UnsafeRawBufferPointer(start: memory + first, count: min(10, end - first))
      return min(first + WebSocketFrame.size(of: head), end)
    case .whole: return end
    }
  }

  private var lineFeed: UInt8 { 0x0A }

  private func endOfLine(at first: Int) -> Int {
    guard let found = memchr(memory + first, Int32(lineFeed), end - first) else { return end }
    return UnsafeRawPointer(found) - UnsafeRawPointer(memory) + 1
  }
}

/// Where this turn's units are put. Fits its size to what turns need.
struct TurnBytes {
  private static let capacityMin = 512
  private static let capacityMax = 65_536

  private var current = SharedBytes(capacity: TurnBytes.capacityMin)
  private var wanted = TurnBytes.capacityMin

  /// Puts whole units into this turn's bytes.
  mutating func add(
    _ encoded: [UInt8], of room: RoomNumbers.Number?, unit: Slice.Unit
  ) -> Slice {
    if encoded.count > current.room {
      wanted = min(Self.capacityMax, wanted * 2)
      current = SharedBytes(capacity: max(wanted, encoded.count))
    }
    return Slice(current, current.append(encoded), of: room, unit: unit)
  }

  /// The turn is over. Bytes that a slow reader still waits for stay with that reader; they are not
  /// added to, so that a reader holds little beyond what it waits for.
  mutating func endTurn() {
    guard current.count > 0 else { return }
    if current.capacity > Self.capacityMin, current.count < current.capacity / 4 {
      wanted = max(Self.capacityMin, wanted / 2)
    }
    current = SharedBytes(capacity: wanted)
  }
}
