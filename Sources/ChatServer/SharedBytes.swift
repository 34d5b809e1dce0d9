/// Encoded lines that many readers are sent from the same memory. Knows no reader.

/// Bytes with a stable address: written at the end, never moved, shared by reference.
///
/// What is written in one turn of the loop goes into one of these as long as it fits, so that a
/// reader who gets several lines of a room gets them as one piece.
package final class SharedBytes {
  package let base: UnsafeMutableRawPointer
  package let capacity: Int
  package private(set) var count = 0

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

/// Whole lines in shared bytes.
package struct Slice {
  package let bytes: SharedBytes
  package var start: Int
  package var end: Int
  private var lineCount: UInt32
  private var roomNumber: RoomNumbers.Number

  package var lines: Int {
    get { Int(lineCount) }
    set { lineCount = UInt32(newValue) }
  }

  /// The number of the room that they tell of; nil: of none. So that they can be withdrawn.
  package var room: RoomNumbers.Number? { roomNumber == 0 ? nil : roomNumber }

  package init(
    _ bytes: SharedBytes, _ range: Range<Int>, lines: Int, of room: RoomNumbers.Number? = nil
  ) {
    self.bytes = bytes
    start = range.lowerBound
    end = range.upperBound
    // In 32 bytes: a thousand readers have one each for every message.
    lineCount = UInt32(lines)
    roomNumber = room ?? 0
  }

  package var count: Int { end - start }

  /// Whether both tell of one room, or of none.
  func tellsOfTheSame(as other: Slice) -> Bool { roomNumber == other.roomNumber }

  private static let lineFeed: UInt8 = 0x0A
  private var memory: UnsafePointer<UInt8> {
    UnsafePointer(bytes.base.assumingMemoryBound(to: UInt8.self))
  }

  /// Shared bytes hold whole lines only: behind anything but a line feed a line goes on.
  var startsInsideLine: Bool { start > 0 && memory[start - 1] != Self.lineFeed }

  /// The same lines in memory of their own. A line that was begun elsewhere takes the one byte
  /// before it along, since that says so.
  func copied() -> Slice {
    let from = max(0, start - 1)
    let copy = SharedBytes(UnsafeBufferPointer(start: memory + from, count: end - from))
    return Slice(copy, (start - from)..<(end - from), lines: lines, of: room)
  }

  /// Where the line ends that `position` is inside of; `position` itself between two lines.
  func endOfLine(after position: Int) -> Int {
    guard position > start || startsInsideLine else { return position }
    var end = position
    while end < self.end, memory[end - 1] != Self.lineFeed { end += 1 }
    return end
  }

  /// The same lines, each by itself.
  func eachLine() -> [Slice] {
    if lines == 1 { return [self] }
    var result: [Slice] = []
    var from = start
    while from < end {
      let to = endOfLine(after: from + 1)
      result.append(Slice(bytes, from..<to, lines: 1, of: room))
      from = to
    }
    return result
  }

  func countLines() -> Int { (start..<end).count { memory[$0] == Self.lineFeed } }
}

/// Where this turn's lines are put. Fits its size to what turns need.
struct TurnBytes {
  private static let capacityMin = 512
  private static let capacityMax = 65_536

  private var current = SharedBytes(capacity: TurnBytes.capacityMin)
  private var wanted = TurnBytes.capacityMin

  /// Puts whole lines into this turn's bytes.
  mutating func add(
    _ encoded: [UInt8], lines: Int, of room: RoomNumbers.Number?
  ) -> Slice {
    if encoded.count > current.room {
      wanted = min(Self.capacityMax, wanted * 2)
      current = SharedBytes(capacity: max(wanted, encoded.count))
    }
    return Slice(current, current.append(encoded), lines: lines, of: room)
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
