/// Splits one connection's bytes into lines. Knows no JSON inside a line, no socket.

/// Give it each read and the end of the stream, then pull lines until there are none.
package struct JSONLineReader {
  package enum Heard: Hashable, Sendable {
    /// A line without its end: LF, or CR and LF.
    case line(ArraySlice<UInt8>)
    /// A line was longer than the limit; nothing of it is given.
    case tooLong
  }

  /// Which line was given last, counted from 1, blank ones with the others.
  package private(set) var number = 0
  /// The most a line may take, its LF not counted.
  private let bytesMax: Int
  /// From the first line on that was not given yet.
  private var held = HeldBytes()
  /// Of what is held: so far no line ends.
  private var searched = 0
  /// Everything up to the next LF is dropped.
  private var isDiscarding = false
  private var hasStreamEnded = false

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// How many bytes are kept for this connection at the moment.
  package var bytesHeld: Int { held.count }

  package mutating func received(_ bytes: UnsafeRawBufferPointer) { unsafe held.append(bytes) }

  /// The stream has ended: what has no end yet is a line.
  package mutating func ended() { hasStreamEnded = true }

  package mutating func next() -> Heard? {
    while let line = nextLine() {
      let heard = heard(line)
      held.drop(line.size)
      searched = 0
      if let heard { return heard }
    }
    return nil
  }

  /// Where a line lies, or what there is of one that can only be dropped or has to be taken as it
  /// is.
  private struct Line {
    /// Without its LF.
    let range: Range<Int>
    let isWhole: Bool
    /// With it.
    let size: Int
  }

  private mutating func nextLine() -> Line? {
    let bytes = held.bytes
    if let end = lineFeed(in: bytes.span, from: held.start + searched) {
      return Line(range: held.start..<end, isWhole: true, size: end + 1 - held.start)
    }
    searched = held.count
    let mayGrow = !isDiscarding && !hasStreamEnded && held.count <= bytesMax
    guard !held.isEmpty, !mayGrow else { return nil }
    return Line(
      range: held.start..<bytes.count, isWhole: hasStreamEnded, size: held.count)
  }

  /// What is told of a line, if it is anything.
  private mutating func heard(_ line: Line) -> Heard? {
    if isDiscarding {
      isDiscarding = !line.isWhole
      return nil
    }
    number += 1
    guard line.range.count <= bytesMax else {
      isDiscarding = !line.isWhole
      return .tooLong
    }
    let bytes = held.bytes
    if isBlankLine(bytes.span.extracting(line.range)) { return nil }
    let end = bytes[line.range.upperBound - 1] == UInt8(ascii: "\r") ? 1 : 0
    return .line(bytes[line.range.dropLast(end)])
  }

  private func isBlankLine(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where !isBlank(line[index]) && line[index] != UInt8(ascii: "\r") {
      return false
    }
    return true
  }
}
