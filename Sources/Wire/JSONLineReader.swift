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
  private var held: [UInt8] = []
  /// Where the first line that was not given yet begins.
  private var start = 0
  /// Between `start` and here no line ends.
  private var searched = 0
  /// Everything up to the next LF is dropped.
  private var isDiscarding = false
  private var hasStreamEnded = false

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// How many bytes are kept for this connection at the moment.
  package var bytesHeld: Int { held.count - start }

  package mutating func received(_ bytes: UnsafeRawBufferPointer) {
    if held.isEmpty {
      held = unsafe [UInt8](bytes)
      return
    }
    if start > 0 {
      held.removeFirst(start)
      searched -= start
      start = 0
    }
    unsafe held.append(contentsOf: bytes)
  }

  /// The stream has ended: what has no end yet is a line.
  package mutating func ended() { hasStreamEnded = true }

  package mutating func next() -> Heard? {
    while let (line, isWhole) = nextRange() {
      if !isDiscarding { number += 1 }
      if isDiscarding {
        isDiscarding = !isWhole
        forgetGiven()
      } else if line.count > bytesMax {
        isDiscarding = !isWhole
        forgetGiven()
        return .tooLong
      } else if isBlankLine(line) {
        forgetGiven()
      } else {
        let end = held[line.upperBound - 1] == UInt8(ascii: "\r") ? 1 : 0
        let given = held[line.dropLast(end)]
        forgetGiven()
        return .line(given)
      }
    }
    return nil
  }

  /// The next line, or what there is of one that can only be dropped or has to be taken as it is.
  private mutating func nextRange() -> (Range<Int>, isWhole: Bool)? {
    let from = start
    if let end = lineFeed(in: held.span, from: searched) {
      start = end + 1
      searched = start
      return (from..<end, true)
    }
    searched = held.count
    let mayGrow = !isDiscarding && !hasStreamEnded && held.count - start <= bytesMax
    guard held.count > start, !mayGrow else { return nil }
    start = held.count
    return (from..<start, hasStreamEnded)
  }

  /// An idle connection keeps no room for what it once held.
  private mutating func forgetGiven() {
    guard start == held.count else { return }
    held = []
    start = 0
    searched = 0
  }

  private func isBlankLine(_ line: Range<Int>) -> Bool {
    let bytes = held.span
    for index in line where !isBlank(bytes[index]) && bytes[index] != UInt8(ascii: "\r") {
      return false
    }
    return true
  }
}
