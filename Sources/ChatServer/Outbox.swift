/// What waits to be sent to one reader. Touches no socket and sets no bound: its owner does.

/// Whole units (lines, frames, events) for one reader, oldest first. The front may have been sent
/// in part.
package struct Outbox {
  private var slices: [Slice] = []
  private var head = 0
  /// Bytes that wait.
  package private(set) var bytes = 0
  /// Units that wait; one that has been sent in part counts.
  package private(set) var units = 0
  /// Of the bytes that wait, those at the front that the kernel will send when it has room.
  package private(set) var bytesUnderWay = 0
  /// Slices up to this one have been looked at by ``compact()``.
  private var compacted = 0
  /// Units that were forgotten or never taken, until somebody tells the reader and sets this to 0.
  package var skipped = 0

  package init() {}

  package var isEmpty: Bool { bytes == 0 }

  /// What waits takes about so many bytes of memory: a few by themselves take more than they are.
  package var weight: Int { bytes + Slice.ownWeight * (slices.count - head) }

  /// Whether these units, too, may wait where all may weigh so much.
  func hasRoom(for slice: Slice, weightMax: Int) -> Bool {
    // The usual case does not ask how it would lie.
    weight + slice.weight <= weightMax
      || weight + slice.count <= weightMax && isContinued(by: slice)
  }

  /// Whether units that are not to be sent apart become one piece with the last ones.
  private func isContinued(by slice: Slice) -> Bool {
    let last = slices.count - 1
    return last >= max(head, compacted) && slices[last].isContinued(by: slice)
  }

  /// Adds whole units. Those that stand right behind the last ones in memory become one piece with
  /// them, unless they are to be sent `apart`.
  package mutating func append(_ slice: Slice, apart: Bool = false) {
    bytes += slice.count
    units += slice.units
    if !apart, isContinued(by: slice) {
      slices[slices.count - 1].continued(by: slice)
    } else {
      slices.append(slice)
    }
  }

  /// Puts units before all others. Not inside one, and not while bytes are under way.
  package mutating func prepend(_ slice: Slice) {
    precondition(!isInsideUnit && bytesUnderWay == 0, "a unit would be torn")
    slices.insert(slice, at: head)
    compacted = head
    bytes += slice.count
    units += slice.units
  }

  /// Calls `body` with address and size of the first pieces: at most `piecesMax` of them, at most
  /// `bytesMax` bytes in all.
  package func pieces(
    piecesMax: Int, bytesMax: Int = .max, _ body: (UnsafeRawPointer, Int) -> Void
  ) {
    var left = bytesMax
    for slice in slices[head...].prefix(piecesMax) where left > 0 {
      let count = min(left, slice.count)
      body(UnsafeRawPointer(slice.bytes.base.advanced(by: slice.start)), count)
      left -= count
    }
  }

  /// The first `count` bytes were handed over; they stay until ``sent(_:)``.
  package mutating func handedOver(_ count: Int) { bytesUnderWay = count }

  /// So many bytes from the front have gone.
  package mutating func sent(_ count: Int) {
    bytes -= count
    bytesUnderWay = max(0, bytesUnderWay - count)
    var left = count
    while left > 0 {
      let size = slices[head].count
      if left < size {
        let before = slices[head].units
        slices[head].sent(left)
        units -= before - slices[head].units
        break
      }
      left -= size
      units -= slices[head].units
      head += 1
    }
    if head == slices.count {
      units = 0
      head = 0
      compacted = 0
      // A burst's storage is given back; an idle reader keeps room for a few slices.
      if slices.capacity > 8 { slices = [] } else { slices.removeAll(keepingCapacity: true) }
    } else if head >= 64 {
      slices.removeFirst(head)
      compacted = max(0, compacted - head)
      head = 0
    }
  }

  /// For a reader that does not read at the moment: copies what is a small part of its memory, so
  /// that nobody's few units keep alive what was written to others in the same turn. Each slice is
  /// looked at once, before its bytes are under way.
  package mutating func compact() {
    guard max(head, compacted) < slices.count else { return }
    for index in max(head, compacted)..<slices.count {
      let slice = slices[index]
      guard slice.count < slice.bytes.capacity / Self.shareMin else { continue }
      slices[index] = slice.copied()
    }
    compacted = slices.count
  }

  /// A slice that has less than one part in so many of its memory is copied.
  private static let shareMin = 4

  /// Whether a unit has been sent in part, so that nothing may come before its rest.
  package var isInsideUnit: Bool { head < slices.count && slices[head].startsInsideUnit }

  /// Forgets, oldest first, every slice but the `newest`, never what has begun to go out. What is
  /// forgotten is added to ``skipped``.
  package mutating func skip(keepingNewest newest: Int = 0) {
    let begun = partFromBegun()
    skipped += slices.dropLast(newest).reduce(0) { $0 + $1.units }
    putBack(begun, slices.suffix(newest))
  }

  /// Puts what `other` gives in the place of each slice, nothing where that is nil. What has begun
  /// to go out stays.
  package mutating func replaceWaiting(_ other: (Slice) -> Slice?) {
    let begun = partFromBegun()
    putBack(begun, slices.compactMap(other)[...])
  }

  /// Leaves what may still be changed; gives what has begun to go out.
  private mutating func partFromBegun() -> [Slice] {
    slices.removeFirst(head)
    head = 0
    return takeBegun()
  }

  private mutating func putBack(_ begun: [Slice], _ rest: ArraySlice<Slice>) {
    slices = begun + rest
    // The kernel may still read from their memory: it is not to be copied and let go of.
    compacted = begun.count
    bytes = slices.reduce(0) { $0 + $1.count }
    units = slices.reduce(0) { $0 + $1.units }
  }

  /// Cuts off the front up to the end of the unit that has begun.
  private mutating func takeBegun() -> [Slice] {
    var begun: [Slice] = []
    var left = bytesUnderWay
    while let first = slices.first, left > 0 || first.startsInsideUnit {
      let end = first.endOfUnit(after: first.start + min(left, first.count))
      left -= end - first.start
      guard end < first.end else {
        begun.append(slices.removeFirst())
        continue
      }
      begun.append(slices[0].cut(at: end))
      break
    }
    return begun
  }
}
