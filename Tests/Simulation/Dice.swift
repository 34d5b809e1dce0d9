/// Everything that is random in a simulation, drawn from one seed. Knows not what it decides.

import ChatHub

struct Dice {
  private var generator: SplitMix

  init(seed: UInt64) { generator = SplitMix(state: seed) }

  /// True so many times in a hundred.
  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...(elements.count - 1))]
  }

  /// In milliseconds, to the microsecond. Short times are likelier than long ones.
  mutating func time(_ milliseconds: ClosedRange<Int>) -> Duration {
    let most = number(milliseconds)
    return .microseconds(number((milliseconds.lowerBound * 1_000)...(most * 1_000)))
  }

  mutating func seed() -> UInt64 { generator.next() }
}
