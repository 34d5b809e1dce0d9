/// Small numbers for rooms, so that lines that wait can be told apart. Knows nobody.

import ChatModel

/// No number is given twice in a row of four billion.
package struct RoomNumbers {
  package typealias Number = UInt32

  private var numbers: [RoomName: Number] = [:]
  private var last: Number = 0
  private var sweepAt = 1_024

  mutating func number(of room: RoomName) -> Number {
    if let known = numbers[room] { return known }
    last = max(1, last &+ 1)
    numbers[room] = last
    return last
  }

  /// How many rooms have one.
  package var count: Int { numbers.count }

  /// Whether there are so many that it is worth a look which rooms are no more.
  var isSweepDue: Bool { numbers.count > sweepAt }

  /// Rooms that are no more lose their numbers: nobody can be put out of them.
  mutating func sweep(where isThere: (RoomName) -> Bool) {
    numbers = numbers.filter { isThere($0.key) }
    sweepAt = max(1_024, 2 * numbers.count)
  }
}
