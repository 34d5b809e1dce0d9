/// How long something is to last, as people write it. Sets no limit.

package enum TimeSpan {
  /// `90s`, `30m`, `2h` or `7d` in seconds; nil for anything else. One that has no end in any sense
  /// is as long as there are numbers.
  package static func seconds(_ word: String) -> Int? {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let digits = word.dropLast()
    guard let unit = word.last.flatMap({ units[$0] }), !digits.isEmpty,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    guard let count = Int(digits) else { return .max }
    let (seconds, isOver) = count.multipliedReportingOverflow(by: unit)
    return isOver ? .max : count > 0 ? seconds : nil
  }
}
