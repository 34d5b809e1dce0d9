/// Moments as dates and back, in UTC. No time zones, no leap seconds, no clock.

/// A moment in the calendar, to the millisecond; years 0 to 9999.
package struct CalendarTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int

  private static let dayMilliseconds: Int64 = 86_400_000
  /// 0000-01-01 and the last of 9999: beyond them no date has four digits for its year.
  private static let first: Int64 = -62_167_219_200_000
  private static let last: Int64 = 253_402_300_799_999

  /// Milliseconds since 1970-01-01 00:00 UTC; what lies outside the years 0 to 9999 becomes the
  /// nearest that does not.
  package init(milliseconds given: Int64) {
    let moment = min(max(given, Self.first), Self.last)
    // By Howard Hinnant's civil_from_days ("chrono-Compatible Low-Level Date Algorithms").
    // Counted from a 1 March 400 years early, so that the leap day is the last of its year and
    // nothing is below 0: 400 years have 146,097 days, and five months in a row from March or
    // August have 153.
    let day = Int((moment - Self.first) / Self.dayMilliseconds) - 60 + 146_097
    var rest = Int((moment - Self.first) % Self.dayMilliseconds)
    let era = day / 146_097
    let dayOfEra = day % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    self.day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = (era - 1) * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    millisecond = rest % 1_000
    rest /= 1_000
    second = rest % 60
    minute = rest / 60 % 60
    hour = rest / 3_600
  }
}

extension CalendarTime {
  /// Reads RFC 3339 in UTC, with or without a fraction, into milliseconds since 1970; what is less
  /// than one is dropped. Nil for anything else, other time zones among it.
  package static func milliseconds(ofTimestamp text: String) -> Int64? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00".utf8)
    guard bytes.count > pattern.count, bytes.last == UInt8(ascii: "Z") else { return nil }
    for (byte, wanted) in zip(bytes, pattern) {
      guard wanted == UInt8(ascii: "0") ? isDigit(byte) : byte == wanted else { return nil }
    }
    var milliseconds = 0
    let fraction = bytes[pattern.count...].dropLast()
    if !fraction.isEmpty {
      let digits = fraction.dropFirst()
      guard fraction.first == UInt8(ascii: "."), !digits.isEmpty, digits.allSatisfy(isDigit) else {
        return nil
      }
      for place in 0..<3 {
        let index = digits.startIndex + place
        milliseconds = milliseconds * 10 + (index < digits.endIndex ? digit(digits[index]) : 0)
      }
    }
    let number = { (range: Range<Int>) in bytes[range].reduce(0) { $0 * 10 + digit($1) } }
    return since1970(
      year: number(0..<4), month: number(5..<7), day: number(8..<10), hour: number(11..<13),
      minute: number(14..<16), second: number(17..<19)
    ).map { $0 * 1_000 + Int64(milliseconds) }
  }

  /// In seconds; nil where the calendar or the clock has no such moment.
  private static func since1970(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
  ) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    // Days before this year since 0000-01-01, the year 0 being a leap year.
    let before = year > 0 ? (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1 : 0
    let days = year * 365 + before + lengths[..<(month - 1)].reduce(0, +) + day - 1
    return first / 1_000 + Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
  private static func digit(_ byte: UInt8) -> Int { Int(byte) - 0x30 }
}

extension [UInt8] {
  /// RFC 3339 in UTC, such as `2026-11-30T02:10:00.123Z`.
  package mutating func append(timestamp milliseconds: Int64) {
    let time = CalendarTime(milliseconds: milliseconds)
    append(dateOf: time)
    append(UInt8(ascii: "T"))
    append(minutesOf: time)
    append(UInt8(ascii: ":"))
    append(twoDigits: time.second)
    append(UInt8(ascii: "."))
    append(UInt8(ascii: "0") + UInt8(time.millisecond / 100))
    append(twoDigits: time.millisecond % 100)
    append(UInt8(ascii: "Z"))
  }

  /// `2026-11-30 02:10`
  package mutating func append(minuteOf milliseconds: Int64) {
    let time = CalendarTime(milliseconds: milliseconds)
    append(dateOf: time)
    append(UInt8(ascii: " "))
    append(minutesOf: time)
  }

  /// RFC 9110 5.6.7, such as `Mon, 30 Nov 2026 02:10:00 GMT`.
  package mutating func append(httpDate milliseconds: Int64) {
    let time = CalendarTime(milliseconds: milliseconds)
    // 1970-01-01 was a Thursday.
    let day = Int(((milliseconds / 86_400_000 + 4) % 7 + 7) % 7)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    self += Array("\(days[day]), ".utf8)
    append(twoDigits: time.day)
    self += Array(" \(months[time.month - 1]) ".utf8)
    append(twoDigits: time.year / 100)
    append(twoDigits: time.year % 100)
    append(UInt8(ascii: " "))
    append(minutesOf: time)
    append(UInt8(ascii: ":"))
    append(twoDigits: time.second)
    self += Array(" GMT".utf8)
  }

  private mutating func append(dateOf time: CalendarTime) {
    append(twoDigits: time.year / 100)
    append(twoDigits: time.year % 100)
    append(UInt8(ascii: "-"))
    append(twoDigits: time.month)
    append(UInt8(ascii: "-"))
    append(twoDigits: time.day)
  }

  private mutating func append(minutesOf time: CalendarTime) {
    append(twoDigits: time.hour)
    append(UInt8(ascii: ":"))
    append(twoDigits: time.minute)
  }

  private mutating func append(twoDigits number: Int) {
    append(UInt8(ascii: "0") + UInt8(number / 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
