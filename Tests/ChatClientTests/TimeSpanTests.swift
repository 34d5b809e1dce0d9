/// How long something lasts, in words: the four units, and what is none.

import ChatClient
import Testing

@Suite struct TimeSpanTests {
  @Test(
    arguments: [
      ("90s", 90), ("30m", 1_800), ("12h", 43_200), ("7d", 604_800), ("007d", 604_800),
      ("1s", 1), ("0s", nil), ("000d", nil), ("d", nil), ("", nil), ("7", nil), ("7w", nil),
      ("7D", nil), ("+7d", nil), ("-7d", nil), ("#7d", nil), ("7 d", nil), (" 7d", nil),
      ("7d ", nil), ("1.5h", nil), ("\u{0667}d", nil), ("9223372036854775807s", .max),
      ("9223372036854775807d", .max), ("99999999999999999999s", .max),
    ] as [(String, Int?)])
  func aTimeIsDigitsAndAUnit(word: String, seconds: Int?) {
    #expect(TimeSpan.seconds(word) == seconds)
  }
}
