/// Splits bytes into lines however they were cut in two. Knows nothing of sockets, chat or UTF-8.

/// Gathers bytes and gives them back line by line; a line too long is counted, not kept.
///
/// A line ends with LF; a CR just before it belongs to the end. A character of several bytes that
/// was cut between two reads is whole again in its line, as LF never stands inside one.
package struct LineSplitter {
  /// What stood between two ends of line.
  package enum Line: Hashable {
    /// The bytes, without their terminator; perhaps none.
    case whole([UInt8])
    /// So many bytes, more than the limit; they are gone.
    case tooLong(bytes: Int)
  }

  /// The most bytes a line may have, terminator not counted.
  package let bytesMax: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var scanned = 0
  private var discarded = 0

  package init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  /// Takes bytes as they came.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      start = 0
      scanned = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next line that has ended, or nil.
  package mutating func next() -> Line? {
    while scanned < buffer.count, buffer[scanned] != 0x0A { scanned += 1 }
    guard scanned < buffer.count else {
      discardIfTooLong()
      return nil
    }
    var end = scanned
    if end > start, buffer[end - 1] == 0x0D { end -= 1 }
    let line = line(upTo: end)
    scanned += 1
    start = scanned
    return line
  }

  /// What stands after the last end of line, as a line of its own: for the end of the input.
  package mutating func rest() -> Line? {
    guard start < buffer.count || discarded > 0 else { return nil }
    let line = line(upTo: buffer.count)
    forget()
    return line
  }

  /// As ``rest()``, but a character of which some bytes are still to come stays behind.
  package mutating func restOfWholeCharacters() -> Line? {
    let tail = Self.cutCharacterBytes(in: buffer[start...])
    guard discarded == 0, tail > 0 else { return rest() }
    let end = buffer.count - tail
    guard end > start else { return nil }
    let line = line(upTo: end)
    start = end
    scanned = end
    return line
  }

  /// Are there bytes of a line that has not ended?
  package var isEmpty: Bool { start == buffer.count && discarded == 0 }

  private mutating func line(upTo end: Int) -> Line {
    let bytes = discarded + end - start
    discarded = 0
    return bytes > bytesMax ? .tooLong(bytes: bytes) : .whole(Array(buffer[start..<end]))
  }

  private mutating func discardIfTooLong() {
    guard let last = buffer.last, discarded > 0 || buffer.count - start > bytesMax + 1 else {
      return
    }
    // The last byte stays: it may be the CR of the line's end.
    discarded += buffer.count - start - 1
    forgetBytes()
    buffer.append(last)
    scanned = 1
  }

  private mutating func forget() {
    discarded = 0
    forgetBytes()
  }

  private mutating func forgetBytes() {
    buffer.removeAll(keepingCapacity: true)
    start = 0
    scanned = 0
  }

  /// How many bytes at the end begin a UTF-8 character without finishing it: 0 to 3.
  private static func cutCharacterBytes(in bytes: ArraySlice<UInt8>) -> Int {
    for (behind, byte) in bytes.suffix(3).reversed().enumerated() {
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > behind + 1 ? behind + 1 : 0
    }
    return 0
  }
}
